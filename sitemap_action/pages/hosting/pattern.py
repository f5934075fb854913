"""The path patterns of static hosts: `/blog/*`, `/posts/:slug`, `/docs/:path*`, matched in a single run over the path.

They come from the checked repository, so they never become regular expressions: a hostile one would take for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

# What Vercel's patterns may hold: a name with an optional expression and modifier, or an expression without a name.
_VERCEL = re.compile(r"(?P<slash>/)?(?::(?P<name>\w+)(?:\((?P<inner>[^()]*)\))?|\((?P<bare>[^()]*)\))(?P<mark>[*+?])?")
_ANYTHING, _SEGMENT, _EMPTY = (".*", ".+"), ("[^/]+", "[^/]*"), (".*", "[^/]*")
_OPTIONAL, _SEVERAL = ("*", "?"), ("*", "+")
_SPECIAL = re.compile(r"[(){}*+?:]")
_NETLIFY = re.compile(r"\*|:(\w+)")


class Gap(NamedTuple):
    """A part of a pattern that stands for text: the name it is captured by, and what the text may be."""

    name: str
    is_deep: bool  # may hold slashes
    may_be_empty: bool
    has_slash: bool = False  # unless it is empty, it begins with a slash that is not part of the text


class Pattern:
    """Literal pieces with gaps between them; where `is_sure` is False only the beginning could be read."""

    def __init__(self, pieces: list[str], gaps: list[Gap], *, is_sure: bool = True) -> None:
        self.pieces = pieces
        self._gaps = gaps
        self.is_sure = is_sure

    @property
    def literal(self) -> str | None:
        """The one path that matches, if it is one."""
        return self.pieces[0] if self.is_sure and not self._gaps else None

    @property
    def segment(self) -> str | None:
        """The first folder of every path that matches, if that is sure: what rules are looked up by."""
        parts = self.pieces[0].split("/", 2)
        return parts[1] if len(parts) == 3 else None

    def match(self, path: str) -> Mapping[str, str] | None:
        """The text of each gap, or None. A gap takes as little as it can, the last one what is left."""
        if not path.startswith(self.pieces[0]):
            return None
        found: dict[str, str] = {}
        start = len(self.pieces[0])
        for number, (gap, piece) in enumerate(zip(self._gaps, self.pieces[1:], strict=True), start=1):
            first = start if gap.may_be_empty else start + 1
            if number == len(self._gaps):
                end = len(path) - len(piece) if path.endswith(piece) else -1
            elif not piece and not gap.is_deep:  # a segment goes as far as it can
                slash = path.find("/", first)
                end = slash if slash >= 0 else len(path)
            else:
                end = path.find(piece, first)
            text = path[start:end]
            if gap.has_slash and text:
                if not text.startswith("/"):
                    return None
                text = text[1:]
            if end < first or (not gap.is_deep and "/" in text):
                return None
            found[gap.name] = text
            start = end + len(piece)
        return found if start == len(path) or not self.is_sure else None


def exactly(path: str) -> Pattern:
    return Pattern([path], [])


def netlify(text: str) -> Pattern:
    """As `_redirects` and `_headers` have them: `*` for anything, `:name` for one segment."""
    pieces, gaps, start = [], [], 0
    for found in _NETLIFY.finditer(text):
        pieces.append(text[start : found.start()])
        gaps.append(Gap(found[1] or "splat", found[1] is None, found[1] is None))
        start = found.end()
    return Pattern([*pieces, text[start:]], gaps)


def vercel(text: str) -> Pattern:
    """As vercel.json has them (path-to-regexp); expressions other than the usual ones are not read."""
    pieces, gaps, start = [], [], 0
    for number, found in enumerate(_VERCEL.finditer(text)):
        inner = found["inner"] if found["name"] else found["bare"]
        mark, slash = found["mark"] or "", found["slash"] or ""
        if inner is not None and inner not in (*_ANYTHING, *_SEGMENT):
            return begins_with(text)
        # A modifier takes the slash before it along: `/docs/:path*` matches `/docs`.
        is_optional = mark in _OPTIONAL and slash != ""
        pieces.append(text[start : found.start()] + ("" if is_optional else slash))
        is_deep = inner in _ANYTHING or mark in _SEVERAL
        may_be_empty = inner in _EMPTY or mark in _OPTIONAL
        gaps.append(Gap(found["name"] or str(number), is_deep, may_be_empty, is_optional))
        start = found.end()
    pieces.append(text[start:])
    return Pattern(pieces, gaps) if not _SPECIAL.search("".join(pieces)) else begins_with(text)


def begins_with(text: str) -> Pattern:
    """What could not be read may match whatever begins like it."""
    return Pattern([_SPECIAL.split(text)[0]], [], is_sure=False)


def filled(target: str, found: Mapping[str, str]) -> str:
    """The target of a redirect with the captured texts in it; both ways of naming them, `:splat` and `$1`."""
    return "".join(_filled(target, found))


def _filled(target: str, found: Mapping[str, str]) -> Iterator[str]:
    start = 0
    for name in re.finditer(r"(?<!:):([A-Za-z_]\w*)[*+?]?|\$(\d{1,9})(?!\d)", target):
        text = found.get(name[1]) if name[1] else found.get(str(int(name[2]) - 1))
        if text is not None:
            yield target[start : name.start()]
            yield text
            start = name.end()
    yield target[start:]
