"""The repository around the checked files: paths from its root, and links to their lines on the commit at hand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from sitemap_action.repository.git_index import tracked


@dataclass(eq=False, repr=False)
class Workspace:
    """What a service that shows files needs to know; `top` is where a checkout lies at the highest."""

    top: Path | None = None
    files_url: str = ""  # of the commit, without a slash at its end

    def relative(self, location: str) -> str | None:
        """The path of a file from the root of its repository; None for URLs, and for what lies outside.

        Bytes of a folder's name that are no text are there as Python's surrogates.
        """
        found = self._place(location)
        return os.fsencode(found[1]).decode("utf-8", "surrogateescape") if found else None

    def link(self, location: str, line: int | None) -> str | None:
        """Where the line can be seen on the commit; a file that only the build has written is not there."""
        found = self._place(location) if self.files_url else None
        if found is None or found[1] not in self._tracked_in(found[0]):
            return None
        return f"{self.files_url}/{quote(found[1], errors='surrogateescape')}" + (f"#L{line}" if line else "")

    def _place(self, location: str) -> tuple[Path, str] | None:
        """The root of the repository that holds the file, and the path from there.

        As it is written first, so that links inside of a repository stay; then without links, because the workspace
        may itself be reached over one while the working directory is told without.
        """
        if "://" in location:
            return None
        # A location is text for people; what the file system can hold of it depends on the locale.
        location = os.fsdecode(location.encode("utf-8", "surrogateescape"))
        for absolute in (os.path.abspath, os.path.realpath):
            path = Path(absolute(location))
            root = self._root_of(path.parent, Path(absolute(self.top)) if self.top else None)
            if path.is_relative_to(root):
                return root, path.relative_to(root).as_posix()
        return None

    def _root_of(self, folder: Path, top: Path | None) -> Path:
        """The top if it is a checkout, else the nearest one above the file; without any, the top or where we are.

        A `.git` further down is then a submodule, or came with somebody's files: GitHub counts from the top.
        """
        passed = []
        while (folder, top) not in self._roots:
            passed.append(folder)
            if top is not None and _is_checkout(top):
                self._roots[folder, top] = top
            elif _is_checkout(folder):
                self._roots[folder, top] = folder
            elif folder in (top, folder.parent):
                self._roots[folder, top] = top or Path.cwd()
            else:
                folder = folder.parent
        root = self._roots[folder, top]
        self._roots.update(dict.fromkeys(((each, top) for each in passed), root))
        return root

    @cached_property
    def _roots(self) -> dict[tuple[Path, Path | None], Path]:
        """By the top as well: without links it has another name."""
        return {}

    @cached_property
    def _tracked(self) -> dict[Path, frozenset[str]]:
        return {}

    def _tracked_in(self, root: Path) -> frozenset[str]:
        if root not in self._tracked:
            self._tracked[root] = tracked(root)
        return self._tracked[root]


def _is_checkout(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")
