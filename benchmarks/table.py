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
    """One comparison; `limit` is None where it only informs; `missing` says why it is empty."""

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
class Limit:
    """A promise about ourselves; what could not be measured is not kept."""

    what: str
    figure: float | None
    most: float
    unit: str = ""

    @property
    def is_kept(self) -> bool:
        return self.figure is not None and self.figure <= self.most


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


def grid(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("|" + "|".join(f" {cell} " if cell != "---" else cell for cell in line) + "|\n" for line in lines)


def render(rows: Sequence[Row | RateRow | GrowthRow], notes: Sequence[str] = ()) -> str:
    """The table, then the notes."""
    lines = ["| what | sitemap-action | beside it | ratio | limit | |", "|---|---|---|---|---|---|"]
    lines += [_line(row) for row in rows]
    return "\n".join([*lines, "", *(f"- {note}" for note in notes)]) + "\n"


def render_limits(limits: Sequence[Limit]) -> str:
    """Each with its figure."""
    return grid(["limit", "measured", "at most", ""], [_promise(limit) for limit in limits])


def _promise(limit: Limit) -> list[str]:
    if limit.figure is None:
        return [limit.what, "not measured here", _amount(limit.most, limit.unit), "**not kept**"]
    figure, most = _amount(limit.figure, limit.unit), _amount(limit.most, limit.unit)
    return [limit.what, figure, most, _mark(limit.is_kept)]


def _amount(number: float, unit: str) -> str:
    if isinstance(number, int):
        return f"{number:,}"
    return f"{number:,.0f} {unit}" if unit else f"{number:.2f}"


def _line(row: Row | RateRow | GrowthRow) -> str:
    if isinstance(row, Row):
        return _time(row)
    return _rate(row) if isinstance(row, RateRow) else _growth(row)


def _time(row: Row) -> str:
    if row.ratio is None:
        return f"| {row.what} | {_cost(row.ours)} | {row.beside}: {row.missing} | – | {_limit(row.limit)} | |"
    within = "" if row.limit is None else _mark(row.ratio <= row.limit)
    return (
        f"| {row.what} | {_cost(row.ours)} | {row.beside}: {_cost(row.theirs)} "
        f"| {row.ratio:.2f} | {_limit(row.limit)} | {within} |"
    )


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


def machine(*more: str) -> str:
    """What the numbers were measured on."""
    packages = ", ".join([*(f"{name} {_version(name)}" for name in ("click", "lxml", "xmlschema")), *more])
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
