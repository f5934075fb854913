"""The repository around the checked files: paths from its root, and links to their lines on the commit at hand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

_PATIENCE = 10


@dataclass(frozen=True)
class Workspace:
    """What a service that shows files needs to know; `top` is where a checkout lies at the highest."""

    top: Path | None = None
    files_url: str = ""  # of the commit, without a slash at its end

    def relative(self, location: str) -> str | None:
        """The path of a file from the root of its repository; None for URLs, and for what lies outside."""
        found = self._place(location)
        return found[1] if found else None

    def link(self, location: str, line: int | None) -> str | None:
        """Where the line can be seen on the commit; a file that only the build has written is not there."""
        found = self._place(location) if self.files_url else None
        if found is None or found[1] not in self._tracked_in(found[0]):
            return None
        return f"{self.files_url}/{quote(found[1])}" + (f"#L{line}" if line else "")

    def _place(self, location: str) -> tuple[Path, str] | None:
        """The root of the repository that holds the file, and the path from there."""
        if "://" in location:
            return None
        path = Path(os.path.abspath(location))
        root = self._root_of(path.parent)
        return (root, path.relative_to(root).as_posix()) if path.is_relative_to(root) else None

    def _root_of(self, folder: Path) -> Path:
        """The nearest folder with a `.git`, not above the top; without any, the top or the working directory."""
        if folder not in self._roots:
            if os.path.lexists(folder / ".git"):
                self._roots[folder] = folder
            elif folder in (self.top, folder.parent):
                self._roots[folder] = self.top or Path.cwd()
            else:
                self._roots[folder] = self._root_of(folder.parent)
        return self._roots[folder]

    @cached_property
    def _roots(self) -> dict[Path, Path]:
        return {}

    @cached_property
    def _tracked(self) -> dict[Path, frozenset[str]]:
        return {}

    def _tracked_in(self, root: Path) -> frozenset[str]:
        """The files that git knows of; the owner of a checkout is often another one than the user of a container."""
        import subprocess  # takes its time, and only summaries need it

        if root not in self._tracked:
            command = ["git", "-c", f"safe.directory={root}", "-c", "core.fsmonitor=false", "ls-files", "-z"]
            try:
                ran = subprocess.run(command, cwd=root, capture_output=True, timeout=_PATIENCE, check=False)  # noqa: S603
                names = ran.stdout.split(b"\0")
            except (OSError, subprocess.SubprocessError):
                names = []
            self._tracked[root] = frozenset(name.decode("utf-8", "backslashreplace") for name in names if name)
        return self._tracked[root]
