"""Which page links to which over the whole set: links to other languages that nothing answers, or nobody lists."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from sitemap_action.memory import Memory, fingerprint
from sitemap_action.memory.listing import Listing
from sitemap_action.model import Document
from sitemap_action.model.alternates import alternates_of
from sitemap_action.site import Site
from sitemap_action.spool import KeptNumbers
from sitemap_action.values import urls

_AT_ONCE = 1_000_000


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


class Mesh(Memory):
    """Which page links to which over the whole set; shared by the rules about it.

    What a large set needs is put aside, and looked at in shares: those links whose target's number leaves
    the same rest, so that only a part of the set is held at a time.
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

    def _shares(self, documents: list[Document]) -> Iterator[tuple[set[int], set[int]]]:
        """Share by share: the targets of open links, and those of them that these documents list."""
        count = 1 + sum(len(part.targets) for part in self._open) // _AT_ONCE
        for rest in range(count if self._open else 0):
            every = chain.from_iterable(part.targets for part in self._open)
            targets = set(every) if count == 1 else {target for target in every if target % count == rest}
            listed = chain.from_iterable(map(self._listing.pages_of, documents))
            yield targets, targets.intersection(listed)

    def _asking(self, targets: set[int]) -> Iterator[tuple[Document, int, int, tuple[int, int]]]:
        """Document, entry and element of each open link to these pages, and the link that would answer it."""
        for part in self._open if targets else ():
            own = self._listing.pages_of(part.document)
            for entry, element, target in zip(part.entries, part.elements, part.targets, strict=True):
                if target in targets:
                    yield part.document, entry, element, (target, own[entry])

    def _links(self) -> Iterator[tuple[int, int]]:
        """Every link to another page, from page to page."""
        for document, sources, targets in self._inner:
            own = self._listing.pages_of(document)
            yield from zip(map(own.__getitem__, sources), map(own.__getitem__, targets), strict=True)
        for part in self._open:
            own = self._listing.pages_of(part.document)
            yield from zip(map(own.__getitem__, part.entries), part.targets, strict=True)

    def unanswered(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a listed page that has none back."""
        # Text files and feeds list pages, too, but could not link back.
        sitemaps = [document for document in self._documents if document.format == "urlset"]
        unclear = {self._listing.pages_of(document)[entry] for document, entries in self._unclear for entry in entries}
        for _, listed in self._shares(sitemaps):
            listed -= unclear
            backs = {back for _, _, _, back in self._asking(listed)}
            answered = backs.intersection(self._links()) if backs else backs
            for document, entry, element, back in self._asking(listed):
                if back not in answered:
                    yield document, entry, element

    def unlisted(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a page that is not listed, though its host is."""
        documents = [document for document in self.site.documents if not document.is_index]
        hosts = {urls.host(origin) for document in documents for origin in document.origins}
        for targets, listed in self._shares(self._documents):
            missing = targets - listed
            for part in self._open if missing else ():
                known = [True, *(urls.host(origin) in hosts for origin in part.named)]
                rows = zip(part.entries, part.elements, part.targets, part.origins, strict=True)
                for entry, element, target, origin in rows:
                    if target in missing and known[origin]:
                        yield part.document, entry, element


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
