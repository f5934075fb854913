"""The same page listed twice, within a file or across the files of the set."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from sitemap_action import urls
from sitemap_action.model import LOC, Document, Severity, Shape, Step
from sitemap_action.rules.base import FAQ, PROTOCOL, Found, Message, Rule
from sitemap_action.site import Site

_RECORDS = ("image:image", "video:video", "news:news")
_SUFFIXES = (".gz", ".xml", ".txt")


class Repeat(NamedTuple):
    """An entry whose page was listed before: spelled the same, or as a variant."""

    entry: int
    same_spelling: bool
    first_document: Document
    first_entry: int


class Listing:
    """All pages seen so far, as hashes; shared by the two rules below.

    Lists that repeat each other by design are kept apart: feeds name recent pages, entries with
    images, videos or news serve a purpose of their own (in one file they still count), and `sitemap.txt` or
    `sitemap.xml.gz` beside `sitemap.xml` is the same list in another form.
    """

    def __init__(self, site: Site) -> None:
        # Entries are numbered through all documents: where a variant of a page stood first, by kind of list.
        self._first: dict[object, dict[int, int]] = {}
        self._spellings: set[int] = set()
        self._documents: list[Document] = []
        self._starts: list[int] = [0]  # the number of each document's first entry, and of the next one's
        self._found: list[Repeat] = []
        self.variants: set[tuple[int, int]] = set()  # both sides of each pair, as document's id and entry

    def repeats(self, document: Document) -> list[Repeat]:
        """What this document lists again; worked out once, then asked for by several rules."""
        if document.is_index:
            return []
        if document not in self._documents[-1:]:
            self._documents.append(document)
            self._found = list(self._look(document, self._starts[-1]))
            self._starts.append(self._starts[-1] + len(document.spelling_hashes))
        return self._found

    def _look(self, document: Document, start: int) -> Iterator[Repeat]:
        kinds = [_kind(document, shape) for shape in document.shapes]
        if len(set(kinds)) == 1 and _take_all(document, self._first.setdefault(kinds[0], {}), start):
            return
        here: dict[int, int] = {}
        for entry, (page, spelled) in enumerate(zip(document.pages, document.spelling_hashes, strict=True)):
            if page is None:
                continue
            variant = hash(urls.variant(page))
            elsewhere = self._first.setdefault(kinds[document.shape_of[entry]], {})
            number = here.get(variant, elsewhere.get(variant))
            here.setdefault(variant, start + entry)
            elsewhere.setdefault(variant, start + entry)
            if number is not None:
                yield from self._repeat(document, entry, spelled, number)

    def _repeat(self, document: Document, entry: int, spelled: int, number: int) -> Iterator[Repeat]:
        first, first_entry = self._at(number)
        if first is not document and _twins(document, first):
            return
        same = spelled == first.spelling_hashes[first_entry] or spelled in self._spellings
        self._spellings.add(spelled)
        if not same:
            self.variants |= {(id(document), entry), (id(first), first_entry)}
        yield Repeat(entry, same, first, first_entry)

    def _at(self, number: int) -> tuple[Document, int]:
        index = bisect_right(self._starts, number) - 1
        return self._documents[index], number - self._starts[index]


def _take_all(document: Document, first_of: dict[int, int], start: int) -> bool:
    """The common case at once: plain URLs of one origin, all different and none seen before."""
    if (
        not document.all_ordinary
        or len(document.origins) != 2
        or "/index.htm" in document.listing
        or "?" in document.listing
    ):
        return False
    origin = document.origins[1]
    host, length = urls.variant(origin + "/"), len(origin)
    hashes = [hash(host + page[length:].rstrip("/")) for page in document.pages if page]
    fresh = dict(zip(hashes, range(start, start + len(hashes)), strict=True))
    if len(fresh) != len(hashes) or not first_of.keys().isdisjoint(fresh):
        return False
    first_of.update(fresh)
    return True


def _kind(document: Document, shape: Shape) -> object:
    """Entries are compared across files only with entries of their kind: a feed's stand for themselves."""
    if document.format in ("rss", "atom"):
        return document
    return frozenset(child.name for child in shape.children if child.name in _RECORDS)


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
            first = repeat.first_document
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
