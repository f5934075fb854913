"""Which documents of a set are this run's share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    """Part `index` of `count`: every n-th document. One part of one is the whole."""

    index: int = 1
    count: int = 1

    @property
    def is_whole(self) -> bool:
        return self.count == 1

    def owns(self, number: int) -> bool:
        """Whether the document with this number is ours; every part numbers them alike."""
        return number % self.count == self.index - 1

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


WHOLE = Share()
