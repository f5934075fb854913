"""The time of the run, and a word if the machine's clock cannot be right."""

from __future__ import annotations

from datetime import datetime, timezone

# Before this there was no such program, and after that no machine will run it.
_FIRST, _LAST = datetime(2026, 1, 1, tzinfo=timezone.utc), datetime(2100, 1, 1, tzinfo=timezone.utc)
# Instead of a time that is wrong: nothing that a sitemap says is accused of lying in the future.
_FAR_AWAY = datetime(9000, 1, 1, tzinfo=timezone.utc)


def now() -> datetime:
    """The time; far away if the clock is wrong."""
    read = _read()
    return read if _FIRST <= read < _LAST else _FAR_AWAY


def is_wrong() -> bool:
    return now() == _FAR_AWAY


def complaint() -> str:
    """What to tell the user of a machine whose clock is wrong."""
    return (
        f"The clock of this machine is wrong: it shows {_read():%Y-%m-%d %H:%M} UTC. No date is called too old or in "
        "the future, and certificates of live sites may seem invalid."
    )


def _read() -> datetime:
    return datetime.now(timezone.utc)
