"""All values of one field of a document, side by side: rules judge columns, not objects."""

from __future__ import annotations

import re
from array import array
from collections.abc import KeysView
from functools import cached_property
from operator import itemgetter

from sitemap_action import urls


class Column:
    """All values of one field of a document, in document order, with where each one stands."""

    def __init__(self) -> None:
        self.values: list[str] = []
        self.entries: array[int] = array("I")
        self.elements: array[int] = array("I")
        self._unlike: dict[re.Pattern[str], list[str]] = {}

    def unlike(self, pattern: re.Pattern[str]) -> list[str]:
        """The distinct values that the pattern does not match; worked out once for all rules that share it."""
        found = self._unlike.get(pattern)
        if found is None:
            found = self._unlike[pattern] = [value for value in self.distinct if not pattern.fullmatch(value)]
        return found

    @cached_property
    def _survey(self) -> urls.Survey:
        return urls.survey(self.values)

    @property
    def odd_urls(self) -> frozenset[str]:
        """For a column of URLs: the values that are not plain ones and deserve a closer look."""
        return self._survey.odd

    @property
    def shared_origin(self) -> str | None:
        """For a column of URLs: the origin that all of them begin with, if they are plain ones."""
        origin = self._survey.origin
        return origin[:-1] if origin else None

    @cached_property
    def distinct(self) -> KeysView[str]:
        """The different values, in the order of their first appearance."""
        return dict.fromkeys(self.values).keys()

    def __len__(self) -> int:
        return len(self.values)

    def put_in_order(self, entry_count: int) -> None:
        """Sort by entry and element, after shapes were filled in one by one."""
        if len(set(self.entries)) == len(self.entries):  # one a row: drop each into its place
            rows: list[tuple[int, int, str] | None] = [None] * entry_count
            for row in zip(self.entries, self.elements, self.values, strict=True):
                rows[row[0]] = row
            ordered = list(filter(None, rows))
        else:
            # Two texts of one element keep their order: the values themselves must not be compared.
            ordered = sorted(zip(self.entries, self.elements, self.values, strict=True), key=itemgetter(0, 1))
        self.entries = array("I", [row[0] for row in ordered])
        self.elements = array("I", [row[1] for row in ordered])
        self.values = [row[2] for row in ordered]
