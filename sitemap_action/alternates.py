"""Links to a page in other languages: those of one document as columns, and what they say in the whole set."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, compress
from operator import ne

from sitemap_action import urls
from sitemap_action.model import XML_SPACE, Column, Document
from sitemap_action.site import Site
from sitemap_action.spool import KeptNumbers, Spool

_LINK = "xhtml:link"
_REQUIRED = ("rel", "hreflang", "href")
_APPS = ("android-app:", "ios-app:")
_AT_ONCE = 1_000_000


class Alternates:
    """The hreflang links of a document as columns; made for one document at a time, for all rules."""

    def __init__(self, site: Site) -> None:
        self._document: Document | None = None

    def of(self, document: Document) -> Alternates:
        if self._document is not document:
            self._document = document
            self._read(document)
        return self

    def _read(self, document: Document) -> None:
        targets = _column(document, "href")
        foreign = _foreign(document)
        self.incomplete = _incomplete(document, foreign)
        self.entries, self.elements, self.codes, self.hrefs = _complete(document, foreign)
        self.pages: Sequence[str | None] = self.hrefs
        self.faulty: set[str] = set()
        # Entries of which a link cannot be read: what seems to be missing may be what it meant.
        self.unclear = {entry for entry, _ in self.incomplete}
        if targets.odd_urls:
            spelled = _same_pages({href.strip(XML_SPACE) for href in targets.odd_urls}, document)
            self.pages = [spelled.get(href, href) for href in self.hrefs]
            if None in self.pages:
                unread = [page is None for page in self.pages]
                self.faulty.update(compress(self.hrefs, unread))
                self.unclear.update(compress(self.entries, unread))


def _column(document: Document, attribute: str) -> Column:
    return document.columns.get(f"{_LINK}@{attribute}") or Column()


def _same_pages(hrefs: Collection[str], document: Document) -> dict[str, str | None]:
    """As urls.same_page, but None for a faulty URL; those that the document lists are known already."""
    listed = dict(zip(document.locs, document.pages, strict=True))
    return {
        href: listed[href] if href in listed else urls.same_page(href) if urls.parse(href) else None for href in hrefs
    }


# Entries, elements, codes and URLs of links.
_Columns = tuple[Sequence[int], Sequence[int], Sequence[str], Sequence[str]]


def _complete(document: Document, foreign: Collection[tuple[int, int]]) -> _Columns:
    """The links that have a language and a URL, values trimmed; mostly the columns as they are."""
    codes, targets = _column(document, "hreflang"), _column(document, "href")
    aligned = codes.entries == targets.entries and codes.elements == targets.elements
    if (
        aligned
        and not foreign
        and all(value == value.strip(XML_SPACE) != "" for value in codes.distinct | targets.odd_urls)
    ):
        return codes.entries, codes.elements, codes.values, targets.values
    held = dict(zip(zip(targets.entries, targets.elements, strict=True), targets.values, strict=True))
    rows: list[tuple[int, int, str, str]] = []
    for place, code in zip(zip(codes.entries, codes.elements, strict=True), codes.values, strict=True):
        row = (*place, code.strip(XML_SPACE), held.get(place, "").strip(XML_SPACE))
        if all(row[2:]) and place not in foreign:
            rows.append(row)
    entries, elements, languages, hrefs = zip(*rows, strict=True) if rows else ((), (), (), ())
    return entries, elements, languages, hrefs


def _foreign(document: Document) -> set[tuple[int, int]]:
    """Links that are for something else: rel=amphtml, canonical and so on."""
    column = _column(document, "rel")
    others = {rel for rel in column.distinct if rel.strip(XML_SPACE) and "alternate" not in rel.lower().split()}
    if not others:
        return set()
    places = zip(column.entries, column.elements, column.values, strict=True)
    return {(entry, element) for entry, element, rel in places if rel in others}


def _incomplete(document: Document, foreign: set[tuple[int, int]]) -> dict[tuple[int, int], list[str]]:
    """Links without an attribute that they need, and which."""
    lacking: dict[tuple[int, int], list[str]] = {}
    of_shape = [
        [(link.ordinal, name) for link in shape.named(_LINK) for name in _REQUIRED if name not in link.attributes]
        for shape in document.shapes
    ]
    if any(of_shape):
        for entry, number in enumerate(document.shape_of):
            for element, name in of_shape[number]:
                lacking.setdefault((entry, element), []).append(name)
    for name in _REQUIRED:
        column = _column(document, name)
        blank = {
            value for value in (column.odd_urls if name == "href" else column.distinct) if not value.strip(XML_SPACE)
        }
        if blank:
            for entry, element, value in zip(column.entries, column.elements, column.values, strict=True):
                if value in blank:
                    lacking.setdefault((entry, element), []).append(name)
    for place in _without_language(document, lacking):
        lacking[place] = [name for name in lacking[place] if name != "hreflang"]
    return {place: names for place, names in sorted(lacking.items()) if names and place not in foreign}


def _without_language(document: Document, places: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of the links that need no language: they are for a medium, or lead into an app."""
    found = {
        (entry, element)
        for entry, element in places
        if "media" in document.shapes[document.shape_of[entry]].elements[element].attributes
    }
    if places:
        column = _column(document, "href")
        rows = zip(column.entries, column.elements, column.values, strict=True)
        apps = {(entry, element) for entry, element, href in rows if href.lstrip(XML_SPACE).startswith(_APPS)}
        found.update(apps.intersection(places))
    return found


class _Open:
    """Links of a document that nothing in it answers, as hashes; put aside until the whole set is known."""

    def __init__(self, document: Document, spool: Spool, *columns: array[int]) -> None:
        self.document = document
        self.entries, self.elements, self.targets, self.origins = map(spool.keep_numbers, columns)


class Mesh:
    """Which page links to which over the whole set; shared by the rules about it.

    What a large set needs is put aside, and looked at in shares: those links whose target's hash leaves
    the same rest, so that only a part of the set is held at a time.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._documents: list[Document] = []
        self._links: list[KeptNumbers] = []
        self._unclear: set[int] = set()
        self._origins: dict[str, int] = {"": 0}  # 0 is the linking document's own
        self._open: list[_Open] = []

    def add(self, document: Document, links: Alternates) -> None:
        """Remember the document's pages and links; those that are answered within it are settled."""
        if document.is_index or document in self._documents[-1:]:
            return
        self._documents.append(document)
        own = document.page_hashes  # asked for in any case: a later document may link here
        self._unclear.update(own[entry] for entry in links.unclear)
        if links.entries:
            sources = list(map(own.__getitem__, links.entries))
            targets = [hash(page) if page else 0 for page in links.pages]
            unanswered = self._unanswered(sources, targets)
            if any(unanswered):
                self._open.append(self._kept(document, links, targets, unanswered))

    def _unanswered(self, sources: list[int], targets: list[int]) -> list[bool]:
        """Remember who links to whom, and tell which links have none back in the same document."""
        outward = list(map(ne, sources, targets))
        if 0 in targets or 0 in sources:
            outward = [
                out and source != 0 != target for out, source, target in zip(outward, sources, targets, strict=True)
            ]
        forth = array("q", map(hash, compress(zip(sources, targets, strict=True), outward)))
        self._links.append(self._site.spool.keep_numbers(forth))
        linking = set(sources)
        answers = set(forth) if not linking.isdisjoint(compress(targets, outward)) else ()
        return [
            out and (target not in linking or hash((target, source)) not in answers)
            for out, source, target in zip(outward, sources, targets, strict=True)
        ]

    def _kept(self, document: Document, links: Alternates, targets: list[int], chosen: list[bool]) -> _Open:
        near = tuple(f"{origin}/" for origin in document.origins[1:9])
        pages = compress(links.pages, chosen)
        origins = array("I", [0 if not page or page.startswith(near) else self._number(page) for page in pages])
        entries, elements = (array("I", compress(column, chosen)) for column in (links.entries, links.elements))
        return _Open(document, self._site.spool, entries, elements, array("q", compress(targets, chosen)), origins)

    def _number(self, page: str) -> int:
        return self._origins.setdefault(page[: page.find("/", 8)], len(self._origins))

    def _shares(self, documents: list[Document]) -> Iterator[tuple[set[int], set[int]]]:
        """Share by share: the targets of open links, and those of them that these documents list."""
        count = 1 + sum(len(part.targets) for part in self._open) // _AT_ONCE
        for rest in range(count if self._open else 0):
            every = chain.from_iterable(part.targets for part in self._open)
            targets = set(every) if count == 1 else {target for target in every if target % count == rest}
            yield targets, targets.intersection(chain.from_iterable(document.page_hashes for document in documents))

    def _asking(self, targets: set[int]) -> Iterator[tuple[Document, int, int, int]]:
        """Document, entry and element of each open link to these pages, and the link that would answer it."""
        for part in self._open if targets else ():
            own = list(part.document.page_hashes)
            for entry, element, target in zip(part.entries, part.elements, part.targets, strict=True):
                if target in targets:
                    yield part.document, entry, element, hash((target, own[entry]))

    def unanswered(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a listed page that has none back."""
        # Text files and feeds list pages, too, but could not link back.
        sitemaps = [document for document in self._documents if document.format == "urlset"]
        for _, listed in self._shares(sitemaps):
            listed -= self._unclear
            backs = {back for _, _, _, back in self._asking(listed)}
            answered = backs.intersection(chain.from_iterable(self._links)) if backs else backs
            for document, entry, element, back in self._asking(listed):
                if back not in answered:
                    yield document, entry, element

    def unlisted(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a page that is not listed, though its host is."""
        documents = [document for document in self._site.documents if not document.is_index]
        hosts = {urls.host(origin) for document in documents for origin in document.origins}
        known = [number == 0 or urls.host(origin) in hosts for origin, number in self._origins.items()]
        for targets, listed in self._shares(self._documents):
            missing = targets - listed
            for part in self._open if missing else ():
                rows = zip(part.entries, part.elements, part.targets, part.origins, strict=True)
                for entry, element, target, origin in rows:
                    if target in missing and known[origin]:
                        yield part.document, entry, element
