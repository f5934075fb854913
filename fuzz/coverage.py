"""Which lines of the program were reached: from Python 3.12 on, which tells of each line once and then is silent."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType
from typing import Any

_TOOL = 4  # an id that neither a debugger nor coverage.py takes


def watch_lines() -> Callable[[], bool]:
    """A function that says whether new lines have been reached since it was last asked; never, on an older Python."""
    monitoring: Any = getattr(sys, "monitoring", None)
    if monitoring is None:
        return lambda: False
    fresh: list[int] = []

    def reached(code: CodeType, line: int) -> Any:
        if "sitemap_action" in code.co_filename:
            fresh.append(line)
        return monitoring.DISABLE

    monitoring.use_tool_id(_TOOL, "fuzz")
    monitoring.register_callback(_TOOL, monitoring.events.LINE, reached)
    monitoring.set_events(_TOOL, monitoring.events.LINE)

    def is_new() -> bool:
        found = bool(fresh)
        fresh.clear()
        return found

    return is_new
