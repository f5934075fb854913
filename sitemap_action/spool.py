"""What is too much to hold in memory: put aside in a temporary file, and read back by whoever kept the handle."""

from __future__ import annotations

import io
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import IO, Protocol, cast

# So much stays in memory before a file is opened: most runs never need one.
_IN_MEMORY = 8_000_000
# Hashes are spread evenly over 64 bits; ranges of them are compared one after another.
_RANGES = 256
_LOWEST = -(2**63)


class Numbers(Protocol):
    """What can be read like a column of numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class Same:
    """One number so many times."""

    __slots__ = ("_length", "_number")

    def __init__(self, number: int, length: int) -> None:
        self._number = number
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> int:
        return self._number

    def __iter__(self) -> Iterator[int]:
        return repeat(self._number, self._length)


class Spool:
    """An append-only store for one run; the file has no name, so nothing is left behind, whatever happens."""

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._file: IO[bytes] = io.BytesIO()
        self._end = 0

    def keep(self, data: bytes) -> Kept:
        """Put bytes aside; where the disk is full they stay in memory, which is worse but not wrong."""
        try:
            if isinstance(self._file, io.BytesIO) and self._end + len(data) > self._in_memory:
                self._move_to_disk()
            self._file.seek(self._end)
            self._file.write(data)
            self._file.flush()
        except OSError:
            return Kept(None, 0, len(data), data)
        kept = Kept(self, self._end, len(data))
        self._end += len(data)
        return kept

    def _move_to_disk(self) -> None:
        import tempfile  # not needed by most runs

        file = tempfile.TemporaryFile(prefix="sitemap-action-")  # noqa: SIM115, closed with the spool
        file.write(cast(io.BytesIO, self._file).getbuffer())
        self._file = file

    def keep_numbers(self, numbers: array[int]) -> KeptNumbers:
        return KeptNumbers(self.keep(numbers.tobytes()), numbers.typecode, len(numbers))

    def read(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size)

    def close(self) -> None:
        self._file.close()


class Kept:
    """Bytes that were put aside."""

    __slots__ = ("_data", "_size", "_spool", "_start")

    def __init__(self, spool: Spool | None, start: int, size: int, data: bytes = b"") -> None:
        self._spool = spool
        self._start = start
        self._size = size
        self._data = data

    def read(self, start: int = 0, size: int | None = None) -> bytes:
        """All of it, or a part."""
        size = self._size - start if size is None else size
        if self._spool is None:
            return self._data[start : start + size]
        return self._spool.read(self._start + start, size)


class KeptNumbers:
    """A column of numbers that was put aside; to read, it is like the array it was."""

    __slots__ = ("_kept", "_length", "_typecode")

    def __init__(self, kept: Kept, typecode: str, length: int) -> None:
        self._kept = kept
        self._typecode = typecode
        self._length = length

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, place: int) -> int:
        return self.load(place, place + 1)[0]

    def __iter__(self) -> Iterator[int]:
        return iter(self.load())

    def load(self, start: int = 0, stop: int | None = None) -> array[int]:
        """The numbers, or those of a slice."""
        numbers: array[int] = array(self._typecode)
        stop = self._length if stop is None else stop
        numbers.frombytes(self._kept.read(start * numbers.itemsize, (stop - start) * numbers.itemsize))
        return numbers


class Seen:
    """A set of hashes in a tenth of the memory that Python's own takes: a table of numbers, probed one by one."""

    def __init__(self) -> None:
        self._slots = array("q", bytes(8 * 1024))
        self._count = 0

    def add(self, number: int) -> bool:
        """Whether the number is new; 0 marks a free slot, so it goes by another name."""
        number = number or 1
        slots, mask = self._slots, len(self._slots) - 1
        place = number & mask
        while slots[place]:
            if slots[place] == number:
                return False
            place = (place + 1) & mask
        slots[place] = number
        self._count += 1
        if self._count * 3 > len(slots) * 2:
            self._grow()
        return True

    def _grow(self) -> None:
        old = self._slots
        self._slots, self._count = array("q", bytes(16 * len(old))), 0
        for number in filter(None, old):
            self.add(number)


def occurring_twice(columns: Sequence[KeptNumbers], spool: Spool, at_once: int = 500_000) -> set[int]:
    """The numbers that occur more than once in all columns together.

    Many columns are sorted one by one and then compared range by range, so that only a part is held at a time.
    """
    total = sum(map(len, columns))
    if total <= at_once:
        return _twice(chain.from_iterable(columns))
    runs = [_Run(column, spool) for column in columns]
    found: set[int] = set()
    step = max(1, _RANGES * at_once // total)
    for start in range(0, _RANGES, step):
        found |= _twice(chain.from_iterable(run.between(start, min(start + step, _RANGES)) for run in runs))
    return found


def _twice(numbers: Iterable[int]) -> set[int]:
    held = array("q", numbers)
    if len(set(held)) == len(held):
        return set()
    return {number for number, count in Counter(held).items() if count > 1}


class _Run:
    """A column in ascending order, with where each range of values begins."""

    __slots__ = ("_bounds", "_kept")

    def __init__(self, column: KeptNumbers, spool: Spool) -> None:
        ordered = array("q", sorted(column))
        self._kept = spool.keep_numbers(ordered)
        lows = (_LOWEST + number * (2**64 // _RANGES) for number in range(1, _RANGES))
        self._bounds = array("I", [0, *(bisect_left(ordered, low) for low in lows), len(ordered)])

    def between(self, start: int, stop: int) -> array[int]:
        return self._kept.load(self._bounds[start], self._bounds[stop])
