"""Dates: the six W3C-DTF forms that the protocol allows, and the dates of feeds."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import NamedTuple

from sitemap_action import lazy

_W3C = lazy.pattern(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?:T(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.(?P<part>\d+))?)?(?P<zone>Z|[+-]\d\d:\d\d)?)?)?)?",
    re.ASCII,
)
_RFC822 = lazy.pattern(
    r"(?:[A-Za-z]{3,9},?\s+)?\d{1,2}[\s-]+[A-Za-z]{3,9}[\s-]+\d{2,4}\s+\d{1,2}:\d{2}(?::\d{2})?"
    r"(?:\s+(?P<zone>[A-Za-z]{1,5}|[+-]\d{4}))?(?:\s*\(.*\))?",
    re.ASCII,
)
_MINUTES = lazy.pattern(r"T\d\d:\d\d(?!:)")
_PRECISIONS = ("year", "month", "day", "time")


class Moment(NamedTuple):
    """A date as precise as it was written; `start` is the first instant it can mean, in UTC."""

    text: str
    start: datetime
    precision: str  # "year", "month", "day" or "time"
    day: str  # the date as written in its own zone, YYYY-MM-DD or shorter
    has_zone: bool = True


@lru_cache(maxsize=4)
def unremarkable(year: int, month: int = 1) -> re.Pattern[str]:
    """Dates of the web's time before this month that exist and are complete: no rule has anything to say of them.

    Of Februaries the 29th is left out, for it takes a look at the year.
    """
    decades = sorted({number // 10 for number in range(1992, min(year, 2200))})
    last = {decade: min(9, min(year, 2200) - 1 - 10 * decade) for decade in decades}
    years = "|".join(f"{decade}[{2 if decade == 199 else 0}-{last[decade]}]" for decade in decades)
    before = f"|{year:04}-(?:{_days(range(1, month))})" if month > 1 and 1992 <= year < 2200 else ""
    return lazy.pattern(
        rf"(?:(?:{years or 'x'})-(?:{_days(range(1, 13))}){before})"
        r"(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9]))?"
    )


def _days(months: range) -> str:
    """All days of these months, as month and day."""
    by_length: dict[str, list[str]] = {}
    for month in months:
        length = "2[0-8]" if month == 2 else "2[0-9]|30" if month in (4, 6, 9, 11) else "2[0-9]|3[01]"
        by_length.setdefault(length, []).append(f"{month:02}")
    return "|".join(f"(?:{'|'.join(names)})-(?:0[1-9]|1[0-9]|{length})" for length, names in by_length.items())


@lru_cache(maxsize=65536)
def parse(text: str) -> Moment | None:
    """A W3C-DTF date (a time without zone is read as UTC and marked), or None."""
    found = _W3C.fullmatch(text)
    if found is None:
        return None
    part = found.groupdict()
    try:
        start = datetime(
            int(part["year"]),
            int(part["month"] or 1),
            int(part["day"] or 1),
            int(part["hour"] or 0),
            int(part["minute"] or 0),
            int(part["second"] or 0),
            tzinfo=timezone.utc,
        )
        start -= _offset(part["zone"])
    except (ValueError, OverflowError):
        return None
    names = ("hour", "day", "month", "year")
    finest = next(name for name in names if part[name])
    return Moment(
        text, start, "time" if finest == "hour" else finest, text[:10], finest != "hour" or bool(part["zone"])
    )


def _offset(zone: str | None) -> timedelta:
    if zone in (None, "Z"):
        return timedelta(0)
    assert zone is not None
    hours, minutes = int(zone[1:3]), int(zone[4:6])
    if hours > 14 or minutes > 59:
        raise ValueError(zone)
    size = timedelta(hours=hours, minutes=minutes)
    return size if zone[0] == "+" else -size


@lru_cache(maxsize=4096)
def parse_rfc822(text: str) -> Moment | None:
    """The date of an RSS item, as e-mail writes it."""
    form = _RFC822.fullmatch(text.strip())
    if form is None:
        return None
    from email.utils import parsedate_tz  # 9 ms that only feeds need

    parts = parsedate_tz(text)
    if parts is None:
        return None
    try:
        start = datetime(*parts[:6], tzinfo=timezone.utc) - timedelta(seconds=parts[9] or 0)
    except (ValueError, OverflowError):
        return None
    return Moment(text, start, "time", "{:04}-{:02}-{:02}".format(*parts), form["zone"] is not None)


def for_format(format: str, text: str) -> Moment | None:
    """RSS writes dates as e-mail does; its users also write the W3C form, which readers accept."""
    return (parse_rfc822(text) or parse(text)) if format == "rss" else parse(text)


def is_older(one: Moment, other: Moment) -> bool:
    """Whether one date is before the other, at the precision of the coarser one."""
    coarser = min(one.precision, other.precision, key=_PRECISIONS.index)
    if coarser == "time":
        in_minutes = any(_MINUTES.search(moment.text) for moment in (one, other))
        unit = 60 if in_minutes else 1
        return one.start.timestamp() // unit < other.start.timestamp() // unit
    length = {"year": 4, "month": 7, "day": 10}[coarser]
    return one.day[:length] < other.day[:length]
