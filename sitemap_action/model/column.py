"""All values of one field of a document, side by side: rules judge columns, not objects."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterator, KeysView
from functools import cached_property
from operator import itemgetter

from sitemap_action.model.survey import Survey, survey
from sitemap_action.spool import Every, Numbers

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_BATCH = 1_000
# Words that rules look for in URLs: found together in one go. Others are found as well, in one more.
_OFTEN_ASKED = ("sitemap", "robots.txt", "/404", "/500", "/index.htm", "/?", "//?", "=")


class Column:
    """All values of one field of a document, in document order, with where each one stands."""

    def __init__(
        self,
        values: list[str] | None = None,
        entries: Numbers = (),
        elements: Numbers = (),
        distinct: KeysView[str] | None = None,
    ) -> None:
        self.values: list[str] = [] if values is None else values
        self.entries: Numbers = entries or array("I")
        self.elements: Numbers = elements or array("I")
        self._mentions: dict[str, list[int]] = {}  # by word: the beginnings of the batches that have it
        self._unlike: dict[re.Pattern[str], list[str]] = {}
        if distinct is not None:
            self.__dict__["distinct"] = distinct

    def fillers(self) -> tuple[Callable[[str], None], Callable[[int], None], Callable[[int], None]]:
        """What takes a value, its entry and its element, one after the other."""
        assert isinstance(self.entries, array)
        assert isinstance(self.elements, array)
        return self.values.append, self.entries.append, self.elements.append

    def is_one_each(self, entry_count: int) -> bool:
        """Whether each of so many entries has exactly one value."""
        if len(self.values) != entry_count:
            return False
        return isinstance(self.entries, range) or self.entries == array("I", range(entry_count))

    @property
    def entry_count(self) -> int:
        """How many entries have a value."""
        if isinstance(self.entries, Every):
            return self.entries.count
        return len(self.entries if isinstance(self.entries, range) else set(self.entries))

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each value occurs, in the order of their first appearance."""
        return Counter(self.values)

    def unlike(self, pattern: re.Pattern[str]) -> list[str]:
        """The distinct values that the pattern does not match; worked out once for all rules that share it."""
        found = self._unlike.get(pattern)
        if found is None:
            found = self._unlike[pattern] = [value for value in self.distinct if not pattern.fullmatch(value)]
        return found

    @cached_property
    def _survey(self) -> Survey:
        return survey(self.values)

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
        return self.counts.keys() if "counts" in self.__dict__ else dict.fromkeys(self.values).keys()

    def mentioned(self, words: Collection[str]) -> set[str]:
        """Which of these, in lower case, stand in any value."""
        self._look_for(words)
        return {word for word in words if self._mentions[word]}

    def mentions(self, words: Collection[str]) -> Iterator[int]:
        """The places of all values in which any of these stands, in lower case."""
        self._look_for(words)
        for start in sorted({start for word in words for start in self._mentions[word]}):
            for place, value in enumerate(self.values[start : start + _BATCH], start):
                text = value.lower()
                if any(word in text for word in words):
                    yield place

    def matching(self, pattern: re.Pattern[str], word: str) -> Iterator[int]:
        """The places of all values in which a pattern is found that tells no lines apart, and never without a word."""
        self._look_for((word,))
        for start in self._mentions[word]:
            batch = self.values[start : start + _BATCH]
            if pattern.search("\n".join(batch)):
                yield from (place for place, value in enumerate(batch, start) if pattern.search(value))

    def _look_for(self, words: Collection[str]) -> None:
        """A few values at a time: fresh memory costs more than the look."""
        if self._mentions.keys() >= set(words):
            return
        unknown = {*words, *_OFTEN_ASKED} - self._mentions.keys()
        self._mentions.update((word, []) for word in unknown)
        unlettered = {word: word.encode("ascii", "ignore").translate(None, _LETTERS) for word in unknown}
        for start in range(0, len(self.values), _BATCH):
            text = "\n".join(self.values[start : start + _BATCH]).lower()
            terse = text.encode("ascii", "ignore").translate(None, _LETTERS)
            for word in unknown:
                # A rare letter is looked for in no time, and without letters little is left of a text.
                if word[-1] in text and unlettered[word] in terse and word in text:
                    self._mentions[word].append(start)

    def __len__(self) -> int:
        return len(self.values)

    def put_in_order(self) -> None:
        """Sort by entry and element; two texts of one element keep their order, whatever they are."""
        ordered = sorted(zip(self.entries, self.elements, self.values, strict=True), key=itemgetter(0, 1))
        self.entries = array("I", [row[0] for row in ordered])
        self.elements = array("I", [row[1] for row in ordered])
        self.values = [row[2] for row in ordered]
