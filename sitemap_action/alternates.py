"""Links to a page in other languages: those of one document as columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress

from sitemap_action import urls
from sitemap_action.model import XML_SPACE, Column, Document
from sitemap_action.site import Site

_LINK = "xhtml:link"
_REQUIRED = ("rel", "hreflang", "href")
_APPS = ("android-app:", "ios-app:")


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
