"""Entries of one kind, which one pattern matches: their values as they were found, and as columns of a document."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, KeysView, Sequence
from itertools import chain
from typing import cast

from sitemap_action.model import Column, Shape
from sitemap_action.parse.pattern import are_clean, are_texts, generalise, literal_length
from sitemap_action.spool import Cycle, Every, Numbers, Same

_URLS = ("loc", "@href")
# Beyond this share of different values, to look each one up takes longer than it saves.
_WORTH_KNOWING, _FEW = 0.2, 2_500
# The values of the slots that share a column, each with the ordinal of its element.
_Slots = list[tuple[list[str], int]]
# The same with the entries that have them, in pieces.
_Part = tuple[Sequence[Sequence[int]], _Slots]


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
        self._runs: list[Sequence[int]] = []
        self.entries: list[int] = []  # those of the rows
        self.is_exact = False  # some values must still be shown to be clean
        self.successor: Kind | None = None
        self.sample = ""  # an entry as others near it may look as well, with the white space before it
        self._exact: tuple[re.Pattern[str], int] | None = None
        self._loose: re.Pattern[str] | None = None
        self._has_varied = False  # in its white space

    def columns_of(self, text: str, *, loosely: bool) -> Sequence[Sequence[str]] | None:
        """The values of all entries behind the first character, if they are all of this kind."""
        found = None if self._has_varied else self._exactly(text)
        if found is None and (loosely or self._has_varied):
            found = self._loosely(text)
            self._has_varied = self._has_varied or found is not None
        return found

    def _exactly(self, text: str) -> Sequence[Sequence[str]] | None:
        """Where markup and values add up to all of the text, there is no gap between the matches."""
        if self._exact is None:
            regex, _ = generalise(self.sample, exact=True)
            self._exact = regex, literal_length(regex, self.sample)
        regex, literal = self._exact
        rows = regex.findall(text, 1)
        columns = (rows,) if regex.groups == 1 else tuple(zip(*rows, strict=True))
        together = ["".join(column) for column in columns]
        if not rows or sum(map(len, together)) + literal * len(rows) != len(text) - 1:
            return None
        if not all(map(are_texts, columns, together)):
            return None
        self.is_exact = True
        return columns

    def _loosely(self, text: str) -> Sequence[Sequence[str]] | None:
        """Where the matches leave no gap, matching one by one would have found the same."""
        if self._loose is None:
            # An entry begins right behind a tag: to look for one anywhere in a long gap would take for ever.
            self._loose = re.compile(f"((?<=>){self.regex.pattern})")
        rows = self._loose.findall(text, 1)
        pieces, *columns = zip(*rows, strict=True) if rows else ((),)
        return columns if rows and sum(map(len, pieces)) == len(text) - 1 else None

    def take(self, entries: range, columns: Sequence[Sequence[str]]) -> None:
        """Entries that follow each other. Of values that come again and again, each is kept once."""
        self._take_rows()
        self._runs.append(entries)
        for number, values in enumerate(columns):
            self._extend(number, values)

    def _extend(self, number: int, values: Sequence[str]) -> None:
        column = self._columns[number]
        for start in range(0, len(values), _FEW):
            piece = values[start : start + _FEW]
            known = self._known[number]
            if known is None:
                column.extend(piece)
                continue
            column.extend(map(known.setdefault, piece, piece))
            if len(known) > _WORTH_KNOWING * len(column) + _FEW:
                self._known[number] = None

    def _take_rows(self) -> None:
        if self.entries:
            for number, values in enumerate(zip(*self.rows, strict=True)):
                self._extend(number, values)
            self._runs.append(array("I", self.entries))
            self.rows.clear()
            self.entries.clear()

    def values(self) -> list[list[str]]:
        """A list for each group, in the order of the entries."""
        self._take_rows()
        return self._columns

    def distinct(self) -> dict[int, KeysView[str]]:
        """The different values of groups for which they are known, by the identity of the list that has them all."""
        pairs = zip(self._columns, self._known, strict=True)
        return {id(column): known.keys() for column, known in pairs if known}

    @property
    def runs(self) -> Sequence[Sequence[int]]:
        """The entries, in pieces."""
        self._take_rows()
        return self._runs


class Kinds:
    """All kinds that were met. Which of them matches at a place is asked of most of them at once."""

    def __init__(self) -> None:
        self._all: list[Kind] = []
        self._apart: list[Kind] = []
        self._joined: re.Pattern[str] | None = None
        self._by_group: dict[int | None, Kind] = {}  # by the number of its last group in the joined pattern

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Kind]:
        return iter(self._all)

    def add(self, kind: Kind) -> None:
        self._all.append(kind)
        self._apart.append(kind)
        if len(self._apart) > len(self._by_group) + 1:  # to join them with every new one would take too long
            self._join()

    def _join(self) -> None:
        groups = 0
        joined: list[str] = []
        self._by_group.clear()
        for kind in self._all:
            if kind.regex.groups:
                groups += kind.regex.groups
                joined.append(f"(?:{kind.regex.pattern})")
                self._by_group[groups] = kind
        self._joined = re.compile("|".join(joined)) if joined else None
        self._apart = [kind for kind in self._all if not kind.regex.groups]

    def at(self, text: str, position: int) -> Kind | None:
        """The one that matches here."""
        found = self._joined.match(text, position) if self._joined is not None else None
        if found is not None:
            return self._by_group[found.lastindex]
        return next((kind for kind in self._apart if kind.regex.match(text, position)), None)


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
    distinct = pattern.distinct()
    for path, slots in _by_path(shape, pattern, found, count).items():
        elements = tuple(element for _, element in slots)
        if len(slots) == 1:
            values = slots[0][0]
            columns[path] = Column(values, range(count), Same(elements[0], count), distinct.get(id(values)))
        else:
            columns[path] = Column(_interleaved(slots), Every(count, len(slots)), Cycle(elements, count))
    return columns


def _interleaved(slots: _Slots) -> list[str]:
    """All values of an entry, then those of the next."""
    return list(chain.from_iterable(zip(*(values for values, _ in slots), strict=True)))


def mixed_columns(
    shapes: list[Shape],
    number_of: dict[tuple[str, ...], int],
    patterns: Iterable[Kind],
    found: list[list[list[str]]],
    count: int,
) -> tuple[dict[str, Column], Numbers]:
    """Entries of several kinds: each has its place, and in the end all stand in the order of the document."""
    shape_of = array("I", bytes(4 * count))
    parts: dict[str, list[_Part]] = {}
    for pattern, groups in zip(patterns, found, strict=True):
        number = number_of[pattern.tokens]
        if number:
            _put(shape_of, pattern.runs, number)
        total = sum(map(len, pattern.runs))
        for path, slots in _by_path(shapes[number], pattern, groups, total).items():
            parts.setdefault(path, []).append((pattern.runs, slots))
    return {path: _in_order(its, count) for path, its in parts.items()}, shape_of


def _put(numbers: array[int], runs: Sequence[Sequence[int]], number: int) -> None:
    for run in runs:
        if isinstance(run, range):
            numbers[run.start : run.stop] = array("I", [number]) * len(run)
        else:
            for entry in run:
                numbers[entry] = number


def _in_order(parts: Sequence[_Part], count: int) -> Column:
    """The values of all kinds, in the order of their entries."""
    if all(len(slots) == 1 for _, slots in parts):
        return _scattered(parts, count)
    column = Column()
    for runs, slots in parts:
        own = array("I", chain(*runs))
        column.values += _interleaved(slots)
        entries = chain.from_iterable(zip(*[own] * len(slots), strict=True))
        column.entries = array("I", chain(column.entries, entries))
        column.elements = array("I", chain(column.elements, Cycle(tuple(n for _, n in slots), len(own))))
    column.put_in_order()
    return column


def _scattered(parts: Sequence[_Part], count: int) -> Column:
    """No entry has two of them: each is dropped into its place."""
    values: list[str | None] = [None] * count
    elements = array("I", bytes(4 * count))
    for runs, ((its, element),) in parts:
        begin = 0
        for run in runs:
            values_of_run = its[begin : begin + len(run)]
            begin += len(run)
            if isinstance(run, range):
                values[run.start : run.stop] = values_of_run
            else:
                for entry, value in zip(run, values_of_run, strict=True):
                    values[entry] = value
        _put(elements, runs, element)
    if None not in values:
        return Column(cast("list[str]", values), range(count), elements)
    entries = array("I", [entry for entry, value in enumerate(values) if value is not None])
    there = [value for value in values if value is not None]
    return Column(there, entries, array("I", map(elements.__getitem__, entries)))
