"""Which pages the whole set lists, as hashes: what is listed twice, and where it stood first."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitemap_action import urls
from sitemap_action.model import Document, Shape
from sitemap_action.site import Site
from sitemap_action.spool import KeptNumbers, Same, occurring_twice

_RECORDS = ("image:image", "video:video", "news:news")
_SUFFIXES = (".gz", ".xml", ".txt")
_NONE: frozenset[int] = frozenset()


class Repeat(NamedTuple):
    """An entry whose page was listed before: spelled the same, or as a variant."""

    document: Document
    entry: int
    same_spelling: bool
    first_document: Document
    first_entry: int


@dataclass(slots=True)
class _Part:
    """A document's pages: how each may be spelled at all (0 for none), and the same for comparison across files."""

    document: Document
    variants: KeptNumbers
    shared: KeptNumbers | None  # None for a feed, which is compared with no other file
    twice: frozenset[int]  # variants that this document has more than once


class Listing:
    """All pages of the set; they are put aside, and only those that occur twice are looked at again.

    Lists that repeat each other by design are kept apart: feeds name recent pages, entries with
    images, videos or news serve a purpose of their own (in one file they still count), and `sitemap.txt` or
    `sitemap.xml.gz` beside `sitemap.xml` is the same list in another form.
    """

    def __init__(self, site: Site) -> None:
        self._spool = site.spool
        self._parts: list[_Part] = []
        self._origins: dict[str, str] = {}  # for each host without its `www.`, the first origin that was met

    def add(self, document: Document) -> None:
        """Remember a document's pages, while its values are at hand; several rules ask for it."""
        if document.is_index or (self._parts and self._parts[-1].document is document):
            return
        hashes = self._variants(document)
        twice = _NONE
        if len(set(hashes)) != len(hashes):
            twice = frozenset(number for number, count in Counter(hashes).items() if count > 1 and number)
        variants = self._spool.keep_numbers(hashes)
        document.spelling_hashes  # noqa: B018, asked for in time: it is kept from here on
        self._parts.append(_Part(document, variants, self._shared(document, hashes, variants), twice))

    def _variants(self, document: Document) -> array[int]:
        """A hash for each entry that all spellings of its page share; 0 for faulty URLs.

        It is that of the page on the first origin that was met for its host, without a slash at its end: for most
        pages the hash that is there already.
        """
        pages = document.pages
        if not document.all_ordinary or "/index.htm" in document.listing or "?" in document.listing:
            return array("q", [hash(self._canonical(page)) if page else 0 for page in pages])
        if len(document.origins) != 2 or self._canonical(document.origins[1] + "/") != document.origins[1]:
            return array("q", [hash(self._canonical(page or "")) for page in pages])
        hashes = array("q")
        hashes.extend(document.page_hashes)
        if "/\n" in document.listing or document.listing.endswith("/"):
            for entry, page in enumerate(pages):
                if page and page.endswith("/"):
                    hashes[entry] = hash(page.rstrip("/"))
        return hashes

    def _canonical(self, page: str) -> str:
        variant = urls.variant(page)
        host = variant.partition("/")[0].partition("?")[0]
        slash = page.find("/", 8)
        origin = self._origins.setdefault(host, page[:slash] if slash > 0 else page)
        return origin + variant[len(host) :]

    def _shared(self, document: Document, hashes: array[int], variants: KeptNumbers) -> KeptNumbers | None:
        """Entries are compared across files only with entries of their kind."""
        if document.format in ("rss", "atom"):
            return None
        salts = [_salt(shape) for shape in document.shapes]
        if not any(salts):
            return variants
        return self._spool.keep_numbers(
            array("q", [page and page ^ salts[shape] for page, shape in zip(hashes, document.shape_of, strict=True)])
        )

    @cached_property
    def _suspects(self) -> set[int]:
        """What more than one file lists; asked for when the set is complete."""
        columns = [part.shared for part in self._parts if part.shared is not None]
        return occurring_twice(columns, self._spool) - {0} if len(columns) > 1 else set()

    @cached_property
    def variants(self) -> set[tuple[int, int]]:
        """Both sides of each pair that differs in spelling, as document's id and entry."""
        pairs = [repeat for repeat in self.repeats() if not repeat.same_spelling]
        return {(id(pair.document), pair.entry) for pair in pairs} | {
            (id(pair.first_document), pair.first_entry) for pair in pairs
        }

    def repeats(self) -> Iterator[Repeat]:
        """Every entry whose page stood somewhere before, in the order of the set."""
        for part, entry, same, first, first_entry in zip(*self._found, strict=True):
            document, first_document = self._parts[part].document, self._parts[first].document
            yield Repeat(document, entry, bool(same), first_document, first_entry)

    @cached_property
    def _found(self) -> tuple[array[int], ...]:
        """The repeats as columns: part, entry, whether the spelling is the same, part and entry of the first one."""
        found = tuple(array("I") for _ in range(5))
        first: dict[int, tuple[int, int, int]] = {}
        spellings: set[int] = set()
        for number, part in enumerate(self._parts):
            if part.twice or self._suspects:
                for entry, spelled, (place, first_entry, first_spelled) in self._again(number, part, first):
                    if place == number or not _twins(part.document, self._parts[place].document):
                        same = spelled == first_spelled or spelled in spellings
                        spellings.add(spelled)
                        for column, value in zip(found, (number, entry, same, place, first_entry), strict=True):
                            column.append(value)
        return found

    def _again(
        self, number: int, part: _Part, first: dict[int, tuple[int, int, int]]
    ) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
        """The entries of a document that stand in it, or in an earlier one of their kind, for a second time."""
        here: dict[int, tuple[int, int, int]] = {}
        shared = part.shared if part.shared is not None else Same(0, len(part.variants))
        rows = zip(part.variants, shared, part.document.spelling_hashes, strict=True)
        for entry, (variant, common, spelled) in enumerate(rows):
            if variant not in part.twice and common not in self._suspects:
                continue
            place = here.get(variant) or (first.get(common) if common else None)
            here.setdefault(variant, (number, entry, spelled))
            if common:
                first.setdefault(common, (number, entry, spelled))
            if place is not None:
                yield entry, spelled, place


def _salt(shape: Shape) -> int:
    """0 for plain entries, another number for each kind of record that they may carry."""
    records = sorted({child.name for child in shape.children if child.name in _RECORDS})
    return hash(",".join(records)) if records else 0


def _twins(one: Document, other: Document) -> bool:
    return _stem(one.location) == _stem(other.location)


def _stem(location: str) -> str:
    for suffix in _SUFFIXES:
        location = location.removesuffix(suffix)
    return location
