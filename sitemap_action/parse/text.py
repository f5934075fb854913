"""Plain text sitemaps: one URL per line."""

from __future__ import annotations

import re

from sitemap_action import urls
from sitemap_action.model import XML_SPACE, Document, Place, Shape

_ONE_WORD = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\S+")
_LINE = Shape(("loc", "#", "/"))


def read(document: Document) -> None:
    """A line is an entry: a URL in the column `loc`, anything else in the column `line`.

    Blank lines are remembered, not repaired away.
    """
    document.format = "text"
    document.shapes.append(_LINE)
    text = (document.data or b"").decode("utf-8")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if not lines[-1]:
        lines.pop()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            document.blank_lines.append(number)
            continue
        column = document.column("loc" if _is_url(line) else "line")
        column.entries.append(len(document.offsets))
        column.elements.append(0)
        column.values.append(line)
        document.shape_of.append(0)
        document.offsets.append(number)
    document.offsets.append(len(lines) + 1)
    document.locate = lambda entry, element: Place(document.offsets[entry], 1)
    document.find_loc = lambda entry: _line(document, entry)


def _is_url(line: str) -> bool:
    """Whether the rules about URLs have something to say: one word with `://` in it."""
    if urls.is_ordinary(line):
        return True
    trimmed = line.strip(XML_SPACE)
    return bool(_ONE_WORD.fullmatch(trimmed))


def _line(document: Document, entry: int) -> str | None:
    lines = (document.source() or b"").decode("utf-8", "replace").splitlines()
    number = document.offsets[entry] - 1
    return lines[number].strip(XML_SPACE) if number < len(lines) else None
