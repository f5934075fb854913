"""The engine: an input is mutated and tried; what shows new behaviour is kept to be mutated again.

Behaviour is what the target says of an input (findings, formats, shapes), and, where Python can tell
it at no cost, the lines of the program that were reached.
"""

from __future__ import annotations

import hashlib
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from types import TracebackType
from typing import NamedTuple

from fuzz.mutate import LARGEST, Mutator

_ROOT = Path(__file__).resolve().parent.parent
_OURS = (str(_ROOT / "sitemap_action"), str(_ROOT / "fuzz"))
_KEPT, _LARGEST_KEPT = 3_000, 16_000  # large inputs are tried, but small ones are faster to learn from
_REPEATED = 0.2
_MOST_CUTS = 400
# An input of the largest size may cost so many times what the yardstick costs, a tiny one a quarter of it.
_PATIENCE = 400


class Outcome(NamedTuple):
    """What came of an input: a rough description, and all of it, which must be the same another time."""

    kind: object
    whole: object


@dataclass(frozen=True)
class Target:
    """A part of the program, with inputs to begin from and an oracle: `run` raises if a promise is broken."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    words: Sequence[bytes]
    run: Callable[[bytes], Outcome]


class Slow(BaseException):
    """An input that takes far too long; nothing that catches exceptions may catch it."""


@dataclass(frozen=True)
class Failure:
    """A broken promise: the input, and how to tell it from other failures."""

    target: str
    data: bytes
    error: BaseException

    @property
    def key(self) -> str:
        """The kind of error and where it came from: the same fault is found by many inputs."""
        frames = [frame for frame in traceback.extract_tb(self.error.__traceback__) if frame.filename.startswith(_OURS)]
        last = frames[-1] if frames else None
        where = f"{Path(last.filename).name}:{last.name}:{last.lineno}" if last else "?"
        return f"{type(self.error).__name__} at {where}"

    def save(self, folder: Path) -> Path:
        """The input, and beside it what it did."""
        path = folder / self.target / hashlib.sha256(self.key.encode()).hexdigest()[:12]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".input").write_bytes(self.data)
        told = "".join(traceback.format_exception(type(self.error), self.error, self.error.__traceback__))
        path.with_suffix(".txt").write_text(f"{self.key}\n\n{told}", encoding="utf-8", errors="backslashreplace")
        return path.with_suffix(".input")


class Catch:
    """Whatever a target raises is what we are looking for."""

    error: BaseException | None = None

    def __enter__(self) -> Catch:
        return self

    def __exit__(self, _kind: type | None, error: BaseException | None, _trace: TracebackType | None) -> bool:
        self.error = error
        return isinstance(error, (Exception, Slow))


@cache
def yardstick() -> float:
    """Processor time that a fixed piece of work costs on this machine: about ten milliseconds on a usual one."""

    def once() -> float:
        start = time.process_time()
        sum(number * number for number in range(150_000))
        return time.process_time() - start

    return max(min(once() for _ in range(5)), 0.001)


@dataclass
class Campaign:
    """A target under fire."""

    target: Target
    random: Random
    new_lines: Callable[[], bool] = lambda: False  # whether lines were reached that never were before
    executions: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.corpus = list(self.target.seeds())
        self._seeds = len(self.corpus)
        self._seen: set[str] = set()
        self._mutator = Mutator(self.random, self.target.words)

    def try_seeds(self) -> None:
        """The seeds as they are: they must pass, and they say what is not new."""
        for seed in self.corpus[: self._seeds]:
            self.try_one(seed)

    def step(self) -> None:
        """One new input, from a seed or from one that was kept; a seed is never given up for another."""
        start = self._seeds if len(self.corpus) > self._seeds and self.random.random() < 0.6 else 0
        end = self._seeds if start == 0 and self.random.random() < 0.7 else len(self.corpus)
        parent = self.corpus[self.random.randrange(start, end)]
        data = self._mutator.mutate(parent, self.corpus)
        if self.try_one(data):
            if len(self.corpus) >= self._seeds + _KEPT:
                self.corpus.pop(self.random.randrange(self._seeds, len(self.corpus)))
            self.corpus.append(data)

    def try_one(self, data: bytes) -> bool:
        """Whether the input showed anything new."""
        self.executions += 1
        kind, error = attempt(self.target, data, again=self.random.random() < _REPEATED)
        if error is not None:
            failure = Failure(self.target.name, data, error)
            self.failures.setdefault(failure.key, failure)
            return False
        is_new = self.new_lines() or kind not in self._seen
        self._seen.add(kind)
        return is_new and len(data) <= _LARGEST_KEPT


def attempt(target: Target, data: bytes, *, again: bool) -> tuple[str, BaseException | None]:
    """Run the target: the kind of outcome, or what went wrong."""
    kind = ""
    with Catch() as caught:
        start = time.process_time()
        outcome = target.run(data)
        kind = repr(outcome.kind)
        if time.process_time() - start > allowance(data):
            _hold_to_time(target, data)
        if again:
            assert repr(target.run(data).whole) == repr(outcome.whole), "the same input came out differently"
    return kind, caught.error


def allowance(data: bytes) -> float:
    """Seconds of processor time: generous, because what we look for grows with the square."""
    return yardstick() * _PATIENCE * (0.25 + len(data) / LARGEST)


def _hold_to_time(target: Target, data: bytes) -> None:
    """Once more, when everything that is made once has been made: a first run may have imported a library."""
    start = time.process_time()
    target.run(data)
    spent = time.process_time() - start
    if spent > allowance(data):
        raise Slow(f"{len(data):,} bytes took {spent:.1f} s, {spent / yardstick():,.0f} times the yardstick")


def shrunk(target: Target, failure: Failure) -> Failure:
    """The same failure with less input, as far as cutting pieces out leads within some hundred tries."""
    data, tries = failure.data, 0
    size = len(data) // 2
    while size >= 1 and tries < _MOST_CUTS and not isinstance(failure.error, Slow):
        start = 0
        while start < len(data) and tries < _MOST_CUTS:
            shorter = data[:start] + data[start + size :]
            tries += 1
            _, error = attempt(target, shorter, again="differently" in str(failure.error))
            found = Failure(target.name, shorter, error) if error is not None else None
            if found is not None and found.key == failure.key:
                failure, data = found, shorter
            else:
                start += size
        size //= 2
    return failure
