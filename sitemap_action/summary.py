"""What a report tells about a document: its dates, its extensions, its size."""

from __future__ import annotations

from collections import Counter

from sitemap_action import dates
from sitemap_action.model import XML_SPACE, Document, Summary

_RECORDS = {"image": "image:image", "video": "video:video", "news": "news:news", "hreflang": "xhtml:link"}


def summarise(document: Document) -> None:
    """Taken while the values are at hand; this is all that stays of them."""
    summary = Summary(entries=document.entry_count)
    column = document.lastmods
    counts: Counter[str] = Counter()
    for value, count in Counter(column.values).items():
        counts[value.strip(XML_SPACE)] += count
    moments = [moment for value in counts if (moment := dates.for_format(document.format, value))]
    if moments:
        summary.oldest = min(moments, key=lambda moment: moment.start).text
        summary.newest = max(moments, key=lambda moment: moment.start).text
    summary.distinct_lastmod = len(counts)
    dated = len(column) if len(column) < 2 or column.entries[-1] == len(column) - 1 else len(set(column.entries))
    summary.without_lastmod = document.entry_count - dated
    for moment in moments:
        month = moment.day[:7]
        summary.months[month] = summary.months.get(month, 0) + counts[moment.text]
    summary.extensions = _extensions(document)
    document.summary = summary


def _extensions(document: Document) -> dict[str, int]:
    """Records per extension, counted by shape: an entry's shape says how many it has."""
    entries = Counter(document.shape_of)
    totals = dict.fromkeys(_RECORDS, 0)
    for number, shape in enumerate(document.shapes):
        for kind, name in _RECORDS.items():
            totals[kind] += entries[number] * len(shape.named(name))
    return totals
