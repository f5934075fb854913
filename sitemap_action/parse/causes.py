"""Why a file is not well-formed, in words: the parser's error, read together with the bytes there."""

from __future__ import annotations

import re
from xml.parsers.expat import errors

from sitemap_action import lazy
from sitemap_action.model import Fault
from sitemap_action.parse.lines import Lines

_AMPERSAND = lazy.pattern(rb"&(?!(?:[A-Za-z_][\w.-]*|#[0-9]+|#x[0-9A-Fa-f]+);)")
_ENTITY = lazy.pattern(rb"&([A-Za-z_][\w.-]{0,60});")
_TAG = lazy.pattern(rb"</?([^\s<>/]{1,80})")
_PREFIX = lazy.pattern(rb"(?:</?|\s)([A-Za-z_][\w.-]{0,60}):[\w.-]+")
_VIEWER = lazy.pattern(rb"\s*(?:<\?xml[^>]*\?>\s*)?(-)\s*<[A-Za-z]")
_NEAR = 200


def explain(data: bytes, code: int, offset: int) -> Fault:
    """One finding with the place of the error and its likely cause."""
    name = errors.messages.get(code, "")
    if name == errors.XML_ERROR_NO_MEMORY:  # the machine's trouble, and no defect of the file
        raise MemoryError
    where, cause = _cause(data, name, min(max(offset, 0), len(data)))
    if cause == "":
        return Fault("document-empty")
    return Fault("xml-not-well-formed", Lines(data).place(where), (cause,))


def _cause(data: bytes, error: str, offset: int) -> tuple[int, str]:
    if error == errors.XML_ERROR_UNDEFINED_ENTITY:
        entity = _ENTITY.match(data, offset)
        shown = entity[0].decode("utf-8", "replace") if entity else "an entity"
        return offset, f"{shown} is an entity that XML does not know; write the character itself"
    if error == errors.XML_ERROR_UNBOUND_PREFIX:
        return offset, _unbound(data, offset)
    if error == errors.XML_ERROR_TAG_MISMATCH:
        return (
            offset,
            f"{_tag_at(data, offset)} closes an element that is not open here: a tag before it was not closed",
        )
    if error == errors.XML_ERROR_NO_ELEMENTS and b"<" not in data:
        return 0, "there is no XML in it: the first character is not `<`"
    if error in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    ):
        return offset, "it ends in the middle: an element is not closed, or the file is cut short"
    if error == errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT:
        return offset, f"something follows the end of the root element: {_show(data, offset)}"
    if error == errors.XML_ERROR_DUPLICATE_ATTRIBUTE:
        return offset, "an attribute is written twice in one tag"
    return _invalid_token(data, error, offset)


def _invalid_token(data: bytes, error: str, offset: int) -> tuple[int, str]:
    ampersand = _raw_ampersand(data, offset)
    if ampersand is not None:
        return ampersand, f"a raw `&`, in XML written `&amp;`, at {_show(data, ampersand)}"
    viewer = _VIEWER.match(data)
    if viewer is not None:
        return viewer.start(1), "a `-` before the tag, copied from the page that a browser shows"
    byte = data[offset : offset + 1]
    if byte and byte < b" " and byte not in b"\t\r\n":
        return offset, f"the control character 0x{byte[0]:02X}, which XML forbids"
    opening = data.rfind(b"<", 0, offset + 1)
    if opening >= 0 and b">" not in data[opening:offset]:
        return offset, f"a raw `<` or a mistyped tag: {_show(data, opening)}"
    if error == errors.XML_ERROR_SYNTAX:
        return offset, f"text where a tag was expected: {_show(data, offset)}"
    return offset, f"{error} at {_show(data, offset)}"


def _raw_ampersand(data: bytes, offset: int) -> int | None:
    """Expat stops just behind the `&`, or where the name it took for an entity's ends."""
    start = data.rfind(b"&", max(0, offset - _NEAR), offset + 1)
    if start >= 0 and _AMPERSAND.match(data, start) and not re.search(rb"[<>;\s]", data[start + 1 : offset]):
        return start
    return None


def _unbound(data: bytes, offset: int) -> str:
    for found in _PREFIX.finditer(data[offset : offset + 2000]):
        prefix = found[1]
        if prefix != b"xml" and b"xmlns:" + prefix not in data:
            shown = prefix.decode("utf-8", "replace")
            return f"the prefix `{shown}:` is used and never declared: add xmlns:{shown}=… to the root element"
    return "a namespace prefix is used and not declared here"


def _tag_at(data: bytes, offset: int) -> str:
    tag = _TAG.match(data, data.rfind(b"<", 0, offset + 1))
    return f"`</{tag[1].decode('utf-8', 'replace')}>`" if tag else "a tag"


def _show(data: bytes, offset: int) -> str:
    return repr(data[offset : offset + 30].decode("utf-8", "replace"))
