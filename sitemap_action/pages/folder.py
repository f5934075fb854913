"""A built directory as a static host serves it: which file answers for a path, and what the host is told about it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, unquote_to_bytes

from sitemap_action.pages.head import is_empty_page
from sitemap_action.pages.hosting import read_hosting
from sitemap_action.pages.hosting.routes import Hosting
from sitemap_action.parse.templates import is_page_template
from sitemap_action.sources import Tree
from sitemap_action.values import urls

_UNSAFE = re.compile(rb"[\x00\\]|(?:^|/)\.\.(?:/|$)")
_HTML = (".html", ".htm")
_INDEXES = ("index.html", "index.htm")
# What proves to a search engine who owns the site, and what servers say when they have no page.
_NO_PAGE = re.compile(
    r"(?:^|/)(?:(?:40[0-9]|50[0-9x])\.html?|google[0-9a-f]{8,}\.html|yandex_[0-9a-f]{8,}\.html"
    r"|pinterest-[0-9a-f]+\.html|baidu_verify_\w+\.html)$|^(?:404|500)/index\.html?$"
)
# What generators make beside the pages, and is better not found: fallbacks, results of a search, lists of words.
_AID = re.compile(r"(?:^|/)(?:200|search|genindex(?:-\w+)?|(?:py-)?modindex)(?:\.html?|/index\.html?)$")
_MOST_BESIDE_A_SHELL = 5
_MOST_BYTES = 20_000_000
_MOST_FOLDERS = 8


class Build:
    """One directory. Its own folder is served at the site's root unless what is listed fits another place better."""

    def __init__(self, tree: Tree, prefix: str, folder: str = "") -> None:
        self.tree = tree
        self._root = str(tree.root)
        self.prefix = prefix
        self.folder = folder  # of the directory: the one that is served at the prefix

    @cached_property
    def hosting(self) -> Hosting:
        """Asked for when it is sure which folder is served."""
        return read_hosting(self.tree.root / self.folder, Path())

    @cached_property
    def has_pages(self) -> bool:
        """Whether this looks like a site at all: a page that proves something to somebody makes none."""
        return any(name.endswith(_HTML) and not _NO_PAGE.search(name) for name in self.tree.files)

    @property
    def has_home(self) -> bool:
        return any(self.folder + name in self.tree.files for name in _INDEXES)

    def is_shell(self) -> bool:
        """Whether this is an application that draws its pages in the browser, with hardly another page beside it."""
        names = {name for name in self.tree.files if name.endswith(_HTML) and name.startswith(self.folder)}
        if self.folder + "_worker.js" in self.tree.files:  # a program answers before the files do
            return True
        home = self.folder + "index.html"
        return home in names and len(names) <= _MOST_BESIDE_A_SHELL and is_empty_page(self.read(home))

    def is_source(self) -> bool:
        """Whether nobody has rendered this yet, as the home page shows."""
        home = next((self.folder + name for name in _INDEXES if self.folder + name in self.tree.files), None)
        return home is not None and is_page_template(self.read(home))

    # Where it is served

    def fitted(self, paths: Sequence[str], folders: Iterable[str]) -> Build:
        """Served at the place at which most of these paths have a file; where none is better, at this one."""
        prefixes = [self.prefix, *(prefix for prefix in _folders(paths) if prefix != self.prefix)]
        best, count = self, self.count(paths)
        for folder in dict.fromkeys(["", *folders]):
            for prefix in prefixes:
                other = Build(self.tree, prefix, folder)
                if count < len(paths) and other.count(paths) > count:
                    best, count = other, other.count(paths)
        return best

    def count(self, paths: Sequence[str]) -> int:
        """How many of the paths have a file here."""
        return sum(1 for path in paths if self.file_of(path) is not None)

    def folders_above(self, path: Path) -> Iterator[str]:
        """The folders of this directory that hold a file, the nearest first, as the tree names them."""
        name = Path(os.path.relpath(path, self.tree.root)).as_posix()
        for _ in range(_MOST_FOLDERS):
            name = name.rpartition("/")[0]
            if not name or name.startswith(".."):
                return
            yield name + "/"

    # From paths to files and back

    def name_of(self, path: str) -> str | None:
        """A URL's path, decoded once, as the name of a file to look for; None if it cannot be here."""
        if "%" in path:
            raw = unquote_to_bytes(path)
            if _UNSAFE.search(raw):
                return None
            path = os.fsdecode(raw)
        elif "\\" in path or "/../" in path:
            return None
        prefix = unquote(self.prefix) if "%" in self.prefix else self.prefix
        if path.startswith(prefix):
            return self.folder + path[len(prefix) :]
        return self.folder if path + "/" == prefix else None

    def file_of(self, path: str) -> str | None:
        """The file that a static host answers with."""
        name = self.name_of(path)
        return None if name is None else self.file_named(name)

    def file_named(self, name: str) -> str | None:
        for candidate in candidates(name):
            if candidate in self.tree:
                return candidate
        return None

    def url_path(self, file: str, *, is_short: bool = False) -> str:
        """The path at which a built page is linked; `is_short` leaves `.html` out."""
        name = file[len(self.folder) :]
        last = name.rpartition("/")[2]
        if last in _INDEXES:
            name = name.removesuffix(last)
        elif is_short:
            name = name.rpartition(".")[0]
        return self.prefix + quote(os.fsencode(name), safe="/!$&'()*+,;=:@~")

    def unlisted(self, listed: set[str], elsewhere: tuple[str, ...]) -> Iterator[str]:
        """Files that may be pages, and are neither among these nor in folders that are served elsewhere."""
        for name in sorted(self.tree.files - listed):
            is_page = name.endswith(_HTML) and name.startswith(self.folder) and not name.startswith(elsewhere)
            is_page = is_page and "/_" not in f"/{name}"  # layouts, and what frameworks keep for themselves
            if is_page and not _NO_PAGE.search(name) and not _AID.search(name):
                yield name

    def read(self, name: str) -> bytes:
        """What a page holds: so much of it as a crawler would read. Empty if it cannot be read."""
        try:
            with open(f"{self._root}/{name}", "rb", buffering=0) as file:  # pathlib would take longer than the reading
                if os.fstat(file.fileno()).st_size > _MOST_BYTES:
                    return file.read(_MOST_BYTES) or b""
                return file.readall()
        except OSError:
            return b""

    # What is nearly there

    def near_miss(self, name: str) -> str:
        """A file that somebody may have meant, in words to stand behind a sentence; empty if there is none."""
        for candidate in candidates(name):
            found = self._by_plain_name.get(_plain(candidate))
            if found is not None:
                what = "in case" if found.lower() == candidate.lower() else "in how its letters are composed"
                return f"; `{found}` differs {what}, which counts on most hosts"
        if name.endswith("/") and name[:-1] + ".html" in self.tree:
            return f"; `{name[:-1]}.html` is there, but answers only without the slash at the end"
        return ""

    @cached_property
    def _by_plain_name(self) -> dict[str, str]:
        return {_plain(name): name for name in sorted(self.tree.files)}


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name).lower()


def candidates(name: str) -> Iterator[str]:
    """The files that may answer for a name, the first that there is."""
    if name.endswith("/") or not name:
        yield name + "index.html"
        yield name + "index.htm"
        return
    yield name
    yield name + ".html"
    yield name + "/index.html"
    yield name + "/index.htm"


def is_html(name: str) -> bool:
    """Whether the file may be a page: by its suffix, or for want of one."""
    return name.endswith((*_HTML, ".xhtml")) or "." not in name.rpartition("/")[2]


def _folders(paths: Sequence[str]) -> Iterator[str]:
    """The folders that all paths begin with, from the root down; `/repo` may be the folder `/repo/`."""
    if len(paths) > 1:
        paths = [path + "/" if path.count("/") == 1 else path for path in paths]
    names = urls.common_folder(paths).split("/")[1:-1]
    yield from ("/" + "".join(f"{name}/" for name in names[:depth]) for depth in range(len(names) + 1))
