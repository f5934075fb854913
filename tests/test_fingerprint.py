"""Numbers in place of URLs: the same number for the same page, other numbers for others, whatever the shortcut."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from conftest import Run, Write, urlset
from front_door import surroundings
from hypothesis import given
from hypothesis import strategies as st

from sitemap_action.memory import fingerprint
from sitemap_action.memory.listing import Listing
from sitemap_action.model import Document
from sitemap_action.parse import parse, places
from sitemap_action.reading import take_stock
from sitemap_action.site import Scope, Site
from sitemap_action.spool import Cycle, Every, Same, counts_of
from sitemap_action.values import urls

starts = st.sampled_from(
    ["https://www.acme.example", "https://acme.example", "http://acme.example", "ftp://acme.example"]
)
tails = st.sampled_from(
    [
        "",
        "/",
        "/a",
        "/a/",
        "/a//",
        "/a/index.html",
        "/a/?b=1",
        "/a?b=1",
        "/a?b=1/",
        "/www.b/",
        "/ü/",
        "/a\nb",
        "/\udcff",
    ]
)
addresses = st.builds(lambda *parts: "".join(parts), starts, tails)
pages = st.one_of(addresses, st.none())


@pytest.fixture(params=[True, False], autouse=True, scope="module")
def kind(request: pytest.FixtureRequest) -> Iterator[None]:
    fingerprint.agree_with_others(wanted=request.param)
    yield
    fingerprint.agree_with_others(wanted=False)


@given(st.lists(pages, max_size=20))
def test_two_pages_have_one_number_if_they_are_spelled_alike(some: list[str | None]) -> None:
    numbers = fingerprint.numbers(*fingerprint.of_pages(some))
    for page, number in zip(some, numbers, strict=True):
        assert (number == 0) == (page is None)
        for other, its in zip(some, numbers, strict=True):
            assert (number == its) == (page == other)


@given(st.lists(addresses, max_size=20))
def test_two_spellings_have_one_number_if_a_server_would_take_them_for_one(some: list[str]) -> None:
    variants = list(fingerprint.of_pages(some).variants)
    for page, number in zip(some, variants, strict=True):
        for other, its in zip(some, variants, strict=True):
            assert (number == its) == (urls.variant(page) == urls.variant(other))


@given(
    starts.filter(lambda start: start.startswith("http")),
    st.lists(st.sampled_from(["/", "/a", "/a/", "/b//", "/a?b", "/a?b/"])),
)
def test_what_is_known_of_an_origin_changes_nothing(start: str, paths: list[str]) -> None:
    some = [start + path for path in paths]
    short, long = fingerprint.of_pages(some, start), [fingerprint.of_pages([page]) for page in some]
    assert list(short.variants) == [one.variants[0] for one in long]
    assert list(fingerprint.numbers(*short)) == [fingerprint.numbers(*one)[0] for one in long]


def test_a_number_is_the_same_in_every_process() -> None:
    """Python's own hashes of text are not: it draws another key for each process."""
    code = "from sitemap_action.memory.fingerprint import *; agree_with_others(wanted=True); print(of('https://www.acme.example/ü'))"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=surroundings(PYTHONHASHSEED=seed),
        ).stdout
        for seed in ("0", "7", "random")
    }
    fingerprint.agree_with_others(wanted=True)
    assert told == {f"{fingerprint.of('https://www.acme.example/ü')}\n"}


@given(st.integers(0, 20), st.integers(1, 5))
def test_numbers_that_follow_from_a_rule_read_like_a_list(count: int, times: int) -> None:
    every, cycle, same = Every(count, times), Cycle(tuple(range(1, times + 1)), count), Same(7, count)
    lists: list[tuple[Any, list[int]]] = [
        (every, [number for number in range(count) for _ in range(times)]),
        (cycle, [number for _ in range(count) for number in range(1, times + 1)]),
        (same, [7] * count),
    ]
    for numbers, plain in lists:
        assert (list(numbers), len(numbers)) == (plain, len(plain))
        assert [numbers[place] for place in range(len(numbers))] == plain
        assert +counts_of(numbers) == Counter(plain)


def test_rules_for_numbers_are_alike_if_their_numbers_are() -> None:
    assert Every(3, 2) == Every(3, 2) != Every(2, 3)
    assert Cycle((1, 2), 3) == Cycle((1, 2), 3) != Cycle((1, 2), 2)
    assert Every(1, 1) != Cycle((0,), 1)


@pytest.mark.parametrize("lost", [0, 1, 3])
def test_entries_begin_behind_the_one_before(lost: int) -> None:
    """A file may have been cut since it was read: what is no longer there is at its end."""
    texts = [f"<url>{'x' * number}</url>" for number in range(3)]
    data = "".join(["<urlset>", *islice(texts, 3 - lost), "</urlset>"]).encode()
    document = Document("sitemap.xml")
    document.offsets = places.Closings("</url>", len("<urlset>"), 3)
    spans = [places.span(document, data, number) for number in range(3)]
    found = [data[start:end].decode() for start, end in spans]
    assert found[: 2 - lost if lost < 3 else 0] == texts[: 2 - lost if lost < 3 else 0]
    assert all(0 <= start <= end <= len(data) for start, end in spans)
    assert len(document.offsets) == 4


@given(
    st.lists(
        st.sampled_from(
            ["", "/", "/a", "/a/", "/a//", "/b", "/b/index.html", "/c?d", "/c?d/", "/c/?d", "/c//?d", "/é", "/%C3%A9"]
        ),
        max_size=6,
    )
)
def test_the_only_document_of_a_run_is_compared_with_itself(tails: list[str]) -> None:
    """Where nothing in it is alike no numbers are made; that must not cost a finding."""
    text = urlset(*(f"https://www.acme.example{tail}" for tail in tails))

    def repeats(*, is_alone: bool) -> list[tuple[int, int, bool]]:
        document = parse(Document("sitemap.xml"), text.encode(), limit=10**6)
        take_stock(document)
        document.is_alone = is_alone
        listing = Listing(Site(Scope()))
        note = listing.note(document)
        if note is not None:
            listing.remember(document, note)
        return [(repeat.entry, repeat.first_entry, repeat.same_spelling) for repeat in listing.repeats()]

    assert repeats(is_alone=True) == repeats(is_alone=False)


def test_links_between_the_pages_of_the_only_document_are_looked_at(run: Run, write: Write) -> None:
    xhtml = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    link = '<xhtml:link rel="alternate" hreflang="{}" href="https://www.acme.example{}"/>'
    both = link.format("en", "/a") + link.format("de", "/b")
    entry = "<url><loc>https://www.acme.example{}</loc>{}</url>"
    for links, rules in (("", ["hreflang-no-return-link"]), (both, [])):
        path = write("sitemap.xml", urlset(entry.format("/a", both), entry.format("/b", links), attributes=xhtml))
        assert [rule for rule in run(path).rules() if rule.startswith("hreflang")] == rules
