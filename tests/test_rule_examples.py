"""Every rule's page is complete, and its examples do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Outcome, Run
from examples import read_example
from origins import Origin

from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule, explanation_of

RULES = list(all_rules().values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_a_whole_page(rule: type[Rule]) -> None:
    about = explanation_of(rule)
    assert about.summary.endswith(".")
    assert about.why.endswith((".", ")"))
    assert about.fix
    assert about.bad
    assert about.good
    assert rule.spec.startswith("https://")


def cases(kind: str) -> list[object]:
    return [
        pytest.param(rule, text, id=f"{rule.id}-{number}")
        for rule in RULES
        for number, text in enumerate(getattr(explanation_of(rule), kind), start=1)
    ]


def outcome_of(text: str, tmp_path: Path, run: Run) -> Outcome:
    """The command's word on an example: files in a folder, or a live origin that serves them."""
    example = read_example(text)
    if not example.is_live:
        return run(*example.write(tmp_path))
    with Origin() as origin:
        return run(*example.serve(origin))


@pytest.mark.parametrize(("rule", "example"), cases("bad"))
def test_the_bad_example_fires_the_rule(rule: type[Rule], example: str, tmp_path: Path, run: Run) -> None:
    assert rule.id in outcome_of(example, tmp_path, run).rules()


@pytest.mark.parametrize(("rule", "example"), cases("good"))
def test_the_good_example_fires_no_rule_at_all(rule: type[Rule], example: str, tmp_path: Path, run: Run) -> None:
    outcome = outcome_of(example, tmp_path, run)
    assert outcome.report["findings"] == []
    assert outcome.exit_code == 0
