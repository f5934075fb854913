"""Threads that ask servers; who waits for their answers may be interrupted at any moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

# How long a wait may last before signals are looked at, where they do not end it by themselves.
_TICK = 0.1
# Those who are cut off end soon; what is stuck in the system is left behind, and ends with the program.
_PATIENCE = 0.5
_Task = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...]]


class Crew:
    """So many threads at most.

    All that takes a lock while a server is asked happens in them, and nothing of it in the main thread: a signal
    raises an exception there, and a lock that was just taken would be held for ever. For the same reason the
    main thread waits by a queue, which takes none.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._threads: list[threading.Thread] = []
        self._tasks: SimpleQueue[_Task | None] = SimpleQueue()

    def submit(self, ask: Callable[..., R], *arguments: Any) -> Future[R]:
        """Ask as soon as somebody is free."""
        future: Future[R] = Future()
        if len(self._threads) < self._most:
            self._grow()
        self._tasks.put((future, ask, arguments))
        return future

    def _grow(self) -> None:
        thread = threading.Thread(target=self._work, name="fetch", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system gives no more
            if not self._threads:
                raise
            self._most = len(self._threads)
        else:
            self._threads.append(thread)

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            if task is None:
                return
            _settle(*task)
            del task  # its answer is not to be kept until there is another task

    def call(self, ask: Callable[..., R], *arguments: Any) -> R:
        """Ask, and wait for the answer."""
        return wait_for(self.submit(ask, *arguments))

    def map(self, ask: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Ask for all of them side by side."""
        return [wait_for(future) for future in [self.submit(ask, item) for item in items]]

    def close(self) -> None:
        """Whoever is under way should have been cut off before."""
        while not self._tasks.empty():
            task = self._tasks.get()
            if task is not None:
                task[0].cancel()
        for _ in self._threads:
            self._tasks.put(None)
        end = time.monotonic() + _PATIENCE
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))


def _settle(future: Future[R], ask: Callable[..., R], arguments: tuple[Any, ...]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        answer = ask(*arguments)
    except BaseException as error:  # whoever waits is to have it
        future.set_exception(error)
    else:
        future.set_result(answer)


def wait_for(future: Future[R]) -> R:
    """The answer, once it is there."""
    done: SimpleQueue[object] = SimpleQueue()
    future.add_done_callback(done.put)
    while True:
        try:
            done.get(timeout=_TICK)
        except Empty:
            continue
        return future.result()
