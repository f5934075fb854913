"""A deadline for a whole request: whatever the other side does, the connection is cut when it has passed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_current = threading.local()


def current() -> Deadline | None:
    """The deadline of the request that this thread is at."""
    return getattr(_current, "deadline", None)


class Deadline:
    """When a request must be done, and the connection it is served by."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.passed = False
        self.is_reused = False  # the connection has served another request before
        self._guard: socket.socket | None = None
        self._lock = threading.Lock()

    @property
    def remaining(self) -> float:
        """Never zero, which would mean "do not wait at all" to a socket."""
        return max(self.end - time.monotonic(), 0.001)

    def guard(self, connection: socket.socket, *, is_reused: bool) -> None:
        """From now on the request is served by this connection; we hold on to it ourselves, because a library
        may let go of it while the body is still on its way."""
        self.let_go()
        with self._lock:
            self._guard, self.is_reused = connection.dup(), is_reused
        if self.passed:
            self.cut()

    def let_go(self) -> None:
        """The connection is no longer ours: another request may use it."""
        with self._lock:
            if self._guard is not None:
                self._guard.close()
                self._guard = None

    def cut(self) -> None:
        """Wakes a thread that waits for the other side; timeouts of sockets begin anew with every byte."""
        self.passed = True
        with self._lock:
            if self._guard is not None:
                with suppress(OSError):
                    self._guard.shutdown(socket.SHUT_RDWR)


class Watchdog:
    """One thread that cuts the requests whose time is over."""

    def __init__(self) -> None:
        self._deadlines: set[Deadline] = set()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    @contextmanager
    def limit(self, seconds: float) -> Iterator[Deadline]:
        """What this thread requests within the block is done, or cut, in time."""
        deadline = Deadline(seconds)
        with self._changed:
            if self._thread is None:
                thread = threading.Thread(target=self._watch, name="deadlines", daemon=True)
                thread.start()
                self._thread = thread  # not before: one that could not start cannot be waited for
            self._deadlines.add(deadline)
            if self._closed:
                deadline.passed = True
            self._changed.notify()
        _current.deadline = deadline
        try:
            yield deadline
        finally:
            _current.deadline = None
            with self._changed:
                self._deadlines.discard(deadline)
            deadline.let_go()

    def close(self) -> None:
        """Cut what is under way; the thread ends."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join()

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                for deadline in [deadline for deadline in self._deadlines if deadline.end <= now]:
                    deadline.cut()
                    self._deadlines.discard(deadline)
                ends = [deadline.end for deadline in self._deadlines]
                self._changed.wait(max(min(ends) - now, 0) if ends else None)
            for deadline in self._deadlines:
                deadline.cut()
