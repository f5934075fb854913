"""Measure the limits on speed and memory: `python benchmarks/run.py`, with `--all` for the slow comparisons too.

It wants the Python that has sitemap-action installed, and `xmllint` on the path. What is measured
is processor time, the best of three runs; the table goes to standard output.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks import files
from benchmarks.measure import Cost, Failed, best, cost, side_by_side
from benchmarks.table import MemoryRow, Row, machine, render

_TIMES = 3
_SCHEMA = Path(__file__).resolve().parent.parent / "sitemap_action" / "schemas" / "sitemap.xsd"
_START = [sys.executable, "-c", "import lxml.etree, click"]
_NAIVE = "import sys, xmlschema; xmlschema.XMLSchema(sys.argv[1]).validate(sys.argv[2])"
_LAX = (
    "The rich file is held against a copy of the schema with lax wildcards: with the strict ones every "
    "hreflang link is an error, and xmllint needs minutes for them."
)
_VERIFY = """
import asyncio, sys
from sitemap_verify import validate_target
report = asyncio.run(validate_target(sys.argv[1], mode="path", check_reachability=False, store_path=sys.argv[2]))
assert report.summary.urls_discovered, report
"""


def ours(path: Path) -> list[str]:
    return [sys.executable, "-m", "sitemap_action", str(path)]


def xmllint(schema: Path, path: Path) -> list[str]:
    return ["xmllint", "--noout", "--schema", str(schema), str(path)]


def lax_schema(folder: Path) -> Path:
    """The official schema, except that elements of other namespaces need no schema of their own."""
    text = _SCHEMA.read_text(encoding="utf-8")
    path = folder / "sitemap-lax.xsd"
    path.write_text(text.replace('processContents="strict"', 'processContents="lax"'), encoding="utf-8")
    return path


def compare(what: str, path: Path, beside: str, theirs: list[str], limit: float) -> Row:
    """A row for a limit; without the other tool ours is measured alone."""
    if shutil.which(theirs[0]) is None:
        return Row(what, beside, _alone(path), limit=limit, missing=f"`{theirs[0]}` is not installed")
    mine, other = side_by_side(ours(path), theirs, _TIMES)
    return Row(what, beside, mine, other, limit)


def _alone(path: Path) -> Cost:
    return best([cost(ours(path), allowed=(0, 1)) for _ in range(_TIMES)])


def limits(folder: Path) -> list[Row | MemoryRow]:
    """The rows that issue 2 sets a limit for."""
    plain, twice, rich, small = (folder / f"{name}.xml" for name in ("plain", "twice", "rich", "small"))
    files.write_plain(plain, files.FULL)
    files.write_plain(twice, 2 * files.FULL)
    files.write_rich(rich, files.FULL)
    files.write_plain(small, 100)
    lax = lax_schema(folder)
    first = compare(f"50,000 URLs, {_size(plain)}", plain, "xmllint", xmllint(_SCHEMA, plain), 2.0)
    second = compare(
        f"50,000 URLs, four hreflang links and an image each, {_size(rich)}",
        rich, "xmllint, lax wildcards", xmllint(lax, rich), 3.0,
    )  # fmt: skip
    memory = MemoryRow("the same, memory at its peak", second.ours, 400_000_000)
    double = Row(f"100,000 URLs, {_size(twice)}", "ourselves with 50,000", _alone(twice), first.ours, 2.2)
    start = compare("100 URLs", small, "`import lxml.etree, click`", _START, 4.0)
    return [first, second, memory, double, start]


def others(folder: Path, mine: Cost | None) -> list[Row]:
    """Tools of the same trade on the plain file, one run each; the ratio says how much of their time we need."""
    plain = str(folder / "plain.xml")
    rows = []
    for beside, module, command in (
        ("xmlschema, whole file", "xmlschema", [sys.executable, "-c", _NAIVE, str(_SCHEMA), plain]),
        (
            "sitemap-verify, reachability off",
            "sitemap_verify",
            [sys.executable, "-c", _VERIFY, plain, str(folder / "verify.sqlite3")],
        ),
    ):
        if subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True, check=False).returncode:
            rows.append(Row("50,000 URLs", beside, mine, missing="not installed"))
            continue
        try:
            rows.append(Row("50,000 URLs", beside, mine, cost(command)))
        except Failed as error:
            rows.append(Row("50,000 URLs", beside, mine, missing=str(error).splitlines()[-1]))
    return rows


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1_000_000:.1f} MB"


def notes() -> list[str]:
    """What a reader must know to believe the table."""
    return [
        f"Processor time (user and system), best of {_TIMES}, both commands in turn. {machine()}",
        _LAX,
    ]


def main(arguments: list[str]) -> int:
    if not set(arguments) <= {"--all"}:
        print(__doc__)
        return 2
    with tempfile.TemporaryDirectory(prefix="sitemap-action-") as name:
        folder = Path(name)
        rows = limits(folder)
        if "--all" in arguments:
            rows += others(folder, rows[0].ours)
        print(render(rows, notes()), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
