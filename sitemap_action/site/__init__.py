"""A set of documents of one site: where it is served, what was typed, what was found."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar, cast

from sitemap_action import clock
from sitemap_action.model import Document, plurality
from sitemap_action.model.summary import summarise
from sitemap_action.spool import Same, Spool, counts_of
from sitemap_action.values import urls

if TYPE_CHECKING:
    from sitemap_action.site.robots import Robots

T = TypeVar("T")


@dataclass(eq=False, repr=False)
class Scope:
    """What the user said about where the site lives, and the clock of the run."""

    site_url: urls.Url | None = None
    allow_hosts: frozenset[str] = frozenset()
    live_hosts: frozenset[str] = frozenset()  # of the targets
    tried: tuple[str, ...] = ()  # folders, where no target was given
    now: datetime = field(default_factory=clock.now)

    @property
    def typed_hosts(self) -> frozenset[str]:
        """Hosts that the user named, and which may therefore be private or a placeholder."""
        return self.allow_hosts | self.live_hosts | ({self.site_url.host} if self.site_url else frozenset())


@dataclass(eq=False, repr=False)
class PageTally:
    """How many of the listed pages were looked at, and what else is to be said of that."""

    listed: int = 0
    checked: int = 0
    notes: list[str] = field(default_factory=list)

    def words(self) -> list[str]:
        """As evidence: what was looked at, and what was not, with the reason."""
        checked = [f"checked {self.checked:,} of {self.listed:,} listed pages"] if self.listed else []
        return [*checked, *self.notes]


class Site:
    """The set that rules about the whole look at; contents of documents are gone by then."""

    def __init__(self, scope: Scope, spool: Spool | None = None, *, live: bool = False) -> None:
        self.scope = scope
        self.spool = spool or Spool()
        self.live = live
        self.inconclusive = ""  # why nothing could be judged, in words
        self.missed = ""  # what was tried in vain, in words
        self.has_met = False  # a sitemap that another set of this run has read
        self.unasked = 0  # sitemaps that robots.txt names and that were too many to ask for
        self.documents: list[Document] = []
        self.robots: Robots | None = None
        self.is_directory = False
        self.root = ""
        self.url: urls.Url | None = scope.site_url
        self.url_from: str | None = "option" if scope.site_url else None
        self.evidence: list[str] = []
        self.pages: PageTally | None = None  # None if nobody wanted to look at them
        self._origins: Counter[str] = Counter()
        self._shared: dict[object, object] = {}

    @property
    def is_preview(self) -> bool:
        """Whether what was fetched stands for another, live site."""
        return self.live and self.url is not None and self.root != self.url.origin

    def add(self, document: Document) -> None:
        """Take a document in whose values have been tallied."""
        self.documents.append(document)
        if not document.is_index:
            self._origins.update(entries_per_origin(document))

    def shared(self, kind: Callable[[Site], T]) -> T:
        """One object for several rules of this set, made when the first of them asks."""
        if kind not in self._shared:
            self._shared[kind] = kind(self)
        return cast(T, self._shared[kind])

    def settle(self) -> None:
        """After the last document: what only all entries together tell about the site's URL."""
        if self.url is not None and self.url_from == "cname":
            schemes = {scheme for scheme in ("http", "https") if self._origins[f"{scheme}://{self.url.host}"]}
            if schemes == {"http"}:  # a CNAME names no scheme
                self.url = self.url._replace(scheme="http")
        elif self.url is None:
            origin = self.likely_origin()
            if origin is not None:
                self.url, self.url_from = urls.parse(origin + "/"), "entries"

    def likely_origin(self) -> str | None:
        """The origin most entries share; an index counts only where there are no pages."""
        counts = self._origins
        if not counts:
            counts = Counter()
            for document in self.documents:
                counts.update(entries_per_origin(document))
        return most_common_origin(counts)


def tally(document: Document) -> None:
    """While the values are at hand, keep in short form what the set and the report need of them."""
    _tally_origins(document)
    summarise(document)


def _tally_origins(document: Document) -> None:
    """Number each entry's origin; 0 is kept for entries without a sound URL."""
    origin = document.columns["loc"].shared_origin if document.all_ordinary else None
    if origin is not None:
        document.origins = ["", origin]
        document.origin_of = Same(1, document.entry_count)
        return
    numbers: dict[str, int] = {"": 0}
    origin_of = array("I")
    for loc in document.locs:
        origin = urls.split_origin(loc)[0] if loc else ""
        origin_of.append(numbers.setdefault(origin, len(numbers)))
    document.origins = list(numbers)
    document.origin_of = origin_of


def entries_per_origin(document: Document) -> dict[str, int]:
    counts = counts_of(document.origin_of)
    return {document.origins[number]: count for number, count in counts.items() if number}


def most_common_origin(counts: Counter[str]) -> str | None:
    """The origin of the host with the most entries; a tie between hosts leaves it unknown."""
    hosts: Counter[str] = Counter()
    for origin, count in counts.items():
        hosts[urls.host(origin)] += count
    host = plurality(hosts)
    if host is None:
        return None
    return max((count, origin) for origin, count in counts.items() if urls.host(origin) == host)[1]
