"""Columns of numbers too long to be held against each other at once: dealt into piles, and compared pile by pile."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from sitemap_action.spool import KeptNumbers, Spool

# So many fit into the caches of a processor, more or less.
AT_ONCE = 100_000
# Numbers that are compared are hashes, so they are spread evenly, also in their last bits.
PILES = 256


class Some(NamedTuple):
    """Some numbers of a column, and at which places of it they stand."""

    numbers: Sequence[int]
    places: Sequence[int]


class _Dealt:
    """A column by the last bits of its numbers, put aside, with where each pile begins."""

    __slots__ = ("_bounds", "_numbers")

    def __init__(self, numbers: Iterable[int], spool: Spool) -> None:
        piles: list[list[int]] = [[] for _ in range(PILES)]
        mask = PILES - 1
        for number in numbers:
            piles[number & mask].append(number)
        self._numbers = spool.keep_numbers(array("q", chain.from_iterable(piles)))
        self._bounds = array("I", accumulate(map(len, piles), initial=0))

    def between(self, start: int, stop: int) -> array[int]:
        return self._numbers.load(self._bounds[start], self._bounds[stop])


class _DealtWithPlaces:
    """The same, and where in the column each number stood."""

    __slots__ = ("_bounds", "_numbers", "_places")

    def __init__(self, numbers: Sequence[int], spool: Spool) -> None:
        piles: list[list[int]] = [[] for _ in range(PILES)]
        mask = PILES - 1
        for place, number in enumerate(numbers):
            piles[number & mask].append(place)
        places = array("I", chain.from_iterable(piles))
        self._places = spool.keep_numbers(places)
        self._numbers = spool.keep_numbers(array("q", map(numbers.__getitem__, places)))
        self._bounds = array("I", accumulate(map(len, piles), initial=0))

    def between(self, start: int, stop: int) -> Some:
        begin, end = self._bounds[start], self._bounds[stop]
        return Some(self._numbers.load(begin, end), self._places.load(begin, end))


def occurring_twice(columns: Sequence[KeptNumbers], spool: Spool) -> set[int]:
    """The numbers that occur more than once in all columns together."""
    total = sum(map(len, columns))
    if total <= AT_ONCE:
        return _twice([column.load() for column in columns])
    dealt = [_Dealt(column, spool) for column in columns]
    found: set[int] = set()
    for start, stop in _shares(total):
        found |= _twice([column.between(start, stop) for column in dealt])
    return found


def _twice(columns: Sequence[array[int]]) -> set[int]:
    if len(set[int]().union(*columns)) == sum(map(len, columns)):
        return set()
    return {number for number, count in Counter(chain.from_iterable(columns)).items() if count > 1}


def in_shares(
    asked: Iterable[Sequence[int]], count: int, known: Iterable[Iterable[int]], spool: Spool
) -> Iterator[tuple[list[Some], set[int]]]:
    """Share by share: some of each column that is asked about, and which of their numbers are known.

    So many numbers are asked about; of those that are known there may be any number, and they are gone through once.
    """
    if count <= AT_ONCE:
        columns = [Some(column, range(len(column))) for column in asked]
        yield columns, _known(columns, known)
        return
    dealt = [_DealtWithPlaces(column, spool) for column in asked]
    others = [_Dealt(column, spool) for column in known]
    for start, stop in _shares(count):
        columns = [column.between(start, stop) for column in dealt]
        yield columns, _known(columns, (column.between(start, stop) for column in others))


def _known(columns: Sequence[Some], known: Iterable[Iterable[int]]) -> set[int]:
    wanted = set(chain.from_iterable(column.numbers for column in columns))
    return wanted.intersection(chain.from_iterable(known)) if wanted else wanted


def _shares(total: int) -> Iterator[tuple[int, int]]:
    """The first pile of each share, and the first of the next: so many that few enough numbers are held."""
    step = max(1, PILES * AT_ONCE // total)
    return ((start, min(start + step, PILES)) for start in range(0, PILES, step))
