"""The children of an index: which it lists, and what came of following each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from sitemap_action.model import XML_SPACE, Document

# Engines follow one level; beyond this many somebody plays games.
MAX_NESTING = 5

# What came of following a line of an index; nothing yet is empty, and another part of the run may have followed it.
Outcome = Literal[
    "", "read", "cycle", "repeated", "too-deep", "elsewhere",
    "missing", "unseen", "other-host",  # of files
    "unreachable", "blocked", "refused", "unasked",  # of a live origin
]  # fmt: skip


class Line(NamedTuple):
    """What an index says of a child."""

    entry: int
    url: str
    is_repeated: bool
    lastmod: str | None


@dataclass(slots=True, eq=False, repr=False)
class Child:
    """A line of an index and what came of following it."""

    entry: int
    url: str
    outcome: Outcome
    document: Document | None = None
    lastmod: str | None = None
    reason: str = ""  # why it was unreachable, or not asked for


def lines_of(index: Document) -> list[Line]:
    """What the index lists, in order, while its values are at hand; faulty URLs lead nowhere."""
    lastmods: dict[int, str] = {}
    column = index.columns.get("lastmod")
    if column is not None:
        lastmods = dict(zip(column.entries, (value.strip(XML_SPACE) for value in column.values), strict=True))
    seen: set[str] = set()
    lines = []
    for entry, page in enumerate(index.pages):
        if page is not None:
            lines.append(Line(entry, index.locs[entry] or "", page in seen, lastmods.get(entry)))
            seen.add(page)
    return lines


def children_of(index: Document) -> list[Child]:
    """Its children; a sitemap that is listed twice is followed once."""
    rows = (Line(*line) for line in index.listed)
    return [Child(row.entry, row.url, "repeated" if row.is_repeated else "", lastmod=row.lastmod) for row in rows]


def meet_again(child: Child, known: Document, index: Document, ancestors: tuple[Document, ...]) -> None:
    """A child that was read before: by another way, or because the indexes go round in a circle."""
    child.document = known
    if known is index or known in ancestors:
        child.outcome = "cycle"
        return
    child.outcome = "read"
    add_ways(known, ["index"])
    if known.parent is None:
        known.parent = index.location
    known.named_by_robots |= index.named_by_robots


def add_ways(document: Document, found_by: list[str]) -> None:
    """More ways that lead to the document, each told once."""
    for how in found_by:
        if how not in document.found_by:
            document.found_by.append(how)
    document.named_by_robots |= "robots.txt" in found_by
