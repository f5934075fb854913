"""The measurements as one Markdown table, with the facts of the machine below it."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.measure import Cost

MEGA = 1_000_000


@dataclass(frozen=True)
class Row:
    """One comparison; `limit` is what issue 2 allows, None where it only informs; `missing` says why it is empty."""

    what: str
    beside: str
    ours: Cost | None = None
    theirs: Cost | None = None
    limit: float | None = None
    missing: str = ""

    @property
    def ratio(self) -> float | None:
        return self.ours.seconds / self.theirs.seconds if self.ours and self.theirs else None


@dataclass(frozen=True)
class MemoryRow:
    """A peak of ours, held to a number of bytes."""

    what: str
    ours: Cost | None
    limit: int


@dataclass(frozen=True)
class Harvest:
    """How many URLs a run saw, and what it cost."""

    urls: int
    cost: Cost

    @property
    def rate(self) -> float:
        """URLs for each processor second."""
        return self.urls / self.cost.seconds


@dataclass(frozen=True)
class RateRow:
    """URLs for each processor second, held to a multiple of another tool's; the two may see different numbers."""

    what: str
    beside: str
    ours: Harvest
    theirs: Harvest | None
    least: float
    missing: str = ""


@dataclass(frozen=True)
class GrowthRow:
    """A peak of ours, held to a multiple of our peak with less to do."""

    what: str
    beside: str
    ours: Cost
    smaller: Cost
    limit: float


def render(rows: Sequence[Row | MemoryRow | RateRow | GrowthRow], notes: Sequence[str] = ()) -> str:
    """The table, then the notes."""
    lines = ["| what | sitemap-action | beside it | ratio | limit | |", "|---|---|---|---|---|---|"]
    lines += [_line(row) for row in rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes)]) + "\n"


def _line(row: Row | MemoryRow | RateRow | GrowthRow) -> str:
    if isinstance(row, Row):
        return _time(row)
    if isinstance(row, MemoryRow):
        return _memory(row)
    return _rate(row) if isinstance(row, RateRow) else _growth(row)


def _time(row: Row) -> str:
    if row.ratio is None:
        return f"| {row.what} | {_cost(row.ours)} | {row.beside}: {row.missing} | – | {_limit(row.limit)} | |"
    within = "" if row.limit is None else _mark(row.ratio <= row.limit)
    return (
        f"| {row.what} | {_cost(row.ours)} | {row.beside}: {_cost(row.theirs)} "
        f"| {row.ratio:.2f} | {_limit(row.limit)} | {within} |"
    )


def _memory(row: MemoryRow) -> str:
    limit = f"{row.limit / MEGA:.0f} MB"
    if row.ours is None or row.ours.memory is None:
        return f"| {row.what} | not measured here | – | – | {limit} | |"
    return f"| {row.what} | {row.ours.memory / MEGA:.0f} MB | – | – | {limit} | {_mark(row.ours.memory <= row.limit)} |"


def _rate(row: RateRow) -> str:
    limit = f"at least {row.least:.1f}"
    if row.theirs is None:
        return f"| {row.what} | {_harvest(row.ours)} | {row.beside}: {row.missing} | – | {limit} | |"
    ratio = row.ours.rate / row.theirs.rate
    mark = "within" if ratio >= row.least else "**under**"
    both = f"{_harvest(row.ours)} | {row.beside}: {_harvest(row.theirs)}"
    return f"| {row.what} | {both} | {ratio:.2f} | {limit} | {mark} |"


def _growth(row: GrowthRow) -> str:
    if row.ours.memory is None or row.smaller.memory is None:
        return f"| {row.what} | not measured here | – | – | {row.limit:.2f} | |"
    ratio = row.ours.memory / row.smaller.memory
    return (
        f"| {row.what} | {row.ours.memory / MEGA:.0f} MB | {row.beside}: {row.smaller.memory / MEGA:.0f} MB "
        f"| {ratio:.2f} | {row.limit:.2f} | {_mark(ratio <= row.limit)} |"
    )


def _harvest(harvest: Harvest) -> str:
    return f"{harvest.rate:,.0f} URLs/s ({harvest.urls:,} URLs: {_cost(harvest.cost)})"


def _cost(cost: Cost | None) -> str:
    if cost is None:
        return "–"
    return f"{cost.seconds:.2f} s" + ("" if cost.memory is None else f", {cost.memory / MEGA:.0f} MB")


def _limit(limit: float | None) -> str:
    return "–" if limit is None else f"{limit:.1f}"


def _mark(is_within: bool) -> str:
    return "within" if is_within else "**over**"


def machine() -> str:
    """What the numbers were measured on."""
    packages = ", ".join(f"{name} {_version(name)}" for name in ("click", "lxml", "xmlschema"))
    return (
        f"{_processor()}, {os.cpu_count()} processors, {platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}, {packages}."
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        facts = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in facts.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.machine()
