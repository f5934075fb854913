"""Entries as a table: fold an entry's events into shape and values, and find its elements again."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from sys import intern
from typing import ClassVar, Union, cast
from xml.parsers import expat

from sitemap_action.model import LOC, XML_SPACE, Document, Place, Shape
from sitemap_action.parse.lines import Lines
from sitemap_action.parse.names import Names, attribute_name
from sitemap_action.spool import Numbers

# What the parser said, in order: an element with its attributes, text, or an element's end.
Events = list[Union[tuple[str, list[str]], str, None]]
# No extension nests deeper; what lies below is somebody else's markup (or an attack).
_MAX_DEPTH = 8
_SPACE = XML_SPACE.encode()


def fold(events: Events, names: Names) -> tuple[tuple[str, ...], list[str]]:
    """Events of one entry, its own start first, to shape tokens and the values of their slots."""
    tokens: list[str] = []
    values: list[str] = []
    text = ""
    depth = 0
    for event in events:
        if isinstance(event, str):
            text += event
            continue
        if text:
            if depth <= _MAX_DEPTH and text.strip(XML_SPACE):
                tokens.append("#")
                values.append(text)
            text = ""
        if event is None:
            if depth <= _MAX_DEPTH:
                tokens.append("/")
            depth -= 1
            continue
        depth += 1
        if depth <= _MAX_DEPTH:
            raw, attributes = event
            if depth > 1:
                tokens.append(names[raw])
            if attributes:
                tokens += [intern("@" + attribute_name(name)) for name in attributes[::2]]
                values += attributes[1::2]
    if text.strip(XML_SPACE):
        tokens.append("#")
        values.append(text)
    return tuple(tokens), values


_Filler = tuple[Callable[[str], None], Callable[[int], None], Callable[[int], None], int]


class Table:
    """Puts rows into the document's columns; each distinct shape knows its columns."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._offsets, self._shape_of = array("I"), array("I")
        self._numbers: dict[tuple[str, ...], int] = {}
        self._fillers: list[list[_Filler]] = []

    def begin(self, offset: int) -> None:
        self._offsets.append(offset)

    def add(self, events: Events, names: Names) -> None:
        tokens, values = fold(events, names)
        self.add_row(tokens, values)

    def add_row(self, tokens: tuple[str, ...], values: list[str]) -> None:
        number = self.number_of(tokens)
        entry = len(self._shape_of)
        self._shape_of.append(number)
        for (put_value, put_entry, put_element, element), value in zip(self._fillers[number], values, strict=True):
            put_value(value)
            put_entry(entry)
            put_element(element)

    def number_of(self, tokens: tuple[str, ...]) -> int:
        number = self._numbers.get(tokens)
        if number is None:
            number = self._numbers[tokens] = len(self._numbers)
            shape = Shape(tokens)
            self._document.shapes.append(shape)
            self._fillers.append([self._filler(path, element) for path, element in shape.slots])
        return number

    def _filler(self, path: str, element: int) -> _Filler:
        return (*self._document.column(path).fillers(), element)

    def finish(self) -> None:
        self._document.shape_of = self._shape_of
        self._document.offsets = array("I", [*self._offsets, len(self._document.data or b"")])

    def discard(self) -> None:
        """After a fatal fault what was read before it does not count."""
        document = self._document
        document.columns, document.shapes, document.strays = {}, [], []


class Capture(Table):
    """Keeps the rows apart instead of filling columns, for a look at a single entry."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.rows: list[tuple[tuple[str, ...], list[str]]] = []

    def add_row(self, tokens: tuple[str, ...], values: list[str]) -> None:
        self.rows.append((tokens, values))


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
