"""The house stays in order: dependencies point one way, functions and files stay short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "sitemap_action"
MODULES = sorted(PACKAGE.rglob("*.py"))

# What a room may know of the others, by first name below the package; a room not listed here knows anyone
# but the command line.
MAY_KNOW = {
    "urls": set(),
    "dates": set(),
    "codes": set(),
    "shape": set(),
    "lazy": set(),
    "survey": {"urls"},
    "column": {"survey", "spool"},
    "spool": set(),
    "clock": set(),
    "shortage": set(),
    "model": {"urls", "shape", "column", "spool", "children"},
    "robots": set(),
    "parse": {"model", "urls", "spool", "parse"},
    "summary": {"model", "dates", "spool"},
    "site": {"model", "urls", "robots", "summary", "spool", "clock"},
    "sources": {"model", "shortage"},
    "discover": {"model", "urls", "robots", "site", "sources"},
    "lookup": {"model", "urls", "site", "sources", "discover", "children"},
    "children": {"model"},
    "walk": {
        "model",
        "urls",
        "parse",
        "site",
        "sources",
        "discover",
        "lookup",
        "children",
        "spool",
        "pages",
        "reading",
        "parts",
    },
    "hosts": set(),
    "net": {"model", "urls", "net", "spool", "version", "clock", "shortage"},
    "live": {"urls", "robots", "site", "net", "discover"},
    "conclude": {"model", "urls", "site", "live", "net"},
    "vouch": {"model", "urls", "hosts", "robots", "site", "live", "net"},
    "crawl": {
        "model",
        "urls",
        "parse",
        "site",
        "live",
        "net",
        "children",
        "conclude",
        "vouch",
        "spool",
        "pages",
        "reading",
        "parts",
        "arrival",
    },
    "arrival": {"model", "urls", "parse", "live", "net", "reading", "spool"},
    "memory": {"model", "site"},
    "fingerprint": {"urls", "spool"},
    "alternates": {"model", "urls", "site", "spool"},
    "listing": {"model", "site", "spool", "memory", "fingerprint"},
    "mesh": {"model", "urls", "site", "spool", "memory", "fingerprint", "listing", "alternates"},
    "schema": {"model", "dates", "urls", "parse", "schemas", "shape"},
    "rules": {
        "model",
        "urls",
        "dates",
        "codes",
        "shape",
        "parse",
        "site",
        "robots",
        "spool",
        "alternates",
        "listing",
        "mesh",
        "memory",
        "children",
        "hosts",
        "schema",
        "pages",
        "rules",
    },
    "pages": {
        "model",
        "urls",
        "dates",
        "robots",
        "site",
        "sources",
        "discover",
        "live",
        "net",
        "alternates",
        "memory",
        "spool",
        "parse",
        "pages",
    },
    "check": {"model", "rules", "site", "pages"},
    "finding": {"model", "rules"},
    "sieve": {"model", "rules", "finding"},
    "reading": {"model", "urls", "parse", "rules", "site", "sources", "children", "check", "sieve", "fingerprint"},
    "interrupt": set(),
    "pool": {"reading", "interrupt"},
    "parts": {
        "parts",
        "model",
        "reading",
        "finding",
        "sieve",
        "spool",
        "parse",
        "rules",
        "net",
        "fingerprint",
        "sources",
        "version",
    },
    "report": {"model", "rules", "site", "evidence", "finding", "gate", "sieve", "parts"},
    "gate": {"evidence", "report"},
    "git_index": set(),
    "workspace": {"git_index"},
    "evidence": {"model", "report", "rules"},
    "formats": {"model", "dates", "report", "finding", "evidence", "rules", "formats", "version", "workspace"},
    "github": {"report", "formats", "github", "net", "workspace"},
    "publish": {"formats", "github", "report"},
    "machine": {"formats", "github", "shortage"},
    "config": {"sources"},
    "arguments": {"sources"},
    "progress": {"evidence", "formats"},
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


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_dependencies_point_one_way(path: Path) -> None:
    known = imported(ast.parse(path.read_text(encoding="utf-8")))
    if room(path) in MAY_KNOW:
        assert known <= MAY_KNOW[room(path)]
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
