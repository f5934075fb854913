"""The structure of entries: which elements, in which order, how often, in which namespace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sitemap_action.model import Document, Element, Place, Severity, Shape, Step
from sitemap_action.parse.lines import Lines, find_text
from sitemap_action.parse.names import ENTRY_OF, FIELDS, XSI, is_core
from sitemap_action.parse.places import span
from sitemap_action.rules.base import PROTOCOL, XSD, Found, Rule, ShapeVerdict, shown

ORDER = FIELDS["urlset"]
_FIELDS = {entry: FIELDS[root] for root, entry in ENTRY_OF.items()}
_MOST_PLACES = 3  # of texts in one entry; to look for thousands in a long one would take for ever
_KNOWN = (*ENTRY_OF, *ENTRY_OF.values(), *ORDER)


def _did_you_mean(name: str, choices: tuple[str, ...]) -> str:
    import difflib

    close = difflib.get_close_matches(name.lower(), choices, n=1, cutoff=0.6)
    return f" Did you mean <{close[0]}>?" if close and close[0] != name else ""


class ElementUnknown(Rule):
    """An element in the sitemap namespace is not known to the protocol, or not at this place.

    Names are case-sensitive. Yandex rejects the file, others drop what they do not know.

    Fix: correct the name, or put elements of your own into a namespace of their own.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmode>2026-05-06</lastmode></url>
    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "element-unknown"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def document(self, document: Document) -> Iterator[Found]:
        entry_name = ENTRY_OF.get(document.format)
        if entry_name is None:
            return
        for stray in document.strays:
            if stray.name and is_core(stray.name):
                hint = _did_you_mean(stray.name, (entry_name,))
                where = f"directly below the root, where only <{entry_name}> may stand"
                yield self.found(f"<{stray.name[:80]}> stands {where}.{hint}", document, place=stray.place)
        for shape in document.shapes:
            for element in unknown_elements(shape, entry_name):
                message = self._message(element, entry_name)
                yield self.found_at(document.entries_of(shape), message, document, element.ordinal)

    def _message(self, element: Element, entry_name: str) -> str:
        parent = element.path[: -len(element.name)].rstrip("/").rpartition("}")[2].rpartition("/")[2] or entry_name
        hint = "" if element.name in _KNOWN else _did_you_mean(element.name, _FIELDS[entry_name])
        if element.name == "link":
            hint = " Did you mean <xhtml:link>, of the namespace http://www.w3.org/1999/xhtml?"
        return f"<{element.name[:80]}> is not known inside <{parent[:80]}>.{hint}"


def unknown_elements(shape: Shape, entry_name: str) -> list[Element]:
    """Elements of the sitemap namespace that the schema does not allow where they stand."""
    fields = _FIELDS[entry_name]
    found: list[Element] = []
    inside = ""
    for element in shape.elements[1:]:
        if inside and element.path.startswith(inside):
            continue  # what stands inside an unknown one is not looked at; it comes right behind it
        is_known = element.path == element.name and element.name in fields
        if is_core(element.name) and not is_known:
            found.append(element)
            inside = f"{element.path}/"
    return found


class ElementRepeated(Rule):
    """An entry has one of its fields twice.

    Each entry stands for one page: two `<loc>` in one `<url>` mostly mean that a closing tag
    is missing between two entries. Crawlers drop the entry or take one value at random.

    Fix: give every page its own <url>, and each field once.

    Bad:
        <url><loc>https://www.acme.example/a</loc><loc>https://www.acme.example/b</loc></url>
    Good:
        <url><loc>https://www.acme.example/a</loc></url>
        <url><loc>https://www.acme.example/b</loc></url>
    """

    id = "element-repeated"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = XSD

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        counts = Counter(child.name for child in shape.children)
        for name in ORDER:
            if counts[name] > 1:
                yield shape.named(name)[1], f"<{name}> stands {counts[name]} times in one entry."


class ElementEmpty(Rule):
    """An optional field is there and empty.

    An empty element is no value: leave it out. Search Console reports it as an error.

    Fix: leave the element out when there is nothing to say.

    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod></lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "element-empty"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = XSD

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        for child in shape.children:
            if child.name in ORDER[1:] and child.empty:
                yield child, f"<{child.name}> is empty."


class ElementOrder(Rule):
    """The fields stand in another order than the schema's.

    The schema wants loc, lastmod, changefreq, priority, then extensions. Engines read any
    order, so this only matters to schema validators.

    Fix: write loc, lastmod, changefreq, priority in this order, and extensions after them.

    Bad:
        <url><lastmod>2026-05-06</lastmod><loc>https://www.acme.example/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06</lastmod></url>
    """

    id = "element-order"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = XSD

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        late = out_of_order(shape)
        if late is not None:
            yield late, f"<{late.name}> stands later than the schema's order allows."


def out_of_order(shape: Shape) -> Element | None:
    """The first field that should have stood before what precedes it."""
    reached = 0
    for child in shape.children:
        if child.name in ORDER:
            rank = ORDER.index(child.name)
            if rank < reached:
                return child
            reached = rank
        elif not is_core(child.name):
            reached = len(ORDER)
    return None


class AttributeUnknown(Rule):
    """An element carries an attribute that the schema does not know.

    Engines ignore it. It is worth a look when it was meant to be an element.

    Fix: remove the attribute.

    Bad:
        <url id="7"><loc>https://www.acme.example/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "attribute-unknown"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = XSD

    def document(self, document: Document) -> Iterator[Found]:
        if document.format not in ENTRY_OF:
            return
        is_wrong = any(fault.rule.startswith("namespace-") for fault in document.faults)
        for name in document.root.attributes if document.root else ():
            if not is_schema_instance(name) and not (is_wrong and name.startswith("xml")):
                message = f"The root element has the attribute `{name[:80]}`, which the schema does not know."
                yield self.found(message, document, place=document.root.place if document.root else None)
        for shape in document.shapes:
            for element, name in unknown_attributes(shape):
                where = element.name or ENTRY_OF[document.format]
                message = f"<{where[:80]}> has the attribute `{name[:80]}`, which the schema does not know."
                yield self.found_at(document.entries_of(shape), message, document, element.ordinal)


def is_schema_instance(name: str) -> bool:
    return name.startswith(XSI)


def unknown_attributes(shape: Shape) -> Iterator[tuple[Element, str]]:
    """Attributes on the protocol's own elements; extensions have rules of their own."""
    for element in shape.elements:
        if element.name in ("", *ORDER):  # an unknown element is reported as that
            yield from ((element, name) for name in element.attributes if not is_schema_instance(name))


class TextUnexpected(Rule):
    """Text stands between the elements.

    Only elements may stand inside the root and inside an entry. A `-` before a tag comes from
    copying the page that a browser shows; other text is mostly what is left of a value.

    Fix: remove the text, or put it into the element it belongs to.

    Bad:
        <url>new page: <loc>https://www.acme.example/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "text-unexpected"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = XSD

    def document(self, document: Document) -> Iterator[Found]:
        for stray in document.strays:
            if stray.text:
                yield self.found(_between(stray.text), document, place=stray.place)
        for path, column in document.columns.items():
            if path.endswith("#stray") and all(is_core(name) for name in path[:-6].split("/")):
                places = _Places(document)
                for value, entry, element in zip(column.values, column.entries, column.elements, strict=True):
                    if document.locs[entry]:  # without a <loc> this text is most likely it, and that is said
                        place = places.of(value, entry, element)
                        yield self.found(_between(value), document, place=place, url=document.locs[entry])


def _between(text: str) -> str:
    return f"The text {shown(text)} stands between elements."


class _Places:
    """Where texts stand, asked for in the order of the document; of many in one entry the first few are looked for."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._lines = Lines(document.data or b"")
        self._entry, self._asked, self._place = -1, 0, Place()

    def of(self, text: str, entry: int, element: int) -> Place:
        document, data = self._document, self._document.data or b""
        self._asked = self._asked + 1 if entry == self._entry else 1
        self._entry = entry
        if self._asked <= _MOST_PLACES:
            start = find_text(data, text, *span(document, data, entry))
            self._place = self._lines.place(start) if start is not None else document.locate(entry, element)
        return self._place
