"""Words for numbers of things, as all messages have them."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def first_few(names: Sequence[str], most: int) -> str:
    """The first ones, and how many more there are."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
