"""Entries as a table: fold an entry's events into shape and values."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from sys import intern
from typing import Union

from sitemap_action.model import XML_SPACE, Document, Shape
from sitemap_action.parse.names import Names, attribute_name

# What the parser said, in order: an element with its attributes, text, or an element's end.
Events = list[Union[tuple[str, list[str]], str, None]]
# No extension nests deeper; what lies below is somebody else's markup (or an attack).
MAX_SHAPE_DEPTH = 8


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
            if depth <= MAX_SHAPE_DEPTH and text.strip(XML_SPACE):
                tokens.append("#")
                values.append(text)
            text = ""
        if event is None:
            if depth <= MAX_SHAPE_DEPTH:
                tokens.append("/")
            depth -= 1
            continue
        depth += 1
        if depth <= MAX_SHAPE_DEPTH:
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
