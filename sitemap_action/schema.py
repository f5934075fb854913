"""The verdict of the official XSD, by xmlschema: once per distinct shape and once per distinct value.

XSD validity has no memory: whether an entry is valid depends on its shape and on each value by
itself. Most shapes and values are plainly valid; narrow tests wave them through, and xmlschema
(0.3 s to import and build) is only asked about the others.
"""

from __future__ import annotations

import io
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sitemap_action import dates, lazy
from sitemap_action.model import SITEMAP_NS, XML_SPACE, Document, Shape
from sitemap_action.parse.names import URI_OF

if TYPE_CHECKING:
    from xml.etree import ElementTree

    from xmlschema import XMLSchema10
    from xmlschema.validators import XsdElement

XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
FIELDS = {"urlset": ("loc", "lastmod", "changefreq", "priority"), "sitemapindex": ("loc", "lastmod")}
_XSD = "{http://www.w3.org/2001/XMLSchema}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_FILES = {"urlset": "sitemap.xsd", "sitemapindex": "siteindex.xsd"}
_ENTRY = {"urlset": "url", "sitemapindex": "sitemap"}
_GOOD = {"loc": "https://www.acme.example/", "lastmod": "2026-05-06", "changefreq": "weekly", "priority": "0.5"}
_GOOD_ATTRIBUTES = {"xml:space": "preserve", "xml:lang": "en", "xml:base": "https://www.acme.example/", "xml:id": "a"}
# The only attributes that every element may carry; xmlschema is told not to follow them.
_HINTS = {XSI + "schemaLocation", XSI + "noNamespaceSchemaLocation"}
# Deeper elements are not in the shape (parse/entries.py); an entry's children stand at 2.
_DEEPEST = 8

_FREQUENCIES = frozenset(("always", "hourly", "daily", "weekly", "monthly", "yearly", "never"))
# An absolute URI by the letter of RFC 2396, so an anyURI by any reading of the XSD.
_PLAIN_URI = lazy.pattern(
    r"https?://[A-Za-z0-9.-]+(?::\d+)?(?:[/?](?:[A-Za-z0-9._~/?&=+,;:@!$'()*-]|%[0-9A-Fa-f]{2})*)?"
)
# With a time, seconds are needed; a zone goes to 14:00, and asking about 14:xx is good enough.
_DATE = lazy.pattern(
    r"(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
    r"(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)?)?",
    re.ASCII,
)
_UNIT = lazy.pattern(r"\+?0*(?:\.\d+|0(?:\.\d*)?|1(?:\.0*)?)|-0*(?:\.0+|0(?:\.0*)?)", re.ASCII)


class Violation(NamedTuple):
    """What xmlschema objects to: the element's local name, and its reason on one line."""

    element: str
    reason: str


@lru_cache(maxsize=2)
def official(kind: str) -> XMLSchema10:
    """The schema for this root element, its wildcards lax; nothing but the vendored file is read.

    The schemas say that elements of other namespaces must be known (strict), which would make
    every extension invalid. The word is changed here, so that the vendored file stays as it was
    published. Without `use_fallback=False` xmlschema would find its own copy of the XHTML schema
    and hold `<xhtml:link>` to it, which contradicts what engines document.
    """
    from importlib import resources

    import xmlschema

    text = resources.files("sitemap_action.schemas").joinpath(_FILES[kind]).read_text(encoding="utf-8")
    lax = text.replace('processContents="strict"', 'processContents="lax"')
    return xmlschema.XMLSchema10(lax, allow="local", defuse="always", use_fallback=False)


@lru_cache(maxsize=16)
def _declaration(kind: str, name: str) -> XsdElement:
    """The schema's declaration of the entry, or of one of its fields."""
    from xmlschema.validators import XsdElement

    path = f"s:{kind}/s:{_ENTRY[kind]}" + (f"/s:{name}" if name in FIELDS[kind] else "")
    found = official(kind).find(path, {"s": SITEMAP_NS})
    assert isinstance(found, XsdElement), (kind, name)
    return found


def _violation(declaration: XsdElement, element: ElementTree.Element) -> Violation | None:
    from xmlschema import XMLSchemaException

    try:
        error = next(declaration.iter_errors(element), None)
    except (XMLSchemaException, OverflowError) as raised:
        # An xsi:type that names nothing, and a year beyond all calendars, are raised by xmlschema 4.
        return Violation(_local(element.tag), _one_line(str(raised)))
    if error is None:
        return None
    tag = getattr(error.elem, "tag", element.tag)
    return Violation(_local(tag), _one_line(error.reason or error.message))


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _one_line(reason: str) -> str:
    text = " ".join(reason.replace(f"{{{SITEMAP_NS}}}", "").replace(XSI, "xsi:").split()).strip('"')
    return text if len(text) <= 200 else text[:199] + "…"


def value_error(kind: str, field: str, value: str) -> str | None:
    """Why the XSD rejects this value of a field, as written; None if it is valid."""
    return None if plainly_valid(field, value) else _ask_value(kind, field, value)


def plainly_valid(field: str, value: str) -> bool:
    """Narrower than the XSD, and cheap: True is certain, False says nothing.

    White space around a value is no part of an anyURI, a date or a decimal; it is of a string.
    """
    if field == "changefreq":
        return value in _FREQUENCIES
    text = value.strip(XML_SPACE)
    if field == "loc":
        return 12 <= len(text) <= 2048 and _PLAIN_URI.fullmatch(text) is not None
    if field == "lastmod":
        found = _DATE.fullmatch(text)
        return found is not None and (found[1] <= "28" or dates.parse(text) is not None)
    return _UNIT.fullmatch(text) is not None


@lru_cache(maxsize=65536)
def _ask_value(kind: str, field: str, value: str) -> str | None:
    from xml.etree import ElementTree

    element = ElementTree.Element(_tag(field))
    element.text = value
    found = _violation(_declaration(kind, field), element)
    return found.reason if found else None


def shape_violation(kind: str, tokens: tuple[str, ...]) -> Violation | None:
    """Why the XSD rejects an entry with these tokens, whatever its values; None if it is valid."""
    return None if _is_plain(kind, tokens) else _ask_shape(kind, tokens)


def _is_plain(kind: str, tokens: tuple[str, ...]) -> bool:
    """Narrower than the XSD: fields in order, each with text and nothing else, then extensions."""
    at = 0
    for field in FIELDS[kind]:
        if tokens[at : at + 3] == (field, "#", "/"):
            at += 3
        elif field == "loc":
            return False
    depth = 0
    for token in tokens[at:]:
        if token == "/":
            depth -= 1
        elif token == "#" or token[0] == "@":
            # Text may stand inside an extension; attributes there are free but for xml: and xsi:.
            if depth == 0 or token.startswith(("@xml:", "@" + XSI)):
                return False
        else:
            depth += 1
            if token.startswith(("{}", _XSD)) or is_core(token):
                return False
    return True


def is_core(name: str) -> bool:
    """Whether a name of a shape is in the sitemap namespace."""
    return name[:1] != "{" and ":" not in name


def _tag(name: str) -> str:
    """The name of a shape as ElementTree spells it."""
    if name[0] == "{":
        return name.removeprefix("{}")
    prefix, _, local = name.rpartition(":")
    return f"{{{URI_OF[prefix] if prefix else SITEMAP_NS}}}{local}"


def _attribute(name: str) -> str:
    return _XML + name[4:] if name.startswith("xml:") else name


@lru_cache(maxsize=4096)
def _ask_shape(kind: str, tokens: tuple[str, ...]) -> Violation | None:
    return _violation(_declaration(kind, _ENTRY[kind]), _sample(kind, tokens))


def _sample(kind: str, tokens: tuple[str, ...]) -> ElementTree.Element:
    """An entry of this shape, with good values in all its slots."""
    from xml.etree import ElementTree

    builder = ElementTree.TreeBuilder()
    pending: tuple[str, dict[str, str]] | None = (_tag(_ENTRY[kind]), {})
    names = [_ENTRY[kind]]
    for token in (*tokens, "/"):
        if token[0] == "@":
            # A good xsi:type names the type that the element has anyway, so it can be left out.
            if pending is not None and token != f"@{XSI}type":
                pending[1][_attribute(token[1:])] = _GOOD_ATTRIBUTES.get(token[1:], "true")
            continue
        if pending is not None:
            builder.start(*pending)
            pending = None
        if token == "/":
            builder.end(_tag(names.pop()))
        elif token == "#":
            builder.data(_GOOD.get(names[-1], "text"))
        else:
            names.append(token)
            pending = (_tag(token), {})
    return builder.close()


def root_violation(kind: str, attributes: list[str]) -> Violation | None:
    """What the XSD has against the root's attributes, of which it allows only the two hints."""
    if _HINTS.issuperset(attributes):
        return None
    from xml.etree import ElementTree

    root = ElementTree.Element(_tag(kind), {_attribute(name): "true" for name in attributes})
    entry = ElementTree.SubElement(root, _tag(_ENTRY[kind]))
    ElementTree.SubElement(entry, _tag("loc")).text = _GOOD["loc"]
    return _violation(official(kind).elements[kind], root)


def verdict(document: Document) -> bool:
    """Whether the whole document is valid: what xmlschema says of all of it, worked out by parts."""
    kind, root = document.format, document.root
    if root is None or kind not in _FILES or root.namespace != SITEMAP_NS:
        return False
    if is_beyond_parts(document):
        return whole_verdict(kind, document.source() or b"")
    if not document.entry_count or document.strays or root_violation(kind, root.attributes):
        return False
    if any(shape_violation(kind, shape.tokens) for shape in document.shapes):
        return False
    for field in FIELDS[kind]:
        column = document.columns.get(field)
        if column is not None and any(value_error(kind, field, value) for value in set(column.values)):
            return False
    return True


def whole_verdict(kind: str, data: bytes) -> bool:
    """xmlschema's verdict on a whole document."""
    from xmlschema import XMLSchemaException

    try:
        return official(kind).is_valid(io.BytesIO(data))
    except (XMLSchemaException, OverflowError):
        return False


def is_beyond_parts(document: Document) -> bool:
    """Whether the verdict hangs on something that a document's columns do not hold.

    These are: what a foreign element directly below the root contains and whether it precedes
    the entries; the namespaces that an xsi:type is read with; what lies deeper than shapes go;
    values inside extensions that a lax wildcard looks at; and white space outside of ASCII
    between elements, which XML counts as text and xmlschema does not.
    """
    if document.root is not None and XSI + "type" in document.root.attributes:
        return True
    if any(not is_core(stray.name) if stray.name else not stray.text.strip() for stray in document.strays):
        return True
    between = document.columns.get("#stray")
    if between is not None and not all(value.strip() for value in between.values):
        return True
    return any(_is_beyond_shape(document.format, shape) for shape in document.shapes)


def _is_beyond_shape(kind: str, shape: Shape) -> bool:
    extensions = [element for element in shape.elements[1:] if not is_core(element.path.split("/")[0])]
    return any(
        element.path.count("/") + 2 >= _DEEPEST
        or element.name == kind
        or element.name.startswith(_XSD)
        or any(name.startswith("xml:") for name in element.attributes)
        for element in extensions
    ) or any(XSI + "type" in element.attributes for element in shape.elements)
