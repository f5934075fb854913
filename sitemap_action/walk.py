"""Every document of the targets once: discovery, indexes and their children, sets by host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from sitemap_action import urls
from sitemap_action.children import MAX_DEPTH, children_of, meet_again, note
from sitemap_action.discover import BuiltSite, Candidate
from sitemap_action.lookup import Lookup
from sitemap_action.model import Document, Fault
from sitemap_action.pages.built import BuiltPages
from sitemap_action.parse import parse, plain
from sitemap_action.site import Scope, Site, tally
from sitemap_action.sources import display, identity, read_file
from sitemap_action.spool import Spool


class Walk:
    """Yields each document with the set it belongs to; contents are gone after the consumer is done."""

    def __init__(
        self, targets: Sequence[Path], scope: Scope, limit: int, pages: bool = False, pages_limit: int | None = None
    ) -> None:
        self.spool = Spool()
        self._wants_pages, self._pages_limit = pages, pages_limit
        unique: dict[str, Path] = {}
        for target in targets:
            unique.setdefault(identity(target), target)
        self._targets = list(unique.values())
        self._scope = scope
        self._limit = limit
        self._read: dict[str, Document] = {}
        self._arguments = {identity(path) for path in targets if not path.is_dir()}
        self._promised: set[str] = set()
        self.sites: list[Site] = []
        self.known = 0
        self.watch: Callable[[str], None] = lambda location: None  # there is nothing to wait for
        self._by_host: dict[str | None, Site] = {}
        self._directories = [BuiltSite(target, scope) for target in self._targets if target.is_dir()]
        self._built_of: dict[int, list[BuiltSite]] = {}

    def close(self) -> None:
        self.spool.close()

    def documents(self) -> Iterator[tuple[Site, Document]]:
        for built in self._directories:
            yield from self._directory(built)
        for target in self._targets:
            if not target.is_dir() and identity(target) not in self._read:
                yield from self._argument(target)

    def pages_of(self, site: Site) -> BuiltPages | None:
        """Where the pages of a set are looked at: its directories, once they are known."""
        if not self._wants_pages:
            return None
        built = self._built_of.setdefault(id(site), [])
        return BuiltPages(built, self._pages_limit, lambda: any(one.tree.has_html for one in self._directories))

    def _new_site(self) -> Site:
        site = Site(self._scope, self.spool)
        self.sites.append(site)
        return site

    # A directory

    def _directory(self, built: BuiltSite) -> Iterator[tuple[Site, Document]]:
        site = self._join(built, self._site_at(built.url.host)) if built.url else None
        met = False  # what another target has read already counts as found
        for candidate in built.candidates():
            known = self._read.get(identity(candidate.path)) if candidate.path else None
            if known is not None:
                met = True
                if candidate.found_by != ["directory"]:  # that is for what nothing names
                    note(known, candidate.found_by)
            elif candidate.path is None:
                met = True
                if candidate.url not in self._promised:
                    self._promised.add(candidate.url)
                    site = site or self._join(built, self._new_site())
                    yield site, _promise(candidate, built, site)
            elif not self._is_compressed_copy(candidate.path, site):
                document = self._open(candidate.path, built, candidate)
                site = site or self._join(built, self._site_for(document))
                yield from self._follow(site, document, built, ())
        if site is None and not met:
            site = self._join(built, self._new_site())
        if site is not None:
            site.evidence += built.tree.unsearched

    def _join(self, built: BuiltSite, site: Site) -> Site:
        self._built_of.setdefault(id(site), []).append(built)
        return built.join(site)

    def _site_at(self, host: str | None) -> Site:
        """With --site-url everything is one set; else documents are one set if most of their entries share a host."""
        if self._scope.site_url is not None:
            return self.sites[0] if self.sites else self._new_site()
        if host is None:
            return self._new_site()
        if host not in self._by_host:
            self._by_host[host] = self._new_site()
        return self._by_host[host]

    def _site_for(self, document: Document) -> Site:
        return self._site_at(document.host)

    def _is_compressed_copy(self, path: Path, site: Site | None) -> bool:
        """`sitemap.xml.gz` beside the same `sitemap.xml` is one sitemap, offered twice."""
        twin = self._read.get(identity(path.with_suffix("")))
        if path.suffix.lower() != ".gz" or twin is None or site is None:
            return False
        data = read_file(path, self._limit)
        if isinstance(data, Fault) or plain(data, self._limit) != twin.source():
            return False
        site.evidence.append(f"{display(path)} is a compressed copy of {twin.location}")
        return True

    # Files

    def _argument(self, path: Path) -> Iterator[tuple[Site, Document]]:
        document = self._open(path, None, Candidate(path, ["argument"]))
        if self._scope.site_url is not None:
            document.path = self._scope.site_url.directory + path.name
        yield from self._follow(self._site_for(document), document, None, ())

    # Both

    def _open(self, path: Path, built: BuiltSite | None, candidate: Candidate) -> Document:
        document = Document(display(path))
        self._read[identity(path)] = document
        self.known = max(self.known, len(self._read))
        document.is_argument = identity(path) in self._arguments
        document.file = path
        document.reread = lambda: _uncompressed(path, self._limit)
        if built is not None:
            document.path = built.path_of(path)
        note(document, candidate.found_by)
        if document.is_argument and "argument" not in document.found_by:
            document.found_by.append("argument")
        data = read_file(path, self._limit, inside=built.root if built else None)
        if isinstance(data, Fault):
            document.faults.append(data)
            document.failed = True
            return document
        parse(document, data, limit=self._limit)
        tally(document)
        if built is not None and built.url is None and document.found_by == ["directory"]:
            document.path = _below_prefix(document)
        return document

    def _follow(
        self, site: Site, document: Document, built: BuiltSite | None, ancestors: tuple[Document, ...]
    ) -> Iterator[tuple[Site, Document]]:
        """The document itself, then the children it lists if it is an index."""
        site.add(document)
        if document.is_index:
            document.children = list(children_of(document))
        yield site, document
        lookup = Lookup(document, built, site)
        for child in document.children:
            path = lookup.find(child)
            if path is None:
                continue
            known = self._read.get(identity(path))
            if known is None:
                known = self._open(path, built, Candidate(path, ["index"]))
                known.parent = document.location
                known.named_by_robots |= document.named_by_robots
                known.is_argument |= document.is_argument
                if built is not None:
                    known.path = urls.split_origin(child.url)[1]
                child.document, child.outcome = known, "read"
                if known.is_index and len(ancestors) >= MAX_DEPTH:
                    child.outcome = "too-deep"
                    del self._read[identity(path)]  # whoever names it otherwise may still have it read
                else:
                    yield from self._follow(site, known, built, (*ancestors, document))
            else:
                meet_again(child, known, document, ancestors)


def _below_prefix(document: Document) -> str:
    """A file in `en/` that lists `/repo/en/…` lies in `/repo/en/`, though nothing else told the prefix."""
    folder = document.folder
    if folder == "/":
        return document.path
    # What stands before the folder in each listed path: nothing, a prefix, or the folder is not in it.
    before = Counter(
        path[: path.find(folder)] for loc in document.locs if loc and folder in (path := urls.split_origin(loc)[1])
    )
    if not before:
        return "/" + document.path.rpartition("/")[2]  # nothing lies below it: the site may begin right here
    usual = max(before, key=lambda prefix: (before[prefix], prefix == ""))
    return usual + document.path


def _promise(candidate: Candidate, built: BuiltSite, site: Site) -> Document:
    """A sitemap that robots.txt names and that is not there: reported at the line that names it."""
    document = Document(candidate.url)
    document.found_by = candidate.found_by
    document.failed = True
    if candidate.failure is not None:
        document.faults.append(candidate.failure)
    if built.robots is not None:
        document.reported_at = built.robots.location
    site.add(document)
    return document


def _uncompressed(path: Path, limit: int) -> bytes | None:
    data = read_file(path, limit)
    return None if isinstance(data, Fault) else plain(data, limit)
