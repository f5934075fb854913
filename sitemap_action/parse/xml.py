"""XML sitemaps and indexes, by expat: every entry becomes a shape and its values."""

from __future__ import annotations

from xml.parsers import expat

from sitemap_action.model import SITEMAP_NS, XML_SPACE, Document, Fault, Root, Stray
from sitemap_action.parse import causes, entries, places
from sitemap_action.parse.lines import Lines, find_text
from sitemap_action.parse.names import ENTRY_OF, Names, attribute_name

_LOOK_BACK = 2000
LEGACY_NAMESPACE = "http://www.google.com/schemas/sitemap/0.84"


# Between slices signals are heard, and no sitemap needs as much in depth or in one entry: it would take all memory.
_SLICE = 1 << 20
DEEPEST, _MOST_IN_ENTRY = 1_000, 500_000
TOO_DEEP = f"its elements are nested more than {DEEPEST:,} deep"


class Refused(Exception):
    """A DOCTYPE: nothing behind it is looked at, so nothing can be expanded. Or too much of something, in words."""


def feed(parser: expat.XMLParserType, data: bytes) -> None:
    """All of it, piece by piece."""
    if len(data) > _SLICE:
        view = memoryview(data)
        for start in range(0, len(data), _SLICE):
            parser.Parse(view[start : start + _SLICE], False)
        data = b""
    parser.Parse(data, True)


def read(document: Document) -> None:
    """Fill the document's root, strays, shapes and columns, or add the one fault that stops it."""
    data = document.data or b""
    prepare(document)
    reader = _Reader(document, data)
    try:
        feed(reader.parser, data)
    except Refused as refusal:
        fault = refused(data, refusal)
    except expat.ExpatError as error:
        fault = causes.explain(data, error.code, reader.parser.ErrorByteIndex)
    else:
        reader.table.finish()
        judge_root(document, reader.names)
        return
    document.faults.append(fault)
    reader.table.discard()


def refused(data: bytes, refusal: Refused) -> Fault:
    """The place of a DOCTYPE is looked for: the parser has moved on when it tells of one."""
    if refusal.args:
        return Fault("fetch-refused", facts=(str(refusal),))
    return Fault("doctype-present", Lines(data).place(max(data.find(b"<!DOCTYPE"), 0)))


def prepare(document: Document) -> None:
    """Entries can be found again from now on."""
    locator = places.Locator(document)
    document.locate, document.find_loc, document.find_attribute = locator, locator.loc, locator.attribute


def read_one(data: bytes) -> tuple[tuple[str, ...], list[str], dict[str, str | None]] | None:
    """The one entry of a document as tokens, values and foreign namespaces; None if there is anything else."""
    document = Document("", data)
    reader = _Reader(document, data)
    capture = reader.table = entries.Capture(document)
    try:
        reader.parser.Parse(data, True)
    except (Refused, expat.ExpatError):
        return None
    if len(capture.rows) != 1 or document.strays:
        return None
    return (*capture.rows[0], reader.names.others)


def read_root(data: bytes) -> Root | None:
    """The root of a document without entries."""
    document = Document("", data)
    reader = _Reader(document, data)
    try:
        reader.parser.Parse(data, True)
    except (Refused, expat.ExpatError):
        return None
    return document.root


def judge_root(document: Document, names: Names) -> None:
    """The document's format, and the one fault its root may have."""
    root = document.root
    assert root is not None  # expat has seen a root, or there would have been an error
    document.other_namespaces = {uri: meant for uri, meant in names.others.items() if uri}
    if root.name not in ENTRY_OF:
        document.faults.append(Fault("root-unknown", root.place, (root.name,)))
        document.strays.clear()
        if document.entry_count:  # misspelled, it seems: its entries can be read all the same
            document.format = "sitemapindex" if "index" in root.name.lower() else "urlset"
        return
    document.format = root.name
    if root.namespace == LEGACY_NAMESPACE:
        document.faults.append(Fault("namespace-legacy", root.place, (root.namespace,)))
    elif not root.namespace:
        document.faults.append(Fault("namespace-missing", root.place, (root.name,)))
    elif root.namespace != SITEMAP_NS:
        document.faults.append(Fault("namespace-wrong", root.place, (root.namespace,)))
    elif "" in names.others:
        offset = max((document.data or b"").find(b'xmlns=""'), (document.data or b"").find(b"xmlns=''"))
        place = Lines(document.data or b"").place(offset) if offset >= 0 else root.place
        document.faults.append(Fault("namespace-missing", place, (ENTRY_OF[root.name],)))


class _Reader:
    """Expat's handlers: they collect an entry's events, the table folds them into a row."""

    def __init__(self, document: Document, data: bytes) -> None:
        self.document = document
        self.lines = Lines(data)
        self.declared: dict[str, str] = {}
        self.names = Names("")
        self.table: entries.Table = entries.Table(document)
        parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.ordered_attributes = True
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._root
        self.parser = parser

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        if self.document.root is None:
            self.declared[prefix or ""] = uri or ""

    def _doctype(self, *_: object) -> None:
        raise Refused

    def _root(self, raw: str, attributes: list[str]) -> None:
        namespace, _, local = raw.rpartition("}")
        place = self.lines.place(self.parser.CurrentByteIndex)
        names = [attribute_name(name) for name in attributes[::2]]
        self.document.root = Root(local, namespace, names, self.declared, place)
        self.parser.StartElementHandler = None
        self.names = Names(namespace)
        self._read_entries(ENTRY_OF.get(local) or ("sitemap" if "index" in local.lower() else "url"))

    def _read_entries(self, entry_name: str) -> None:
        events: entries.Events = []
        depth = 0
        is_entry = False
        names, parser, append = self.names, self.parser, events.append

        def start(raw: str, attributes: list[str]) -> None:
            nonlocal depth, is_entry
            depth += 1
            if depth > DEEPEST:
                raise Refused(TOO_DEEP)
            if len(events) + len(attributes) > _MOST_IN_ENTRY:
                raise Refused("one of its entries has hundreds of thousands of elements and attributes")
            if depth == 1:
                is_entry = names[raw] == entry_name
                self._between(events, None if is_entry else names[raw])
                if is_entry:
                    self.table.begin(parser.CurrentByteIndex)
            append((raw, attributes))

        def end(raw: str) -> None:
            nonlocal depth
            depth -= 1
            if depth == 0:
                if is_entry:
                    self.table.add(events, names)
                events.clear()
            elif depth < 0:
                self._between(events, None)
            append(None)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = append

    def _between(self, events: entries.Events, element: str | None) -> None:
        """What stands below the root and is no entry: text, and elements by other names."""
        text = "".join(event for event in events if isinstance(event, str)).strip(XML_SPACE)
        events.clear()
        offset = self.parser.CurrentByteIndex
        if text:
            # The parser tells of text when the next tag begins, so look back for it.
            start = find_text(self.document.data or b"", text, max(0, offset - _LOOK_BACK), offset)
            self.document.strays.append(Stray("", text, self.lines.place(offset if start is None else start)))
        if element:
            self.document.strays.append(Stray(element, "", self.lines.place(offset)))
