"""What a report tells about a document: its dates, its extensions, its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from sitemap_action.model import XML_SPACE, Document, Summary
from sitemap_action.spool import counts_of
from sitemap_action.values import dates

_PLAIN = dates.unremarkable(2200)
# The elements that carry the records of Google's extensions; and all that is counted, in the order of the report.
RECORDS = {"image": "image:image", "video": "video:video", "news": "news:news"}
COUNTED = {**RECORDS, "hreflang": "xhtml:link"}


def summarise(document: Document) -> None:
    """Taken while the values are at hand; this is all that stays of them."""
    summary = Summary(entries=document.entry_count)
    column = document.lastmods
    counts = _trimmed(column.counts)
    odd = {value for value in counts if not _PLAIN.fullmatch(value)}
    for month, count in _by_month(document.format, counts, odd):
        summary.months[month] = summary.months.get(month, 0) + count
    outer = _outermost(document.format, counts, odd)
    if outer:
        summary.oldest = min(outer, key=lambda moment: moment.start).text
        summary.newest = max(outer, key=lambda moment: moment.start).text
    summary.distinct_lastmod = len(counts)
    summary.without_lastmod = document.entry_count - column.entry_count
    summary.extensions = _extensions(document)
    document.summary = summary


def _trimmed(counts: Counter[str]) -> Counter[str]:
    together = "".join(counts)
    if not any(space in together for space in XML_SPACE):
        return counts
    trimmed: Counter[str] = Counter()
    for value, count in counts.items():
        trimmed[value.strip(XML_SPACE)] += count
    return trimmed


def _by_month(format: str, counts: Mapping[str, int], odd: Collection[str]) -> Iterator[tuple[str, int]]:
    """In the order in which they come; of plain dates the beginning is the month."""
    for value, count in counts.items():
        if value not in odd:
            yield value[:7], count
        else:
            moment = dates.for_format(format, value)
            if moment is not None and moment.day:
                yield moment.day[:7], count


def _outermost(format: str, values: Collection[str], odd: Collection[str]) -> list[dates.Moment]:
    """The dates among which the oldest and the newest are: zones shift a time by less than two days."""
    days = sorted({value[:10] for value in values if value not in odd})
    outer = set(days[:3] + days[-3:])
    candidates = sorted(value for value in values if value[:10] in outer and value not in odd)
    candidates += [value for value in values if value in odd]
    return [moment for value in candidates if (moment := dates.for_format(format, value))]


def _extensions(document: Document) -> dict[str, int]:
    """Records per extension, counted by shape: an entry's shape says how many it has."""
    entries = counts_of(document.shape_of)
    totals = dict.fromkeys(COUNTED, 0)
    for number, shape in enumerate(document.shapes):
        for kind, name in COUNTED.items():
            totals[kind] += entries[number] * len(shape.named(name))
    return totals
