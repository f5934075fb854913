"""What a report tells about a document: its dates, its extensions, its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from sitemap_action import dates
from sitemap_action.model import XML_SPACE, Document, Summary
from sitemap_action.spool import counts_of

_PLAIN = dates.unremarkable(2200)
_RECORDS = {"image": "image:image", "video": "video:video", "news": "news:news", "hreflang": "xhtml:link"}


def summarise(document: Document) -> None:
    """Taken while the values are at hand; this is all that stays of them."""
    summary = Summary(entries=document.entry_count)
    column = document.lastmods
    counts: Counter[str] = Counter()
    for value, count in column.counts.items():
        counts[value.strip(XML_SPACE)] += count
    plain = list(filter(_PLAIN.fullmatch, counts))
    for month, count in _by_month(document.format, counts, plain):
        summary.months[month] = summary.months.get(month, 0) + count
    outer = _outermost(document.format, counts, plain)
    if outer:
        summary.oldest = min(outer, key=lambda moment: moment.start).text
        summary.newest = max(outer, key=lambda moment: moment.start).text
    summary.distinct_lastmod = len(counts)
    summary.without_lastmod = document.entry_count - column.entry_count
    summary.extensions = _extensions(document)
    document.summary = summary


def _by_month(format: str, counts: Mapping[str, int], plain: Sequence[str]) -> Iterator[tuple[str, int]]:
    """In the order in which they come; of plain dates the beginning is the month."""
    are_plain = set(plain)
    for value, count in counts.items():
        if value in are_plain:
            yield value[:7], count
        else:
            moment = dates.for_format(format, value)
            if moment is not None and moment.day:
                yield moment.day[:7], count


def _outermost(format: str, values: Collection[str], plain: Sequence[str]) -> list[dates.Moment]:
    """The dates among which the oldest and the newest are: zones shift a time by less than two days."""
    ordered = sorted(plain)
    days = sorted({value[:10] for value in ordered})
    outer = set(days[:3] + days[-3:])
    others = set(values).difference(plain) if len(plain) < len(values) else ()
    candidates = [value for value in ordered if value[:10] in outer]
    candidates += [value for value in values if value in others]
    return [moment for value in candidates if (moment := dates.for_format(format, value))]


def _extensions(document: Document) -> dict[str, int]:
    """Records per extension, counted by shape: an entry's shape says how many it has."""
    entries = counts_of(document.shape_of)
    totals = dict.fromkeys(_RECORDS, 0)
    for number, shape in enumerate(document.shapes):
        for kind, name in _RECORDS.items():
            totals[kind] += entries[number] * len(shape.named(name))
    return totals
