"""The fast way through regular sitemaps: learn an entry's pattern from expat, then match the next ones.

A generator writes all its entries alike. The first entry is read by the general reader, which
gives its shape; a regular expression made of its markup, with a group for each value, then
recognises every entry of that kind. Whatever no pattern covers (comments, CDATA, odd quoting,
control characters, broken markup) sends the whole document to the general reader, so nothing is
decided here that expat would decide otherwise; a property test holds the two together.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain

from sitemap_action import lazy
from sitemap_action.model import SITEMAP_NS, Document
from sitemap_action.parse import entries, xml
from sitemap_action.parse.names import Names
from sitemap_action.parse.pattern import Irregular, are_texts, generalise, is_clean

_DECLARATION = lazy.pattern(
    r"""<\?xml[ ]version="1\.0"(?:[ ]encoding="(?i:utf-8)")?(?:[ ]standalone="(?:yes|no)")?[ ]?\?>"""
)
# Never fails and is followed by nothing, so it cannot be made to backtrack.
_BETWEEN = lazy.pattern(r"(?:[ \t\r\n]+|<\?xml-stylesheet[^?<>]*\?>|<!--(?:[^-<]|-(?!-))*-->)*")
_ROOT = lazy.pattern(r"""<(?P<name>urlset|sitemapindex)(?:[ \t\r\n]+[\w:.-]+="[^"<&]*")*[ \t\r\n]*>""")
_ENTITY = lazy.pattern(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_MAX_PATTERNS = 64
_WINDOW = 1 << 18
_NOT_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")


@dataclass
class _Pattern:
    """How the entries of one kind look, and the rows found so far."""

    regex: re.Pattern[str]
    tokens: tuple[str, ...]
    # For each slot of the shape: the number of the group, or the value that never changes.
    sources: list[int | str]
    # The values of each group: whole columns of entries that were matched together, then rows, one an entry.
    columns: list[list[str]]
    rows: list[tuple[str, ...]] = field(default_factory=list)
    entries: array[int] = field(default_factory=lambda: array("I"))
    successor: _Pattern | None = None

    def values(self) -> list[list[str]]:
        """A list for each group, in the order of the entries."""
        if self.rows:
            for column, more in zip(self.columns, zip(*self.rows, strict=True), strict=True):
                column.extend(more)
            self.rows.clear()
        return self.columns


def read(document: Document) -> bool:
    """Read a regular sitemap in the protocol's namespace; False leaves the document untouched."""
    data = document.data or b""
    text = data.decode("latin-1")  # one character a byte, so that offsets are those of the file
    declaration = _DECLARATION.match(text)
    prolog = _BETWEEN.match(text, declaration.end() if declaration else 0)
    root = _ROOT.match(text, prolog.end() if prolog else 0)
    if root is None or any(mark in data for mark in _NOT_CHARACTERS if not data.isascii()):
        return False
    try:
        scan = _Scan(text, root)
        scan.run()
        scan.fill(document, is_ascii=data.isascii())
    except Irregular:
        return False
    return True


class _Scan:
    """One pass over the entries of a document."""

    def __init__(self, text: str, root: re.Match[str]) -> None:
        self._text = text
        self._head = text[: root.end()]
        self._root = root["name"]
        self._close = f"</{xml.ENTRY_OF[self._root]}>"
        self._patterns: list[_Pattern] = []
        self._names: dict[str, str | None] = {}
        self._position = root.end()
        self.offsets: array[int] = array("I")

    def run(self) -> None:
        end = self._text.rfind(f"</{self._root}>")
        tail = self._text[end + len(self._root) + 3 :]
        if end < 0 or tail.strip(" \t\r\n") or ("]" in self._text and "]]>" in self._text):
            raise Irregular
        last = self._text.rfind(self._close, 0, end)
        if self._position < last:
            self._match_alike(last)
            self._match_all(last)
        if self._text[self._position : end].strip(" \t\r\n"):
            raise Irregular

    def _match_alike(self, last: int) -> None:
        """While entries look like the first ones, many are matched at once: exactly, then leaving white space open."""
        pattern = self._pattern_at(self._position)
        if not pattern.columns:
            return  # an entry without any value is none that many would be like
        first = pattern.regex.match(self._text, self._position)
        assert first is not None  # that is how the pattern was found
        second = self._text[first.end() : self._text.find(self._close, first.end()) + len(self._close)]
        if pattern.regex.fullmatch(second) and is_clean(self._text):
            exact, _ = generalise(second, exact=True)
            self._take(pattern, (first[0],), [[value] for value in first.groups()])
            self._match_windows(pattern, exact, last, is_exact=True)
        self._match_windows(pattern, pattern.regex, last, is_exact=False)

    def _match_windows(self, pattern: _Pattern, regex: re.Pattern[str], last: int, *, is_exact: bool) -> None:
        """Where the matches leave no gap, matching one by one would have found the same."""
        # An entry begins right behind a tag: to look for one anywhere in a long gap would take for ever.
        whole = re.compile(f"((?<=>){regex.pattern})")
        while self._position < last:
            end = self._text.rfind(self._close, self._position, self._position + _WINDOW) + len(self._close)
            rows = whole.findall(self._text, self._position, end) if end >= len(self._close) else []
            pieces, *columns = zip(*rows, strict=True) if rows else ((),)
            if not rows or sum(map(len, pieces)) != end - self._position:
                return
            if is_exact and not all(map(are_texts, columns)):
                return
            self._take(pattern, pieces, columns)

    def _take(self, pattern: _Pattern, pieces: Sequence[str], columns: Sequence[Sequence[str]]) -> None:
        """Entries that follow each other: the markup of each, and their values."""
        for column, values in zip(pattern.columns, columns, strict=True):
            column.extend(values)
        first = len(self.offsets)
        starts = list(accumulate(map(len, pieces), initial=self._position))
        self._position = starts.pop()
        self.offsets.extend(starts)
        pattern.entries.extend(range(first, first + len(pieces)))

    def _match_all(self, last: int) -> None:
        """The hot loop: each pattern remembers which one followed it, mostly itself, and that is tried first."""
        text, position, add_offset = self._text, self._position, self.offsets.append
        if position >= last:
            return
        before: _Pattern | None = None
        pattern = self._pattern_at(position)
        match, add_row, add_entry = pattern.regex.match, pattern.rows.append, pattern.entries.append
        entry = len(self.offsets)
        while position < last:
            found = match(text, position)
            if found is None:
                pattern = self._pattern_at(position)
                if before is not None:
                    before.successor = pattern
                match, add_row, add_entry = pattern.regex.match, pattern.rows.append, pattern.entries.append
                continue
            add_row(found.groups())
            add_entry(entry)
            add_offset(position)
            position = found.end()
            entry += 1
            before = pattern
            if pattern.successor is not pattern and pattern.successor is not None:
                pattern = pattern.successor
                match, add_row, add_entry = pattern.regex.match, pattern.rows.append, pattern.entries.append
        self._position = position

    def _pattern_at(self, position: int) -> _Pattern:
        """A known pattern that matches here, or a new one."""
        for pattern in self._patterns:
            if pattern.regex.match(self._text, position):
                return pattern
        return self._new_pattern(position)

    def _new_pattern(self, position: int) -> _Pattern:
        if len(self._patterns) == _MAX_PATTERNS:
            raise Irregular
        end = self._text.find(self._close, position) + len(self._close)
        pattern = self._learn(self._text[position:end])
        self._patterns.append(pattern)
        return pattern

    def _learn(self, piece: str) -> _Pattern:
        regex, raw = generalise(piece)
        document = f"{self._head}{piece}</{self._root}>".encode("latin-1")
        known = xml.read_one(document)
        found = regex.fullmatch(piece)
        if known is None or found is None:
            raise Irregular
        tokens, values, others = known
        self._names.update(others)
        groups = iter(range(regex.groups))
        sources: list[int | str] = [next(groups) if value is None else value for value in raw]
        told = [_decoded(found[source + 1] if isinstance(source, int) else source) for source in sources]
        if told != values:
            raise Irregular
        fixed: list[int | str] = [source if isinstance(source, int) else _decoded(source) for source in sources]
        return _Pattern(regex, tokens, fixed, [[] for _ in range(regex.groups)])

    def fill(self, document: Document, *, is_ascii: bool) -> None:
        """Everything matched: put the rows into the document's columns."""
        is_plain = is_ascii and "&" not in self._text
        columns = [pattern.values() for pattern in self._patterns]
        if not is_plain:
            columns = [[_clean(values) for values in found] for found in columns]
        empty = xml.read_root(f"{self._head}</{self._root}>".encode("latin-1"))
        if empty is None or empty.namespace != SITEMAP_NS:
            raise Irregular
        document.root = empty
        table = entries.Table(document)
        shape_of = array("I", bytes(4 * len(self.offsets)))
        for pattern, found in zip(self._patterns, columns, strict=True):
            number = table.number_of(pattern.tokens)
            if number:
                for entry in pattern.entries:
                    shape_of[entry] = number
            _spread(document, pattern, found, number)
        document.shape_of = shape_of
        document.offsets = array("I", [*self.offsets, len(document.data or b"")])
        if len(self._patterns) > 1:
            for column in document.columns.values():
                column.put_in_order(len(self.offsets))
        names = Names(SITEMAP_NS)
        names.others.update(self._names)
        xml.prepare(document)
        xml.judge_root(document, names)


def _spread(document: Document, pattern: _Pattern, found: list[list[str]], number: int) -> None:
    """A shape's slots may share a column (four alternates, one `href` column): interleave them."""
    count = len(pattern.entries)
    by_path: dict[str, list[tuple[list[str], int]]] = {}
    for (path, element), source in zip(document.shapes[number].slots, pattern.sources, strict=True):
        values = found[source] if isinstance(source, int) else [source] * count
        by_path.setdefault(path, []).append((values, element))
    for path, slots in by_path.items():
        column = document.column(path)
        if len(slots) == 1:
            column.values += slots[0][0]
            column.entries += pattern.entries
        else:
            column.values += chain.from_iterable(zip(*(values for values, _ in slots), strict=True))
            column.entries += array("I", chain.from_iterable(zip(*[pattern.entries] * len(slots), strict=True)))
        column.elements += array("I", [element for _, element in slots]) * count


def _clean(values: list[str]) -> list[str]:
    """From the file's bytes to text: UTF-8, then entities; most columns need neither."""
    if not all(map(str.isascii, values)):
        try:
            values = [value if value.isascii() else value.encode("latin-1").decode("utf-8") for value in values]
        except UnicodeDecodeError:
            raise Irregular from None
    if any("&" in value for value in values):
        values = [_expanded(value) if "&" in value else value for value in values]
    return values


def _decoded(value: str) -> str:
    return _clean([value])[0]


def _expanded(value: str) -> str:
    """Predefined entities and character references; anything else is for expat to judge."""
    if len(_ENTITY.findall(value)) != value.count("&"):
        raise Irregular
    return _ENTITY.sub(_character, value)


def _character(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name:
        return _NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    if code <= 0x20 or 0xD800 <= code <= 0xDFFF or code in (0xFFFE, 0xFFFF) or code > 0x10FFFF:
        raise Irregular
    return chr(code)
