"""What is put aside comes back as it was; repeats are found however small the part that is held."""

from __future__ import annotations

import errno
import gzip
from array import array
from collections import Counter
from typing import Any
from unittest import mock

import pytest
from conftest import Run, Write, index, urlset
from hypothesis import given
from hypothesis import strategies as st

from sitemap_action.memory.piles import occurring_twice
from sitemap_action.spool import Cycle, Same, Seen, Spool

numbers = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.binary(max_size=50)), st.integers(0, 200))
def test_bytes_come_back_as_they_were(pieces: list[bytes], in_memory: int) -> None:
    spool = Spool(in_memory)
    try:
        kept = [spool.keep(piece) for piece in pieces]
        assert [one.read() for one in reversed(kept)] == pieces[::-1]
    finally:
        spool.close()


@given(st.lists(numbers), st.data())
def test_numbers_read_like_the_array_that_they_were(values: list[int], data: st.DataObject) -> None:
    kept = Spool().keep_numbers(array("q", values))
    assert list(kept) == values
    assert len(kept) == len(values)
    if values:
        place = data.draw(st.integers(0, len(values) - 1))
        assert kept[place] == values[place]
        assert list(kept.load(place)) == values[place:]


@given(st.lists(st.lists(st.one_of(numbers, st.integers(-3, 3)))), st.integers(1, 20))
def test_what_occurs_twice_is_found_whatever_is_held_at_once(columns: list[list[int]], at_once: int) -> None:
    spool = Spool()
    counts = Counter(number for column in columns for number in column)
    kept = [spool.keep_numbers(array("q", column)) for column in columns]
    with mock.patch("sitemap_action.memory.piles.AT_ONCE", at_once):
        assert occurring_twice(kept, spool) == {number for number, count in counts.items() if count > 1}


def test_one_number_many_times_needs_no_room() -> None:
    same = Same(7, 3)
    assert (list(same), len(same), same[2]) == ([7, 7, 7], 3, 7)


@given(st.lists(st.one_of(numbers, st.integers(0, 5000)), max_size=3000))
def test_a_number_is_new_once(values: list[int]) -> None:
    seen, fresh = Seen(), dict.fromkeys(value or 1 for value in values)
    assert [value or 1 for value in values if seen.add(value)] == list(fresh)
    assert not any(seen.add(value) for value in values)


def test_a_table_of_numbers_grows_with_them() -> None:
    seen = Seen()
    assert sum(seen.add(n * 2_654_435_761) for n in [*range(5000), *range(5000)]) == 5000


def test_a_full_disk_keeps_things_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

        def close(self) -> None:
            pass

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_options: Full())
    spool = Spool(in_memory=4)
    assert spool.keep(b"long enough").read(5, 6) == b"enough"
    spool.close()


def test_columns_that_follow_from_a_rule_are_alike_if_the_rule_is() -> None:
    assert Same(1, 5) == Same(1, 5)
    assert Same(1, 5) != Same(2, 5)
    assert Same(1, 5) != Cycle((1,), 5)


LANGUAGES = ("en", "de", "fr")


def translated(number: int, language: str, present: tuple[str, ...] = LANGUAGES) -> str:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="https://www.acme.example/{code}/{number}"/>'
        for code in present
    )
    return f"<url><loc>https://www.acme.example/{language}/{number}</loc>{links}</url>"


def write_languages(write: Write, changed: dict[tuple[int, str], tuple[str, ...]]) -> None:
    """A sitemap for each language, whose pages link to each other across the files."""
    write("public/sitemap.xml", index(*(f"https://www.acme.example/sitemap-{code}.xml" for code in LANGUAGES)))
    for code in LANGUAGES:
        entries = [translated(n, code, changed.get((n, code), LANGUAGES)) for n in range(9)]
        write(f"public/sitemap-{code}.xml", urlset(*entries, attributes=' xmlns:xhtml="http://www.w3.org/1999/xhtml"'))


def hreflang(run: Run) -> list[Any]:
    findings = run("public").report["findings"]
    return [(f["rule"], f["document"], f["line"], f["message"]) for f in findings if f["rule"].startswith("hreflang")]


@pytest.mark.parametrize("at_once", [1, 3, 10, 1_000_000])
def test_links_across_files_are_judged_alike_whatever_is_held_at_once(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr("sitemap_action.memory.piles.AT_ONCE", at_once)
    write_languages(write, {(4, "de"): ("de", "fr"), (7, "fr"): ("en", "de", "fr", "it")})
    assert hreflang(run) == [
        (
            "hreflang-no-return-link",
            "public/sitemap-en.xml",
            7,
            "The alternate 'https://www.acme.example/de/4' is listed, but its entry does not link back to this one.",
        ),
        (
            "hreflang-target-not-listed",
            "public/sitemap-fr.xml",
            10,
            "The alternate 'https://www.acme.example/it/7' is listed in no sitemap of the set.",
        ),
    ]


def test_repeats_across_files_are_found_range_by_range(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.memory.piles.AT_ONCE", 4)
    write("public/sitemap.xml", index("https://acme.example/a.xml", "https://acme.example/b.xml"))
    write("public/a.xml", urlset(*(f"https://acme.example/{n}" for n in range(20))))
    write("public/b.xml", urlset(*(f"https://acme.example/{n}" for n in range(20, 40)), "https://acme.example/7"))
    outcome = run("public")
    finding = outcome.finding("loc-repeated")
    assert (finding["document"], finding["line"], finding["count"]) == ("public/b.xml", 23, 1)
    assert finding["message"] == "The URL is listed again; it stands first at public/a.xml:10."


@pytest.mark.parametrize(
    ("first", "second"),
    [("https://www.acme.example", "http://acme.example"), ("http://a.example", "https://www.a.example")],
)
def test_variants_are_found_across_files_of_different_origins(run: Run, write: Write, first: str, second: str) -> None:
    """Hashes of variants are those of the first origin that was met, whichever that is."""
    write("public/sitemap.xml", urlset(f"{first}/a/", f"{first}/b"))
    write("public/sitemap-2.xml", urlset(f"{second}/a", f"{second}/b/", f"{second}/c"))
    finding = run("public").finding("loc-variant-repeated")
    assert (finding["document"], finding["line"], finding["count"]) == ("public/sitemap-2.xml", 3, 2)


@pytest.mark.parametrize("name", ["b.txt", "b.xml", "b.xml.gz", "feed.xml"])
def test_a_finding_about_the_whole_set_names_url_and_line_in_every_format(run: Run, write: Write, name: str) -> None:
    """By then the values are gone: they are read again."""
    pages = ["https://www.acme.example/a", "https://www.acme.example/b", "https://www.acme.example/b/"]
    items = "".join(f"\n<item><title>T</title><link>{page}</link></item>" for page in pages)
    contents: dict[str, str | bytes] = {
        "b.txt": "\n".join(pages) + "\n",
        "b.xml": urlset(*pages),
        "b.xml.gz": gzip.compress(urlset(*pages).encode()),
        "feed.xml": f'<rss version="2.0"><channel><title>T</title>{items}\n</channel></rss>',
    }
    lines = {"b.txt": 3, "b.xml": 5, "b.xml.gz": 5, "feed.xml": 4}
    write("public/robots.txt", f"Sitemap: https://www.acme.example/{name}\n")
    write(f"public/{name}", contents[name])
    finding = run("public").finding("loc-variant-repeated")
    assert (finding["line"], finding["url"]) == (lines[name], pages[2])
    assert finding["message"] == f"The same page is listed as {pages[1]!r} at public/{name}:{lines[name] - 1}."
