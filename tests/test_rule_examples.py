"""Every rule's page is complete, and its examples do what they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run
from examples import read_example

from sitemap_action.check import Checker
from sitemap_action.model import Document
from sitemap_action.parse import parse
from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule, page
from sitemap_action.site import Scope, Site, tally

RULES = list(all_rules().values())


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_a_whole_page(rule: type[Rule]) -> None:
    about = page(rule)
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
        for number, text in enumerate(getattr(page(rule), kind), start=1)
    ]


@pytest.mark.parametrize(("rule", "example"), cases("bad"))
def test_the_bad_example_fires_the_rule(rule: type[Rule], example: str, tmp_path: Path, run: Run) -> None:
    if example.startswith("$ live\n"):
        assert rule.id in rules_on_a_live_origin(example.removeprefix("$ live\n"))
        return
    assert rule.id in run(*read_example(example).write(tmp_path)).rules()


@pytest.mark.parametrize(("rule", "example"), cases("good"))
def test_the_good_example_fires_no_rule_at_all(rule: type[Rule], example: str, tmp_path: Path, run: Run) -> None:
    if example.startswith("$ live\n"):
        assert rules_on_a_live_origin(example.removeprefix("$ live\n")) == set()
        return
    outcome = run(*read_example(example).write(tmp_path))
    assert outcome.report["findings"] == []
    assert outcome.exit_code == 0


def rules_on_a_live_origin(example: str) -> set[str]:
    """Some rules hold only for what is online now; the set is told so, the files stay files."""
    site = Site(Scope(), live=True)
    checker = Checker(site, RULES)
    data = next(iter(read_example(example).files.values()))
    document = parse(Document("https://www.acme.example/sitemap.xml"), data, limit=10_000_000)
    tally(document)
    site.add(document)
    return {found.rule.id for found in (*checker.check(document), *checker.finish())}
