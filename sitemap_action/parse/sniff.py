"""What are these bytes? The first answer that applies is the one cause that is reported."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Fault
from sitemap_action.parse import templates
from sitemap_action.parse.lines import Lines

_WIDE_BOMS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
_DECLARED = lazy.pattern(rb"""<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']""")
_UTF8_NAMES = {"utf-8", "utf8", "us-ascii", "ascii"}
_DECLARATION = lazy.pattern(rb"<\?xml[ \t\r\n]")
_ROOT = lazy.pattern(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|rss|feed|RDF)[\s/>]")
_PROLOG_PART = lazy.pattern(rb"[ \t\r\n]+|<\?.*?\?>|<!--.*?-->", re.DOTALL)
_PROLOG = lazy.pattern(rb"(?:" + _PROLOG_PART.pattern + rb")*", re.DOTALL)
_HTML = lazy.pattern(rb"<(?:!doctype\s+html|html|head|body)[\s/>]", re.IGNORECASE)
_HTML_PART = lazy.pattern(
    rb"<(?:meta|title|div|script|style|link|p|h[1-6]|center|table|span|main|section|br|b|form|noscript|pre)"
    rb"[\s/>]",
    re.IGNORECASE,
)
_CONFLICT_START = lazy.pattern(rb"^<<<<<<<(?:[ \t].*)?\r?$", re.MULTILINE)
_CONFLICT_END = lazy.pattern(rb"^>>>>>>>(?:[ \t].*)?\r?$", re.MULTILINE)
_URL_LINE = lazy.pattern(rb"[A-Za-z][A-Za-z0-9+.-]*://\S+|(?:www\.|//?)\S+")


@dataclass
class Sniffed:
    """UTF-8 bytes without a byte order mark, and the reader they are for; or what stands in the way."""

    data: bytes
    kind: str = ""
    fault: Fault | None = None


def sniff(data: bytes, name: str) -> Sniffed:
    """Decide by content; the name only breaks the tie between plain text and broken XML."""
    wide = _wide_encoding(data)
    plain = without_mark(data)
    if not plain.strip(XML_SPACE.encode()):
        return Sniffed(plain, fault=Fault("document-empty"))
    fault = (
        _html(plain)
        or templates.find(plain)
        or _conflict(plain)
        or _leading(plain)
        or _encoding(plain, wide)
        or _invalid_bytes(plain)
    )
    if fault is not None:
        return Sniffed(plain, fault=fault)
    return Sniffed(plain, _kind(plain, name))


def _wide_encoding(data: bytes) -> str | None:
    for mark, encoding in _WIDE_BOMS.items():
        if data.startswith(mark):
            return encoding
    even, odd = data[:8:2], data[1:8:2]  # every other byte of ASCII text is zero
    if len(odd) == 4 and ((not any(odd) and all(even)) or (not any(even) and all(odd))):
        return "UTF-16"
    return None


def without_mark(data: bytes) -> bytes:
    """UTF-8 without a byte order mark; wide encodings converted, to be looked at and then refused."""
    wide = _wide_encoding(data)
    if wide is None:
        return data.removeprefix(codecs.BOM_UTF8)
    codec = wide if data.startswith(tuple(_WIDE_BOMS)) else ("utf-16-be" if data[:1] == b"\0" else "utf-16-le")
    return data.decode(codec, "replace").encode("utf-8", "replace")


def _after_prolog(data: bytes) -> int:
    """Where white space, comments and instructions end; what they hold decides nothing."""
    prolog = _PROLOG.match(data)
    return prolog.end() if prolog else 0


def _html(data: bytes) -> Fault | None:
    start = _after_prolog(data)
    if _HTML.match(data, start) or (_HTML_PART.match(data, start) and not _ROOT.search(data, start)):
        return Fault("content-is-html", Lines(data).place(start))
    return None


def _conflict(data: bytes) -> Fault | None:
    if b"<<<<<<<" not in data:
        return None
    start = _CONFLICT_START.search(data)
    if start is None or not _CONFLICT_END.search(data, start.end()):
        return None
    return Fault("merge-conflict-markers", Lines(data).place(start.start()))


def _leading(data: bytes) -> Fault | None:
    """White space or text before the XML declaration; text before the root where there is none."""
    end = _leading_length(data)
    if not end:
        return None
    shown = data[:end].strip(XML_SPACE.encode())[:40].decode("utf-8", "replace")
    return Fault("xml-leading-content", Lines(data).place(end), (shown,))


def _leading_length(data: bytes) -> int:
    start = _after_prolog(data)
    for part in _PROLOG_PART.finditer(data, 0, start):
        if _DECLARATION.match(part[0]):
            return part.start()
    root = _ROOT.search(data, start)
    if root is None or root.start() == start or _DECLARATION.match(data):
        return 0  # behind a declaration at the very start, text is not leading but misplaced
    declaration = _DECLARATION.search(data, start, root.start())
    if declaration is not None:
        return declaration.start()
    return 0 if data[start : start + 1] == b"<" else root.start()


def _encoding(data: bytes, wide: str | None) -> Fault | None:
    if wide:
        return Fault("encoding-not-utf8", facts=(wide, "found"))
    declared = _DECLARED.match(data)
    if declared is None:
        return None
    name = declared[1].decode("ascii")
    if name.lower() in _UTF8_NAMES:
        return None
    return Fault("encoding-not-utf8", Lines(data).place(declared.start(1)), (name, "declared"))


def _invalid_bytes(data: bytes) -> Fault | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Lines(data).place(error.start)
        return Fault("encoding-invalid-bytes", place, (f"0x{data[error.start]:02X}",))
    return None


def _kind(data: bytes, name: str) -> str:
    start = _after_prolog(data)
    if data[start : start + 1] == b"<":
        root = _ROOT.match(data, start)
        local = root[0].rpartition(b":")[2].strip(b"< \t\r\n/>") if root else b""
        return "feed" if local in (b"rss", b"feed", b"RDF") else "xml"
    if name.lower().endswith((".txt", ".txt.gz")) or _URL_LINE.match(data, start):
        return "text"
    return "xml"
