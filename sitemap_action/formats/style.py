"""How a report looks: colour or none, how wide, how much, where files can be seen, and what is beside it."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_action.repository.workspace import Workspace

_CODES = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "dim": "2", "bold": "1", "inverse": "7"}


class Style(NamedTuple):
    """Plain unless told otherwise; width None means: never wrap."""

    color: bool = False
    width: int | None = None
    quiet: bool = False
    verbose: bool = False
    workspace: Workspace = Workspace()
    has_summary: bool = False  # of the job, beside what is printed

    def paint(self, text: str, *looks: str) -> str:
        if not self.color or not text:
            return text
        return "".join(f"\x1b[{_CODES[look]}m" for look in looks) + text + "\x1b[0m"
