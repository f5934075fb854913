"""A built directory seen as a crawler sees an origin: which sitemaps does it offer, and where is it served?"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sitemap_action.model import Fault, Place
from sitemap_action.site import Scope, Site
from sitemap_action.sources import Tree, display, file_below, is_file, read_file
from sitemap_action.values import urls

if TYPE_CHECKING:
    from sitemap_action.site.robots import Robots, RobotsLine

CONVENTIONS = ("sitemap.xml", "sitemap.txt", "sitemap_index.xml", "sitemap-index.xml")
_SMALL = 2_000_000
_PEEK = 4096


@dataclass(eq=False, repr=False)
class Candidate:
    """A file that may be a sitemap, with how it was found; or a promise without a file."""

    path: Path | None
    found_by: list[str]
    url: str = ""
    failure: Fault | None = field(default=None)
    is_leaf: bool = False  # nothing names it, and it seems to lead to no other file


class BuiltSite:
    """A directory, the URL it is served at, and the mapping between the two."""

    def __init__(self, root: Path, scope: Scope) -> None:
        self.root = root
        self.robots = self._robots()
        self.url = scope.site_url
        self.url_from = "option" if scope.site_url else None
        self._infer_url()

    @cached_property
    def tree(self) -> Tree:
        return Tree(self.root)

    def join(self, site: Site) -> Site:
        """Make the directory part of a set, which then knows what the directory knows."""
        site.is_directory = True
        site.root = site.root or display(self.root)
        site.robots = site.robots or self.robots
        if site.url is None:
            site.url, site.url_from = self.url, self.url_from
        return site

    def _robots(self) -> Robots | None:
        path = self.root / "robots.txt"
        if not is_file(path):
            return None
        data = read_file(path, _SMALL)
        from sitemap_action.site.robots import Robots, read_robots  # a file has none

        if isinstance(data, Fault):
            robots = Robots(display(path))
            robots.problem = data.facts[0]
            return robots
        return read_robots(display(path), data)

    def _infer_url(self) -> None:
        """robots.txt, then CNAME; the host most entries share is known only at the end."""
        if self.url is not None:
            return
        lines = [url for line in self.robots.sitemaps if (url := urls.parse(line.value))] if self.robots else []
        for url in lines:
            prefix = self._prefix_of(url.path)
            if prefix is not None:
                self._served_at(url._replace(path=prefix), "robots")
                return
        if lines:
            self._served_at(lines[0]._replace(path="/"), "robots")
            return
        name = read_file(self.root / "CNAME", 1000)
        host = urls.parse("https://" + name.decode("utf-8", "replace").strip()) if isinstance(name, bytes) else None
        if host is not None:
            self._served_at(host._replace(path="/"), "cname")

    def _served_at(self, url: urls.Url, told_by: str) -> None:
        self.url = url._replace(query="", fragment="", credentials=False)
        self.url_from = told_by

    def _prefix_of(self, url_path: str) -> str | None:
        """What stands before the longest end of the path that is a file here: `/repo/` for project pages."""
        parts = url_path.lstrip("/").split("/")
        for skipped in range(len(parts)):
            if file_below(self.root, "/".join(parts[skipped:])):
                return "/" + "".join(f"{part}/" for part in parts[:skipped])
        return None

    @property
    def prefix(self) -> str:
        return self.url.directory if self.url else "/"

    def file_for(self, url_path: str) -> Path | None:
        """The built file behind a path of this host."""
        if not url_path.startswith(self.prefix):
            return None
        return file_below(self.root, url_path[len(self.prefix) :])

    def path_of(self, file: Path) -> str:
        """Where on its host a built file is served."""
        return self.prefix + Path(os.path.relpath(file, self.root)).as_posix()

    def candidates(self) -> Iterator[Candidate]:
        """As a crawler finds them, then whatever else lies there; indexes first, to find their children."""
        for line in self.robots.sitemaps if self.robots else ():
            yield from self._named(line)
        for name in CONVENTIONS:
            if is_file(self.root / name):
                yield Candidate(self.root / name, ["convention"])
        for href in self._links():
            path = self.file_for(urls.split_origin(href)[1])
            if path is not None:
                yield Candidate(path, ["link"])
        others = sorted(self._others(), key=lambda path: (leads_nowhere(path), path.is_symlink()))
        yield from (Candidate(path, ["directory"], is_leaf=leads_nowhere(path)) for path in others)

    def _named(self, line: RobotsLine) -> Iterator[Candidate]:
        base = self.url.origin + self.prefix if self.url else "https://site.invalid/"
        url = urls.parse(urls.join(base, line.value))
        if url is None or (self.url is not None and url.host not in (self.url.host, "site.invalid")):
            return  # not ours to look for: a rule about robots.txt speaks of it
        path = self.file_for(url.path)
        failure = None if path else Fault("fetch-failed", Place(line.line, 1), ("no built file answers to it",))
        yield Candidate(path, ["robots.txt"], line.value, failure)

    def _links(self) -> list[str]:
        data = read_file(self.root / "index.html", _SMALL)
        base = (self.url.origin if self.url else "https://site.invalid") + self.prefix
        return [] if isinstance(data, Fault) else sitemap_links(data, base)

    def _others(self) -> Iterator[Path]:
        """Files that only their name makes a sitemap; a text without any URL is just a text."""
        for path in self.tree.sitemaps:
            if path.suffix.lower() == ".txt":
                data = read_file(path, _SMALL)
                if isinstance(data, bytes) and b"://" not in data and path.parent != self.root:
                    continue
            yield path


def leads_nowhere(path: Path) -> bool:
    """Whether a file seems to be no index, by its first bytes."""
    try:
        if not is_file(path):  # a pipe would wait for a writer
            return True
        with path.open("rb") as file:
            head = file.read(_PEEK)
        if head.startswith(b"\x1f\x8b"):
            head = zlib.decompressobj(31).decompress(head, _PEEK)
        return b"<sitemapindex" not in head
    except (OSError, zlib.error):
        return True


def sitemap_links(html: bytes, base: str) -> list[str]:
    """The targets of `<link rel="sitemap">` in a page, however it is written."""
    if b"sitemap" not in html.lower():
        return []
    from lxml import etree

    try:
        tree = etree.HTML(html)
    except etree.LxmlError:  # bytes that have nothing of HTML
        return []
    stated = tree.find(".//base[@href]") if tree is not None else None
    if stated is not None:
        base = urls.join(base, stated.get("href", "").strip())
    return [
        urls.join(base, link.get("href", "").strip())
        for link in (tree.iterfind(".//link[@href]") if tree is not None else ())
        if "sitemap" in link.get("rel", "").lower().split()
    ]
