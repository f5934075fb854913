"""Every document of the targets once: discovery, indexes and their children, sets by host."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from sitemap_action import urls
from sitemap_action.discover import BuiltSite, Candidate
from sitemap_action.model import XML_SPACE, Child, Document, Fault
from sitemap_action.parse import parse, plain
from sitemap_action.site import Scope, Site, tally
from sitemap_action.sources import display, file_below, read_file

# Engines follow one level; beyond this many somebody plays games.
_MAX_DEPTH = 5


class Walk:
    """Yields each document with the set it belongs to; contents are gone after the consumer is done."""

    def __init__(self, targets: Sequence[Path], scope: Scope, limit: int) -> None:
        self._targets = targets
        self._scope = scope
        self._limit = limit
        self._read: dict[str, Document] = {}
        self._arguments = {_identity(path) for path in targets if not path.is_dir()}
        self.sites: list[Site] = []
        self._by_host: dict[str | None, Site] = {}

    def documents(self) -> Iterator[tuple[Site, Document]]:
        for target in self._targets:
            if target.is_dir():
                yield from self._directory(target)
        for target in self._targets:
            if not target.is_dir() and _identity(target) not in self._read:
                yield from self._argument(target)

    def _new_site(self) -> Site:
        site = Site(self._scope)
        self.sites.append(site)
        return site

    # A directory

    def _directory(self, root: Path) -> Iterator[tuple[Site, Document]]:
        built = BuiltSite(root, self._scope)
        site = built.join(self._site_at(built.url.host)) if built.url else None
        for candidate in built.candidates():
            known = self._read.get(_identity(candidate.path)) if candidate.path else None
            if known is not None:
                if candidate.found_by != ["directory"]:  # that is for what nothing names
                    _note(known, candidate)
            elif candidate.path is None:
                site = site or built.join(self._new_site())
                yield site, _promise(candidate, built, site)
            elif not self._is_compressed_copy(candidate.path, site):
                document = self._open(candidate.path, built, candidate)
                site = site or built.join(self._site_for(document))
                yield from self._follow(site, document, built, ())
        if site is None:
            built.join(self._new_site())

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
        twin = self._read.get(_identity(path.with_suffix("")))
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
        self._read[_identity(path)] = document
        document.is_argument = _identity(path) in self._arguments
        document.file = path
        document.reread = lambda: _uncompressed(path, self._limit)
        if built is not None:
            document.path = built.path_of(path)
        _note(document, candidate)
        if document.is_argument and "argument" not in document.found_by:
            document.found_by.append("argument")
        data = read_file(path, self._limit, inside=built.root if built else None)
        if isinstance(data, Fault):
            document.faults.append(data)
            document.failed = True
            return document
        parse(document, data, limit=self._limit)
        tally(document)
        if built is not None and built.url is None:
            document.path = _below_prefix(document)
        return document

    def _follow(
        self, site: Site, document: Document, built: BuiltSite | None, ancestors: tuple[Document, ...]
    ) -> Iterator[tuple[Site, Document]]:
        """The document itself, then the children it lists if it is an index."""
        site.add(document)
        if document.is_index:
            document.children = list(_children(document))
        yield site, document
        lookup = _Lookup(document, built, site)
        for child in document.children:
            path = lookup.find(child)
            if path is None:
                continue
            known = self._read.get(_identity(path))
            if known is None:
                known = self._open(path, built, Candidate(path, ["index"]))
                known.parent = document.location
                known.named_by_robots |= document.named_by_robots
                known.is_argument |= document.is_argument
                child.document, child.outcome = known, "read"
                if known.is_index and len(ancestors) >= _MAX_DEPTH:
                    child.outcome = "too-deep"
                else:
                    yield from self._follow(site, known, built, (*ancestors, document))
            else:
                _meet_again(child, known, document, ancestors)


def _meet_again(child: Child, known: Document, index: Document, ancestors: tuple[Document, ...]) -> None:
    child.document = known
    if known is index or known in ancestors:
        child.outcome = "cycle"
        return
    child.outcome = "read"
    if "index" not in known.found_by:
        known.found_by.append("index")
    if known.parent is None:
        known.parent = index.location
    known.named_by_robots |= index.named_by_robots


def _below_prefix(document: Document) -> str:
    """A file in `en/` that lists `/repo/en/…` lies in `/repo/en/`, though nothing else told the prefix."""
    folder = document.folder
    if folder == "/":
        return document.path
    paths = [urls.split_origin(loc)[1] for loc in document.locs if loc]
    at = Counter(path.find(folder) for path in paths)
    prefixes = Counter(path[: path.find(folder)] for path in paths if path.find(folder) > 0)
    if not prefixes or at[0] >= prefixes.most_common(1)[0][1]:
        return document.path
    return prefixes.most_common(1)[0][0] + document.path


def _children(index: Document) -> Iterator[Child]:
    lastmods: dict[int, str] = {}
    column = index.columns.get("lastmod")
    if column is not None:
        lastmods = dict(zip(column.entries, (value.strip(XML_SPACE) for value in column.values), strict=True))
    seen: set[str] = set()
    for entry, page in enumerate(index.pages):
        if page is None:
            continue
        loc = index.locs[entry] or ""
        child = Child(entry, loc, "repeated" if page in seen else "", lastmod=lastmods.get(entry))
        seen.add(page)
        yield child


class _Lookup:
    """Finds the file behind a child's URL, by its path, never by its base name alone."""

    def __init__(self, index: Document, built: BuiltSite | None, site: Site) -> None:
        self._index = index
        self._built = built
        self._host = site.url.host if site.url else index.host
        self._prefix = site.url.directory if site.url and site.url_from == "option" else "/"
        self._allowed = site.scope.allow_hosts
        self._shared = _common_folder([child.url for child in index.children])

    def find(self, child: Child) -> Path | None:
        """The file, or None with the child's outcome set."""
        if child.outcome:
            return None
        url = urls.parse(child.url)
        if url is None or (self._host and url.host != self._host and url.host not in self._allowed):
            child.outcome = "other-host"
            return None
        path = self._built_file(url.path) if self._built else self._near(url.path)
        if path is None:
            child.outcome = "unseen" if self._index.is_argument else "missing"
        return path

    def _built_file(self, url_path: str) -> Path | None:
        assert self._built is not None
        found = self._built.file_for(url_path)
        if found is not None or self._built.url is not None:
            return found
        return self._without_prefix(self._built.root, url_path, least=1)

    def _near(self, url_path: str) -> Path | None:
        """The index's folder taken for the site's root, then each folder above it, then a shared prefix left out."""
        assert self._index.file is not None
        folder = Path(os.path.abspath(self._index.file)).parent
        if self._prefix != "/" and url_path.startswith(self._prefix):
            return file_below(folder, url_path[len(self._prefix) :])
        tail = Path(".")
        for root in (folder, *folder.parents):
            # The index's own URL would be root + tail, so the child must lie in or below one of its folders.
            if root == folder or url_path.startswith("/" + tail.as_posix() + "/"):
                found = file_below(root, url_path)
                if found is not None:
                    return found
            tail = Path(root.name) / tail
        return self._without_prefix(folder, url_path, least=2)

    def _without_prefix(self, root: Path, url_path: str, least: int) -> Path | None:
        """Leave out folders that all children share: the site may be served below a path.

        In a built directory a base name may be what is left of a path; near a lone file that proves nothing.
        """
        parts = url_path.lstrip("/").split("/")
        for skipped in range(1, len(parts) - least + 1):
            prefix = "/" + "".join(f"{part}/" for part in parts[:skipped])
            if not self._shared.startswith(prefix):
                return None
            found = file_below(root, "/".join(parts[skipped:]))
            if found is not None and _identity(found) != _identity(self._index.file or found.parent):
                return found
        return None


def _common_folder(locations: list[str]) -> str:
    """The longest folder that all paths begin with."""
    folders = [urls.split_origin(location)[1].split("/")[:-1] for location in locations]
    shared: list[str] = []
    for names in zip(*folders, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return "/".join([*shared, ""])


def _note(document: Document, candidate: Candidate) -> None:
    for how in candidate.found_by:
        if how not in document.found_by:
            document.found_by.append(how)
    document.named_by_robots |= "robots.txt" in candidate.found_by


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


def _identity(path: Path) -> str:
    """One name per file, however it is reached."""
    try:
        return os.path.realpath(path)
    except OSError:
        return os.path.abspath(path)


def _uncompressed(path: Path, limit: int) -> bytes | None:
    data = read_file(path, limit)
    return None if isinstance(data, Fault) else plain(data, limit)
