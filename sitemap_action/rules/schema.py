"""What the official schema has against a document, if no other rule has said it already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from sitemap_action import lazy, schema
from sitemap_action.model import SITEMAP_NS, XML_SPACE, Column, Document, Element, Root, Severity, Shape, Step
from sitemap_action.parse.names import FIELDS, XSI, is_core
from sitemap_action.parse.places import before_entries, element_at
from sitemap_action.rules.base import XSD, Found, Rule
from sitemap_action.rules.hints import priority
from sitemap_action.values import dates

# Stands for whatever element is found inside a field: its name changes nothing.
_SOME_ELEMENT = ("{urn:x}x", "/")
# More ways to write odd entries nobody has in one file.
_MOST_KINDS = 1_000
# Legal by the protocol, though not by the schema.
_NO_SECONDS = lazy.pattern(r"T\d\d:\d\d(?!:)")


class SchemaViolation(Rule):
    """The official XSD rejects something that no other rule names.

    Most of what the schema rejects has a rule of its own, which says it better. What is left is
    rare: an element inside a date, `xsi:nil`, a time zone that no place on Earth has. Readers
    that take the schema at its word drop the entry, or the file.

    Fix: write only text into loc, lastmod, changefreq and priority, as the schema has it, and
    elements of your own inside of entries.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <lastmod><date xmlns="https://www.acme.example/ns">2026-05-06</date></lastmod></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06T10:00:00+14:30</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc><lastmod>2026-05-06T10:00:00+14:00</lastmod></url>
    """

    id = "schema-violation"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = XSD

    def document(self, document: Document) -> Iterator[Found]:
        root = document.root
        if root is None or document.format not in FIELDS or root.namespace != SITEMAP_NS:
            return
        if any(fault.rule.startswith("namespace-") for fault in document.faults):
            return
        # Other attributes of the root are attribute-unknown, what stands below it has rules too.
        attributes = [name for name in root.attributes if name.startswith(XSI)]
        violation = schema.root_violation(document.format, attributes)
        if violation is not None:
            yield self.found(_message(*violation), document, place=root.place)
        yield from self._shapes(document)
        yield from self._values(document)
        yield from self._strays(document, root)
        yield from self._as_they_stand(document, root)

    def _shapes(self, document: Document) -> Iterator[Found]:
        for shape in document.shapes:
            violation = schema.shape_violation(document.format, unexplained_part(document.format, shape))
            if violation is not None:
                element = next(iter(shape.named(violation.element)), shape.root)
                yield self.found_at(document.entries_of(shape), _message(*violation), document, element.ordinal)

    def _values(self, document: Document) -> Iterator[Found]:
        for field in ("lastmod", "priority"):
            column = document.columns.get(field)
            if column is None or field not in FIELDS[document.format]:
                continue
            reasons = {
                value: reason
                for value in self._candidates(column, field)
                if not schema.plainly_valid(field, value)
                and not is_explained(field, value)
                and (reason := schema.value_error(document.format, field, value))
            }
            if not reasons:
                continue
            for value, entry, element in zip(column.values, column.entries, column.elements, strict=True):
                if value in reasons:
                    yield self.found(_message(field, reasons[value]), document, entry, element)

    def _strays(self, document: Document, root: Root) -> Iterator[Found]:
        """Elements of other namespaces may stand before the first entry; about known ones another rule speaks."""
        foreign = [stray for stray in document.strays if stray.name.startswith("{") and not stray.name.startswith("{}")]
        if not foreign or not document.entry_count:
            return
        first = document.locate(0, 0)
        for stray in foreign:
            if stray.place > first:
                name = stray.name.rpartition("}")[2]
                yield self.found(_message(name[:80], "it stands behind an entry"), document, place=stray.place)
        if foreign[0].place < first:
            violation = schema.violation_before_entries(document.format, root.declared, before_entries(document))
            if violation is not None:
                yield self.found(_message(*violation), document, place=foreign[0].place)

    def _as_they_stand(self, document: Document, root: Root) -> Iterator[Found]:
        """Entries whose parts do not tell enough: of those that claim the same, one is asked for as it stands."""
        odd = [shape for shape in document.shapes if schema.is_beyond_parts(shape)]
        if not odd:
            return
        claims = _claims(document)
        alike: dict[tuple[int, tuple[object, ...]], list[int]] = {}
        for number, shape in enumerate(odd):
            for entry in document.entries_of(shape):
                alike.setdefault((number, tuple(claims.get(entry, ()))), []).append(entry)
        for entries in islice(alike.values(), _MOST_KINDS):
            violation = schema.violation_as_it_stands(document.format, root.declared, element_at(document, entries[0]))
            if violation is not None:
                yield self.found_at(entries, _message(*violation), document, 0)

    def _candidates(self, column: Column, field: str) -> Iterable[str]:
        """The dates that no rule has anything to say of are sorted out for other rules as well."""
        now = self.site.scope.now
        return column.unlike(dates.unremarkable(now.year, now.month)) if field == "lastmod" else column.distinct


def _claims(document: Document) -> dict[int, list[tuple[str, int, str]]]:
    """By entry: its attributes that XML or the schema itself gives a meaning to."""
    claims: dict[int, list[tuple[str, int, str]]] = {}
    for path, column in document.columns.items():
        if "@" + XSI in path or "@xml:" in path:
            for value, entry, element in zip(column.values, column.entries, column.elements, strict=True):
                claims.setdefault(entry, []).append((path, element, value))
    return claims


def _message(element: str, reason: str) -> str:
    return f"The schema rejects <{element}>: {reason.rstrip('.')}."


def is_explained(field: str, value: str) -> bool:
    """Whether another rule speaks about this value, or nobody should.

    Only these two fields can leave something over. A `<loc>` is rejected for its length alone:
    over 2,048 characters is loc-too-long, under 12 is an accident of the schema. A `<changefreq>`
    is one of seven words, or changefreq-invalid.
    """
    if field == "priority":
        return priority(value) is None
    moment = dates.parse(value.strip(XML_SPACE))
    if moment is None or not moment.has_zone or moment.precision in ("year", "month"):
        return True
    return _NO_SECONDS.search(moment.text) is not None


def unexplained_part(kind: str, shape: Shape) -> tuple[str, ...]:
    """The shape's tokens without everything that other rules report.

    Fields come once and in order (element-repeated, element-order), filled (element-empty,
    loc-missing), without stray text and attributes (text-unexpected, attribute-unknown) or other
    elements of the protocol (element-unknown). Extensions are left out: they have rules of their own.
    """
    tokens = _schema_attributes(shape.root)
    for field in FIELDS[kind]:
        filled = [child for child in shape.named(field) if not child.empty]
        if filled:
            tokens += [field, *_schema_attributes(filled[0]), *_content(filled[0], shape), "/"]
        elif field == "loc":
            tokens += [field, "#", "/"]
    return tuple(tokens)


def _schema_attributes(element: Element) -> list[str]:
    return ["@" + name for name in element.attributes if name.startswith(XSI)]


def _content(field: Element, shape: Shape) -> tuple[str, ...]:
    """Text, unless elements of another namespace stand in its place."""
    has_foreign = any(not is_core(child.name) for child in field.children)
    has_stray = field in shape.stray
    # A <loc> without text of its own is loc-missing, whatever else it holds.
    return _SOME_ELEMENT if has_foreign and not has_stray and field.name != "loc" else ("#",)
