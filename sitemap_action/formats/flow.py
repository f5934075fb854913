"""Text laid out for a terminal: by the cells that characters take, and without breaking what can be copied."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from sitemap_action import lazy

_LEAST = 20
_PAINT = lazy.pattern(r"\x1b\[\d+m")


def cells(text: str) -> int:
    """How wide a terminal shows the text: some characters take two cells, some none, and colours none either."""
    return len(text) if text.isascii() and text.isprintable() else sum(map(cell, _PAINT.sub("", text)))


def cell(char: str) -> int:
    return 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1


def flow(items: Iterable[str], width: int | None, first: str = "", rest: str = "", gap: str = " ") -> Iterator[str]:
    """Lines of items that are never parted: one that is longer than a line, say a URL, is the terminal's to wrap.

    `first` begins the first line, `rest` each further one.
    """
    room = None if width is None else max(width, _LEAST)
    line, used, is_begun = first, cells(first), False
    for item in items:
        size = cells(item)
        if room is not None and not is_begun and line.strip() and used + size > room:  # a label, and a URL
            yield line.rstrip()
            line, used = rest, cells(rest)
        if room is not None and is_begun and used + len(gap) + size > room:
            yield line
            line, used, is_begun = rest, cells(rest), False
            if not item:  # a second blank between words
                continue
        line += gap + item if is_begun else item
        used += size + (len(gap) if is_begun else 0)
        is_begun = True
    yield line
