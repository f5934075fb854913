"""What a part has written is looked at before it is believed: values of the kinds that a run writes, and no larger."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from sitemap_action.model import Summary
from sitemap_action.parse.places import Closings
from sitemap_action.spool import Same

T = TypeVar("T")
# More entries, bytes or findings than this nobody has; what is asked of so many still comes to an end.
_MOST = 2**40
_FORMATS = ("urlset", "sitemapindex", "text", "rss", "atom", "unknown")
_MONTH = re.compile(r"[0-9]{4}(?:-[0-9]{2})?")


def number(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _MOST:
        raise ValueError("no such number")
    return value


def fingerprint(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError("no such number")
    return value


def text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError("no text")
    return value


def flag(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError("neither yes nor no")
    return value


def perhaps(kind: Callable[[Any], T], value: Any) -> T | None:
    return None if value is None else kind(value)


def several(kind: Callable[[Any], T], value: Any) -> list[T]:
    if type(value) is not list:
        raise TypeError("no list")
    return [kind(item) for item in value]


def by_name(kind: Callable[[Any], T], value: Any) -> dict[str, T]:
    if type(value) is not dict:
        raise TypeError("no names")
    return {text(name): kind(item) for name, item in value.items()}


def summary(value: Any) -> Summary:
    entries, oldest, newest, without, distinct, months, extensions = value
    if not all(map(_MONTH.fullmatch, by_name(number, months))):
        raise ValueError("no month")
    dates = (perhaps(text, oldest), perhaps(text, newest))
    counts = (number(without), number(distinct))
    return Summary(number(entries), *dates, *counts, by_name(number, months), by_name(number, extensions))


def facts(found: Mapping[str, Any]) -> dict[str, Any]:
    """What stays of a document; its columns are as long as it has entries."""
    offsets, origin_of, origins = found["offsets"], found["origin_of"], several(text, found["origins"])
    if found["format"] not in _FORMATS:
        raise ValueError("no such format")
    if not isinstance(offsets, (array, range, Closings)) or not isinstance(origin_of, (array, Same)):
        raise TypeError("no column")
    if len(origin_of) != max(0, len(offsets) - 1) or len(origin_of) > number(found["size"]):  # an entry has bytes
        raise ValueError("of another length")
    if len(origin_of) and not 0 <= _largest(origin_of) < len(origins):
        raise IndexError("no such origin")
    return {
        "format": found["format"],
        "size": number(found["size"]),
        "compressed": flag(found["compressed"]),
        "failed": flag(found["failed"]),
        "path": text(found["path"]),
        "summary": summary(found["summary"]),
        "origins": origins,
        "origin_of": origin_of,
        "offsets": offsets,
        "listed": several(_line, found["listed"]),
    }


def _largest(numbers: array[int] | Same) -> int:
    return numbers.number if isinstance(numbers, Same) else max(numbers)


def _line(value: Any) -> list[Any]:
    entry, url, is_repeated, lastmod = value
    return [number(entry), text(url), flag(is_repeated), perhaps(text, lastmod)]
