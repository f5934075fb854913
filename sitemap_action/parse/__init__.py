"""Bytes in, Document out: sniff what they are, then let the reader of that format fill the columns."""

from __future__ import annotations

import codecs
from collections.abc import Callable

from sitemap_action.model import Document
from sitemap_action.parse import quick, xml
from sitemap_action.parse.unpack import unpack

__all__ = ["parse", "plain", "prepare"]

# Most sitemaps are regular XML, so what other files need is imported when one is met.


def prepare(document: Document) -> None:
    """Let the places of a document's entries be asked for, wherever it was read."""
    if document.format == "text":
        from sitemap_action.parse import text

        text.prepare(document)
    elif document.format in ("rss", "atom"):
        from sitemap_action.parse import feeds

        feeds.prepare(document)
    else:
        xml.prepare(document)


def _reader(kind: str) -> Callable[[Document], None]:
    if kind == "xml":
        return xml.read
    from sitemap_action.parse import feeds, text

    return text.read if kind == "text" else feeds.read


def parse(document: Document, raw: bytes, *, limit: int, encoding: str = "") -> Document:
    """Fill the document from the bytes as they were stored or sent; never raises."""
    packed = unpack(raw, document.final_url or document.location, limit, encoding)
    document.compressed = packed.compressed
    document.data = packed.data
    document.size = packed.size
    document.faults.extend(packed.faults)
    if packed.broken:
        return document
    document.data = packed.data.removeprefix(codecs.BOM_UTF8)
    if b"{" not in document.data and quick.read(document):
        return document
    from sitemap_action.parse import sniff

    sniffed = sniff.sniff(packed.data, document.location)
    document.data = sniffed.data
    if sniffed.fault is not None:
        document.faults.append(sniffed.fault)
        return document
    _reader(sniffed.kind)(document)
    return document


def plain(raw: bytes, limit: int) -> bytes:
    """The bytes that places in a document count in: inflated, without a byte order mark."""
    from sitemap_action.parse.sniff import without_mark

    return without_mark(unpack(raw, "", limit).data)
