"""The pages of a live origin: asked for politely, a few at a time, and no more of each than its head."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

from sitemap_action import dates, urls
from sitemap_action.live import LiveSite, first_bytes
from sitemap_action.net.answer import Answer, status_words
from sitemap_action.net.client import Client
from sitemap_action.pages.answers import canonical_of, reply_of_page
from sitemap_action.pages.head import END_OF_HEAD, header_says_noindex, read_head
from sitemap_action.pages.page import Page, Reply
from sitemap_action.pages.roll import Listed, Roll
from sitemap_action.site import PageTally, Site

_MOST_BYTES = 1_000_000
# A server that has failed, or kept us out, so often in a row is left alone.
_MOST_FAILURES = 25
# With a Crawl-delay, so long at most.
_MOST_SECONDS = 1_800.0
# What is no page by its name: that it is there is all that need be known.
_NO_HTML = re.compile(
    r"\.(?:pdf|jpe?g|png|gif|webp|avif|svg|ico|mp[34]|m4[av]|webm|og[gv]|wav|zip|gz|docx?|xlsx?|pptx?|odt|epub|csv|json"
    r"|xml|rss|atom|txt|css|js|woff2?)$",
    re.IGNORECASE,
)
_HTML_TYPES = ("text/html", "application/xhtml+xml", "")
_NO_HEAD_METHOD = (400, 403, 405, 501)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([\w:.-]+)", re.IGNORECASE)
_LINK = re.compile(r"<([^<>]{1,4000})>((?:\s*;[^,<>]{1,300}){1,8})")
_IS_CANONICAL = re.compile(r";\s*rel\s*=\s*[\"']?[^\"';]*\bcanonical\b", re.IGNORECASE)


class LivePages:
    """Asks for every listed page of an origin, up to a number, and gives the answers in the order of the set."""

    def __init__(self, live: LiveSite, client: Client, pool: ThreadPoolExecutor, most: int) -> None:
        self._live = live
        self._client = client
        self._pool = pool
        self._most = most
        self._failures = 0

    def wanted(self) -> bool:
        return True

    def look(self, site: Site, roll: Roll, watch: Callable[[int, int, str], None]) -> Iterator[Page]:
        """The pages with their replies; the tally says how many there are, and why some were not asked for."""
        tally = site.pages = PageTally(listed=roll.count)
        if not tally.listed:
            tally.notes.append("the pages were not looked at: none of them is on the site's own host")
            return
        total = min(tally.listed, self._within_patience(tally))
        for listed, reply in self._side_by_side(roll.call(total)):
            watch(tally.checked, total, listed.url)
            tally.checked += 1
            yield Page(listed.url, reply, listed.document, listed.entry, listed.lastmod, listed.alternates)
        if self._failures >= _MOST_FAILURES:
            tally.notes.append(f"the rest was not asked for: {_MOST_FAILURES} pages failed one after another")

    def _within_patience(self, tally: PageTally) -> int:
        """With a Crawl-delay fewer pages can be asked for in a time that anybody would wait."""
        delay = self._live.robots.crawl_delay if self._live.robots else 0.0
        if not delay:
            return self._most
        self._client.leave_between(self._live.origin.host, delay)
        most = max(1, int(_MOST_SECONDS / delay))
        if most < min(self._most, tally.listed):
            tally.notes.append(f"robots.txt asks for {delay:g} seconds between two requests (Crawl-delay)")
        return min(self._most, most)

    # Fetching

    def _side_by_side(self, pages: Iterator[Listed]) -> Iterator[tuple[Listed, Reply]]:
        """Several at a time; the replies come in the order of the pages."""
        waiting: deque[tuple[Listed, Future[Reply]]] = deque()
        try:
            for listed in pages:
                if self._failures >= _MOST_FAILURES:
                    break
                waiting.append((listed, self._pool.submit(self._reply, listed.url)))
                if len(waiting) > self._client.manners.concurrency:
                    yield self._first(waiting)
            while waiting:
                yield self._first(waiting)
        finally:
            for _, future in waiting:
                future.cancel()

    def _first(self, waiting: deque[tuple[Listed, Future[Reply]]]) -> tuple[Listed, Reply]:
        listed, future = waiting.popleft()
        reply = future.result()
        self._failures = self._failures + 1 if reply.outcome == "walled" else 0
        return listed, reply

    def _reply(self, url: str) -> Reply:
        """What the origin answers. What robots.txt forbids is not asked for."""
        robots = self._live.robots
        blocked = robots.blocked_by(url) if robots is not None and not self._is_closed_preview else None
        if blocked is not None:
            return Reply("shut", blocked=f"robots.txt line {blocked.line} (`Disallow: {blocked.value}`)")
        address = self._address(url)
        answer = self._ask(address)
        try:
            return self._judged(url, address, answer)
        finally:
            answer.discard()

    @property
    def _is_closed_preview(self) -> bool:
        """A preview that keeps all crawlers out says nothing of the site it stands for."""
        return self._live.is_preview and self._live.robots is not None and not self._live.robots.allows("/")

    def _address(self, url: str) -> str:
        """The scheme is the site's: that an entry has another one is said by a rule about its URL."""
        parts = urls.parse(url.partition("#")[0])
        assert parts is not None  # the roll holds no other
        return self._live.address(parts._replace(scheme=self._live.url.scheme).text)

    def _ask(self, address: str) -> Answer:
        path = urls.split_origin(address)[1].partition("?")[0]
        if _NO_HTML.search(path):
            answer = self._client.get(address, _MOST_BYTES, partial=True, method="HEAD")
            if answer.status not in _NO_HEAD_METHOD:
                return answer
            answer.discard()
        return self._client.get(address, _MOST_BYTES, partial=True, enough=HeadSeen)

    # Judging

    def _judged(self, url: str, address: str, answer: Answer) -> Reply:
        if answer.failure is not None or answer.wall or answer.status is None:
            return Reply("walled", f"it {answer.words()}")
        if answer.hops and answer.final_url != address:
            target = self._live.location(answer.final_url)
            tail = "" if answer.is_ok else f", which answered {status_words(answer.status)}"
            return Reply("redirect", f"it redirects to {target}{tail}", target)
        if not answer.is_ok:
            return Reply("missing", f"it {answer.words()}")
        reply = self._page(self._live.location(address), answer)
        if reply.outcome != "redirect":
            self._take_headers(url, answer.headers, reply)
        return reply

    def _page(self, url: str, answer: Answer) -> Reply:
        if answer.content_type not in _HTML_TYPES or answer.body is None:
            return Reply("file")
        charset = _CHARSET.search(answer.headers.get("content-type", ""))
        head = read_head(first_bytes(answer, _MOST_BYTES), charset[1] if charset else "")
        return reply_of_page(url, head) if head is not None else Reply("file")

    def _take_headers(self, url: str, headers: Mapping[str, str], reply: Reply) -> None:
        """Previews are mostly sent with `noindex` by their host, which the site itself will not be."""
        tag = headers.get("x-robots-tag", "")
        if header_says_noindex(tag) and not self._live.is_preview:
            reply.noindex = f"its header `X-Robots-Tag: {tag[:200]}`"
        links = _LINK.findall(headers.get("link", "")[:20_000])
        named = [target for target, parameters in links if _IS_CANONICAL.search(parameters)]
        if named and not reply.canonical:
            reply.canonical = canonical_of(url, url, named)
        changed, now = (dates.parse_rfc822(headers.get(name, "")) for name in ("last-modified", "date"))
        if changed is not None and (now is None or abs((now.start - changed.start).total_seconds()) > 60):
            reply.server_date = changed  # what was made for this answer has no date of its own


class HeadSeen:
    """Told of a body piece by piece; says when all of its head has come."""

    def __init__(self, encoding: str) -> None:
        self._inflater = zlib.decompressobj(47) if encoding in ("gzip", "x-gzip", "deflate") else None
        self._tail = b""

    def __call__(self, chunk: bytes) -> bool:
        if self._inflater is not None:
            with suppress(zlib.error):
                chunk = self._inflater.decompress(chunk, _MOST_BYTES)
        text = self._tail + chunk
        self._tail = text[-16:]
        return END_OF_HEAD.search(text) is not None or len(chunk) >= _MOST_BYTES
