"""The same page listed twice, within a file or across the files of the set."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from sitemap_action import urls
from sitemap_action.model import LOC, Document, Severity, Step
from sitemap_action.rules.base import FAQ, PROTOCOL, Found, Message, Rule
from sitemap_action.site import Site

_SUFFIXES = (".gz", ".xml", ".txt")


class Repeat(NamedTuple):
    """An entry whose page was listed before: spelled the same, or as a variant."""

    entry: int
    same_spelling: bool
    first_document: int
    first_entry: int


class Listing:
    """All pages seen so far, as hashes; shared by the two rules below.

    Lists that repeat each other by design are kept apart: feeds name recent pages, image,
    video and news sitemaps name pages for a purpose of their own, and `sitemap.txt` or
    `sitemap.xml.gz` beside `sitemap.xml` is the same list in another form.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._first: dict[object, dict[int, int]] = {}
        self._spellings: set[tuple[object, int]] = set()
        self._documents: array[int] = array("I")
        self._entries: array[int] = array("I")
        self._pages: array[int] = array("q")
        self._done: Document | None = None
        self._found: list[Repeat] = []

    def repeats(self, document: Document) -> list[Repeat]:
        """What this document lists again; worked out once, then asked for by both rules."""
        if self._done is not document:
            self._done = document
            self._found = list(self._look(document)) if not document.is_index else []
        return self._found

    def _look(self, document: Document) -> Iterator[Repeat]:
        number = len(self._site.documents) - 1
        list_kind = _kind(document, number)
        if self._take_all(document, number, list_kind):
            return
        first_of = self._first.setdefault(list_kind, {})
        for entry, page in enumerate(document.pages):
            if page is None:
                continue
            spelled = hash(page)
            position = first_of.setdefault(hash(urls.variant(page)), len(self._pages))
            if position == len(self._pages):
                self._documents.append(number)
                self._entries.append(entry)
                self._pages.append(spelled)
                continue
            first = self._documents[position]
            if first != number and _twins(document, self._site.documents[first]):
                continue
            same = spelled == self._pages[position] or (list_kind, spelled) in self._spellings
            self._spellings.add((list_kind, spelled))
            yield Repeat(entry, same, first, self._entries[position])

    def _take_all(self, document: Document, number: int, list_kind: object) -> bool:
        """The common case at once: plain URLs of one origin, all different and none seen before."""
        if not document.all_ordinary or len(document.origins) != 2 or "/index.htm" in document.listing:
            return False
        origin = document.origins[1]
        host, length = urls.variant(origin + "/"), len(origin)
        hashes = [hash(host + page[length:].rstrip("/")) for page in document.pages if page]
        first_of = self._first.setdefault(list_kind, {})
        if len(set(hashes)) != len(hashes) or not first_of.keys().isdisjoint(hashes):
            return False
        first_of.update(zip(hashes, range(len(self._pages), len(self._pages) + len(hashes)), strict=True))
        self._documents.extend([number] * len(hashes))
        self._entries.extend(range(len(hashes)))
        self._pages.extend(map(hash, filter(None, document.pages)))
        return True


def _kind(document: Document, number: int) -> object:
    if document.format in ("rss", "atom"):
        return number
    records = ("image:image", "video:video", "news:news")
    return frozenset(name for name in records if any(path.startswith(name) for path in document.columns))


def _twins(one: Document, other: Document) -> bool:
    return _stem(one.location) == _stem(other.location)


def _stem(location: str) -> str:
    for suffix in _SUFFIXES:
        location = location.removesuffix(suffix)
    return location


class _Repeated(Rule):
    """What both rules share: the listing, and the words for where the page stood first."""

    severity = Severity.WARNING
    step = Step.QUALITY
    same_spelling: bool

    def document(self, document: Document) -> Iterator[Found]:
        listing = self.site.shared(Listing)
        for repeat in listing.repeats(document):
            if repeat.same_spelling == self.same_spelling:
                message = self._message(repeat)
                yield self.found(message, document, repeat.entry, LOC)

    def _message(self, repeat: Repeat) -> Message:
        def words() -> str:
            first = self.site.documents[repeat.first_document]
            line = first.locate(repeat.first_entry, LOC).line
            where = f"{first.location}:{line}" if line else first.location
            if self.same_spelling:
                return f"The URL is listed again; it stands first at {where}."
            other = first.loc_at(repeat.first_entry)
            return f"The same page is listed as {(other or '')[:100]!r} at {where}."

        return words


class LocRepeated(_Repeated):
    """A URL is listed more than once, in one file or in several files of the set.

    Crawlers take it once. Repeats use up the limit and mostly show that a generator visits
    pages twice. Feeds, and image, video and news sitemaps, may name pages again.

    Fix: list every page once, in one file.

    Bad:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/about</loc></url>
    Good:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/contact</loc></url>
    """

    id = "loc-repeated"
    spec = PROTOCOL
    same_spelling = True


class LocVariantRepeated(_Repeated):
    """A page is listed under two spellings of its URL.

    URLs that differ only by http and https, `www.`, a slash at the end, a default port,
    index.html, the host's case or escaping mostly lead to one page. Engines pick one, and
    not always the one you want.

    Fix: list the canonical spelling only.

    Bad:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/about/</loc></url>
    Good:
        <url><loc>https://www.acme.example/about/</loc></url>
    """

    id = "loc-variant-repeated"
    spec = FAQ
    same_spelling = False
