"""From a byte offset to line and column, counting each newline once however many are asked."""

from __future__ import annotations

from sitemap_action.model import Place


class Lines:
    """Offsets are mostly asked in ascending order, so counting goes on from the last answer."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._newline = b"\n" if b"\n" in data or b"\r" not in data else b"\r"
        self._offset = 0
        self._line = 1

    def place(self, offset: int) -> Place:
        if offset < self._offset:
            self._offset, self._line = 0, 1
        self._line += self._data.count(self._newline, self._offset, offset)
        self._offset = offset
        start = self._data.rfind(self._newline, 0, offset) + 1
        column = len(self._data[start:offset].decode("utf-8", "replace")) + 1
        return Place(self._line, column)
