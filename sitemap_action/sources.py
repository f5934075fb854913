"""Where bytes come from: files of a built site, read within bounds."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from sitemap_action import lazy, shortage
from sitemap_action.model import Fault

SITEMAP_NAME = lazy.pattern(r".*sitemap.*\.(?:xml|xml\.gz|txt|txt\.gz)$", re.IGNORECASE | re.DOTALL)
_SKIPPED = {"node_modules", "__pycache__"}
_UNSAFE = lazy.pattern(rb"[\x00\\]|(?:^|/)\.\.(?:/|$)|^[A-Za-z]:")


def read_file(path: Path, limit: int, inside: Path | None = None) -> bytes | Fault:
    """The file's bytes, or why there are none; devices and pipes are not opened, links out of a site not followed."""
    try:
        if inside is not None and not path.resolve().is_relative_to(inside.resolve()):
            return Fault("fetch-refused", facts=("it is a link that leads out of the directory",))
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            return Fault("fetch-failed", facts=("it is a directory",))
        if not stat.S_ISREG(status.st_mode):
            return Fault("fetch-refused", facts=("it is no regular file",))
        if status.st_size > limit:
            return Fault("fetch-refused", facts=(f"it has {status.st_size:,} bytes, more than {limit:,}",))
        with path.open("rb") as file:
            return file.read(min(limit, status.st_size) + 1)
    except (OSError, RuntimeError) as error:  # before Python 3.13 a loop of links is a RuntimeError
        if shortage.named(error):
            raise
        reason = getattr(error, "strerror", None) or "too many levels of symbolic links"
        return Fault("fetch-failed", facts=(reason.lower(),))


def is_file(path: Path) -> bool:
    """Whether there is a regular file that can be seen; a folder without permission hides what it holds."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a directory that can be seen."""
    try:
        return path.is_dir()
    except OSError:
        return False


def sitemap_files(root: Path) -> Iterator[Path]:
    """Every file below the root whose name says sitemap, in a stable order; links to folders are not followed."""
    for path, entry in _entries(root, [], []):
        if SITEMAP_NAME.match(entry.name) and not _is_folder(entry):
            yield root / path


class Tree:
    """A directory, walked once: what lies below it, by path with `/`, so that later questions need no disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: set[str] = set()
        self.sitemaps: list[Path] = []
        self.unsearched: list[str] = []  # folders that could not be entered, with the reason
        self.closed: list[str] = []  # the same, by their paths here
        self._doors: list[str] = []  # folders that were not entered: links, and those nobody wants to look at
        self._links: list[str] = []  # files that lie elsewhere
        for path, entry in _entries(root, self.unsearched, self.closed):
            if _is_folder(entry):
                self._doors.append(path + "/")
                continue
            if SITEMAP_NAME.match(entry.name):
                self.sitemaps.append(root / path)
            if entry.is_symlink():
                self._links.append(path)
            elif entry.is_file(follow_symlinks=False):  # a pipe would wait for a writer
                self.files.add(path)
        self.files.update(path for path in self._links if file_below(root, quote(os.fsencode(path))))

    @cached_property
    def has_html(self) -> bool:
        return any(path.endswith((".html", ".htm")) for path in self.files)

    def __contains__(self, path: str) -> bool:
        """Whether there is such a file, in exactly this case; what a link leads to counts if it lies inside."""
        if path in self.files:
            return True
        return any(map(path.startswith, self._doors)) and file_below(self.root, quote(os.fsencode(path))) is not None


def _entries(root: Path, unsearched: list[str], closed: list[str]) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Everything below the root but the folders that are entered: the files of a folder first, by name.

    Folders that cannot be searched are noted, with the reason.
    """
    stack = [""]
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(root / folder) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError as error:
            if shortage.named(error):
                raise
            where = display(root / folder)
            closed.append(folder)
            unsearched.append(f"{where} could not be searched: {(error.strerror or 'unknown').lower()}")
            continue
        below: list[str] = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False) and not _is_skipped(entry.name):
                below.append(f"{folder}{entry.name}/")
            else:
                yield folder + entry.name, entry
        stack += reversed(below)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False


def _is_skipped(name: str) -> bool:
    return name in _SKIPPED or (name.startswith(".") and name != ".well-known")


def file_below(root: Path, url_path: str) -> Path | None:
    """The existing file that a URL path (relative to the root) names; never one outside of the root."""
    decoded = unquote_to_bytes(url_path.lstrip("/"))
    if not decoded or _UNSAFE.search(decoded):
        return None
    try:
        path = root / os.fsdecode(decoded)
        if path.is_file() and path.resolve().is_relative_to(root.resolve()):
            return path
    except (OSError, ValueError, RuntimeError):
        return None
    return None


def display(path: Path) -> str:
    """A path for people and reports: relative to the working directory if it lies inside, with `/`."""
    text = os.path.relpath(path) if _is_inside(path) else str(path)
    return os.fsencode(text).decode("utf-8", "backslashreplace").replace(os.sep, "/")


def _is_inside(path: Path) -> bool:
    try:
        return Path(os.path.abspath(path)).is_relative_to(Path.cwd())
    except OSError:
        return False


def identity(path: Path) -> str:
    """One name per file, however it is reached."""
    try:
        return os.path.realpath(path)
    except OSError:
        return os.path.abspath(path)
