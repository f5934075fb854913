"""Plain text sitemaps: one URL per line."""

from __future__ import annotations

from array import array
from typing import ClassVar, cast

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Document, Place, Shape
from sitemap_action.spool import Numbers, Same
from sitemap_action.values import urls

_ONE_WORD = lazy.pattern(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_LINE = Shape(("loc", "#", "/"))


def read(document: Document) -> None:
    """A line is an entry: a URL in the column `loc`, anything else in the column `line`.

    Blank lines are remembered, not repaired away.
    """
    document.format = "text"
    document.shapes.append(_LINE)
    lines = _lines(document.data or b"")
    offsets = array("I")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            document.blank_lines.append(number)
            continue
        column = document.column("loc" if _is_url(line) else "line")
        put_value, put_entry, put_element = column.fillers()
        put_value(line)
        put_entry(len(offsets))
        put_element(0)
        offsets.append(number)
    document.shape_of = Same(0, len(offsets))
    document.offsets = array("I", [*offsets, len(lines) + 1])
    prepare(document)


def prepare(document: Document) -> None:
    """Entries can be found again from now on."""
    document.locate = lambda entry, element: Place(_line(document, entry), 1)
    document.find_loc = _Finder(document)


def _line(document: Document, entry: int) -> int:
    """For a text the offsets are lines."""
    return cast(Numbers, document.offsets)[entry]


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def _is_url(line: str) -> bool:
    """Whether the rules about URLs have something to say: one word with `://` in it."""
    if urls.is_ordinary(line):
        return True
    trimmed = line.strip(XML_SPACE)
    return bool(_ONE_WORD.fullmatch(trimmed))


class _Finder:
    """The line of an entry whose value is gone; the text is cut into lines once per reading."""

    _cut: ClassVar[tuple[bytes, list[str]] | None] = None  # of one document at a time, like its contents

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, entry: int) -> str | None:
        data = self._document.source()
        if data is None:
            return None
        if _Finder._cut is None or _Finder._cut[0] is not data:
            _Finder._cut = (data, _lines(data))
        lines, number = _Finder._cut[1], _line(self._document, entry) - 1
        return lines[number].strip(XML_SPACE) if number < len(lines) else None
