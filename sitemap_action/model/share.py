"""Which documents of a set are this run's share."""

from __future__ import annotations

from typing import NamedTuple

MOST_PARTS = 9_999


class Share(NamedTuple):
    """So many-th part of so many: every n-th document. One part of one is the whole."""

    number: int = 1
    of: int = 1

    @property
    def is_whole(self) -> bool:
        return self.of == 1

    def owns(self, document: int) -> bool:
        """Whether the document with this number is ours; every part numbers them alike."""
        return document % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


WHOLE = Share()
