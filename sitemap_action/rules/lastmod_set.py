"""The dates of a document taken together: do all entries say when the site was built?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from sitemap_action.memory import Memory
from sitemap_action.model import XML_SPACE, Document, Place, Severity, Step
from sitemap_action.rules.base import GOOGLE_BUILD, Found, Rule, shown
from sitemap_action.rules.lastmod import LastmodZoneMissing, defect
from sitemap_action.site import Site
from sitemap_action.values import dates

if TYPE_CHECKING:
    from sitemap_action.pages.page import Page


_MANY = 64
_FEW, _FEW_DAYS, _LARGE = 5, 20, 100


class SharedDate(NamedTuple):
    """The one date that a suspicious number of entries share."""

    start: str  # the moment, in ISO 8601
    line: int | None
    column: int | None
    words: str
    example: str
    times: int
    total: int


class SharedDates(Memory):
    """The shared date of each document that has one; asked by several rules, worked out once."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.found: dict[int, tuple[Document, SharedDate]] = {}

    def note(self, document: Document) -> SharedDate | None:
        """None for an index: all children are often built at once, and rightly say so."""
        return None if document.is_index else _shared(document, self.site.scope.now)

    def remember(self, document: Document, note: SharedDate) -> None:
        self.found[id(document)] = document, SharedDate(*note)

    def is_shared(self, document: Document, moment: dates.Moment) -> bool:
        """Whether an entry has the date by which its document says when it was built."""
        known = self.found.get(id(document))
        return known is not None and known[1].start == moment.start.isoformat()


def _shared(document: Document, now: datetime) -> SharedDate | None:
    column = document.lastmods
    repeats = column.counts
    if len(repeats) > _MANY and 2 * max(repeats.values()) <= len(column):
        return None  # so many dates, and none stands out
    moments = {value: dates.for_format(document.format, value.strip(XML_SPACE)) for value in repeats}
    counts: Counter[tuple[datetime, str]] = Counter()
    for value, moment in moments.items():
        if moment is not None:
            counts[moment.start, moment.precision] += repeats[value]
    total = counts.total()
    for (start, precision), count in counts.most_common(1):
        same = [m for m in moments.values() if m and (m.start, m.precision) == (start, precision)]
        harmless = defect(same[0], now) in (None, LastmodZoneMissing.id)
        if harmless and _is_suspicious(precision, count, total):
            first = next(i for i, value in enumerate(column.values) if moments[value] == same[0])
            place = document.locate(column.entries[first], column.elements[first])
            words = "" if len({moment.text for moment in same}) == 1 else "in the second of "
            text = start.isoformat()
            return SharedDate(text, place.line, place.column, words, same[0].text, count, total)
    return None


def _is_suspicious(precision: str, count: int, total: int) -> bool:
    if count == total:
        return count >= (_FEW if precision == "time" else _FEW_DAYS)
    return precision == "time" and total >= _LARGE and count * 2 > total


class LastmodAllIdentical(Rule):
    """The entries share one date: that of the build, it seems, not of the content.

    Engines compare the dates with what they find. A file in which everything changes at once,
    whenever it is built, teaches them to ignore its dates. Reported for five or more entries
    with one timestamp, for one timestamp on over half of a hundred or more, and for days only
    when all of twenty or more entries share it.

    Fix: take the date from the content (front matter, database, version control), or leave it out.

    Bad:
        <url><loc>https://www.acme.example/{n}</loc><lastmod>2026-05-06T10:00:00Z</lastmod></url> × 5
    Bad:
        <url><loc>https://www.acme.example/{n}</loc><lastmod>2026-05-06</lastmod></url> × 20
    Good:
        <url><loc>https://www.acme.example/{n}</loc><lastmod>2026-05-0{n}T10:00:00Z</lastmod></url> × 5
    Good:
        <url><loc>https://www.acme.example/{n}</loc><lastmod>2026-05-06</lastmod></url> × 19
    """

    id = "lastmod-all-identical"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = GOOGLE_BUILD
    memories = (SharedDates,)

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._own_days: dict[int, set[str]] = {}  # what the pages of a document say themselves

    def page(self, page: Page) -> Found | None:
        """Pages with dates of their own show that the shared one is not theirs."""
        if page.document is not None and page.reply.modified:
            self._own_days.setdefault(id(page.document), set()).update(moment.day for moment in page.reply.modified)
        return None

    def whole_site(self) -> Iterator[Found]:
        for document, shared in self.site.shared(SharedDates).found.values():
            own = len(self._own_days.get(id(document), ()))
            yield self.found(partial(_in_words, shared, own), document, place=Place(shared.line, shared.column))


def _in_words(shared: SharedDate, own_days: int) -> str:
    entries = f"All {shared.times:,}" if shared.times == shared.total else f"{shared.times:,} of {shared.total:,}"
    differ = f", while the pages themselves name {own_days:,} different days" if own_days > 1 else ""
    return f"{entries} dates are {shared.words}{shown(shared.example)}{differ}."
