"""The documents of files and directories: discovery, indexes and their children, sets by host."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sitemap_action.model import Document, Fault
from sitemap_action.model.children import MAX_NESTING, Child, add_ways, children_of, meet_again
from sitemap_action.model.share import WHOLE, Share
from sitemap_action.parse import plain, prepare
from sitemap_action.reading import Reader, Record, Task, reread
from sitemap_action.site import Scope, Site
from sitemap_action.site.built import BuiltSite, Candidate, leads_nowhere
from sitemap_action.sources import display, identity, is_folder, read_file
from sitemap_action.spool import Spool
from sitemap_action.values import urls
from sitemap_action.walk import Visit
from sitemap_action.walk.lookup import Lookup

if TYPE_CHECKING:
    from sitemap_action.pages.built import BuiltPages


class BuiltWalk:
    """A `Walk` over what lies here: directories as crawlers would see them, and single files."""

    def __init__(
        self,
        targets: Sequence[Path],
        scope: Scope,
        limit: int,
        pages: bool = False,
        pages_limit: int | None = None,
        share: Share = WHOLE,
    ) -> None:
        self.spool = Spool()
        self._share = share
        self._wants_pages, self._pages_limit = pages, pages_limit
        unique: dict[str, Path] = {}
        for target in targets:
            unique.setdefault(identity(target), target)
        self._targets = list(unique.values())
        self._scope = scope
        self._limit = limit
        self._read: dict[str, Document] = {}
        self._arguments = {identity(path) for path in targets if not is_folder(path)}
        self._promised: set[str] = set()
        self.sites: list[Site] = []
        self.known = 0
        self.watch: Callable[[str], None] = lambda location: None  # there is nothing to wait for
        self.answers: dict[str, Any] = {}  # of servers: there is none
        self.elsewhere = 0  # documents that other parts read
        self._by_host: dict[str | None, Site] = {}
        self._directories = [BuiltSite(target, scope) for target in self._targets if is_folder(target)]
        self._built_of: dict[int, list[BuiltSite]] = {}
        self._reader: Reader

    def close(self) -> None:
        self.spool.close()

    @property
    def keeps_roll(self) -> bool:
        """Whether there are pages to look at; if not, nothing need be kept of the entries for their sake."""
        return self._wants_pages and self._has_html()

    def _has_html(self) -> bool:
        return any(one.tree.has_html for one in self._directories)

    def documents(self, reader: Reader) -> Iterator[Visit]:
        self._reader = reader
        for built in self._directories:
            yield from self._directory(built)
        files = [target for target in self._targets if not is_folder(target)]
        candidates = [Candidate(file, ["argument"]) for file in files]
        reader.ahead(self._leaves(None, candidates))
        for number, (file, candidate) in enumerate(zip(files, candidates, strict=True)):
            if not self._known(file) and not self._is_elsewhere(number, candidate):
                document, record = self._open(file, None, candidate)
                yield from self._follow(self._site_at(document.host), document, record, None, (), number)

    def pages_of(self, site: Site) -> BuiltPages | None:
        """Where the pages of a set are looked at: its directories, once they are known."""
        if not self._wants_pages or not self._directories:
            return None
        from sitemap_action.pages.built import BuiltPages  # a file has no pages beside it

        return BuiltPages(self._built_of.setdefault(id(site), []), self._pages_limit, self._has_html)

    def _new_site(self) -> Site:
        site = Site(self._scope, self.spool)
        self.sites.append(site)
        return site

    # A directory

    def _directory(self, built: BuiltSite) -> Iterator[Visit]:
        site = self._join(built, self._site_at(built.url.host)) if built.url else None
        met = False  # what another target has read already counts as found
        candidates = list(built.candidates())
        rest = next((n for n, one in enumerate(candidates) if one.is_leaf), len(candidates))
        for number, candidate in enumerate(candidates):
            if number == rest:  # indexes stand before, and have led to what they list
                self._reader.ahead(self._leaves(built, candidates, rest))
            known = self._known(candidate.path) if candidate.path else None
            if known is not None:
                met = True
                if candidate.found_by != ["directory"]:  # that is for what nothing names
                    add_ways(known, candidate.found_by)
            elif candidate.path is None:
                met = True
                if candidate.url not in self._promised:
                    self._promised.add(candidate.url)
                    site = site or self._join(built, self._new_site())
                    promise = self._promise(candidate, built, site)
                    if self._share.owns(number):
                        yield promise
                    else:
                        self.elsewhere += 1
            elif self._is_elsewhere(number, candidate):
                met = True
            elif not self._is_compressed_copy(candidate.path, site):
                document, record = self._open(candidate.path, built, candidate)
                site = site or self._join(built, self._site_at(document.host))
                yield from self._follow(site, document, record, built, (), number)
        if site is None and not met:
            site = self._join(built, self._new_site())
        if site is not None:
            site.evidence += built.tree.unsearched

    def _leaves(self, built: BuiltSite | None, candidates: Sequence[Candidate], first: int = 0) -> Iterator[Task]:
        """What will be read next, one after the other."""
        for number, candidate in enumerate(candidates[first:], first):
            path = candidate.path
            if path is None or self._known(path) or self._twin(path) is not None:
                continue
            if self._share.owns(number) or not leads_nowhere(path):
                yield self._task(path, built, candidate)

    def _is_elsewhere(self, number: int, candidate: Candidate) -> bool:
        """Whether another part reads this; an index is read by all, to find what it leads to."""
        path = candidate.path
        if path is None or self._share.owns(number) or not leads_nowhere(path):
            return False
        self._leave(path)
        return True

    def _leave(self, path: Path) -> None:
        """To another part: it is known, and nothing is told of it."""
        self.elsewhere += 1
        document = self._read[identity(path)] = Document(display(path))
        document.data = None
        document.reread = lambda: reread(path, self._limit)

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

    def _is_compressed_copy(self, path: Path, site: Site | None) -> bool:
        """`sitemap.xml.gz` beside the same `sitemap.xml` is one sitemap, offered twice."""
        twin = self._twin(path)
        if twin is None or site is None:
            return False
        data = read_file(path, self._limit)
        if isinstance(data, Fault) or plain(data, self._limit) != twin.source():
            return False
        site.evidence.append(f"{display(path)} is a compressed copy of {twin.location}")
        return True

    def _twin(self, path: Path) -> Document | None:
        return self._known(path.with_suffix("")) if path.suffix.lower() == ".gz" else None

    def _promise(self, candidate: Candidate, built: BuiltSite, site: Site) -> Visit:
        """A sitemap that robots.txt names and that is not there: reported at the line that names it."""
        document = Document(candidate.url)
        document.found_by = candidate.found_by
        document.failed = True
        if candidate.failure is not None:
            document.faults.append(candidate.failure)
        if built.robots is not None:
            document.reported_at = built.robots.location
        site.add(document)
        record = self._reader.inspect(document)
        document.settle(record.facts, self.spool)
        return site, document, record

    # Files, wherever they lie

    def _known(self, path: Path) -> Document | None:
        return self._read.get(identity(path))

    def _task(self, path: Path, built: BuiltSite | None, candidate: Candidate) -> Task:
        """What a reader must know of a file that nothing but its own place or name led to."""
        is_argument = identity(path) in self._arguments
        served_at = built.path_of(path) if built is not None else ""
        if built is None and self._scope.site_url is not None:
            served_at = self._scope.site_url.directory + path.name
        return Task(
            path,
            display(path),
            served_at,
            built.root if built is not None else None,
            is_argument,
            "robots.txt" in candidate.found_by,
            built is not None and built.url is None and candidate.found_by == ["directory"] and not is_argument,
        )

    def _child_task(self, path: Path, child: Child, index: Document, built: BuiltSite | None) -> Task:
        """The child's URL says where it is served."""
        return Task(
            path,
            display(path),
            urls.split_origin(child.url)[1] if built is not None else "",
            built.root if built is not None else None,
            index.is_argument or identity(path) in self._arguments,
            index.named_by_robots,
        )

    def _open(self, path: Path, built: BuiltSite | None, candidate: Candidate) -> tuple[Document, Record]:
        return self._opened(self._task(path, built, candidate), candidate.found_by)

    def _opened(self, task: Task, found_by: list[str]) -> tuple[Document, Record]:
        document = Document(task.location)
        self._read[identity(task.path)] = document
        self.known = max(self.known, len(self._read))
        record = self._reader.read(task)
        document.file = task.path
        document.is_argument, document.named_by_robots = task.is_argument, task.named_by_robots
        add_ways(document, found_by)
        if identity(task.path) in self._arguments:
            add_ways(document, ["argument"])
        document.settle(record.facts, self.spool)
        document.reread = lambda: reread(task.path, self._limit)
        prepare(document)
        return document, record

    def _follow(
        self,
        site: Site,
        document: Document,
        record: Record,
        built: BuiltSite | None,
        ancestors: tuple[Document, ...],
        number: int,
    ) -> Iterator[Visit]:
        """The document itself, then the children it lists if it is an index."""
        site.add(document)
        document.children = children_of(document)
        if ancestors or self._share.owns(number):  # what was met on a way that nobody else goes is ours
            yield site, document, record
        else:
            self.elsewhere += 1
        for child, task, own_number in self._tasks_of(site, document, built, ancestors, number):
            known = self._known(task.path)
            if known is not None:
                meet_again(child, known, document, ancestors)
                continue
            known, record = self._opened(task, ["index"])
            known.parent = document.location
            child.document, child.outcome = known, "read"
            if known.is_index and len(ancestors) >= MAX_NESTING:
                child.outcome = "too-deep"
                del self._read[identity(task.path)]  # whoever names it otherwise may still have it read
            else:
                yield from self._follow(site, known, record, built, (*ancestors, document), own_number)

    def _tasks_of(
        self, site: Site, index: Document, built: BuiltSite | None, ancestors: tuple[Document, ...], number: int
    ) -> list[tuple[Child, Task, int]]:
        """The children that have a file and are ours to read; who reads them is told ahead."""
        lookup = Lookup(index, built, site)
        tasks = []
        for own_number, child in enumerate(index.children, number + 1):
            path = lookup.find(child)
            if path is None:
                continue
            if ancestors or self._share.owns(own_number) or self._known(path):
                tasks.append((child, self._child_task(path, child, index, built), own_number))
            else:
                child.outcome = "elsewhere"
                self._leave(path)
        once: dict[str, Task] = {}  # a file may have several names, and is read by the first
        for _, task, _ in tasks:
            once.setdefault(identity(task.path), task)
        self._reader.ahead(task for name, task in once.items() if name not in self._read)
        return tasks
