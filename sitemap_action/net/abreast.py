"""Several requests at a time; the answers are handed on in the order of the questions, however they arrive."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def abreast(
    items: Iterable[T], ask: Callable[[T], Future[R]], most: int, drop: Callable[[Future[R]], object]
) -> Iterator[tuple[T, Future[R]]]:
    """So many are under way while somebody looks at the first; what nobody will look at any more is dropped."""
    waiting: deque[tuple[T, Future[R]]] = deque()
    try:
        for item in items:
            waiting.append((item, ask(item)))
            if len(waiting) > most:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for _, future in waiting:
            drop(future)
