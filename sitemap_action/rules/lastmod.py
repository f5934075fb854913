"""Dates of entries: `<lastmod>`, and what feeds have in its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Severity, Step
from sitemap_action.rules.base import GOOGLE_BUILD, PROTOCOL, W3C_DTF, Found, Rule, Verdict, shown
from sitemap_action.site import Site
from sitemap_action.values import dates

_BING = "https://blogs.bing.com/webmaster/february-2023/The-Importance-of-Setting-the-lastmod-Tag-in-Your-Sitemap"
_FIRST_WEB_PAGE = datetime(1991, 1, 1, tzinfo=timezone.utc)
_DAY = timedelta(days=1)
_STALE_DAYS = 90
# How long after its start a date can still be meant.
_SPAN = {"year": 366 * _DAY, "month": 31 * _DAY, "day": _DAY, "time": 0 * _DAY}

_DATE = r"\d{4}-\d\d-\d\d"
_TIME = r"\d\d:\d\d(?::\d\d(?:\.\d+)?)?"
# What people and programs write instead, and what is wrong with it; the first that fits is said.
_CAUSES = [
    (lazy.pattern(pattern, re.ASCII | re.DOTALL), cause)
    for pattern, cause in (
        (r".*(?:\{\{|\{%|<%|\$\{|\}\}|%\}|%[YmdHMS]).*", "holds a placeholder that no program filled in"),
        (r"(?i:invalid.*|.*\bnan\b.*|null|none|nil|undefined|unknown|n/?a)", "is what programs print without a date"),
        (r"-?0000-.*|-0001-.*|0001-01-01.*", "is the empty date of a database or program"),
        (r"\d{9,10}|\d{13}", "is a Unix timestamp"),
        (r"\d{8}(?:T?\d{4,6}(?:Z|[+-]\d{4})?)?", "lacks the hyphens and colons"),
        (r"[+-]?\d{5,}-.*", "has a year of more than four digits"),
        (r"\d{1,2}\.\s*\d{1,2}\.\s*\d{2,4}\b.*", "is written day.month.year; the year comes first, with hyphens"),
        (r"\d{1,4}/\d{1,2}/\d{1,4}\b.*", "is written with slashes; it takes hyphens, and the year comes first"),
        (r"\d{4}([._])\d{1,2}\1\d{1,2}\b.*", "is written without hyphens"),
        (r"\d{1,2}-\d{1,2}-\d{2,4}\b.*", "does not begin with a year of four digits"),
        (r"\d{4}-(?:\d-\d{1,2}|\d\d-\d|\d)(?!\d).*|.*T\d:.*", "lacks a leading zero"),
        (rf"{_DATE}\s+\d.*", "has a space where a `T` belongs"),
        (rf"{_DATE}(?:t.*|T[\d:.]+z)", "has a small `t` or `z`; both are capitals"),
        (rf"{_DATE}\s*(?:Z|[+-]\d\d:?\d\d)", "has a zone but no time"),
        (rf"{_DATE}T24:.*", "has the hour 24; midnight is 00:00 of the next day"),
        (rf"{_DATE}T{_TIME}[+-]\d{{4}}", "has a zone without a colon, as in +00:00"),
        (rf"{_DATE}T{_TIME}[+-]\d\d?", "has a zone without minutes, as in +00:00"),
        (rf"{_DATE}T{_TIME}(?:Z.+|\s.*|(?!Z)[A-Za-z].*)", "has a zone that is neither `Z` nor like +00:00"),
        (rf"{_DATE}T\d\d:\d\d:\d\d,\d+.*", "has a comma in its seconds"),
        (rf"{_DATE}T(?:\d\d)?(?:Z|[+-]\d\d:?\d\d)?", "has no minutes"),
    )
]
_SHAPE = lazy.pattern(rf"\d{{4}}-\d\d|{_DATE}(?:T{_TIME}(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII)


def cause(text: str, field: str) -> str:
    """Why the text is no date, in words that follow it."""
    for pattern, words in _CAUSES:
        if pattern.fullmatch(text):
            return words
    if _SHAPE.fullmatch(text):
        return "has a time or zone that no clock shows" if dates.parse(text[:10]) else "is not in the calendar"
    if field == "pubDate":
        return "is no date of a feed, such as `Wed, 06 May 2026 10:00:00 GMT`"
    if re.search(r"[^\W\d_]{3}", text):
        return "holds a word; dates are written in digits, such as 2026-05-06"
    return "is none of the six W3C forms, such as 2026-05-06 or 2026-05-06T10:00:00+00:00"


class _Date(Rule):
    """Judges each distinct date; one with a worse defect is left to that defect's rule."""

    severity = Severity.WARNING
    step = Step.QUALITY
    spec = W3C_DTF
    fields = ("lastmod", "pubDate")

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.plain = dates.unremarkable(site.scope.now.year, site.scope.now.month)

    def value(self, value: str, field: str) -> Verdict:
        text = value.strip(XML_SPACE)
        moment = dates.for_format("rss" if field == "pubDate" else "urlset", text)
        if defect(moment, self.site.scope.now) != self.id:
            return None
        return f"The date {shown(text)} {self.words(text, field)}."

    def words(self, text: str, field: str) -> str:
        """What is wrong, to follow the date in a sentence."""
        raise NotImplementedError


def defect(moment: dates.Moment | None, now: datetime) -> str | None:
    """The rule that a date by itself offends, the worst first."""
    if moment is None:
        return LastmodInvalid.id
    if moment.start - now > _DAY:
        return LastmodInFuture.id
    if moment.start < _FIRST_WEB_PAGE:
        return LastmodImplausible.id
    if not moment.has_zone:
        return LastmodZoneMissing.id
    return LastmodLowPrecision.id if moment.precision in ("year", "month") else None


class LastmodInvalid(_Date):
    """A date is in none of the forms that the protocol allows, or does not exist.

    Crawlers drop a date that they cannot read. The forms are those of W3C-DTF: 2026-05-06,
    or 2026-05-06T10:00:00+00:00 with `Z` or an offset as the zone; RSS has its own.

    Fix: write the day as 2026-05-06, or the time as 2026-05-06T10:00:00+00:00.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>06.05.2026</lastmod></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06 10:00:00</lastmod></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-02-31</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "lastmod-invalid"
    spec = PROTOCOL + "#lastmoddef"

    def words(self, text: str, field: str) -> str:
        return cause(text, field)


class LastmodZoneMissing(_Date):
    """A date has a time but no time zone.

    W3C-DTF wants a zone behind every time, and Search Console reports a time without one as
    an invalid date, although the schema lets it pass.

    Fix: add `Z` for UTC or an offset such as +02:00, or leave the time out.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06T10:00:00</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06T10:00:00Z</lastmod></url>
    """

    id = "lastmod-zone-missing"

    def words(self, text: str, field: str) -> str:
        return "has a time but no zone, such as `Z` or `+02:00`"


class LastmodLowPrecision(_Date):
    """A date names only a year or a month.

    That is allowed, but a crawler can hardly tell from it whether a page has changed since
    its last visit.

    Fix: write at least the day.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "lastmod-low-precision"
    severity = Severity.NOTICE

    def words(self, text: str, field: str) -> str:
        return "names no day"


class LastmodInFuture(_Date):
    """A date is more than a day ahead.

    A page cannot have changed in the future. Engines that meet such dates stop trusting the
    others as well. A day is allowed for time zones.

    Fix: write when the page last changed, not when it will be published or expires.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2199-01-01</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-01-01</lastmod></url>
    """

    id = "lastmod-in-future"
    spec = _BING

    def words(self, text: str, field: str) -> str:
        return "lies in the future"


class LastmodImplausible(_Date):
    """A date is older than the Web.

    1970-01-01 and 0001-01-01 are what programs write when they know no date.

    Fix: leave the date out where it is not known.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>1970-01-01T00:00:00Z</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "lastmod-implausible"
    spec = PROTOCOL + "#lastmoddef"

    def words(self, text: str, field: str) -> str:
        return "is older than the first web page, of 1991"


class LastmodStale(Rule):
    """The newest date of all sitemaps is over 90 days old.

    Either nothing has changed, or the sitemap is no longer built when the site is. Only told
    of a live site: files may be looked at whenever one likes.

    Fix: have the sitemap built with every deployment.

    Bad:
        $ live
        <url><loc>https://www.acme.example/</loc><lastmod>2019-05-06</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "lastmod-stale"
    asks_the_clock = True
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = GOOGLE_BUILD

    def whole_site(self) -> Iterator[Found]:
        if not self.site.live:
            return
        stated = (dates.for_format(document.format, document.summary.newest or "") for document in self.site.documents)
        moments = [moment for moment in stated if moment is not None]
        if not moments:
            return
        newest = max(moments, key=lambda moment: moment.start + _SPAN[moment.precision])
        if self.site.scope.now - newest.start - _SPAN[newest.precision] > _STALE_DAYS * _DAY:
            yield self.found(f"The newest date of the set, {newest.text}, is over {_STALE_DAYS} days old.")
