"""What rules about the whole set remember of each document: noted while its values are at hand, used at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sitemap_action.model import Document

if TYPE_CHECKING:
    from sitemap_action.site import Site


class Memory:
    """One for a set, shared by the rules that name its kind in `memories`.

    Documents may be read by several processes, or on several machines. Whoever has read one makes the note, out of
    nothing but the document; whoever has the set takes all notes in, in the order of the set. So a note consists
    of texts, numbers, and columns of numbers alone, in lists or tuples.
    """

    def __init__(self, site: Site) -> None:
        self.site = site

    def note(self, document: Document) -> Any:
        """What will be asked of this document when the set is known; None for nothing."""

    def remember(self, document: Document, note: Any) -> None:
        """Take in what was noted, perhaps elsewhere."""
