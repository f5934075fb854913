"""Links to a page in other languages: those of one document as columns."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple, TypeVar

from sitemap_action.model import XML_SPACE, Column, Document
from sitemap_action.spool import Every, Numbers
from sitemap_action.values import urls

_LINK = "xhtml:link"
_REQUIRED = ("rel", "hreflang", "href")
V = TypeVar("V")
_APPS = ("android-app:", "ios-app:")


class Ends(NamedTuple):
    """Links whose two ends stand in one document, by its entries; and the places of links that want an answer."""

    sources: Numbers
    targets: array[int]
    unanswered: Sequence[int]
    # Each entry that has links is a target of its own links, and all their targets have the very same ones.
    are_groups: bool = False


class Alternates:
    """The hreflang links of a document as columns."""

    def __init__(self, document: Document) -> None:
        self._document = document
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

    def by_entry(self, values: Sequence[V]) -> list[tuple[V, ...]] | None:
        """The values of each entry's links, where all entries have the same number of them."""
        if not isinstance(self.entries, Every):
            return None
        return list(zip(*[iter(values)] * self.entries.times, strict=True))

    @cached_property
    def ends(self) -> Ends:
        """The links by the entries of this document that they lead from and to."""
        return _ends(self, self._document)


@lru_cache(maxsize=1)
def alternates_of(document: Document) -> Alternates:
    """Made once for all who ask while the document's values are at hand: one document is read at a time."""
    return Alternates(document)


def _column(document: Document, attribute: str) -> Column:
    return document.columns.get(f"{_LINK}@{attribute}") or Column()


def _same_pages(hrefs: Collection[str], document: Document) -> dict[str, str | None]:
    """As urls.same_page, but None for a faulty URL; those that the document lists are known already."""
    listed = dict(zip(document.locs, document.pages, strict=True))
    return {
        href: listed[href] if href in listed else urls.same_page(href) if urls.parse(href) else None for href in hrefs
    }


# Entries, elements, codes and URLs of links.
_Columns = tuple[Numbers, Numbers, Sequence[str], Sequence[str]]


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


def _ends(links: Alternates, document: Document) -> Ends:
    """A link is answered if its target links back, or if there is nothing to answer."""
    count = document.entry_count
    entry_of = dict(zip(reversed(document.pages), range(count - 1, -1, -1), strict=True))  # the first one of a page
    entry_of.pop(None, None)
    targets = list(map(entry_of.get, links.pages))
    if len(entry_of) == count and None not in targets and _are_groups(links.by_entry(targets)):
        return Ends(links.entries, array("I", [target or 0 for target in targets]), (), are_groups=True)
    first = [entry_of.get(page) for page in document.pages]  # of several entries of a page one stands for all
    sources = list(map(first.__getitem__, links.entries))
    rows = zip(sources, targets, strict=True)
    pairs = {(source, target) for source, target in rows if source is not None and target is not None}
    unanswered = [
        place
        for place, (source, target, page) in enumerate(zip(sources, targets, links.pages, strict=True))
        if not (source is None or page is None or source == target or (target, source) in pairs)
    ]
    ordered = sorted(pairs)
    return Ends(array("I", [row[0] for row in ordered]), array("I", [row[1] for row in ordered]), unanswered)


def _are_groups(rows: list[tuple[int | None, ...]] | None) -> bool:
    """The usual case, seen at once: all pages of a group have the same links, namely to all of the group."""
    if rows is None:
        return False
    first: dict[tuple[int | None, ...], int] = {}
    group_of = [first.setdefault(row, entry) for entry, row in enumerate(rows)]
    sizes = 0
    for row, group in first.items():
        if any(target is None or group_of[target] != group for target in row):
            return False
        sizes += len(set(row))
    return sizes == len(rows)  # nobody has the links of a group without being in it
