"""What mutation begins from: the examples of our own rules, the example site, and small literals."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from examples import Example, read_example

from sitemap_action.rules import all_rules
from sitemap_action.rules.base import explanation_of

SITE = Path(__file__).resolve().parent.parent / "example" / "public"
_LARGEST = 20_000
# A colon would name a stream of a file, and the others are refused.
_NOT_ON_WINDOWS = re.compile(r"[\x00-\x1f<>:\"\\|?*\udc80-\udcff]|[. ](?:/|$)")
# One file of a site within an input that holds several.
_HEADER = b"\n--- %s\n"


@cache
def examples() -> tuple[Example, ...]:
    """All examples of all rules but the enormous ones, which would only be slow."""
    pages = [explanation_of(rule) for rule in all_rules().values()]
    texts = [text for about in pages for text in (*about.bad, *about.good)]
    read = [read_example(text) for text in texts]
    return tuple(one for one in read if sum(map(len, one.files.values())) <= _LARGEST)


@cache
def files() -> tuple[tuple[str, bytes], ...]:
    """Every file of the examples and of the example site, by its name."""
    found = [item for example in examples() for item in example.files.items()]
    return tuple(dict.fromkeys(found + _example_site()))


def contents(wanted: Callable[[str, bytes], bool]) -> list[bytes]:
    """The contents of the files that a target is for."""
    return list(dict.fromkeys(data for name, data in files() if wanted(name, data)))


def sites() -> list[bytes]:
    """Whole sites, each as one input."""
    return list(dict.fromkeys([*(joined(example.files) for example in examples()), joined(dict(_example_site()))]))


def _example_site() -> list[tuple[str, bytes]]:
    paths = sorted(path for path in SITE.rglob("*") if path.is_file())
    return [(path.relative_to(SITE).as_posix(), path.read_bytes()) for path in paths]


def joined(site: dict[str, bytes]) -> bytes:
    """Files as one input; each header names the file that follows."""
    return b"".join(_HEADER % name.encode("utf-8", "surrogateescape") + data for name, data in site.items())


def parted(data: bytes) -> dict[str, bytes]:
    """The files of an input, whatever mutation has made of it; what no file system takes as a name is left out."""
    first, *pieces = (b"\n" + data).split(b"\n--- ")
    site = {"sitemap.xml": first[1:]} if first.strip() or not pieces else {}
    for piece in pieces:
        header, _, body = piece.partition(b"\n")
        name = _safe(header)
        if name:
            site[name] = body
    return site


def _safe(header: bytes) -> str:
    """A name below the folder, however hostile otherwise; our own settings are another target's."""
    parts = [part for part in header.replace(b"\0", b"").split(b"/") if part not in (b"", b".", b"..")]
    name = "/".join(part[:60].decode("utf-8", "surrogateescape") for part in parts[:6])
    if os.name == "nt" and _NOT_ON_WINDOWS.search(name):
        return ""
    return "" if name.endswith(".toml") and "netlify" not in name else name
