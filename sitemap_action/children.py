"""The children of an index: which it lists, and what came of following each."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import XML_SPACE, Child, Document

# Engines follow one level; beyond this many somebody plays games.
MAX_DEPTH = 5


def children_of(index: Document) -> Iterator[Child]:
    """Its lines in order; a sitemap that is listed twice is followed once."""
    lastmods: dict[int, str] = {}
    column = index.columns.get("lastmod")
    if column is not None:
        lastmods = dict(zip(column.entries, (value.strip(XML_SPACE) for value in column.values), strict=True))
    seen: set[str] = set()
    for entry, page in enumerate(index.pages):
        if page is None:
            continue
        loc = index.locs[entry] or ""
        child = Child(entry, loc, "repeated" if page in seen else "", lastmod=lastmods.get(entry))
        seen.add(page)
        yield child


def meet_again(child: Child, known: Document, index: Document, ancestors: tuple[Document, ...]) -> None:
    """A child that was read before: by another way, or because the indexes go round in a circle."""
    child.document = known
    if known is index or known in ancestors:
        child.outcome = "cycle"
        return
    child.outcome = "read"
    note(known, ["index"])
    if known.parent is None:
        known.parent = index.location
    known.named_by_robots |= index.named_by_robots


def note(document: Document, found_by: list[str]) -> None:
    """One more way that leads to the document."""
    for how in found_by:
        if how not in document.found_by:
            document.found_by.append(how)
    document.named_by_robots |= "robots.txt" in found_by
