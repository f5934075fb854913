"""The end that somebody else decides on: SIGINT and SIGTERM stop the reading, and what was found so far is told."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_SOON, _AGAIN = 0.02, 0.2
_TIME_TO_TELL = 1.2
# Within these an exception would leave a lock taken, or a module half there.
_DELICATE = ("threading", "concurrent.futures", "importlib._bootstrap")


class Interrupted(KeyboardInterrupt):
    """Raised wherever the program happens to be."""


class Interrupts:
    """What has arrived in this run."""

    def __init__(self) -> None:
        self.signal: signal.Signals | None = None
        self._is_telling = False

    @property
    def code(self) -> int:
        """The exit code by which shells tell such an end; 0 without one."""
        return 128 + self.signal if self.signal is not None else 0

    @property
    def name(self) -> str:
        return self.signal.name if self.signal is not None else ""

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within, a signal raises Interrupted; only a main thread can be told."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        wanted = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, self._raise) for number in wanted}
        try:
            yield
        finally:
            self._insist(0)
            for number, handler in before.items():
                signal.signal(number, handler)

    def heard(self) -> None:
        """The exception has reached who waited for it; the next one comes when there was time to tell, or by signal."""
        self._insist(_TIME_TO_TELL)

    def telling(self) -> None:
        """From now on what was found is written down: a first signal leaves it so much time as it would have had."""
        self._is_telling = True

    def _raise(self, number: int, frame: FrameType | None) -> None:
        is_first, self.signal = self.signal is None, signal.Signals(number)
        if is_first and self._is_telling:
            self._insist(_TIME_TO_TELL)
        else:
            self._again(number, frame)

    def _insist(self, seconds: float) -> None:
        """An exception that comes while an object is let go is lost, so it is raised again until somebody has heard."""
        if hasattr(signal, "setitimer"):
            signal.signal(signal.SIGALRM, self._again if seconds else signal.SIG_IGN)
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds)

    def _again(self, number: int, frame: FrameType | None) -> None:
        if _is_delicate(frame) and hasattr(signal, "setitimer"):
            self._insist(_SOON)
            return
        self._insist(_AGAIN)
        raise Interrupted


def _is_delicate(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(_DELICATE):
            return True
        frame = frame.f_back
    return False


@contextmanager
def held_back() -> Iterator[None]:
    """While processes are started: a signal must not hit a child before it knows what to do with one."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_to_parent() -> None:
    """For a worker: SIGINT is for whoever started it, which ends it by SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def end_by_default() -> None:
    """Before there is anything to tell a signal just ends the process; Python itself would show where it was."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler and os.name == "posix":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
