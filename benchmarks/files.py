"""Sitemaps to measure with: made the same on every run, written piece by piece so that the maker stays small."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

SITE = "https://www.acme.example"
FULL = 50_000
_LANGUAGES = ("en", "de", "fr", "es")
_HINTS = ("daily", "weekly", "monthly", "yearly")
_FIRST_DAY = date(2021, 1, 1)
_DAYS = 1900
_LEVEL = 6
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
_EXTENSIONS = (
    '\n        xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    '\n        xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)


def write_plain(path: Path, urls: int) -> None:
    """loc, lastmod, changefreq and priority: about 220 bytes for each URL."""
    _write(path, _HEAD, (_entry(_plain_page(n), n, hints=True) for n in range(urls)))


def write_rich(path: Path, urls: int) -> None:
    """loc, lastmod, one image, and links between the four languages of a page: about 700 bytes for each URL."""
    _write(path, _HEAD + _EXTENSIONS, (_rich_entry(n, urls) for n in range(urls)))


def write_child(path: Path, site: str, first: int, urls: int) -> int:
    """One gzip file of a large origin, with loc and lastmod of its own pages; the answer is its size inflated."""
    numbers = range(first, first + urls)
    packed = gzip.GzipFile(path, "wb", compresslevel=_LEVEL, mtime=0)
    with packed, io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as file:
        _fill(file, _HEAD, (_entry(_plain_page(n, site), n) for n in numbers))
        file.flush()
        return packed.tell()


def write_member(path: Path, first: int, urls: int) -> None:
    """One file of a large set, with loc and lastmod of its own pages: about 155 bytes for each URL."""
    _write(path, _HEAD, (_entry(_plain_page(n), n) for n in range(first, first + urls)))


def _write(path: Path, head: str, entries: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        _fill(file, head, entries)


def _fill(file: io.TextIOWrapper, head: str, entries: Iterator[str]) -> None:
    file.write(head + ">\n")
    file.writelines(entries)
    file.write("</urlset>\n")


def _plain_page(number: int, site: str = SITE) -> str:
    return f"{site}/our-shop/products/category-{number % 400}/subcategory-{number % 37}/article-{number:06}.html"


def _translation(number: int, language: str) -> str:
    return f"{SITE}/{language}/handbook/guides/chapter-{number % 90}/{number:05}/"


def _rich_entry(number: int, urls: int) -> str:
    """Pages come in fours, one a language; the last few do without the languages that would go beyond the end."""
    guide, language = divmod(number, len(_LANGUAGES))
    present = _LANGUAGES[: max(1, min(len(_LANGUAGES), urls - guide * len(_LANGUAGES)))]
    links = "".join(
        f'    <xhtml:link rel="alternate" hreflang="{code}" href="{_translation(guide, code)}"/>\n' for code in present
    )
    image = f"    <image:image><image:loc>{SITE}/images/guide-{guide:05}.webp</image:loc></image:image>\n"
    return _entry(_translation(guide, _LANGUAGES[language]), number, links + image)


def _entry(page: str, number: int, rest: str = "", *, hints: bool = False) -> str:
    """Days and hints go round in steps that share no factor, so that values are few but neighbours differ."""
    day = _FIRST_DAY + timedelta(days=number * 7 % _DAYS)
    fields = f"    <loc>{page}</loc>\n    <lastmod>{day.isoformat()}</lastmod>\n"
    if hints:
        fields += f"    <changefreq>{_HINTS[number % 4]}</changefreq>\n    <priority>0.{number % 9 + 1}</priority>\n"
    return f"  <url>\n{fields}{rest}  </url>\n"
