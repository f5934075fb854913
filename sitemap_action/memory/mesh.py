"""Which page links to which over the whole set: links to other languages that nothing answers, or nobody lists."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sitemap_action.memory import Memory, fingerprint
from sitemap_action.memory.listing import Listing
from sitemap_action.memory.piles import Some, in_shares
from sitemap_action.model import Document
from sitemap_action.model.alternates import alternates_of
from sitemap_action.site import Site
from sitemap_action.spool import KeptNumbers
from sitemap_action.values import urls


class Note(NamedTuple):
    """The links of a document by the numbers of its entries, and those that nothing in it answers."""

    unclear: array[int]  # entries of which a link cannot be read
    sources: array[int]  # links within the document: from which entry
    targets: array[int]  # to which
    open_entries: array[int]
    open_elements: array[int]
    open_targets: array[int]  # pages, as fingerprints
    open_origins: array[int]  # 0 is the document's own, then those that are named
    origins: Sequence[str]


class _Open(NamedTuple):
    """Links of a document that nothing in it answers; put aside until the whole set is known."""

    document: Document
    named: Sequence[str]
    entries: KeptNumbers
    elements: KeptNumbers
    targets: KeptNumbers
    origins: KeptNumbers

    def at(self, places: Sequence[int]) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of some of them."""
        if places:
            entries, elements = self.entries.load(), self.elements.load()
            yield from ((self.document, entries[place], elements[place]) for place in places)


class Mesh(Memory):
    """Which page links to which over the whole set; shared by the rules about it.

    What a large set needs is put aside, and looked at in shares, so that only a part of the set is held at a time.
    """

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._listing = site.shared(Listing)
        self._documents: list[Document] = []
        self._unclear: list[tuple[Document, array[int]]] = []
        self._inner: list[tuple[Document, KeptNumbers, KeptNumbers]] = []
        self._open: list[_Open] = []

    def note(self, document: Document) -> Note | None:
        """What is answered within the document is settled here, by the numbers of its entries."""
        if document.is_index:
            return None
        links = alternates_of(document)
        unclear = array("I", sorted(links.unclear))
        if not links.entries:
            return Note(unclear, array("I"), array("I"), array("I"), array("I"), array("q"), array("I"), ())
        ends = links.ends
        asked = [links.pages[place] for place in ends.unanswered]
        origins, named = _origins(document, asked)
        return Note(
            unclear,
            array("I", ends.sources),
            ends.targets,
            array("I", [links.entries[place] for place in ends.unanswered]),
            array("I", [links.elements[place] for place in ends.unanswered]),
            array("q", fingerprint.numbers(*fingerprint.of_pages(asked))),
            origins,
            named,
        )

    def remember(self, document: Document, note: Note) -> None:
        note = Note(*note)
        spool = self.site.spool
        self._documents.append(document)
        if note.unclear:
            self._unclear.append((document, note.unclear))
        if note.targets:
            self._inner.append((document, spool.keep_numbers(note.sources), spool.keep_numbers(note.targets)))
        if note.open_entries:
            columns = (note.open_entries, note.open_elements, note.open_targets, note.open_origins)
            self._open.append(_Open(document, note.origins, *map(spool.keep_numbers, columns)))

    def unanswered(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a listed page that has none back."""
        listed = self._to_listed_pages()
        count = sum(map(len, listed))
        backs = (self._links(part, places, back=True) for part, places in zip(self._open, listed, strict=True))
        for columns, answered in in_shares(backs, count, self._all_links(), self.site.spool) if count else ():
            for part, places, some in zip(self._open, listed, columns, strict=True):
                left = [place for number, place in zip(*some, strict=True) if number not in answered]
                yield from part.at([places[place] for place in left])

    def _to_listed_pages(self) -> list[array[int]]:
        """Which open links of each document lead to a page that could link back."""
        # Text files and feeds list pages, too, but could not link back.
        sitemaps = [document for document in self._documents if document.format == "urlset"]
        unclear: set[int] = set()
        for document, entries in self._unclear:
            unclear.update(map(self._listing.pages_of(document).__getitem__, entries))
        found = [array("I") for _ in self._open]
        for columns, listed in self._shares(sitemaps):
            listed -= unclear
            for places, some in zip(found, columns, strict=True):
                places.extend(place for number, place in zip(*some, strict=True) if number in listed)
        return found

    def unlisted(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a page that is not listed, though its host is."""
        documents = [document for document in self.site.documents if not document.is_index]
        hosts = {urls.host(origin) for document in documents for origin in document.origins}
        for columns, listed in self._shares(self._documents):
            for part, some in zip(self._open, columns, strict=True):
                missing = [place for number, place in zip(*some, strict=True) if number not in listed]
                known = [True, *(urls.host(origin) in hosts for origin in part.named)]
                origins = part.origins.load() if missing else ()
                yield from part.at([place for place in missing if known[origins[place]]])

    def _shares(self, documents: list[Document]) -> Iterator[tuple[list[Some], set[int]]]:
        """Share by share: the targets of the open links of each document, and those that these documents list."""
        count = sum(len(part.targets) for part in self._open)
        asked = (part.targets.load() for part in self._open)
        listed = map(self._listing.pages_of, documents)
        return in_shares(asked, count, listed, self.site.spool) if count else iter(())

    def _links(self, part: _Open, places: Sequence[int], *, back: bool = False) -> array[int]:
        """A number for each of these links from page to page, or for the one that would answer it."""
        own, entries, targets = self._listing.pages_of(part.document), part.entries.load(), part.targets.load()
        sources = [own[entries[place]] for place in places]
        wanted = map(targets.__getitem__, places)
        return _numbers(wanted, sources) if back else _numbers(sources, wanted)

    def _all_links(self) -> Iterator[array[int]]:
        for document, sources, targets in self._inner:
            own = self._listing.pages_of(document)
            yield _numbers(map(own.__getitem__, sources), map(own.__getitem__, targets))
        for part in self._open:
            yield self._links(part, range(len(part.targets)))


def _numbers(sources: Iterable[int], targets: Iterable[int]) -> array[int]:
    """One number for each pair."""
    return array("q", map(hash, zip(sources, targets, strict=True)))


def _origins(document: Document, pages: Sequence[str | None]) -> tuple[array[int], list[str]]:
    """For each page the number of its origin; 0 is one of the document's own."""
    near = tuple(f"{origin}/" for origin in document.origins[1:9])
    numbers: dict[str, int] = {}
    found = array("I")
    for page in pages:
        if not page or page.startswith(near):
            found.append(0)
        else:
            found.append(numbers.setdefault(page[: page.find("/", 8)], len(numbers) + 1))
    return found, list(numbers)
