"""What is easier to see than to read, as numbers: dates by month or year, entries by document, room to the limits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_action.model import MAX_DOCUMENT_BYTES, MAX_ENTRIES
from sitemap_action.report import Report

_EIGHTHS = " ▏▎▍▌▋▊▉"


def dates(report: Report) -> dict[str, int]:
    """Entries per month, or per year where the dates span more than two of them; oldest first."""
    months: Counter[str] = Counter()
    for document in report.documents:
        if not document.is_index:
            months.update(document.summary.months)
    years = {month[:4] for month in months}
    periods: Counter[str] = Counter()
    for month, count in months.items():
        periods[month if len(years) <= 2 else month[:4]] += count
    return dict(sorted(periods.items()))


def with_gaps(periods: list[tuple[str, int]]) -> Iterator[tuple[str, int | None]]:
    """A row without a number wherever years, or months, lie between two periods."""
    before: int | None = None
    for period, count in periods:
        year, _, month = period.partition("-")
        number = int(year) * 12 + int(month) if month else int(year)
        if before is not None and number > before + 1:
            yield "…", None
        yield period, count
        before = number


def undated(report: Report) -> int:
    return sum(d.summary.without_lastmod for d in report.documents if d.readable and not d.is_index)


def limits(report: Report) -> tuple[float, float] | None:
    """How full the fullest file and the largest file are, from 0 to 1 and beyond."""
    read = [document for document in report.documents if not document.failed]
    if not read:
        return None
    entries = max(document.summary.entries for document in read)
    size = max(document.size for document in read)
    return entries / MAX_ENTRIES, size / MAX_DOCUMENT_BYTES


def share(part: float) -> str:
    return "under 1 %" if part < 0.01 else f"{part * 100:.0f} %"


def bar(part: float, width: int) -> str:
    """A bar of blocks, in eighths of a character; what is not nothing is seen."""
    eighths = round(min(max(part, 0.0), 1.0) * width * 8)
    eighths = max(eighths, 1) if part > 0 else 0
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")
