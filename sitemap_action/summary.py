"""What a report tells about a document: its dates, its extensions, its size."""

from __future__ import annotations

from collections import Counter

from sitemap_action import dates
from sitemap_action.model import XML_SPACE, Document, Summary

_PLAIN = dates.unremarkable(2200)
_RECORDS = {"image": "image:image", "video": "video:video", "news": "news:news", "hreflang": "xhtml:link"}


def summarise(document: Document) -> None:
    """Taken while the values are at hand; this is all that stays of them."""
    summary = Summary(entries=document.entry_count)
    column = document.lastmods
    counts: Counter[str] = Counter()
    for value, count in Counter(column.values).items():
        counts[value.strip(XML_SPACE)] += count
    for value, count in counts.items():
        month = _month(document.format, value)
        if month:
            summary.months[month] = summary.months.get(month, 0) + count
    outer = _outermost(document.format, list(counts))
    if outer:
        summary.oldest = min(outer, key=lambda moment: moment.start).text
        summary.newest = max(outer, key=lambda moment: moment.start).text
    summary.distinct_lastmod = len(counts)
    summary.without_lastmod = document.entry_count - len(set(column.entries))
    summary.extensions = _extensions(document)
    document.summary = summary


def _month(format: str, value: str) -> str | None:
    if _PLAIN.fullmatch(value):
        return value[:7]
    moment = dates.for_format(format, value)
    return moment.day[:7] if moment else None


def _outermost(format: str, values: list[str]) -> list[dates.Moment]:
    """The dates among which the oldest and the newest are: zones shift a time by less than two days."""
    plain = sorted(value for value in values if _PLAIN.fullmatch(value))
    days = sorted({value[:10] for value in plain})
    outer = set(days[:3] + days[-3:])
    others = [value for value in values if not _PLAIN.fullmatch(value)] if len(plain) < len(values) else []
    candidates = [value for value in plain if value[:10] in outer] + others
    return [moment for value in candidates if (moment := dates.for_format(format, value))]


def _extensions(document: Document) -> dict[str, int]:
    """Records per extension, counted by shape: an entry's shape says how many it has."""
    entries = Counter(document.shape_of)
    totals = dict.fromkeys(_RECORDS, 0)
    for number, shape in enumerate(document.shapes):
        for kind, name in _RECORDS.items():
            totals[kind] += entries[number] * len(shape.named(name))
    return totals
