"""The house stays in order: dependencies point one way, functions and files stay short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "sitemap_action"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What a room may know of the others, by first name below the package, from the ground upwards; a room not listed here
# knows anyone but the command line.
MAY_KNOW = {
    "values": set(),
    "spool": set(),
    "clock": set(),
    "shortage": set(),
    "interrupt": set(),
    "writing": set(),
    "repository": set(),
    "model": {"values", "spool"},
    "sources": {"model", "shortage"},
    "parse": {"model", "values", "spool"},
    "net": {"model", "values", "spool", "clock", "shortage", "version"},
    "site": {"model", "values", "spool", "clock", "sources", "net"},
    "memory": {"model", "values", "spool", "site"},
    "pages": {"model", "values", "spool", "sources", "parse", "net", "site", "memory"},
    "schema": {"model", "values", "parse", "schemas"},
    "rules": {"model", "values", "spool", "parse", "site", "memory", "pages", "schema"},
    "check": {"model", "site", "pages", "rules"},
    "report": {"model", "values", "site", "rules"},
    "reading": {"model", "values", "sources", "parse", "site", "memory", "rules", "check", "report", "interrupt"},
    "parts": {"model", "values", "spool", "sources", "parse", "net", "memory", "rules", "reading", "report", "version"},
    "walk": {"model", "values", "spool", "sources", "parse", "net", "site", "pages", "check", "reading"},
    "formats": {"model", "values", "rules", "report", "repository", "version"},
    "github": {"net", "report", "formats", "repository", "writing"},
}


def imported(tree: ast.AST) -> set[str]:
    """Modules of this package that a module imports, by their first name."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "sitemap_action":
            found |= {"version" if alias.name == "__version__" else alias.name for alias in node.names} - {"lazy"}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sitemap_action."):
            found.add((node.module or "").split(".")[1])
    return found


def room(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[0]


def test_no_room_knows_one_above_itself() -> None:
    above = set(MAY_KNOW)
    for name, known in MAY_KNOW.items():
        assert above.isdisjoint(known), name
        above.discard(name)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_dependencies_point_one_way(path: Path) -> None:
    known = imported(ast.parse(path.read_text(encoding="utf-8")))
    if room(path) in MAY_KNOW:
        assert known <= {*MAY_KNOW[room(path)], room(path)}
    if room(path) != "__main__":
        assert "cli" not in known


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_files_and_functions_stay_short_and_modules_say_what_they_are_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree)
    assert text.count("\n") <= 300
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            assert (node.end_lineno or 0) - node.lineno < 40, node.name
