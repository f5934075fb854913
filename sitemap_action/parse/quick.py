"""The fast way through regular sitemaps: learn an entry's pattern from expat, then match the next ones.

A generator writes all its entries alike. The first entry is read by the general reader, which
gives its shape; a regular expression made of its markup, with a group for each value, then
recognises every entry of that kind. Whatever no pattern covers (comments, CDATA, odd quoting,
control characters, broken markup) sends the whole document to the general reader, so nothing is
decided here that expat would decide otherwise; a property test holds the two together.
"""

from __future__ import annotations

import re
from itertools import starmap

from sitemap_action import lazy
from sitemap_action.model import SITEMAP_NS, Document, Shape
from sitemap_action.parse import xml
from sitemap_action.parse.kind import Kind, Kinds, is_clean, mixed_columns, regular_columns
from sitemap_action.parse.names import ENTRY_OF, Names
from sitemap_action.parse.pattern import Irregular, generalise
from sitemap_action.parse.places import Closings
from sitemap_action.spool import Numbers, Same

_DECLARATION = lazy.pattern(
    r"""<\?xml[ ]version="1\.0"(?:[ ]encoding="(?i:utf-8)")?(?:[ ]standalone="(?:yes|no)")?[ ]?\?>"""
)
# Never fails and is followed by nothing, so it cannot be made to backtrack.
_BETWEEN = lazy.pattern(r"(?:[ \t\r\n]+|<\?xml-stylesheet[^?<>]*\?>|<!--(?:[^-<]|-(?!-))*-->)*")
_ROOT = lazy.pattern(r"""<(?P<name>urlset|sitemapindex)(?:[ \t\r\n]+[\w:.-]+="[^"<&]*")*[ \t\r\n]*>""")
_ENTITY = lazy.pattern(r"&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_MOST_KINDS = 64
# So many of a kind in a row, and others like them may follow; so many bytes of them are then matched at once.
_ALIKE = 8
_SMALL, _WINDOW = 1 << 12, 1 << 16
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

    Only a window of the bytes is looked at as text: fresh memory costs more than the look.
    """

    def __init__(self, data: bytes, root: re.Match[str]) -> None:
        self._data = data
        self._head = root.string[: root.end()]
        self._root = root["name"]
        self._close = f"</{ENTRY_OF[self._root]}>"
        self._closing = self._close.encode()
        self._kinds = Kinds()
        self._names: dict[str, str | None] = {}
        self._position = root.end()
        self._first = self._position
        self._count = 0  # of the entries that were matched
        self._patience = _ALIKE

    def run(self) -> None:
        root = f"</{self._root}>".encode()
        end = self._data.rfind(root)
        if end < 0 or self._data[end + len(root) :].strip(_SPACE) or (b"]" in self._data and b"]]>" in self._data):
            raise Irregular
        last = self._data.rfind(self._closing, 0, end)
        while self._position < last:
            kind = self._match_some()
            if kind is not None:
                self._match_many(kind, last)
        if self._data[self._position : end].strip(_SPACE):
            raise Irregular

    def _entries(self, size: int) -> str:
        """The next entries, whole ones, of about so many bytes; behind the character before them, if any."""
        end = self._data.rfind(self._closing, self._position, self._position + size)
        if end < 0:
            end = self._data.find(self._closing, self._position)
        return _characters(self._data[self._position - 1 : end + len(self._closing)])

    def _match_some(self) -> Kind | None:
        """The hot loop: each kind remembers which one followed it, mostly itself, and that is tried first.

        The answer is a kind of which so many follow each other that it pays to match many at once.
        """
        text, position, begin, entry = self._entries(_WINDOW), 1, 1, self._count
        before: Kind | None = None
        kind, since, patience = self._kind_at(text, position), entry, self._patience
        match, add_row, add_entry = kind.regex.match, kind.rows.append, kind.entries.append
        while position < len(text) and entry - since < patience:
            found = match(text, position)
            if found is None:
                kind, since = self._kind_at(text, position), entry
                if before is not None:
                    before.successor = kind
                match, add_row, add_entry = kind.regex.match, kind.rows.append, kind.entries.append
                continue
            add_row(found.groups())
            add_entry(entry)
            begin, position = position, found.end()
            entry += 1
            before = kind
            if kind.successor is not kind and kind.successor is not None:
                kind, since = kind.successor, entry
                match, add_row, add_entry = kind.regex.match, kind.rows.append, kind.entries.append
        self._position, self._count = self._position - 1 + position, entry
        if entry - since < patience or not kind.regex.groups:
            return None
        kind.sample = text[begin:position]
        return kind

    def _match_many(self, kind: Kind, last: int) -> None:
        """While entries look like this one; a window grows as long as there is no other in it."""
        size, before = _SMALL, self._count
        while self._position < last and size >= _SMALL:
            text = self._entries(size)
            columns = kind.columns_of(text, loosely=size < 4 * _SMALL)
            if columns is None:
                size //= 4
                continue
            kind.take(range(self._count, self._count + len(columns[0])), columns)
            self._position += len(text) - 1
            self._count += len(columns[0])
            size = min(2 * size, _WINDOW)
        self._patience = _ALIKE if self._count > before else 2 * self._patience

    def _kind_at(self, text: str, position: int) -> Kind:
        """A known kind that matches here, or a new one."""
        known = self._kinds.at(text, position)
        if known is not None:
            return known
        return self._new_kind(text[position : text.find(self._close, position) + len(self._close)])

    def _new_kind(self, piece: str) -> Kind:
        if len(self._kinds) == _MOST_KINDS:
            raise Irregular
        kind = self._learn(piece)
        self._kinds.add(kind)
        return kind

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
        found = [kind.values() for kind in self._kinds]
        if not is_plain:
            found = [[_clean(values) for values in columns] for columns in found]
        empty = xml.read_root(f"{self._head}</{self._root}>".encode("latin-1"))
        if empty is None or empty.namespace != SITEMAP_NS:
            raise Irregular
        shapes = list(map(Shape, dict.fromkeys(kind.tokens for kind in self._kinds)))
        number_of = {shape.tokens: number for number, shape in enumerate(shapes)}
        if len(self._kinds) == 1:
            columns = regular_columns(shapes[0], next(iter(self._kinds)), found[0], self._count)
            shape_of: Numbers = Same(0, self._count)
        else:
            columns, shape_of = mixed_columns(shapes, number_of, self._kinds, found, self._count)
        if any(kind.is_exact for kind in self._kinds) and not all(starmap(is_clean, columns.items())):
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
        text = "\n".join(values)
        if text.count("&") == text.count("&amp;") and text.count("\n") == len(values) - 1:  # as in most queries
            return text.replace("&amp;", "&").split("\n")
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
