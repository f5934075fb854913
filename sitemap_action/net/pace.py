"""How fast an origin is asked: as fast as it answers, until it says that this is too much."""

from __future__ import annotations

import email.utils
import threading
import time
from datetime import timezone

from sitemap_action import clock

_MOST_PATIENCE = 60.0
_FIRST_INTERVAL = 0.1
_MOST_INTERVAL = 0.5


class Pace:
    """Once an origin has complained, its requests begin one after another, further apart with every complaint."""

    def __init__(self) -> None:
        self._interval: dict[str, float] = {}
        self._next: dict[str, float] = {}
        self._spent: dict[str, float] = {}
        self._least: dict[str, float] = {}
        self._lock = threading.Lock()

    def wait_for(self, origin: str) -> float:
        """The seconds until it is this request's turn; the next one's is an interval later."""
        if origin not in self._interval:
            return 0.0
        with self._lock:
            now = time.monotonic()
            turn = max(self._next.get(origin, now), now)
            self._next[origin] = turn + self._interval[origin]
        return turn - now

    def leave_between(self, origin: str, seconds: float) -> None:
        """The origin has asked for so much time between two requests, before it had to complain."""
        with self._lock:
            self._least[origin] = self._interval[origin] = max(self._interval.get(origin, 0.0), seconds)

    def is_spent(self, origin: str) -> bool:
        """Whether the origin has had all the patience that a run has for one."""
        return self._spent.get(origin, 0.0) > _MOST_PATIENCE

    def slow_down(self, origin: str, pause: float) -> None:
        """The origin wants a pause now, and fewer requests from then on."""
        with self._lock:
            now = time.monotonic()
            self._spent[origin] = self._spent.get(origin, 0.0) + max(
                now + pause - max(self._next.get(origin, now), now), 0.0
            )
            if now + pause > self._next.get(origin, 0.0):  # several complaints at a time are one
                slower = min(self._interval.get(origin, _FIRST_INTERVAL / 2) * 2, _MOST_INTERVAL)
                self._interval[origin] = max(slower, self._least.get(origin, 0.0))
                self._next[origin] = now + pause


def retry_after(value: str) -> float | None:
    """Seconds from now; the header holds a number or a date."""
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return max((moment - clock.now()).total_seconds(), 0.0)
