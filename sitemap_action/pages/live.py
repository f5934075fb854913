"""The pages of a live origin: asked for politely, a few at a time, and no more of each than its head."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from itertools import takewhile

from sitemap_action.net.abreast import abreast
from sitemap_action.net.answer import Answer, status_words
from sitemap_action.net.body import Want
from sitemap_action.net.client import Client
from sitemap_action.net.crew import Crew, wait_for
from sitemap_action.net.links import canonical_links
from sitemap_action.pages.answers import canonical_of, reply_of_page
from sitemap_action.pages.head import END_OF_HEAD, end_of_head, header_says_noindex, read_head
from sitemap_action.pages.page import Page, Reply
from sitemap_action.pages.roll import Listed, Roll
from sitemap_action.site import PageTally, Site
from sitemap_action.site.live import LiveSite
from sitemap_action.values import dates, urls

_MOST_BYTES = 1_000_000
# A server that has failed, or kept us out, so often in a row is left alone.
_MOST_FAILURES = 25
# With a Crawl-delay, so long at most; with a long one nothing is asked for again.
_MOST_SECONDS, _SHORT_DELAY = 1_800.0, 30.0
# What is no page by its name: that it is there is all that need be known.
_NO_HTML = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|avif|svg|ico|mp[34]|m4[av]|webm|og[gv]|wav|zip|gz|docx?|xlsx?|pptx?|odt|epub|csv|json"
    r"|xml|rss|atom|txt|css|js|woff2?)$",
    re.IGNORECASE,
)
_HTML_TYPES = ("text/html", "application/xhtml+xml", "")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w:.-]+)", re.IGNORECASE)
_UNPACKED = ("", "gzip", "x-gzip")
_REDIRECTS = range(300, 400)


class LivePages:
    """Asks for every listed page of an origin, up to a number, and gives the answers in the order of the set."""

    def __init__(self, live: LiveSite, client: Client, crew: Crew, most: int | None) -> None:
        self._live = live
        self._client = client
        self._crew = crew
        self._most = most
        self._failures = 0
        self._end: float | None = None  # with a Crawl-delay: when enough time was spent on it
        self._is_patient = True

    def look(self, site: Site, roll: Roll, watch: Callable[[int, int, str], None]) -> Iterator[Page]:
        """The pages with their replies; the tally says how many there are, and why some were not asked for."""
        tally = site.pages = PageTally(listed=roll.count)
        if not tally.listed:
            tally.notes.append("the pages were not looked at: none of them is on the site's own host")
            return
        total = self._within_patience(min(tally.listed, self._most or tally.listed), tally)
        for listed, reply in self._side_by_side(roll.call(total)):
            watch(tally.checked, total, listed.url)
            tally.checked += 1
            yield Page(listed.url, reply, listed.document, listed.entry, listed.lastmod, listed.alternates)
        if self._failures >= _MOST_FAILURES:
            tally.notes.append(f"the rest was not asked for: {_MOST_FAILURES} pages failed one after another")
        elif self._end is not None and time.monotonic() > self._end:
            tally.notes.append(
                "the rest was not asked for: half an hour was spent at the pace that robots.txt asks for"
            )

    def _within_patience(self, wanted: int, tally: PageTally) -> int:
        """With a Crawl-delay fewer pages can be asked for in a time that anybody would wait."""
        delay = self._live.robots.crawl_delay if self._live.robots else 0.0
        if not delay:
            return wanted
        self._client.leave_between(self._live.origin.origin, delay)
        self._end = time.monotonic() + _MOST_SECONDS
        self._is_patient = delay <= _SHORT_DELAY
        most = max(1, int(_MOST_SECONDS / delay))
        if most < wanted:
            tally.notes.append(f"robots.txt asks for {delay:g} seconds between two requests (Crawl-delay)")
        return min(wanted, most)

    # Fetching

    def _side_by_side(self, pages: Iterator[Listed]) -> Iterator[tuple[Listed, Reply]]:
        """Several at a time; the replies come in the order of the pages."""
        most = self._client.manners.concurrency
        asked = takewhile(lambda listed: not self._is_enough, pages)
        for listed, future in abreast(
            asked, lambda listed: self._crew.submit(self._reply, listed.url), most, Future.cancel
        ):
            reply, has_failed = wait_for(future)
            self._failures = self._failures + 1 if has_failed else 0
            yield listed, reply

    @property
    def _is_enough(self) -> bool:
        return self._failures >= _MOST_FAILURES or (self._end is not None and time.monotonic() > self._end)

    def _reply(self, url: str) -> tuple[Reply, bool]:
        """What the origin answers, and whether it failed or kept us out. What robots.txt forbids is not asked for."""
        address = self._address(url)
        if self._is_forbidden(self._live.location(address)):
            return Reply("shut", is_blocked=True), False
        answer = self._ask(address)
        try:
            return self._judged(url, address, answer), bool(answer.wall) or answer.is_down
        finally:
            answer.discard()

    def _is_forbidden(self, url: str) -> bool:
        """A preview that keeps all crawlers out says nothing of the site it stands for."""
        robots = self._live.robots
        if robots is None or (self._live.is_preview and not robots.allows("/")):
            return False
        return not robots.allows(url)

    def _address(self, url: str) -> str:
        """The scheme is the site's: that an entry has another one is said by a rule about its URL."""
        parts = urls.parse(urls.undotted(url.partition("#")[0]))
        assert parts is not None  # the roll holds no other
        return self._live.address(parts._replace(scheme=self._live.url.scheme).text)

    def _ask(self, address: str) -> Answer:
        """Where a redirect leads is not asked for: that it is one is what a reader has to know."""
        want = Want(_MOST_BYTES, partial=True, patient=self._is_patient, enough=HeadSeen, follows=False)
        if _NO_HTML.search(urls.split_origin(address)[1].partition("?")[0]):
            answer = self._client.ask(address, replace(want, method="HEAD", patient=False))
            if answer.is_ok:
                return answer
            answer.discard()  # many a server answers a HEAD as it likes
        return self._client.ask(address, want)

    # Judging

    def _judged(self, url: str, address: str, answer: Answer) -> Reply:
        if answer.hops:
            target = self._live.location(answer.final_url)
            return Reply("redirect", f"it answers {status_words(answer.status or 0)} and redirects to {target}", target)
        if answer.failure is not None or answer.wall or answer.status is None:
            return Reply("walled", f"it {answer.words()}")
        if answer.status in _REDIRECTS:
            return Reply("redirect", f"it answers {status_words(answer.status)}")
        if not answer.is_ok:
            return Reply("missing", f"it {answer.words()}")
        if answer.body is not None and answer.encoding not in _UNPACKED:
            return Reply("walled", f"it is packed as `{answer.encoding[:40]}`, which we did not ask for")
        reply = self._page(self._live.location(address), answer)
        if reply.outcome != "redirect":
            self._take_headers(url, answer.headers, reply)
        return reply

    def _page(self, url: str, answer: Answer) -> Reply:
        if answer.content_type not in _HTML_TYPES or answer.body is None:
            return Reply("file")
        charset = _CHARSET.search(answer.headers.get("content-type", ""))
        head = read_head(answer.first_bytes(_MOST_BYTES), charset[1] if charset else "")
        return reply_of_page(url, head) if head is not None else Reply("file")

    def _take_headers(self, url: str, headers: Mapping[str, str], reply: Reply) -> None:
        """Previews are mostly sent with `noindex` by their host, which the site itself will not be."""
        tag = headers.get("x-robots-tag", "")
        if header_says_noindex(tag) and not self._live.is_preview:
            reply.noindex = f"its header `X-Robots-Tag: {', '.join(tag.splitlines())[:200]}`"
        named = list(canonical_links(headers.get("link", "")))
        if named and not reply.canonical:
            reply.canonical = canonical_of(url, url, named)
        changed, now = (dates.parse_rfc822(headers.get(name, "")) for name in ("last-modified", "date"))
        if changed is not None and (now is None or abs((now.start - changed.start).total_seconds()) > 60):
            reply.server_date = changed  # what was made for this answer has no date of its own


class HeadSeen:
    """Told of a body piece by piece; says when all of its head has come."""

    def __init__(self, encoding: str) -> None:
        self._inflater = zlib.decompressobj(47) if encoding in _UNPACKED[1:] else None
        self._text = b""

    def __call__(self, chunk: bytes) -> bool:
        if self._inflater is not None:
            with suppress(zlib.error):
                chunk = self._inflater.decompress(chunk, _MOST_BYTES)
        start = max(0, len(self._text) - len("</head>"))
        self._text += chunk
        is_new = END_OF_HEAD.search(self._text, start) is not None
        return len(chunk) >= _MOST_BYTES or (is_new and end_of_head(self._text) is not None)
