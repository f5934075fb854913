"""Every document once: those of files and directories, and those of live origins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from sitemap_action.model import Document
from sitemap_action.reading import Reader, Record
from sitemap_action.site import Site

if TYPE_CHECKING:
    from sitemap_action.check import PageSource

# A document that was read, its set, and what was found in it.
Visit = tuple[Site, Document, Record]


class Walk(Protocol):
    """What the line of the program asks of both: the documents in a stable order, and what is known of the whole."""

    sites: list[Site]
    known: int  # documents that are read or will be, as far as we know
    elsewhere: int  # documents that other parts tell of
    watch: Callable[[str], None]  # is told what we wait for

    @property
    def keeps_roll(self) -> bool:
        """Whether there are pages to look at; if not, nothing need be kept of the entries for their sake."""

    @property
    def answers(self) -> dict[str, Any]:
        """What servers have said, where somebody wants to know."""

    def documents(self, reader: Reader) -> Iterator[Visit]:
        """Each document with the set it belongs to, and what reading it has told."""

    def pages_of(self, site: Site) -> PageSource | None:
        """Where the pages of a set are looked at, if they are wanted; asked when its documents are known."""

    def close(self) -> None:
        """Cut what is under way, and let go of what was put aside."""
