"""Time grows with the input, not with its square: files as no generator writes them, and somebody may."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import pytest
from conftest import Run, Write

_URLSET = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
_ATOM = '<feed xmlns="http://www.w3.org/2005/Atom">'
_OPEN = '<a xml:base="a/">'
_ATTRIBUTE = 'x%d="1" '
_PAGE = "https://www.acme.example"
# Eight times as much takes eight times as long, or somewhat more where caches are small; the square would be 64 times.
_TIMES, _MOST = 8, 28


def _bases_within_bases(size: int) -> str:
    deep = _OPEN * 900 + "</a>" * 900
    return f"{_ATOM}{deep * (size // 900)}</feed>"


def _feed_in_one_line(size: int) -> str:
    items = (
        f'<entry><link href="{_PAGE}/{number}"/><updated>2026-01-01T00:00:00Z</updated></entry>'
        for number in range(size)
    )
    return f"{_ATOM}{''.join(items)}</feed>"


def _strange_elements_in_one_line(size: int) -> str:
    return f"{_URLSET}{f'<sitemap><loc>{_PAGE}/</loc></sitemap>' * size}</urlset>"


def _named(pattern: str, size: int) -> str:
    return "".join(pattern % number for number in range(size))


def _unknown_elements_in_one_entry(size: int) -> str:
    return f"{_URLSET}<url><loc>{_PAGE}/</loc>{_named('<x%d/>', size)}</url></urlset>"


def _attributes_of_one_element(size: int) -> str:
    return f"{_URLSET}<url><loc {_named(_ATTRIBUTE, size)}>{_PAGE}/</loc></url></urlset>"


def _error_pages(size: int) -> str:
    return "".join(f"{_PAGE}/{number}/404.html\n" for number in range(size))


def _relative_alternates(size: int) -> str:
    link = '<xhtml:link rel="alternate" hreflang="de" href="/a"/>'
    urls = "".join(f"<url><loc>{_PAGE}/{number}/</loc>{link}</url>\n" for number in range(size))
    return f'{_URLSET[:-1]} xmlns:xhtml="http://www.w3.org/1999/xhtml">{urls}</urlset>'


def _a_word_in_one_url(size: int) -> str:
    return f"{_PAGE}/{'sitemap' * size}\n"


@pytest.mark.parametrize(
    ("make", "size", "name"),
    [
        (_bases_within_bases, 1_800, "feed.xml"),
        (_feed_in_one_line, 2_000, "feed.xml"),
        (_strange_elements_in_one_line, 4_000, "sitemap.xml"),
        (_unknown_elements_in_one_entry, 2_000, "sitemap.xml"),
        (_attributes_of_one_element, 4_000, "sitemap.xml"),
        (_error_pages, 2_000, "sitemap.txt"),
        (_a_word_in_one_url, 20_000, "sitemap.txt"),
        (_relative_alternates, 1_000, "sitemap.xml"),
    ],
)
def test_time_does_not_grow_with_the_square_of(
    run: Run, write: Write, make: Callable[[int], str], size: int, name: str
) -> None:
    def seconds(size: int) -> float:
        write(name, make(size))
        spent = []
        for _ in range(3):
            gc.collect()
            gc.disable()  # as the command has it
            start = time.process_time()
            assert run(name).exit_code in (0, 1)
            spent.append(time.process_time() - start)
            gc.enable()
        return min(spent)

    seconds(10)  # whatever is made once is made here
    few, many = seconds(size), seconds(_TIMES * size)
    assert many < _MOST * few
