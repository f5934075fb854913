"""Dates that many rules wave through together: nothing that one of them would flag may be among them."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_action import schema
from sitemap_action.rules.lastmod import defect
from sitemap_action.rules.schema import is_explained
from sitemap_action.values import dates

NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
written = st.from_regex(
    r"(199[0-3]|20[0-3][0-9]|2199|22..)-(0[0-9]|1[0-3])-([0-2][0-9]|3[0-2])"
    r"(T[0-2][0-9]:[0-6][0-9](:[0-6][0-9](\.[0-9])?)?(Z|[+-](0[0-9]|1[0-5]):[0-6][0-9])?)?",
    fullmatch=True,
)
moments = st.datetimes(datetime(1990, 1, 1), datetime(2210, 1, 1), timezones=st.just(timezone.utc))


@given(written, moments)
@example("2026-02-28T23:59:59-13:59", datetime(2026, 3, 1, tzinfo=timezone.utc))
def test_of_an_unremarkable_date_no_rule_has_anything_to_say(text: str, now: datetime) -> None:
    if dates.unremarkable(now.year, now.month).fullmatch(text):
        assert defect(dates.parse(text), now) is None
        assert is_explained("lastmod", text) or schema.value_error("urlset", "lastmod", text) is None


@given(st.dates(date(1992, 1, 1), date(2199, 12, 31)), st.sampled_from(["", "T23:59:59+00:00"]))
def test_all_days_before_this_month_are_unremarkable_but_that_of_leap_years(day: date, time: str) -> None:
    text = day.isoformat() + time
    following = datetime(day.year, day.month, 1, tzinfo=timezone.utc) + timedelta(days=31)
    for now, is_past in ((following, True), (following.replace(year=day.year, month=day.month), False)):
        found = dates.unremarkable(now.year, now.month).fullmatch(text)
        assert (found is not None) == (is_past and (day.month, day.day) != (2, 29) and now.year < 2200)


@pytest.mark.parametrize("text", ["2026-03-01", "2026-13-01", "2025-02-29", "2025-04-31", "2025-06-00", "1991-12-31"])
def test_other_dates_are_looked_at(text: str) -> None:
    assert not dates.unremarkable(NOON.year, NOON.month).fullmatch(text)
