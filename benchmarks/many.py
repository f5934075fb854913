"""A set of many files from disk: what a second process brings, what all need together, and whether reports agree."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks import files
from benchmarks.measure import Cost, Failed, best, cost_together
from benchmarks.table import MEGA, Limit, grid

_INDEX = "sitemap-index.xml"
_JOBS = (1, 2)
_MOST_MEMORY = 1_000 * MEGA


@dataclass(frozen=True)
class Many:
    """The set, what checking it cost with each number of jobs, and how many different reports came of it."""

    what: str
    costs: dict[int, Cost]
    reports: int


def fill(folder: Path, count: int, urls: int) -> int:
    """Write a built site that is nothing but sitemaps; the answer is their bytes.

    It is done in other processes because a command that is started later inherits our peak as its own.
    """
    folder.mkdir()
    names = [f"sitemap-{number:04}.xml" for number in range(1, count + 1)]
    entries = "".join(f"  <sitemap><loc>{files.SITE}/{name}</loc></sitemap>\n" for name in names)
    (folder / _INDEX).write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</sitemapindex>\n',
        encoding="utf-8",
    )
    (folder / "robots.txt").write_text(f"User-agent: *\nSitemap: {files.SITE}/{_INDEX}\n", encoding="utf-8")
    firsts = range(0, count * urls, urls)
    with ProcessPoolExecutor() as pool:
        list(pool.map(files.write_member, [folder / name for name in names], firsts, itertools.repeat(urls)))
    return sum((folder / name).stat().st_size for name in names)


def measure(folder: Path, count: int, urls: int, rounds: int) -> Many:
    """With one job and with two, in turn."""
    size = fill(folder / "set", count, urls)
    runs: dict[int, list[Cost]] = {jobs: [] for jobs in _JOBS}
    reports = set()
    for _ in range(rounds):
        for jobs in _JOBS:
            told = folder / "report.json"
            options = ["--no-pages", "--jobs", str(jobs), "--output", f"json={told}"]
            runs[jobs].append(cost_together([sys.executable, "-m", "sitemap_action", str(folder / "set"), *options]))
            reports.add(told.read_bytes())
    _see(reports, count * urls)
    what = f"{count:,} files, {count * urls:,} URLs, {size / MEGA:,.0f} MB"
    return Many(what, {jobs: best(spent) for jobs, spent in runs.items()}, len(reports))


def _see(reports: set[bytes], urls: int) -> None:
    """A report of something else would be no measurement."""
    for report in reports:
        if (seen := json.loads(report)["urls"]) != urls:
            raise Failed(f"a report has {seen:,} URLs, not {urls:,}")


def table(many: Many) -> str:
    one = many.costs[_JOBS[0]]
    rows = [_row(f"--jobs {jobs}", spent, one) for jobs, spent in many.costs.items()]
    return grid([many.what, "processor time", "elapsed", "memory of all processes"], rows)


def _row(name: str, spent: Cost, one: Cost) -> Sequence[str]:
    memory = "not measured here" if spent.memory is None else f"{spent.memory / MEGA:,.0f} MB"
    return [
        name,
        f"{spent.seconds / one.seconds:.2f} ({spent.seconds:.1f} s)",
        f"{spent.elapsed / one.elapsed:.2f} ({spent.elapsed:.1f} s)",
        memory,
    ]


def limits(many: Many) -> list[Limit]:
    peaks = [spent.memory for spent in many.costs.values() if spent.memory is not None]
    return [
        Limit("memory, set, all processes", max(peaks) / MEGA if peaks else None, _MOST_MEMORY / MEGA, "MB"),
        Limit("JSON reports that differ, set", many.reports - 1, 0),
    ]
