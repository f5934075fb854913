"""Fingerprints of URLs: numbers in place of text, the same throughout a run, be it on several machines."""

from __future__ import annotations

import importlib.util
import sys
from array import array
from collections.abc import Sequence
from importlib.util import source_hash
from typing import NamedTuple

from sitemap_action.spool import Numbers, Same
from sitemap_action.values import urls

# What those that are for other machines depend on beside the text: Python takes another key with every version.
KIND = f"{sys.byteorder}-{importlib.util.MAGIC_NUMBER.hex()}"
# A few at a time: memory that is used again is faster than fresh one.
_BATCH = 1_000
_MOST_SLASHES = 65_535
_PREFIXES = ("https://www.", "https://", "http://www.", "http://")


# Python's own hash of a text has another key in each process that does not descend from this one; it takes a
# fifth of the time, but with 32 bits two of 50,000 URLs would have the same.
_IS_WIDE = sys.hash_info.width == 64
_knows_others = not _IS_WIDE


def agree_with_others(*, wanted: bool) -> None:
    """Whether the numbers of this run are to be the same on other machines; said before the first is made."""
    global _knows_others
    _knows_others = wanted or not _IS_WIDE


def of(text: str) -> int:
    """The fingerprint of one text."""
    return of_all((text,))[0]


def of_all(texts: Sequence[str]) -> array[int]:
    """SipHash of each text."""
    if not _knows_others:
        return array("q", map(hash, texts))
    try:
        data = b"".join(map(source_hash, map(str.encode, texts)))
    except UnicodeEncodeError:  # half a character may come from a file name or a broken escape
        data = b"".join(source_hash(text.encode("utf-8", "surrogatepass")) for text in texts)
    numbers = array("q")
    numbers.frombytes(data)
    return numbers


class Pages(NamedTuple):
    """Pages as numbers: what all spellings of a page share, and what sets its own spelling apart; 0 is no page."""

    variants: array[int]
    spellings: Numbers


def numbers(variants: Numbers, spellings: Numbers) -> Sequence[int]:
    """A number for each page in its own spelling."""
    if isinstance(spellings, Same):
        return [variant ^ spellings.number for variant in variants]
    return [variant and variant ^ own for variant, own in zip(variants, spellings, strict=True)]


def of_pages(pages: Sequence[str | None], origin: str | None = None) -> Pages:
    """Pages as urls.same_page spells them. Most lists are alike throughout, and are taken all at once.

    An origin is that of all of them; then no path ends with a slash before a query, nor with index.html.
    """
    prefix = _prefix_of(origin) if origin is not None else _shared_prefix(pages)
    if prefix is None:
        return _one_by_one(pages)
    variants, cut = array("q"), array("H")
    length = len(prefix)
    for start in range(0, len(pages), _BATCH):
        tails = [page[length:] for page in pages[start : start + _BATCH] if page]
        bare = [tail.rstrip("/") for tail in tails]
        if bare != tails and "?" in "".join(tails):  # a slash at the end of a query stays
            bare = [tail if "?" in tail else rest for tail, rest in zip(tails, bare, strict=True)]
        variants += of_all(bare)
        cut.extend([0] * len(bare) if bare == tails else map(_lost, tails, bare))
    own = {count: of(prefix + "/" * count) for count in set(cut)}
    if len(own) == 1:
        return Pages(variants, Same(own[cut[0]], len(variants)))
    return Pages(variants, array("q", map(own.__getitem__, cut)))


def _lost(tail: str, rest: str) -> int:
    return min(len(tail) - len(rest), _MOST_SLASHES)


def _prefix_of(url: str) -> str | None:
    return next((prefix for prefix in _PREFIXES if url.startswith(prefix)), None)


def _shared_prefix(pages: Sequence[str | None]) -> str | None:
    """What all pages begin with, if nothing but a slash at the end may set their spellings apart."""
    if not pages or None in pages:
        return None
    text = "\n".join(pages)  # type: ignore[arg-type]
    if "/?" in text or "/index.htm" in text:
        return None
    prefix = _prefix_of(text)
    if prefix is None or text.count("\n" + prefix) != len(pages) - 1 or text.count("\n") != len(pages) - 1:
        return None
    if not prefix.endswith("www.") and text.count(f"\n{prefix}www."):
        return None
    return prefix


def _one_by_one(pages: Sequence[str | None]) -> Pages:
    variants, spellings = array("q"), array("q")
    known: dict[str, int] = {}
    for page in pages:
        text, apart = _apart(page) if page else ("", "")
        if apart not in known:
            known[apart] = of(apart)
        variants.append(of(text) if page else 0)
        spellings.append(known[apart])
    return Pages(variants, spellings)


def _apart(page: str) -> tuple[str, str]:
    """The variant of a page, and in what the page differs from it."""
    text = urls.variant(page)
    for prefix in _PREFIXES:
        tail = page[len(prefix) :]
        if page.startswith(prefix) and tail.startswith(text) and not tail[len(text) :].strip("/"):
            return text, prefix + tail[len(text) :]
    return text, page


def spelled(variant: int, text: str) -> int:
    """The number of a URL that is not spelled as its page is."""
    return variant ^ of(text)
