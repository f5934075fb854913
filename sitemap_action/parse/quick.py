"""The fast way through regular sitemaps: learn an entry's pattern from expat, then match the next ones.

A generator writes all its entries alike. The first entry is read by the general reader, which
gives its shape; a regular expression made of its markup, with a group for each value, then
recognises every entry of that kind. Whatever no pattern covers (comments, CDATA, odd quoting,
control characters, broken markup) sends the whole document to the general reader, so nothing is
decided here that expat would decide otherwise; a property test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import starmap

from sitemap_action import lazy
from sitemap_action.model import SITEMAP_NS, Document, Shape
from sitemap_action.parse import xml
from sitemap_action.parse.entries import Closings
from sitemap_action.parse.kind import Kind, is_clean, mixed_columns, regular_columns
from sitemap_action.parse.names import Names
from sitemap_action.parse.pattern import Irregular, are_texts, generalise, literal_length
from sitemap_action.spool import Numbers, Same

_DECLARATION = lazy.pattern(
    r"""<\?xml[ ]version="1\.0"(?:[ ]encoding="(?i:utf-8)")?(?:[ ]standalone="(?:yes|no)")?[ ]?\?>"""
)
# Never fails and is followed by nothing, so it cannot be made to backtrack.
_BETWEEN = lazy.pattern(r"(?:[ \t\r\n]+|<\?xml-stylesheet[^?<>]*\?>|<!--(?:[^-<]|-(?!-))*-->)*")
_ROOT = lazy.pattern(r"""<(?P<name>urlset|sitemapindex)(?:[ \t\r\n]+[\w:.-]+="[^"<&]*")*[ \t\r\n]*>""")
_ENTITY = lazy.pattern(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_MAX_PATTERNS = 64
_WINDOW = 1 << 16
_HEAD = 1 << 14
_SPACE = b" \t\r\n"
_NOT_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")


def read(document: Document) -> bool:
    """Read a regular sitemap in the protocol's namespace; False leaves the document untouched."""
    data = document.data or b""
    root = _root_of(data[:_HEAD]) or (_root_of(data) if len(data) > _HEAD else None)
    if root is None or any(mark in data for mark in _NOT_CHARACTERS if not data.isascii()):
        return False
    try:
        scan = _Scan(data, root)
        scan.run()
        scan.fill(document)
    except Irregular:
        return False
    return True


def _root_of(data: bytes) -> re.Match[str] | None:
    text = _characters(data)
    declaration = _DECLARATION.match(text)
    prolog = _BETWEEN.match(text, declaration.end() if declaration else 0)
    return _ROOT.match(text, prolog.end() if prolog else 0)


def _characters(data: bytes) -> str:
    """One character a byte, so that offsets are those of the file."""
    return data.decode("latin-1")


class _Scan:
    """One pass over the entries of a document.

    While entries are alike only a window of the bytes is looked at as text: fresh memory costs more than the look.
    """

    def __init__(self, data: bytes, root: re.Match[str]) -> None:
        self._data = data
        self._head = root.string[: root.end()]
        self._root = root["name"]
        self._close = f"</{xml.ENTRY_OF[self._root]}>"
        self._closing = self._close.encode()
        self._patterns: list[Kind] = []
        self._names: dict[str, str | None] = {}
        self._position = root.end()
        self._first = self._position
        self._count = 0  # of the entries that were matched

    @cached_property
    def _text(self) -> str:
        """All of it, where entries differ."""
        return _characters(self._data)

    def run(self) -> None:
        root = f"</{self._root}>".encode()
        end = self._data.rfind(root)
        if end < 0 or self._data[end + len(root) :].strip(_SPACE) or (b"]" in self._data and b"]]>" in self._data):
            raise Irregular
        last = self._data.rfind(self._closing, 0, end)
        if self._position < last:
            self._match_alike(last)
            self._match_all(last)
        if self._data[self._position : end].strip(_SPACE):
            raise Irregular

    def _piece(self, position: int) -> str:
        """An entry, with the white space before it."""
        return _characters(self._data[position : self._data.find(self._closing, position) + len(self._closing)])

    def _match_alike(self, last: int) -> None:
        """While entries look like the first ones, many are matched at once: exactly, then leaving white space open."""
        piece = self._piece(self._position)
        pattern = self._new_pattern(piece)
        if not pattern.regex.groups:
            return  # an entry without any value is none that many would be like
        first = pattern.regex.fullmatch(piece)
        assert first is not None  # that is how the pattern was found
        second = self._piece(self._position + len(piece))
        if pattern.regex.fullmatch(second):
            self._take(pattern, self._position + len(piece), 1, [[value] for value in first.groups()])
            exact, _ = generalise(second, exact=True)
            self._match_exactly(pattern, exact, literal_length(exact, second), last)
        self._match_windows(pattern, last)

    def _match_exactly(self, pattern: Kind, regex: re.Pattern[str], literal: int, last: int) -> None:
        """Where markup and values add up to all of the text, there is no gap between the matches."""
        pattern.is_exact = True
        while self._position < last:
            end = self._window_end()
            rows = regex.findall(_characters(self._data[self._position : end]))
            columns = (rows,) if regex.groups == 1 else tuple(zip(*rows, strict=True))
            together = ["".join(column) for column in columns]
            if not rows or sum(map(len, together)) + literal * len(rows) != end - self._position:
                return
            if not all(map(are_texts, columns, together)):
                return
            self._take(pattern, end, len(rows), columns)

    def _match_windows(self, pattern: Kind, last: int) -> None:
        """Where the matches leave no gap, matching one by one would have found the same."""
        # An entry begins right behind a tag: to look for one anywhere in a long gap would take for ever.
        whole = re.compile(f"((?<=>){pattern.regex.pattern})")
        while self._position < last:
            end = self._window_end()
            rows = whole.findall(self._text, self._position, end)
            pieces, *columns = zip(*rows, strict=True) if rows else ((),)
            if not rows or sum(map(len, pieces)) != end - self._position:
                return
            self._take(pattern, end, len(rows), columns)

    def _window_end(self) -> int:
        """Behind an entry, so far away that looking at many at a time pays."""
        found = self._data.rfind(self._closing, self._position, self._position + _WINDOW)
        return found + len(self._closing) if found >= 0 else self._position

    def _take(self, pattern: Kind, end: int, count: int, columns: Sequence[Sequence[str]]) -> None:
        pattern.take(range(self._count, self._count + count), columns)
        self._count += count
        self._position = end

    def _match_all(self, last: int) -> None:
        """The hot loop: each pattern remembers which one followed it, mostly itself, and that is tried first."""
        if self._position >= last:
            return
        text, position = self._text, self._position
        before: Kind | None = None
        pattern = self._pattern_at(position)
        match, add_row, add_entry = pattern.regex.match, pattern.rows.append, pattern.entries.append
        entry = self._count
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
            position = found.end()
            entry += 1
            before = pattern
            if pattern.successor is not pattern and pattern.successor is not None:
                pattern = pattern.successor
                match, add_row, add_entry = pattern.regex.match, pattern.rows.append, pattern.entries.append
        self._position, self._count = position, entry

    def _pattern_at(self, position: int) -> Kind:
        """A known pattern that matches here, or a new one."""
        for pattern in self._patterns:
            if pattern.regex.match(self._text, position):
                return pattern
        return self._new_pattern(self._piece(position))

    def _new_pattern(self, piece: str) -> Kind:
        if len(self._patterns) == _MAX_PATTERNS:
            raise Irregular
        pattern = self._learn(piece)
        self._patterns.append(pattern)
        return pattern

    def _learn(self, piece: str) -> Kind:
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
        return Kind(regex, tokens, fixed)

    def fill(self, document: Document) -> None:
        """Everything matched: put the rows into the document's columns."""
        is_plain = self._data.isascii() and b"&" not in self._data
        found = [pattern.values() for pattern in self._patterns]
        if not is_plain:
            found = [[_clean(values) for values in columns] for columns in found]
        empty = xml.read_root(f"{self._head}</{self._root}>".encode("latin-1"))
        if empty is None or empty.namespace != SITEMAP_NS:
            raise Irregular
        shapes = list(map(Shape, dict.fromkeys(pattern.tokens for pattern in self._patterns)))
        number_of = {shape.tokens: number for number, shape in enumerate(shapes)}
        if len(self._patterns) == 1:
            columns = regular_columns(shapes[0], self._patterns[0], found[0], self._count)
            shape_of: Numbers = Same(0, self._count)
        else:
            columns, shape_of = mixed_columns(shapes, number_of, self._patterns, found, self._count)
        if any(pattern.is_exact for pattern in self._patterns) and not all(starmap(is_clean, columns.items())):
            raise Irregular
        document.root, document.shapes, document.shape_of, document.columns = empty, shapes, shape_of, columns
        document.offsets = Closings(self._close, self._first, self._count)
        names = Names(SITEMAP_NS)
        names.others.update(self._names)
        xml.prepare(document)
        xml.judge_root(document, names)


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
