"""From a byte offset to line and column, counting each newline once however many are asked."""

from __future__ import annotations

import re
from bisect import bisect_right

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Place

_ANY_NEWLINE = lazy.pattern(rb"\r\n|\r|\n")


class Lines:
    """Offsets are mostly asked in ascending order, so counting goes on from the last answer."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self._line = 1
        self._starts: list[int] = []
        # A lone carriage return ends a line as well; such files are rare and get a list of their lines.
        if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
            self._starts = [0, *(found.end() for found in _ANY_NEWLINE.finditer(data))]

    def place(self, offset: int) -> Place:
        if self._starts:
            line = bisect_right(self._starts, offset)
            return Place(line, self._column(self._starts[line - 1], offset))
        if offset < self._offset:
            self._offset, self._line = 0, 1
        self._line += self._data.count(b"\n", self._offset, offset)
        self._offset = offset
        return Place(self._line, self._column(self._data.rfind(b"\n", 0, offset) + 1, offset))

    def _column(self, start: int, offset: int) -> int:
        return len(self._data[start:offset].decode("utf-8", "replace")) + 1


def find_text(data: bytes, text: str, start: int, end: int) -> int | None:
    """Where a text between elements begins: the last place in the span with its first word right behind a tag."""
    word = re.split(f"[{XML_SPACE}]", text.strip(XML_SPACE), maxsplit=1)[0]
    pattern = re.compile(rb">[ \t\r\n]*(" + re.escape(word.encode()) + rb")")
    places = [found.start(1) for found in pattern.finditer(data, start, end)]
    return places[-1] if places else None
