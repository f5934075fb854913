"""RSS and Atom feeds, read for the pages they list."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import ClassVar
from xml.parsers import expat

from sitemap_action.model import LOC, XML_SPACE, Document, Fault, Place, Root, Shape
from sitemap_action.parse import causes, xml
from sitemap_action.parse.lines import Lines
from sitemap_action.parse.names import attribute_name
from sitemap_action.spool import Same
from sitemap_action.values import urls

ATOM = "http://www.w3.org/2005/Atom"
ATOM_03 = "http://purl.org/atom/ns#"
RSS_1 = "http://purl.org/rss/1.0/"
_XML_BASE = "xml:base"
# What is resolved against a longer one is too long for a URL in any case, and bases within bases add up.
_LONGEST_BASE = 4_096
_ENTRY = {"rss": ("item",), "feed": ("entry",), "RDF": ("item",)}
_FORMAT = {"rss": "rss", "feed": "atom", "RDF": "rss"}
_DATES = ("lastBuildDate", "pubDate", "updated", "modified", "published", "issued", "date")
# The newest meaning wins: when the item last changed, else when it appeared.
_DATE_ORDER = ("updated", "modified", "pubDate", "published", "issued", "date")
_SHAPE = Shape(("loc", "#", "/", "lastmod", "#", "/"))


@dataclass(slots=True, eq=False, repr=False)
class _Item:
    """What one item says, with the place of each thing."""

    place: Place
    links: list[tuple[str, str, Place]] = field(default_factory=list)
    guid: tuple[str, Place] | None = None
    dates: dict[str, tuple[str, Place]] = field(default_factory=dict)

    def link(self) -> tuple[str, Place] | None:
        for relation, href, place in self.links:
            if relation in ("", "alternate") and href:
                return href, place
        return self.guid

    def date(self) -> tuple[str, Place] | None:
        return next((self.dates[name] for name in _DATE_ORDER if name in self.dates), None)


def read(document: Document) -> None:
    """Fill the `loc` and `lastmod` columns with one entry per item or entry of the feed."""
    data = document.data or b""
    reader = _Reader(document, data)
    try:
        xml.feed(reader.parser, data)
    except xml.Refused as refusal:
        document.faults.append(xml.refused(data, refusal))
    except expat.ExpatError as error:
        document.faults.append(causes.explain(data, error.code, reader.parser.ErrorByteIndex))
    else:
        _judge_root(document)
        if document.readable:
            _fill(document, reader.items)


def _judge_root(document: Document) -> None:
    root = document.root
    assert root is not None  # expat has seen one, or there would have been an error
    if root.name not in _ENTRY:
        document.faults.append(Fault("root-unknown", root.place, (root.name,)))
        return
    document.format = _FORMAT[root.name]
    version = root.version
    if root.name == "rss" and version != "2.0":
        document.faults.append(
            Fault("feed-version-unsupported", root.place, (f"RSS {version or 'without a version'}",))
        )
    elif root.name == "RDF":
        document.faults.append(Fault("feed-version-unsupported", root.place, ("RSS 1.0",)))
    elif root.name == "feed" and root.namespace != ATOM:
        known = "Atom 0.3" if root.namespace == ATOM_03 else f"a feed in the namespace {root.namespace or '(none)'}"
        document.faults.append(Fault("feed-version-unsupported", root.place, (known,)))


def _fill(document: Document, items: list[_Item]) -> None:
    document.shapes.append(_SHAPE)
    date_path = "pubDate" if document.format == "rss" else "lastmod"
    for number, item in enumerate(items):
        link, date = item.link(), item.date()
        for path, element, found in (("loc", 1, link), (date_path, 2, date)):
            if found is not None:
                put_value, put_entry, put_element = document.column(path).fillers()
                put_value(found[0])
                put_entry(number)
                put_element(element)
    document.shape_of = Same(0, len(items))
    document.offsets = range(len(items) + 1)
    prepare(document)


def prepare(document: Document) -> None:
    """Items can be found again from now on."""
    locator = _Locator(document)
    document.locate, document.find_loc = locator, locator.loc


class _Locator:
    """Finds an item by reading the feed again; asked for findings only."""

    _read: ClassVar[tuple[bytes, list[_Item]] | None] = None  # of one document at a time, like its contents

    def __init__(self, document: Document) -> None:
        self._document = document

    def __call__(self, entry: int, element: int) -> Place:
        item = self._item(entry)
        if item is None:
            return Place()
        found = {LOC: item.link(), 1: item.link(), 2: item.date()}.get(element)
        return found[1] if found else item.place

    def loc(self, entry: int) -> str | None:
        item = self._item(entry)
        link = item.link() if item is not None else None
        return link[0].strip(XML_SPACE) if link else None

    def _item(self, entry: int) -> _Item | None:
        data = self._document.source()
        if data is None:
            return None
        if _Locator._read is None or _Locator._read[0] is not data:
            reader = _Reader(Document(self._document.location), data)
            with suppress(expat.ExpatError, xml.Refused):  # of a file that has changed meanwhile
                xml.feed(reader.parser, data)
            _Locator._read = (data, reader.items)
        items = _Locator._read[1]
        return items[entry] if entry < len(items) else None


class _Reader:
    """Expat's handlers for a feed; `xml:base` is kept per open element."""

    def __init__(self, document: Document, data: bytes) -> None:
        self.document = document
        self.lines = Lines(data)
        self.items: list[_Item] = []
        self._item: _Item | None = None
        self._depth = 0
        self._item_depth = 0
        self._bases: list[str] = [""]
        self._text: list[str] = []
        self._permalink = True
        self._place = Place()
        parser = expat.ParserCreate("utf-8", "}")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._doctype
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text.append
        self.parser = parser

    def _doctype(self, *_: object) -> None:
        raise xml.Refused

    def _start(self, raw: str, attributes: dict[str, str]) -> None:
        namespace, _, local = raw.rpartition("}")
        named = {attribute_name(name): value for name, value in attributes.items()}
        self._depth += 1
        if self._depth > xml.DEEPEST:
            raise xml.Refused(xml.TOO_DEEP)
        self._text.clear()
        base = self._bases[-1]
        changes = _XML_BASE in named and len(base) < _LONGEST_BASE
        self._bases.append(urls.join(base, named[_XML_BASE])[:_LONGEST_BASE] if changes else base)
        if self._depth == 1:
            place = self.lines.place(self.parser.CurrentByteIndex)
            self.document.root = Root(local, namespace, list(named), {}, place, named.get("version", ""))
        elif self._item is None:
            if local in _ENTRY.get(self.document.root.name if self.document.root else "", ()):
                self._item = _Item(self.lines.place(self.parser.CurrentByteIndex))
                self._item_depth = self._depth
        elif self._depth == self._item_depth + 1:
            self._field(namespace, local, named)

    def _field(self, namespace: str, local: str, attributes: dict[str, str]) -> None:
        assert self._item is not None
        self._place = self.lines.place(self.parser.CurrentByteIndex)
        self._permalink = attributes.get("isPermaLink", "true").strip().lower() == "true"
        own = self.document.root.namespace if self.document.root else ""
        if local == "link" and "href" in attributes and namespace in (ATOM, ATOM_03, own):
            href = urls.join(self._bases[-1], attributes["href"].strip(XML_SPACE))
            relation = attributes.get("rel", "").strip().lower()
            in_rss = self.document.root is not None and self.document.root.name != "feed"
            self._item.links.append((relation if not in_rss or relation else "self", href, self._place))

    def _end(self, raw: str) -> None:
        namespace, _, local = raw.rpartition("}")
        item = self._item
        if item is not None and self._depth == self._item_depth + 1:
            value = "".join(self._text)
            if local == "link" and namespace in ("", RSS_1) and value.strip(XML_SPACE):
                item.links.append(("", urls.join(self._bases[-1], value) if self._bases[-1] else value, self._place))
            elif local == "guid" and self._permalink and "://" in value:
                item.guid = (value, self._place)
            elif local in _DATES and value.strip(XML_SPACE):
                item.dates.setdefault(local, (value, self._place))
        elif item is not None and self._depth == self._item_depth:
            self.items.append(item)
            self._item = None
        self._depth -= 1
        self._bases.pop()
        self._text.clear()
