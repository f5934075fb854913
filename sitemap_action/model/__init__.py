"""The nouns: severities, steps, places, the faults of readers, the shape of an entry, and a document as columns."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from sitemap_action.model.column import Column as Column
from sitemap_action.model.shape import Element as Element
from sitemap_action.model.shape import Shape as Shape
from sitemap_action.spool import Numbers, Same, Spool, counts_of
from sitemap_action.values import urls
from sitemap_action.values.urls import XML_SPACE as XML_SPACE

if TYPE_CHECKING:
    from sitemap_action.model.children import Child, Line

SITEMAP_NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
MAX_ENTRIES = 50_000
MAX_DOCUMENT_BYTES = 52_428_800
# What reading tells of a document and is asked for after its contents are gone.
_FACTS = ("format", "size", "compressed", "failed", "path", "summary", "origins", "origin_of", "offsets", "listed")
# The rest of what reading fills in.
_CONTENTS = (
    "columns", "shapes", "shape_of", "strays", "blank_lines", "faults", "other_namespaces", "root",
    "locs", "pages", "all_ordinary", "_entries_by_shape",
)  # fmt: skip
# Stands for an entry's first <loc> where an element's ordinal is asked for.
LOC = -1


class Severity(str, Enum):
    """How much a finding weighs; the order of the members is the order of weight."""

    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


class Step(Enum):
    """The five fixed steps of the verdict, with their titles and weights."""

    DISCOVER = ("discover", "Discover sitemap candidates", 0.2)
    FETCH = ("fetch", "Fetch the sitemaps", 0.25)
    PARSE = ("parse", "Parse the sitemaps", 0.25)
    QUALITY = ("field-quality", "Validate field quality", 0.1)
    SCOPE = ("scope", "Validate URL scope", 0.2)

    def __init__(self, id: str, title: str, weight: float) -> None:
        self.id = id
        self.title = title
        self.weight = weight


class Place(NamedTuple):
    """Where in a document something stands; line and column count from 1."""

    line: int | None = None
    column: int | None = None


class Fault(NamedTuple):
    """A defect met while reading, named after the rule that reports it."""

    rule: str
    place: Place = Place()
    facts: tuple[str, ...] = ()


def plurality(counts: Counter[str]) -> str | None:
    """The most frequent one; a tie leaves it open."""
    ranked = counts.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]


class Stray(NamedTuple):
    """Something directly below the root that is not an entry: an element or text."""

    name: str
    text: str
    place: Place


class Root(NamedTuple):
    """The root element as it was written."""

    name: str
    namespace: str
    attributes: list[str]
    declared: dict[str, str]
    place: Place
    version: str = ""


@dataclass(slots=True, eq=False, repr=False)
class Summary:
    """What a report says about a document after its contents are gone."""

    entries: int = 0
    oldest: str | None = None
    newest: str | None = None
    without_lastmod: int = 0
    distinct_lastmod: int = 0
    months: dict[str, int] = field(default_factory=dict)
    extensions: dict[str, int] = field(default_factory=dict)


class Document:
    """One sitemap, held as columns while it is checked; afterwards only its summary stays."""

    _recalled: ClassVar[tuple[Document, bytes | None] | None] = None

    # What most documents never change stands here, once for all: a large set has many of them.
    path = ""  # on the host it is served from, where that is known
    compressed = False
    http_status: int | None = None
    parent: str | None = None
    is_argument = False
    is_alone = False  # there is no other that it could be compared with
    named_by_robots = False
    file: Path | None = None
    failed = False  # nothing could be read, so there was nothing to parse
    failure: Fault | None = None  # why a live one could not be had; weighs only if the rest was judged
    reported_at: str | None = None  # the file whose line promised this document
    final_url: str | None = None  # where redirects led
    fetched_from: str | None = None  # on a preview of the site
    content_type: str | None = None  # as a server named it; None for files
    on_site = True  # whether it is served by the site's own origin
    vouched_for: frozenset[str] = frozenset()  # other origins whose robots.txt names it
    root: Root | None = None
    children: Sequence[Child] = ()
    listed: Sequence[Line] = ()  # of an index

    def __init__(self, location: str, data: bytes = b"", format: str = "unknown") -> None:
        self.location = location
        self.format = format
        self.data: bytes | None = data
        self.size = len(data)
        self.found_by: list[str] = []
        self.faults: list[Fault] = []
        self.other_namespaces: dict[str, str | None] = {}
        self.blank_lines: list[int] = []
        self.strays: list[Stray] = []
        self.shapes: list[Shape] = []
        self.shape_of: Numbers = Same(0, 0)
        self.offsets: Sized = array("I")  # numbers, or what finds them in the contents
        self.columns: dict[str, Column] = {}
        self.origins: list[str] = []
        self.origin_of: Numbers = array("I")
        self.locate: Callable[[int, int], Place] = lambda entry, element: Place()
        self.find_loc: Callable[[int], str | None] = lambda entry: None
        self.find_attribute: Callable[[int, int, str], str | None] = lambda entry, element, name: None
        self.reread: Callable[[], bytes | None] = lambda: None
        self.summary = Summary()

    @property
    def readable(self) -> bool:
        return self.format != "unknown"

    @property
    def is_refused(self) -> bool:
        """Whether it was we who did not want to read it."""
        return self.failure is not None and self.failure.rule == "fetch-refused"

    @property
    def folder(self) -> str:
        """The path below which the document may list pages; the root where its place is unknown."""
        return self.path[: self.path.rfind("/") + 1] or "/"

    @property
    def is_index(self) -> bool:
        return self.format == "sitemapindex"

    @property
    def entry_count(self) -> int:
        """Offsets hold one more than the entries: the end of the last one."""
        return max(0, len(self.offsets) - 1)

    def column(self, path: str) -> Column:
        found = self.columns.get(path)
        if found is None:
            found = self.columns[path] = Column()
        return found

    @cached_property
    def locs(self) -> list[str | None]:
        """Each entry's first `<loc>`, trimmed; None where there is none."""
        column = self.columns.get("loc", Column())
        if column.is_one_each(self.entry_count):
            return [value.strip(XML_SPACE) for value in column.values] if column.odd_urls else [*column.values]
        locs: list[str | None] = [None] * self.entry_count
        for entry, value in reversed([*zip(column.entries, column.values, strict=True)]):
            locs[entry] = value.strip(XML_SPACE)
        return locs

    @cached_property
    def all_ordinary(self) -> bool:
        """Every entry has a plain URL: the common case, in which whole columns can be judged at once."""
        column = self.columns.get("loc")
        return column is not None and not column.odd_urls and None not in self.locs

    @cached_property
    def pages(self) -> list[str | None]:
        """Each entry's URL in the one spelling that equivalent URLs share; None for faulty ones."""
        if self.all_ordinary:
            return self.locs
        return [urls.same_page(loc) if loc and urls.is_sound(loc) else None for loc in self.locs]

    def mentioned(self, *words: str) -> set[str]:
        """Which of these, in lower case, stand in any URL, so that a closer look pays."""
        column = self.columns.get("loc")
        return column.mentioned(words) if column is not None else set()

    def locs_with(self, *words: str) -> Iterator[tuple[int, str]]:
        """The entries in whose URLs one of these stands, in lower case."""
        column = self.columns.get("loc", Column())
        return self._locs_at(map(column.entries.__getitem__, column.mentions(words)))

    def locs_matching(self, pattern: re.Pattern[str], word: str) -> Iterator[tuple[int, str]]:
        """The entries in whose URLs this is found, which is never without a word in lower case."""
        column = self.columns.get("loc", Column())
        return self._locs_at(map(column.entries.__getitem__, column.matching(pattern, word)))

    def _locs_at(self, entries: Iterable[int]) -> Iterator[tuple[int, str]]:
        return ((entry, loc) for entry in dict.fromkeys(entries) if (loc := self.locs[entry]))

    @property
    def shared_origin(self) -> str | None:
        """What all URLs begin with, if they are plain ones."""
        return self.origins[1] if self.all_ordinary and len(self.origins) == 2 else None

    @property
    def lastmods(self) -> Column:
        """The column of dates, whatever the format calls it."""
        return self.columns.get("pubDate") or self.columns.get("lastmod") or Column()

    def entries_of(self, shape: Shape) -> Sequence[int]:
        """The entries of one of this document's shapes, in document order."""
        return self._entries_by_shape[id(shape)]

    @cached_property
    def _entries_by_shape(self) -> dict[int, Sequence[int]]:
        if len(self.shapes) == 1:
            return {id(self.shapes[0]): range(self.entry_count)}
        lists: list[list[int]] = [[] for _ in self.shapes]
        for entry, number in enumerate(self.shape_of):
            lists[number].append(entry)
        return {id(shape): entries for shape, entries in zip(self.shapes, lists, strict=True)}

    def facts(self) -> dict[str, Any]:
        """What stays of what reading has told."""
        return {name: getattr(self, name) for name in _FACTS}

    def let_go(self) -> None:
        """The contents go, now: the document hangs together with what finds its entries, so it would stay long."""
        self.data = None
        for name in _CONTENTS:
            self.__dict__.pop(name, None)

    def settle(self, facts: Mapping[str, Any], spool: Spool) -> None:
        """Only the facts stay, long columns among them put aside; the contents may have been read elsewhere."""
        self.let_go()
        self.__dict__.update(facts)
        for name in ("offsets", "origin_of"):
            numbers = getattr(self, name)
            if isinstance(numbers, array):
                setattr(self, name, spool.keep_numbers(numbers))  # it reads like the array

    def loc_at(self, entry: int) -> str | None:
        """The entry's URL, also after the values are gone."""
        if "columns" in self.__dict__:
            return self.locs[entry]
        return self.find_loc(entry)

    @property
    def host(self) -> str | None:
        """The host that most entries share; None for a tie, or without any."""
        hosts: Counter[str] = Counter()
        for number, count in counts_of(self.origin_of).items():
            if number:
                hosts[urls.host(self.origins[number])] += count
        return plurality(hosts)

    def source(self) -> bytes | None:
        """The contents, read again if they are gone; those of one document are kept, for the next question."""
        if self.data is not None:
            return self.data
        if Document._recalled is None or Document._recalled[0] is not self:
            Document._recalled = (self, self.reread())
        return Document._recalled[1]
