"""Entries of one kind, which one pattern matches: their values as they were found, and as columns of a document."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import chain

from sitemap_action.model import Column, Shape
from sitemap_action.parse.pattern import are_clean
from sitemap_action.spool import Cycle, Every, Numbers, Same

_URLS = ("loc", "@href")
# Beyond this share of different values, to look each one up takes longer than it saves.
_WORTH_KNOWING, _FEW = 0.2, 2_500
# The values of the slots that share a column, each with the ordinal of its element.
_Slots = list[tuple[list[str], int]]


class Kind:
    """How the entries of one kind look, and the values found so far."""

    def __init__(self, regex: re.Pattern[str], tokens: tuple[str, ...], sources: list[int | str]) -> None:
        self.regex = regex
        self.tokens = tokens
        self.sources = sources  # for each slot of the shape: the number of the group, or the value that never changes
        # Whole columns of entries that were matched together, then rows, one an entry.
        self._columns: list[list[str]] = [[] for _ in range(regex.groups)]
        self._known: list[dict[str, str] | None] = [{} for _ in range(regex.groups)]
        self.rows: list[tuple[str, ...]] = []
        self._runs: list[range] = []
        self.entries: list[int] = []  # those of the rows
        self.is_exact = False  # some values must still be shown to be clean
        self.successor: Kind | None = None

    def take(self, entries: range, columns: Sequence[Sequence[str]]) -> None:
        """Entries that follow each other. Of values that come again and again, each is kept once."""
        self._runs.append(entries)
        for number, values in enumerate(columns):
            known = self._known[number]
            if known is None:
                self._columns[number].extend(values)
                continue
            self._columns[number].extend(map(known.setdefault, values, values))
            if len(known) > _WORTH_KNOWING * len(self._columns[number]) + _FEW:
                self._known[number] = None

    def values(self) -> list[list[str]]:
        """A list for each group, in the order of the entries."""
        if self.rows:
            for column, more in zip(self._columns, zip(*self.rows, strict=True), strict=True):
                column.extend(more)
            self.rows.clear()
        return self._columns

    def all_entries(self) -> array[int]:
        return array("I", chain(*self._runs, self.entries))


def is_clean(path: str, column: Column) -> bool:
    """Of URLs only odd ones need a look, for a plain one has no control character."""
    return are_clean(column.odd_urls if path.endswith(_URLS) else column.distinct)


def _by_path(shape: Shape, pattern: Kind, found: list[list[str]], count: int) -> dict[str, _Slots]:
    """A shape's slots may share a column (four alternates, one `href` column)."""
    by_path: dict[str, _Slots] = {}
    for (path, element), source in zip(shape.slots, pattern.sources, strict=True):
        values = found[source] if isinstance(source, int) else [source] * count
        by_path.setdefault(path, []).append((values, element))
    return by_path


def regular_columns(shape: Shape, pattern: Kind, found: list[list[str]], count: int) -> dict[str, Column]:
    """All entries are of one kind, so where a value stands follows from its number."""
    columns = {}
    for path, slots in _by_path(shape, pattern, found, count).items():
        elements = tuple(element for _, element in slots)
        if len(slots) == 1:
            columns[path] = Column(slots[0][0], range(count), Same(elements[0], count))
        else:
            columns[path] = Column(_interleaved(slots), Every(count, len(slots)), Cycle(elements, count))
    return columns


def _interleaved(slots: _Slots) -> list[str]:
    """All values of an entry, then those of the next."""
    return list(chain.from_iterable(zip(*(values for values, _ in slots), strict=True)))


def mixed_columns(
    shapes: list[Shape],
    number_of: dict[tuple[str, ...], int],
    patterns: list[Kind],
    found: list[list[list[str]]],
    count: int,
) -> tuple[dict[str, Column], Numbers]:
    """Entries of several kinds: each has its place, and in the end all stand in the order of the document."""
    shape_of = array("I", bytes(4 * count))
    columns: dict[str, Column] = {}
    for pattern, groups in zip(patterns, found, strict=True):
        own = pattern.all_entries()
        number = number_of[pattern.tokens]
        for entry in own if number else ():
            shape_of[entry] = number
        for path, slots in _by_path(shapes[number], pattern, groups, len(own)).items():
            column = columns.setdefault(path, Column())
            column.values += chain.from_iterable(zip(*(values for values, _ in slots), strict=True))
            entries = chain.from_iterable(zip(*[own] * len(slots), strict=True))
            column.entries = array("I", chain(column.entries, entries))
            column.elements = array("I", chain(column.elements, Cycle(tuple(n for _, n in slots), len(own))))
    for column in columns.values():
        column.put_in_order(count)
    return columns, shape_of
