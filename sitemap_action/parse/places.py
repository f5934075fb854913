"""Where an entry and its elements stand: looked for in the contents again, because few are asked for."""

from __future__ import annotations

import re
from array import array
from contextlib import suppress
from itertools import islice
from typing import ClassVar, cast
from xml.parsers import expat

from sitemap_action import lazy
from sitemap_action.model import LOC, XML_SPACE, Document, Place
from sitemap_action.parse.lines import Lines
from sitemap_action.spool import Numbers

_TAG = lazy.pattern(rb"""<(?:[^<>"']|"[^"]*"|'[^']*')*>""")
_SPACE = XML_SPACE.encode()


class Closings:
    """Where each entry begins: behind the one before. Asked for few findings, so counted when it is."""

    __slots__ = ("close", "count", "first")

    _counted: ClassVar[tuple[Closings, bytes, array[int]] | None] = None  # of one document at a time, as its contents

    def __init__(self, close: str, first: int, count: int) -> None:
        self.close = close
        self.first = first
        self.count = count

    def __len__(self) -> int:
        """One more than the entries: the end of the last one."""
        return self.count + 1

    def within(self, data: bytes) -> array[int]:
        known = Closings._counted
        if known is None or known[0] is not self or known[1] is not data:
            ends = (found.end() for found in re.finditer(re.escape(self.close.encode()), data))
            offsets = array("I", [self.first, *islice(ends, max(self.count - 1, 0))])
            offsets.extend([len(data)] * (len(self) - len(offsets)))  # more than one of a file that has changed
            known = Closings._counted = (self, data, offsets[: len(self)])
        return known[2]


def span(document: Document, data: bytes, entry: int) -> tuple[int, int]:
    """Where an entry begins and ends; before it there may be white space."""
    offsets = document.offsets
    numbers = offsets.within(data) if isinstance(offsets, Closings) else cast(Numbers, offsets)
    return numbers[entry], numbers[entry + 1]


def before_entries(document: Document) -> bytes:
    """The document up to its first entry, while the contents are at hand."""
    data = document.data or b""
    return data[: span(document, data, 0)[0]]


def element_at(document: Document, entry: int) -> bytes:
    """The entry as it is written, while the contents are at hand; its prefixes may be declared by the root."""
    data = document.data or b""
    start, end = span(document, data, entry)
    piece = data[start:end].lstrip(_SPACE)
    parser = expat.ParserCreate("utf-8")
    depth = 0

    def begin(_name: str, _attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1

    def finish(_name: str) -> None:
        nonlocal depth
        depth -= 1
        if not depth:
            raise _Found(parser.CurrentByteIndex)

    parser.StartElementHandler, parser.EndElementHandler = begin, finish
    try:
        parser.Parse(piece, True)
    except _Found as found:
        tag = _TAG.match(piece, found.offset)
        return piece[: tag.end()] if tag is not None else piece
    return piece


class _Found(Exception):
    """The element looked for has been reached; read the offset here, behind the handler it has moved on."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


class Locator:
    """Finds an element of an entry by parsing that one entry again; asked for findings only."""

    __slots__ = ("_document",)

    _counted: ClassVar[tuple[bytes, Lines] | None] = None  # of one document at a time, like its contents

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, entry: int, element: int) -> Place:
        data = self._document.source()
        if data is None:
            return Place()
        if Locator._counted is None or Locator._counted[0] is not data:
            Locator._counted = (data, Lines(data))
        start, piece = self._piece(data, entry)
        return Locator._counted[1].place(start + offset_of(piece, element))

    def loc(self, entry: int) -> str | None:
        data = self._document.source()
        if data is None:
            return None
        return loc_of(self._piece(data, entry)[1])

    def attribute(self, entry: int, element: int, name: str) -> str | None:
        data = self._document.source()
        return attribute_of(self._piece(data, entry)[1], element, name) if data is not None else None

    def _piece(self, data: bytes, entry: int) -> tuple[int, bytes]:
        """The bytes of an entry; its offset may be that of the white space before it."""
        start, end = span(self._document, data, entry)
        piece = data[start:end].lstrip(_SPACE)
        return end - len(piece), piece


def offset_of(piece: bytes, element: int) -> int:
    """Where the element with this ordinal (or the first <loc>) starts within its entry."""
    if element == 0 and not piece.startswith((b"<!", b"<?")):  # a comment before the entry is none of it
        return 0
    parser = expat.ParserCreate("utf-8")
    seen = -1
    depth = 0
    loc = "loc"

    def start(name: str, _attributes: dict[str, str]) -> None:
        nonlocal seen, depth, loc
        seen += 1
        depth += 1
        if depth == 1:
            loc = _own_loc(name)
        if seen == element or (element == LOC and depth == 2 and name == loc):
            raise _Found(parser.CurrentByteIndex)

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(piece, True)
    except _Found as found:
        return found.offset
    except expat.ExpatError:
        pass  # the piece ends in what follows the entry, which is no document by itself
    return 0


def _own_loc(entry_name: str) -> str:
    """The name of an entry's own <loc>: with the prefix of the entry, not with an extension's."""
    prefix, colon, _ = entry_name.rpartition(":")
    return f"{prefix}{colon}loc"


def loc_of(piece: bytes) -> str | None:
    """The text of the first <loc> of an entry whose values are gone."""
    start = offset_of(piece, LOC)
    if not start:
        return None
    parser = expat.ParserCreate("utf-8")
    text: list[str] = []

    def end(_name: str) -> None:
        raise _Found(0)

    parser.CharacterDataHandler = text.append
    parser.EndElementHandler = end
    with suppress(_Found, expat.ExpatError):  # what follows the <loc> is no document by itself
        parser.Parse(piece[start:], True)
    return "".join(text).strip(XML_SPACE) or None


def attribute_of(piece: bytes, element: int, name: str) -> str | None:
    """An attribute of the element with this ordinal."""
    start = offset_of(piece, element)
    parser = expat.ParserCreate("utf-8")
    found: dict[str, str] = {}

    def keep(_name: str, attributes: dict[str, str]) -> None:
        found.update(attributes)
        raise _Found(0)

    parser.StartElementHandler = keep
    with suppress(_Found, expat.ExpatError):
        parser.Parse(piece[start:], True)
    return found.get(name)
