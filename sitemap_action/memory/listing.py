"""Which pages the whole set lists, as fingerprints: what is listed twice, and where it stood first."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sitemap_action.memory import Memory, fingerprint
from sitemap_action.memory.piles import occurring_twice
from sitemap_action.model import Document, Shape
from sitemap_action.model.summary import RECORDS
from sitemap_action.site import Site
from sitemap_action.spool import KeptNumbers, Numbers, Same, Spool

_LINKS = "xhtml:link@href"
_SUFFIXES = (".gz", ".xml", ".txt")


class Repeat(NamedTuple):
    """An entry whose page was listed before: spelled the same, or as a variant."""

    document: Document
    entry: int
    same_spelling: bool
    first_document: Document
    first_entry: int


class Note(NamedTuple):
    """A document's pages as numbers: those of comparison across files, and of entries not spelled as their page is."""

    variants: array[int]
    spellings: Numbers
    is_compared: bool  # feeds are compared with no other file
    kinds: Numbers  # what records an entry carries: entries of other kinds are compared only within a file
    odd: array[int]
    odd_spellings: array[int]
    twice: array[int]  # what stands in this document more than once


@dataclass(slots=True, eq=False, repr=False)
class _Part:
    """The same, put aside; and the variants that this document has more than once."""

    document: Document
    variants: KeptNumbers
    spellings: Numbers
    shared: KeptNumbers | None
    odd: Sequence[tuple[int, int]]
    twice: frozenset[int]

    def pages(self) -> Sequence[int]:
        """A number for each entry's page."""
        return fingerprint.numbers(self.variants, self.spellings)

    def spelled(self) -> Sequence[int]:
        """A number for each entry's URL as it was spelled."""
        numbers = self.pages()
        if not self.odd:
            return numbers
        spelled = list(numbers)
        for entry, number in self.odd:
            spelled[entry] = number
        return spelled


class Listing(Memory):
    """All pages of the set; they are put aside, and only those that occur twice are looked at again.

    Lists that repeat each other by design are kept apart: feeds name recent pages, entries with
    images, videos or news serve a purpose of their own (in one file they still count), and `sitemap.txt` or
    `sitemap.xml.gz` beside `sitemap.xml` is the same list in another form.
    """

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._parts: list[_Part] = []

    def note(self, document: Document) -> Note | None:
        if document.is_index or not document.entry_count:
            return None
        if document.is_alone and _LINKS not in document.columns and _are_different(document):
            return None
        is_plain = document.shared_origin and not document.mentioned("/index.htm", "/?")
        pages = fingerprint.of_pages(document.pages, f"{document.shared_origin}/" if is_plain else None)
        variants = pages.variants
        odd = _odd_entries(document)
        return Note(
            variants,
            pages.spellings,
            document.format not in ("rss", "atom"),
            _kinds(document),
            odd,
            array("q", [fingerprint.spelled(variants[entry], document.locs[entry] or "") for entry in odd]),
            _twice(variants),
        )

    def remember(self, document: Document, note: Note) -> None:
        note = Note(*note)
        spool = self.site.spool
        variants = spool.keep_numbers(note.variants)
        shared: KeptNumbers | None = None
        if note.is_compared:
            is_plain = isinstance(note.kinds, Same) and not note.kinds.number
            shared = variants if is_plain else spool.keep_numbers(_shared(note))
        odd = list(zip(note.odd, note.odd_spellings, strict=True))
        spellings = _aside(note.spellings, spool)
        self._parts.append(_Part(document, variants, spellings, shared, odd, frozenset(note.twice)))

    def pages_of(self, document: Document) -> Sequence[int]:
        """A number for each entry's page; 0 for what names none."""
        part = self._part_of.get(id(document))
        return part.pages() if part is not None else ()

    @cached_property
    def _part_of(self) -> dict[int, _Part]:
        return {id(part.document): part for part in self._parts}

    @cached_property
    def _suspects(self) -> set[int]:
        """What more than one file lists; asked for when the set is complete."""
        columns = [part.shared for part in self._parts if part.shared is not None]
        return occurring_twice(columns, self.site.spool) - {0} if len(columns) > 1 else set()

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
        rows = zip(part.variants, shared, part.spelled(), strict=True)
        for entry, (variant, common, spelled) in enumerate(rows):
            if variant not in part.twice and common not in self._suspects:
                continue
            place = here.get(variant) or (first.get(common) if common else None)
            here.setdefault(variant, (number, entry, spelled))
            if common:
                first.setdefault(common, (number, entry, spelled))
            if place is not None:
                yield entry, spelled, place


def _odd_entries(document: Document) -> array[int]:
    """Those whose URL is not spelled as equivalent ones are."""
    if document.all_ordinary:
        return array("I")
    pairs = zip(document.locs, document.pages, strict=True)
    return array("I", [entry for entry, (loc, page) in enumerate(pairs) if page and page != loc])


def _are_different(document: Document) -> bool:
    """Whether its URLs are plain ones of one origin, no two the same, nor would be without a slash behind a path."""
    ends = document.mentioned("/index.htm", "/?", "//?")
    if not document.shared_origin or not ends <= {"/?"}:
        return False
    bare = [page and page.rstrip("/") for page in document.pages]
    if ends:
        bare = [page and page.replace("/?", "?") for page in bare]
    return len(set(bare)) == len(bare)


def _twice(numbers: array[int]) -> array[int]:
    if len(set(numbers)) == len(numbers):
        return array("q")
    return array("q", [number for number, count in Counter(numbers).items() if count > 1 and number])


def _kinds(document: Document) -> Numbers:
    salts = [_salt(shape) for shape in document.shapes]
    if len(set(salts)) == 1:
        return Same(salts[0], document.entry_count)
    return array("q", map(salts.__getitem__, document.shape_of))


def _salt(shape: Shape) -> int:
    """0 for plain entries, another number for each kind of record that they may carry."""
    records = sorted({child.name for child in shape.children if child.name in RECORDS.values()})
    return fingerprint.of(",".join(records)) if records else 0


def _shared(note: Note) -> array[int]:
    return array("q", [page and page ^ kind for page, kind in zip(note.variants, note.kinds, strict=True)])


def _aside(numbers: Numbers, spool: Spool) -> Numbers:
    return spool.keep_numbers(numbers) if isinstance(numbers, array) else numbers


def _twins(one: Document, other: Document) -> bool:
    return _stem(one.location) == _stem(other.location)


def _stem(location: str) -> str:
    for suffix in _SUFFIXES:
        location = location.removesuffix(suffix)
    return location
