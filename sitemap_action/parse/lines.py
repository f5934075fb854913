"""From a byte offset to line and column, counting each newline once however many are asked."""

from __future__ import annotations

import re
from bisect import bisect_right

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Place

_SPACE = XML_SPACE.encode()
_ANY_NEWLINE = lazy.pattern(rb"\r\n|\r|\n")
# Those of UTF-8 that no character begins with.
_INNER_BYTES = frozenset(bytes([byte]) for byte in range(0x80, 0xC0))


class Lines:
    """Offsets are mostly asked in ascending order, so counting goes on from the last answer."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        # The last answer: how far lines were counted, which one that is and where it begins;
        self._offset, self._line, self._start = 0, 1, 0
        # and in which line how far columns were counted, for a line may be as long as the file.
        self._begun, self._reached, self._column = 0, 0, 1
        self._starts: list[int] = []
        # A lone carriage return ends a line as well; such files are rare and get a list of their lines.
        if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
            self._starts = [0, *(found.end() for found in _ANY_NEWLINE.finditer(data))]

    def place(self, offset: int) -> Place:
        line, start = self._line_at(offset)
        return Place(line, self._column_at(start, offset))

    def _line_at(self, offset: int) -> tuple[int, int]:
        """The line, and where it begins."""
        if self._starts:
            line = bisect_right(self._starts, offset)
            return line, self._starts[line - 1]
        if offset < self._offset:
            self._offset, self._line, self._start = 0, 1, 0
        newlines = self._data.count(b"\n", self._offset, offset)
        if newlines:
            self._line += newlines
            self._start = self._data.rfind(b"\n", self._offset, offset) + 1
        self._offset = offset
        return self._line, self._start

    def _column_at(self, start: int, offset: int) -> int:
        if start != self._begun or offset < self._reached:
            self._begun, self._reached, self._column = start, start, 1
        column = self._column + len(self._data[self._reached : offset].decode("utf-8", "replace"))
        if self._data[offset : offset + 1] not in _INNER_BYTES:
            self._reached, self._column = offset, column
        return column


def find_text(data: bytes, text: str, start: int, end: int) -> int | None:
    """Where a text between elements begins: the last place in the span with its first word right behind a tag."""
    word = re.split(f"[{XML_SPACE}]", text.strip(XML_SPACE), maxsplit=1)[0].encode()
    place = data.rfind(word, start, end)
    while place >= 0:
        if data[start:place].rstrip(_SPACE).endswith(b">"):
            return place
        place = data.rfind(word, start, place + len(word) - 1)
    return None
