"""The roll: every entry that may name a page, put aside while documents pass by, and called when all are known."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sitemap_action.memory import Memory
from sitemap_action.model import XML_SPACE, Document
from sitemap_action.model.alternates import alternates_of
from sitemap_action.model.error_pages import error_pages
from sitemap_action.site import Site
from sitemap_action.spool import Kept, Seen, Spool
from sitemap_action.values import dates, urls

_NOTHING: Mapping[str, str] = {}


class Listed(NamedTuple):
    """An entry that names a page of the site."""

    document: Document
    entry: int
    url: str
    lastmod: dates.Moment | None
    alternates: Mapping[str, str]


class Note(NamedTuple):
    """The entries of one document: columns of text, one line for each entry or link."""

    locs: bytes
    lastmods: bytes
    linking: array[int]  # for each link its entry
    codes: bytes
    targets: bytes


class _Part:
    """The same, put aside."""

    def __init__(self, document: Document, note: Note, spool: Spool) -> None:
        self.document = document
        self._locs = spool.keep(note.locs)
        self._lastmods = spool.keep(note.lastmods) if note.lastmods else None
        self._linking = spool.keep_numbers(note.linking) if note.linking else None
        self._links = spool.keep(note.codes), spool.keep(note.targets)

    def locs(self) -> list[str]:
        return _text(self._locs)

    def listed(self, wanted: Mapping[int, str]) -> Iterator[Listed]:
        """These entries, given with their URLs, and what else they say."""
        lastmods = _text(self._lastmods) if self._lastmods else None
        links = self._links_of(wanted) if self._linking else {}
        for entry, url in wanted.items():
            moment = dates.for_format(self.document.format, lastmods[entry]) if lastmods and lastmods[entry] else None
            yield Listed(self.document, entry, url, moment, links.get(entry, _NOTHING))

    def _links_of(self, wanted: Mapping[int, str]) -> dict[int, dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for entry, code, page in zip(self._linking or (), *map(_text, self._links), strict=True):
            if page and entry in wanted:
                found.setdefault(entry, {})[code] = page
        return found


def _lines(values: list[str | None] | list[str]) -> bytes:
    return "\n".join(value.replace("\n", " ") if value else "" for value in values).encode("utf-8", "surrogatepass")


def _text(kept: Kept) -> list[str]:
    return kept.read().decode("utf-8", "surrogatepass").split("\n")


def _dates(document: Document) -> bytes:
    column = document.lastmods
    if not column.values:
        return b""
    texts = [""] * document.entry_count
    for entry, value in reversed([*zip(column.entries, column.values, strict=True)]):
        texts[entry] = value.strip(XML_SPACE)
    return _lines(texts)


class Roll(Memory):
    """All entries of a set; which of them name pages of the site is known when the site's URL is."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._parts: list[_Part] = []

    def note(self, document: Document) -> Note | None:
        if document.is_index or not document.entry_count:
            return None
        links = alternates_of(document)
        errors = error_pages(document)  # no pages, and a rule about URLs says so
        locs = [loc if entry not in errors else None for entry, loc in enumerate(document.locs)] if errors else None
        return Note(
            _lines(locs or document.locs),
            _dates(document),
            array("I", links.entries),
            _lines([code.lower() for code in links.codes]),
            _lines([page or "" for page in links.pages]),
        )

    def remember(self, document: Document, note: Note) -> None:
        self._parts.append(_Part(document, Note(*note), self.site.spool))

    @cached_property
    def count(self) -> int:
        """How many different pages of the site are listed."""
        return sum(map(len, self._own))

    def call(self, most: int) -> Iterator[Listed]:
        """Each page of the site once, in the order of the set; or an even sample that is the same each time."""
        place = 0
        for part, own in zip(self._parts, self._own, strict=True):
            chosen: Sequence[int] = own
            if most < self.count:
                chosen = [entry for number, entry in enumerate(own, place) if _is_chosen(number, most, self.count)]
            place += len(own)
            if chosen:
                locs = part.locs()
                yield from part.listed({entry: locs[entry] for entry in chosen})

    def samples(self, most: int) -> Iterator[tuple[Document, list[str]]]:
        """Some of the pages of each document."""
        for part, own in zip(self._parts, self._own, strict=True):
            if own:
                locs = part.locs()
                yield part.document, [locs[entry] for entry in own[:: max(1, len(own) // most)]]

    @cached_property
    def _own(self) -> list[array[int]]:
        """For each document the entries on the site's own host; others are not looked at, and none of them twice."""
        seen = Seen()
        near = self._near()
        found = []
        for part in self._parts:
            own = array("I")
            for entry, url in enumerate(part.locs()):
                if url.startswith(near) and urls.is_ordinary(url):
                    page = url
                elif url and self._is_own(url):
                    page = urls.same_page(url.partition("#")[0])
                else:
                    continue
                if seen.add(hash(page)):
                    own.append(entry)
            found.append(own)
        return found

    def _near(self) -> tuple[str, ...]:
        site = self.site.url
        if site is None:
            return ()
        host = site.origin.partition("://")[2]
        return f"https://{host}/", f"http://{host}/"

    def _is_own(self, url: str) -> bool:
        """What is spelled in another way may still be ours; a faulty URL is no page."""
        site, found = self.site.url, urls.parse(url)
        if site is None or found is None or found.credentials:
            return False
        return (found.host, found.port) == (site.host, site.port)


def _is_chosen(number: int, most: int, total: int) -> bool:
    """So many of all, spread evenly; the first is always among them."""
    return (number * most) % total < most
