"""The verdict of the official XSD, by xmlschema: once per distinct shape and once per distinct value.

XSD validity has no memory: whether an entry is valid depends on its shape and on each value by
itself. Most shapes and values are plainly valid; narrow tests wave them through, and xmlschema
(0.3 s to import and build) is only asked about the others.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sitemap_action import lazy
from sitemap_action.model import SITEMAP_NS, XML_SPACE, Shape
from sitemap_action.parse.entries import MAX_SHAPE_DEPTH
from sitemap_action.parse.names import ENTRY_OF, FIELDS, URI_OF, XML, XSI, is_core
from sitemap_action.values import dates
from sitemap_action.values.codes import FREQUENCIES

if TYPE_CHECKING:
    from xml.etree import ElementTree

    from xmlschema import XMLSchema10
    from xmlschema.validators import XsdElement

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_FILES = {"urlset": "sitemap.xsd", "sitemapindex": "siteindex.xsd"}
_GOOD = {"loc": "https://www.acme.example/", "lastmod": "2026-05-06", "changefreq": "weekly", "priority": "0.5"}
_GOOD_ATTRIBUTES = {"xml:space": "preserve", "xml:lang": "en", "xml:base": "https://www.acme.example/", "xml:id": "a"}
# The only attributes that every element may carry; xmlschema is told not to follow them.
_HINTS = {XSI + "schemaLocation", XSI + "noNamespaceSchemaLocation"}
_FIELD = 3  # /urlset/url/loc

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
# How xmlschema says that a type was claimed which the schema does not have there.
_NAMESPACE = lazy.pattern(r"\{[^}]*\}")
_DECLARED = lazy.pattern(r"""xmlns(?::[\w.-]+)?\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_OTHER_TYPE = lazy.pattern("cannot substitute")
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

    path = f"s:{kind}/s:{ENTRY_OF[kind]}" + (f"/s:{name}" if name in FIELDS[kind] else "")
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
        return value in FREQUENCIES
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


def _tag(name: str) -> str:
    """The name of a shape as ElementTree spells it."""
    if name[0] == "{":
        return name.removeprefix("{}")
    prefix, _, local = name.rpartition(":")
    return f"{{{URI_OF[prefix] if prefix else SITEMAP_NS}}}{local}"


def _attribute(name: str) -> str:
    return XML + name[4:] if name.startswith("xml:") else name


@lru_cache(maxsize=4096)
def _ask_shape(kind: str, tokens: tuple[str, ...]) -> Violation | None:
    return _violation(_declaration(kind, ENTRY_OF[kind]), _sample(kind, tokens))


def _sample(kind: str, tokens: tuple[str, ...]) -> ElementTree.Element:
    """An entry of this shape, with good values in all its slots."""
    from xml.etree import ElementTree

    builder = ElementTree.TreeBuilder()
    pending: tuple[str, dict[str, str]] | None = (_tag(ENTRY_OF[kind]), {})
    names = [ENTRY_OF[kind]]
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
    entry = ElementTree.SubElement(root, _tag(ENTRY_OF[kind]))
    ElementTree.SubElement(entry, _tag("loc")).text = _GOOD["loc"]
    return _violation(official(kind).elements[kind], root)


def violation_as_it_stands(kind: str, declared: Mapping[str, str], entry: bytes) -> Violation | None:
    """What the XSD has against an entry with its own types and attributes, below a root that declares these prefixes.

    Of fields only the types that they claim count: everything else of them is in shape and values.
    """
    from xml.sax.saxutils import quoteattr  # brings all that Python has for networks

    prefix = _prefix(declared)
    names = "".join(f" xmlns{f':{name}' if name else ''}={quoteattr(uri)}" for name, uri in declared.items())
    text = f"<{prefix}{kind}{names}>".encode() + entry + f"</{prefix}{kind}>".encode()
    return _violation_within(kind, text, _FIELD)


def violation_before_entries(kind: str, declared: Mapping[str, str], head: bytes) -> Violation | None:
    """What the XSD has against elements of other namespaces, in a document up to its first entry."""
    prefix, entry = _prefix(declared), ENTRY_OF[kind]
    good = f"<{prefix}{entry}><{prefix}loc>{_GOOD['loc']}</{prefix}loc></{prefix}{entry}></{prefix}{kind}>"
    return _violation_within(kind, head + good.encode(), 1)


def _prefix(declared: Mapping[str, str]) -> str:
    return next((f"{prefix}:" if prefix else "" for prefix, uri in declared.items() if uri == SITEMAP_NS), "")


def _violation_within(kind: str, text: bytes, depth: int) -> Violation | None:
    """The first objection to what lies below this depth, is of another namespace, or is about a type."""
    declared = [uri for pair in _DECLARED.findall(text.decode("utf-8", "replace")) for uri in pair]
    if any("".join(uri.split()) != uri or "&" in uri for uri in declared):
        return None  # the parser behind xmlschema trips over a space of any kind in a namespace; rules tell of it
    from xmlschema import XMLSchemaException

    try:
        for error in official(kind).iter_errors(io.BytesIO(text)):
            tag, reason = getattr(error.elem, "tag", ""), error.reason or error.message
            is_ours = tag.startswith(f"{{{SITEMAP_NS}}}") and (error.path or "").count("/") <= depth
            if not is_ours or _OTHER_TYPE.search(reason):
                return Violation(_local(tag), _one_line(reason))
    except (XMLSchemaException, OverflowError) as raised:
        return Violation(ENTRY_OF[kind], _one_line(str(raised)))
    return None


def is_beyond_parts(shape: Shape) -> bool:
    """Whether the verdict on such entries hangs on something that neither shape nor values of the fields hold.

    These are: the namespaces that an xsi:type is read with, what lies deeper than shapes go, and what a lax wildcard
    looks at inside of extensions (elements of the protocol have no place there, and a rule that says so).
    """
    extensions = [element for element in shape.elements[1:] if not is_core(element.path.split("/")[0])]
    return any(
        _NAMESPACE.sub("", element.path).count("/") + 2 >= MAX_SHAPE_DEPTH  # an entry's children stand at 2
        or element.name.startswith(_XSD)
        or any(name.startswith(("xml:", XSI)) for name in element.attributes)
        for element in extensions
    ) or any(XSI + "type" in element.attributes for element in shape.elements)
