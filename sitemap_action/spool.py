"""What is too much to hold in memory: put aside in a temporary file, and read back by whoever kept the handle."""

from __future__ import annotations

import io
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, repeat
from typing import IO, Protocol, cast

# So much stays in memory before a file is opened: most runs never need one.
_IN_MEMORY = 2_000_000
# What can be done without ends here: a runner's disk has about three times as much.
_MOST = 4_000_000_000
# So many numbers are looked through for repeats together.
_AT_ONCE = 100_000


class Numbers(Protocol):
    """What can be read like a column of numbers."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> int: ...
    def __iter__(self) -> Iterator[int]: ...


class _Rule:
    """Numbers that follow from a rule: two are alike if the rule is the same."""

    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


class Same(_Rule):
    """One number so many times."""

    __slots__ = ("length", "number")

    def __init__(self, number: int, length: int) -> None:
        self.number = number
        self.length = length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: int) -> int:
        return self.number

    def __iter__(self) -> Iterator[int]:
        return repeat(self.number, self.length)


class Every(_Rule):
    """The numbers from 0 on, each so many times: the entries of elements that every entry has."""

    __slots__ = ("count", "times")

    def __init__(self, count: int, times: int) -> None:
        self.count = count
        self.times = times

    def __len__(self) -> int:
        return self.count * self.times

    def __getitem__(self, place: int) -> int:
        return place // self.times

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(map(repeat, range(self.count), repeat(self.times)))


class Cycle(_Rule):
    """A few numbers over and over again: the ordinals of elements that every entry has."""

    __slots__ = ("numbers", "times")

    def __init__(self, numbers: tuple[int, ...], times: int) -> None:
        self.numbers = numbers
        self.times = times

    def __len__(self) -> int:
        return len(self.numbers) * self.times

    def __getitem__(self, place: int) -> int:
        return self.numbers[place % len(self.numbers)]

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(repeat(self.numbers, self.times))


def counts_of(numbers: Numbers) -> Counter[int]:
    """How often each number occurs; what is the same throughout need not be counted."""
    return Counter({numbers.number: len(numbers)}) if isinstance(numbers, Same) else Counter(numbers)


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
        try:
            file.write(cast(io.BytesIO, self._file).getbuffer())
        except OSError:
            file.close()
            raise
        self._file = file

    def keep_if_room(self, data: bytes) -> Kept | None:
        """Put aside what can be done without: not beyond the disk's room, nor beyond ours."""
        if self._end + len(data) > _MOST:
            return None
        kept = self.keep(data)
        return kept if kept.is_aside else None

    def keep_numbers(self, numbers: array[int]) -> KeptNumbers:
        return KeptNumbers(self.keep(numbers.tobytes()), numbers.typecode, len(numbers))

    def read(self, start: int, size: int) -> bytes:
        self._file.seek(start)
        return self._file.read(size)

    def close(self) -> None:
        with suppress(OSError):  # a full disk may complain once more
            self._file.close()


class Kept:
    """Bytes that were put aside."""

    __slots__ = ("_data", "_size", "_spool", "_start")

    def __init__(self, spool: Spool | None, start: int, size: int, data: bytes = b"") -> None:
        self._spool = spool
        self._start = start
        self._size = size
        self._data = data

    @property
    def is_aside(self) -> bool:
        return self._spool is not None

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
