"""Where bytes come from: files of a built site, read within bounds."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

from sitemap_action.model import Fault

SITEMAP_NAME = re.compile(r".*sitemap.*\.(?:xml|xml\.gz|txt|txt\.gz)$", re.IGNORECASE | re.DOTALL)
_SKIPPED = {"node_modules", "__pycache__"}
_UNSAFE = re.compile(rb"[\x00\\]|(?:^|/)\.\.(?:/|$)|^[A-Za-z]:")


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
        reason = getattr(error, "strerror", None) or "too many levels of symbolic links"
        return Fault("fetch-failed", facts=(reason.lower(),))


def is_file(path: Path) -> bool:
    """Whether there is a regular file that can be seen; a folder without permission hides what it holds."""
    try:
        return path.is_file()
    except OSError:
        return False


def sitemap_files(root: Path, unsearched: list[str] | None = None) -> Iterator[Path]:
    """Every file below the root whose name says sitemap, in a stable order; links to folders are not followed.

    Folders that cannot be searched are noted, with the reason.
    """

    def note(error: OSError) -> None:
        if unsearched is not None:
            where = display(Path(os.fsdecode(error.filename or root)))
            unsearched.append(f"{where} could not be searched: {(error.strerror or 'unknown').lower()}")

    for folder, folders, files in os.walk(root, onerror=note):
        folders[:] = sorted(name for name in folders if not _is_skipped(name))
        for name in sorted(files):
            if SITEMAP_NAME.match(name):
                yield Path(folder, name)


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
