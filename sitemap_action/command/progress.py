"""One line on a terminal that says how far we are; nothing for anybody else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import TextIO

from sitemap_action.formats.escape import clean
from sitemap_action.formats.flow import cell, cells
from sitemap_action.values.words import plural

_FIRST = 0.3
_BETWEEN = 0.1
_ERASE = "\r\x1b[K"
_ENOUGH_TO_TELL = 10


class Progress:
    """Documents done of those known, URLs so far, and the document at hand."""

    def __init__(self, stream: TextIO | None, *, wanted: bool, clock: Callable[[], float] = time.monotonic) -> None:
        is_terminal = stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
        self._stream = stream if wanted and is_terminal else None
        self._clock = clock
        self._next = clock() + _FIRST  # what is quick needs no line
        self._is_shown = False
        self._pages_began = 0.0
        self.done = 0
        self.known = 0
        self.urls = 0

    def show(self, current: str) -> None:
        """Not more often than an eye can follow."""
        now = self._clock()
        if self._stream is None or now < self._next:
            return
        known = max(self.known, self.done)
        self._put(now, f"{self.done:,} of {plural(known, 'document')}, {plural(self.urls, 'URL')}, {clean(current)}")

    def show_page(self, done: int, total: int, url: str) -> None:
        """Pages are the last that is looked at; how long the first ones took tells how long it will be."""
        if self._stream is None:
            return
        now = self._clock()
        if done == 0:
            self._pages_began = now
        if done >= _ENOUGH_TO_TELL:
            left = _duration((now - self._pages_began) / done * (total - done))
            self._put(now, f"{done:,} of {plural(total, 'page')}, about {left} left, {clean(url)}")
        else:
            self._put(now, f"{done:,} of {plural(total, 'page')}, {clean(url)}")

    def _put(self, now: float, text: str) -> None:
        if self._stream is None or now < self._next:
            return
        import shutil  # takes its time, and few runs have a terminal and something to tell

        self._next = now + _BETWEEN
        self._stream.write(_ERASE + _fitting(text, shutil.get_terminal_size().columns - 1))
        self._stream.flush()
        self._is_shown = True

    def clear(self) -> None:
        """Before anything else is written to the terminal."""
        if self._stream is not None and self._is_shown:
            self._stream.write(_ERASE)
            self._stream.flush()
            self._is_shown = False


def _fitting(text: str, room: int) -> str:
    """So much of a text as a line has cells for: some characters take two, and a line that wraps cannot be wiped."""
    if cells(text) <= room:
        return text
    used = 0
    for place, char in enumerate(text):
        used += cell(char)
        if used > room - 1:
            return text[:place] + "…" if room > 0 else ""
    return text


def _duration(seconds: float) -> str:
    """As rough as the estimate is."""
    if seconds < 60:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
