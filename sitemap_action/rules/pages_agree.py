"""Do the listed pages say of themselves what the sitemap says of them?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sitemap_action import lazy
from sitemap_action.model import LOC, Severity
from sitemap_action.rules.base import GOOGLE_BUILD, GOOGLE_CRAWLING, GOOGLE_HREFLANG, Found, shown
from sitemap_action.rules.lastmod_set import SharedDates
from sitemap_action.rules.pages import PageRule
from sitemap_action.site import Site
from sitemap_action.values import dates, urls

if TYPE_CHECKING:
    from sitemap_action.pages.page import Page


_DAY = timedelta(days=1)
# How long after its start a date can still be meant.
_SPANS = {"day": _DAY, "time": timedelta(0)}
_ELSEWHERE = "other"
_FEW = 5
_ESCAPED = lazy.pattern("%2[17-9A]")  # !'()*


class PageCanonicalElsewhere(PageRule):
    """A listed page names another URL as the real one.

    `rel=canonical` tells search engines which URL to index; a sitemap should list that one. Where many
    pages differ in one way, such as the slash at their end, that is one finding with their number.

    Fix: list the canonical URL, or mend the canonical; often one setting of the generator decides.

    Bad:
        --- about/index.html
        <title>About</title><link rel="canonical" href="https://www.acme.example/about/">
        --- sitemap.xml
        <url><loc>https://www.acme.example/about</loc></url>
    Good:
        --- about/index.html
        <title>About</title><link rel="canonical" href="/about/">
        --- sitemap.xml
        <url><loc>https://www.acme.example/about/</loc></url>
    """

    id = "page-canonical-elsewhere"
    spec = GOOGLE_CRAWLING + "consolidate-duplicate-urls"

    def page(self, page: Page) -> Found | None:
        canonical = page.reply.canonical
        if page.document is None or not canonical or canonical == page.url:
            return None
        own, other = (_plain(url) for url in (page.url.partition("#")[0], canonical))
        if own == other:
            return None
        kind = _difference(own, other)
        message = partial(_canonical_words, page.url, canonical, kind)
        return self.found(message, page.document, page.entry, LOC, group=kind)


def _canonical_words(url: str, canonical: str, kind: str, count: int, _first: Sequence[str]) -> str:
    how = f"differs by {kind}" if kind != _ELSEWHERE else "is another page"
    if count == 1:
        return f"Listed as {shown(url)}, but its canonical is {shown(canonical)}, which {how}."
    pages = f"{count:,} pages name a canonical that {how}"
    return f"{pages}: the first is listed as {shown(url)}, and its canonical is {shown(canonical)}."


def _plain(url: str) -> str:
    """One spelling, also for characters that may be escaped or not without any server minding."""
    return _ESCAPED.sub(lambda escape: unquote(escape[0]), urls.same_page(url))


def _difference(own: str, other: str) -> str:
    """In which one way two URLs differ; `other` where it is more than that."""
    ways = (
        ("the slash at the end", _without_slash),
        ("`www.`", _without_www),
        ("the scheme", _without_scheme),
        ("`index.html`", _without_index),
    )
    return next((name for name, plain in ways if plain(own) == plain(other)), _ELSEWHERE)


def _without_slash(url: str) -> str:
    path, mark, query = url.partition("?")
    return path.rstrip("/") + mark + query


def _without_www(url: str) -> str:
    return url.replace("://www.", "://", 1)


def _without_scheme(url: str) -> str:
    return url.partition("://")[2]


def _without_index(url: str) -> str:
    path, mark, query = url.partition("?")
    for name in ("index.html", "index.htm"):
        path = path.removesuffix("/" + name) + "/" if path.endswith("/" + name) else path
    return path + mark + query


class PageLastmodMismatch(PageRule):
    """The date of an entry is not the one that the page itself tells.

    Compared are `article:modified_time`, `dateModified` of structured data and, on a live site,
    `Last-Modified`; one that agrees to the day is enough. Dates that disagree make a crawler trust none.

    Fix: take both dates from the same source.

    Bad:
        --- index.html
        <title>Acme</title><meta property="article:modified_time" content="2026-01-02T10:00:00Z">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    Good:
        --- index.html
        <title>Acme</title><meta property="article:modified_time" content="2026-05-06T10:00:00Z">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "page-lastmod-mismatch"
    severity = Severity.NOTICE
    spec = GOOGLE_BUILD

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._said_by_server: list[tuple[str, Found]] = []
        self._server_days: Counter[str] = Counter()

    def page(self, page: Page) -> Found | None:
        listed, reply = page.lastmod, page.reply
        if reply.server_date is not None:
            self._server_days[reply.server_date.day] += 1
        told = [*reply.modified, *([reply.server_date] if reply.server_date else [])]
        if page.document is None or listed is None or listed.precision not in _SPANS or not told:
            return None
        if self.site.shared(SharedDates).is_shared(page.document, listed):
            return None  # that is said once, for all of them
        if any(moment.precision not in _SPANS or _apart(listed, moment) <= _DAY for moment in told):
            return None
        if reply.modified:
            return self.at(page, f"The entry says {shown(listed.text)}, the page says {shown(told[0].text)}.")
        found = self.at(page, f"The entry says {shown(listed.text)}, the server says {shown(told[0].text)}.")
        self._said_by_server.append((told[0].day, found))
        return None

    def whole_site(self) -> Iterator[Found]:
        """A day that most pages share is that of a deployment: it says nothing of any of them."""
        day, times = next(iter(self._server_days.most_common(1)), ("", 0))
        is_deployment = times >= _FEW and 2 * times > self._server_days.total()
        yield from (found for said, found in self._said_by_server if not (is_deployment and said == day))


def _apart(one: dates.Moment, other: dates.Moment) -> timedelta:
    """The time between two dates, each of which may be any moment of its day."""

    def span(moment: dates.Moment) -> tuple[datetime, datetime]:
        return moment.start, moment.start + _SPANS[moment.precision]

    first, second = sorted((span(one), span(other)))
    return second[0] - first[1]


class PageHreflangMismatch(PageRule):
    """The page and its entry name different URLs for one language.

    Links to other languages may stand in the page, in the sitemap, or in both; where both have them,
    they must agree, or search engines ignore them.

    Fix: take both from the same source, or leave one of them out.

    Bad:
        --- en/index.html
        <title>Acme</title><link rel="alternate" hreflang="de" href="https://www.acme.example/deutsch/">
        --- de/index.html
        <title>Acme</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/en/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/en/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
        <url><loc>https://www.acme.example/de/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/en/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
    Good:
        --- en/index.html
        <title>Acme</title><link rel="alternate" hreflang="de" href="https://www.acme.example/de/">
        --- de/index.html
        <title>Acme</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/en/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/en/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
        <url><loc>https://www.acme.example/de/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/en/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
    """

    id = "page-hreflang-mismatch"
    severity = Severity.NOTICE
    spec = GOOGLE_HREFLANG

    def page(self, page: Page) -> Found | None:
        ours, theirs = page.alternates, page.reply.alternates
        if page.document is None or not ours or not theirs:
            return None
        differing = [code for code in ours if code in theirs and ours[code] != theirs[code]]
        if not differing:
            return None
        code = differing[0]
        more = f", and {len(differing) - 1} more differ" if len(differing) > 1 else ""
        return self.at(page, f"For {code!r} the entry names {shown(ours[code])}, the page {shown(theirs[code])}{more}.")
