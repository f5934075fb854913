"""A first look at many URLs: are they all plain ones, and of one origin?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sitemap_action.values.urls import LONG, is_ordinary

# What plain paths consist of, and how many values are looked at together.
_PLAIN = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~/?=&!$'()*+,@-"
_BATCH, _FEW_ORIGINS = 500, 8


class Survey(NamedTuple):
    """What a first look at many URLs tells: those that are not ordinary, and the origin (with `/`) that all share."""

    odd: frozenset[str]
    origin: str | None


def survey(values: Sequence[str]) -> Survey:
    """Exactly is_ordinary for each value, but plain ones are judged many at once."""
    odd: set[str] = set()
    origins: set[str] = set()  # of the first values; those of others are taken one by one
    is_shared = True
    for start in range(0, len(values), _BATCH):
        batch = values[start : start + _BATCH]
        if not _all_ordinary(batch, origins):
            strange = {value for value in batch if not is_ordinary(value)}
            odd |= strange
            met = {value[: value.find("/", 8) + 1] for value in batch if value not in strange}
            origins = origins or met
            is_shared = is_shared and met <= origins
    one = next(iter(origins)) if len(origins) == 1 and is_shared and not odd else None
    return Survey(frozenset(odd), one)


def _all_ordinary(batch: Sequence[str], origins: Collection[str]) -> bool:
    """True if each value is one of a few ordinary origins and a plain path; False says nothing."""
    if not 0 < len(origins) <= _FEW_ORIGINS:
        return False
    text, count = "\n" + "\n".join(batch), len(batch)
    if not text.isascii() or max(map(len, batch)) >= LONG:
        return False
    # Nothing is left of values but the colons of their origins (one more sends them to is_ordinary); so none of them
    # holds a line break, and each begins one line,
    left = text.encode().translate(None, _PLAIN)
    if len(origins) == 1:
        (origin,) = origins
        return left == (b"\n" + b":" * origin.count(":")) * count and text.count("\n" + origin) == count
    times = {origin: text.count("\n" + origin) for origin in origins}
    colons = sum(origin.count(":") * number for origin, number in times.items())
    # and with an origin.
    return sum(times.values()) == count == left.count(b"\n") and left.count(b":") == colons == len(left) - count
