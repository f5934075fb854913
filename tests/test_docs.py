"""What is written down is true: docs/rules.md, the README's tables, its map and its commands."""

from __future__ import annotations

import inspect
import os
import re
import sys
from pathlib import Path

import click
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts import write_docs
from scripts.environment import ROOT
from sitemap_action.cli import main as command
from sitemap_action.command import rulebook
from sitemap_action.rules.hints import PriorityInvalid

README = (ROOT / "README.md").read_text(encoding="utf-8")
DEMO, TEST = "python scripts/demo.py", "python scripts/test.py"


def region(name: str) -> str:
    found = re.search(rf"<!-- {name} -->\n(.*?)\n<!-- /{name} -->", README, re.DOTALL)
    assert found, name
    return found[1]


def modules_on_disk() -> set[str]:
    package = ROOT / "sitemap_action"
    files = {path.relative_to(package).as_posix() for path in package.rglob("*.py")}
    return {name.removesuffix("__init__.py") for name in files} - {""}


def modules_on_the_map() -> set[str]:
    named: set[str] = set()
    folders: list[str] = []
    for line in region("map").splitlines()[2:-1]:
        depth = (len(line) - len(line.lstrip())) // 2 - 1
        name = line.split()[0]
        folders = folders[:depth]
        named.add("".join(folders) + name)
        if name.endswith("/"):
            folders.append(name)
    return named


def test_docs_rules_md_is_what_the_rules_say() -> None:
    written = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == rulebook.markdown(), "run `python scripts/write_docs.py`"


@pytest.mark.parametrize("name", write_docs.GENERATED)
def test_a_generated_part_of_the_readme_is_up_to_date(name: str) -> None:
    assert region(name) == write_docs.GENERATED[name](), "run `python scripts/write_docs.py`"


def test_the_option_table_names_exactly_the_options_of_the_command() -> None:
    options = command.get_params(click.Context(command, **command.context_settings))
    wanted = {name for item in options if isinstance(item, click.Option) for name in (*item.opts, *item.secondary_opts)}
    cells = [line.split(" | ")[0] for line in region("options").splitlines()[2:]]
    assert {name for cell in cells for name in re.findall(r"`(--?[a-z-]+)", cell)} == wanted


def test_the_map_names_every_module_and_none_that_is_not_there() -> None:
    assert modules_on_the_map() == modules_on_disk()


def test_a_module_without_a_purpose_would_show_on_the_map() -> None:
    assert not [line for line in region("map").splitlines()[2:-1] if len(line.split()) < 2]


def test_the_first_screen_holds_the_two_commands() -> None:
    first_screen = "\n".join(README.splitlines()[:60])
    assert re.findall(r"^    (python .*)$", first_screen, re.MULTILINE) == [DEMO, TEST]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    script = ROOT / ".ci" / "run"
    commands = re.findall(r"^ +(python3? scripts/.*)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    assert commands == [TEST, TEST.replace("python", "python3", 1)]
    assert os.name == "nt" or os.access(script, os.X_OK)


@pytest.mark.parametrize("line", [DEMO, TEST])
def test_a_command_of_the_readme_is_a_script_that_is_there(line: str) -> None:
    assert (ROOT / line.split()[1]).is_file()


def test_the_rule_that_contributing_shows_is_a_real_one() -> None:
    assert inspect.getsource(PriorityInvalid) in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "SECURITY.md", "THIRD_PARTY.md", "example/README.md"])
def test_links_to_files_lead_somewhere(page: str) -> None:
    path = ROOT / page
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert [link for link in links if not (path.parent / link).exists()] == []
