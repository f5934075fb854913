"""Targets that read one document: XML by both readers, feeds, plain text, gzip."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Sequence

from fuzz import seeds, words
from fuzz.engine import Outcome, Target
from sitemap_action.model import XML_SPACE, Document, Place
from sitemap_action.parse import parse, quick, sniff, xml
from sitemap_action.parse.unpack import unpack

_LIMIT = 5_000_000
_LOOKED_AT = 40
_MAGIC = (b"\x1f\x8b", b"\x1f\x8b\x08", b"PK\x03\x04", b"BZh", b"\x08\x1e")
_XML = "https://www.acme.example/sitemap.xml"


def read_any(data: bytes, name: str) -> Outcome:
    """Read the bytes and hold the columns to what they promise."""
    document = parse(Document(name), data, limit=_LIMIT)
    _hold_together(document)
    faults = [(fault.rule, fault.place, fault.facts) for fault in document.faults]
    columns = {
        path: (column.values, list(column.entries), list(column.elements)) for path, column in document.columns.items()
    }
    rules = [fault.rule for fault in document.faults]
    paths = sorted(path for path in document.columns if "{" not in path)[:6]
    counts = [min(len(some), 3) for some in (document.shapes, document.strays, document.other_namespaces)]
    kind = (document.format, rules, [_cause(fault.facts) for fault in document.faults], paths, counts)
    return Outcome(kind, (kind, faults, columns, document.size, document.strays, document.blank_lines))


def _cause(facts: Sequence[str]) -> str:
    """The first words of a fault: enough to tell causes apart, and not every input."""
    return re.sub(r"[^A-Za-z ].*", "", facts[0], flags=re.DOTALL)[:20] if facts else ""


def _hold_together(document: Document) -> None:
    """Whatever was read: columns fit the entries, places are in the document, URLs are found again."""
    data = document.data or b""
    assert not document.readable or document.entry_count == len(document.shape_of), "entries and shapes differ"
    assert document.readable or not document.entry_count or document.faults, "entries of nothing"
    lines = data.count(b"\n") + data.count(b"\r") + 1
    for column in document.columns.values():
        assert len(column.values) == len(column.entries) == len(column.elements), "a column with gaps"
        assert list(column.entries) == sorted(column.entries), "a column out of order"
        assert not column.entries or column.entries[-1] < document.entry_count, "a value of no entry"
    for entry in range(min(document.entry_count, _LOOKED_AT)):
        for element in (-1, 0, 1, 2):
            _hold_place(document.locate(entry, element), lines)
    for fault in document.faults:
        _hold_place(fault.place, lines)


def _hold_place(place: Place, lines: int) -> None:
    assert place.line is None or 1 <= place.line <= lines, f"line {place.line} of {lines}"
    assert place.column is None or place.column >= 1, "a column before the first"


def both_readers(data: bytes) -> None:
    """What the quick reader reads, the general one reads in the same way."""
    fast, slow = Document(_XML, data), Document(_XML, data)
    if not quick.read(fast):
        return
    xml.read(slow)
    assert (fast.format, fast.faults) == (slow.format, slow.faults), "the quick reader saw another document"
    assert fast.root == slow.root, "the quick reader saw another root"
    assert fast.strays == slow.strays, "the quick reader saw other strays"
    assert fast.other_namespaces == slow.other_namespaces, "the quick reader saw other namespaces"
    assert [fast.shapes[n].tokens for n in fast.shape_of] == [slow.shapes[n].tokens for n in slow.shape_of], "shapes"
    assert list(fast.columns) == list(slow.columns) or fast.columns.keys() == slow.columns.keys(), "other columns"
    for path, column in fast.columns.items():
        other = slow.columns[path]
        assert column.values == other.values, path
        assert list(column.entries) == list(other.entries), path
        assert list(column.elements) == list(other.elements), path
    for entry in range(min(fast.entry_count, _LOOKED_AT)):
        for element in (-1, 0, 1):
            assert fast.locate(entry, element) == slow.locate(entry, element), "another place"


def run_xml(data: bytes) -> Outcome:
    outcome = read_any(data, _XML)
    plain = sniff.without_mark(data)
    if b"{" not in plain:
        both_readers(plain)
    return outcome


def run_text(data: bytes) -> Outcome:
    outcome = read_any(data, "sitemap.txt")
    document = parse(Document("sitemap.txt"), data, limit=_LIMIT)
    if document.format == "text":
        lines = (document.data or b"").decode().replace("\r\n", "\n").replace("\r", "\n").split("\n")
        full = [number for number, line in enumerate(lines, start=1) if line.strip()]
        assert [document.locate(entry, 0).line for entry in range(document.entry_count)] == full, "lines got lost"
        for entry, number in enumerate(full[:_LOOKED_AT]):
            assert document.find_loc(entry) == lines[number - 1].strip(XML_SPACE), "another line was found again"
    return outcome


def run_feed(data: bytes) -> Outcome:
    return read_any(data, "https://www.acme.example/feed.xml")


def run_gzip(data: bytes) -> Outcome:
    """The standard library is the judge: what it inflates we inflate to the same, what it refuses we refuse."""
    packed = unpack(data, "sitemap.xml.gz", _LIMIT)
    assert len(packed.data) <= _LIMIT, "more than the limit"
    assert not packed.broken or not packed.data, "contents of something broken"
    for small in (1, 1000):
        few = unpack(data, "", small)
        assert few.broken or not few.compressed or len(few.data) <= small, "the limit does not hold"
    rules = [fault.rule for fault in packed.faults]
    if data.startswith(b"\x1f\x8b") and "decompression-limit" not in rules:
        _compare(data, packed.data, rules)
    kind = (rules, [_cause(fault.facts) for fault in packed.faults], packed.compressed, packed.broken)
    return Outcome(kind, (kind, packed.data, packed.size, packed.faults))


def _compare(data: bytes, ours: bytes, rules: list[str]) -> None:
    theirs = data
    try:
        for _ in range(4):
            if not theirs.startswith(b"\x1f\x8b"):
                break
            theirs = gzip.decompress(theirs)
    except (OSError, EOFError, zlib.error):
        assert "gzip-corrupt" in rules or "compression-unsupported" in rules, "read what gzip refuses"
        return
    if "gzip-corrupt" not in rules and "compression-unsupported" not in rules:
        assert ours == theirs, "inflated to something else than gzip does"


def _is_feed(name: str, data: bytes) -> bool:
    return any(mark in data for mark in (b"<rss", b"<feed", b"<rdf:RDF"))


_ATOM = b"""<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://www.acme.example/blog/"><entry><id>a</id>
<link href="a/" rel="alternate"/><link rel="self" href="x"/><updated>2026-05-06T07:08:09Z</updated></entry></feed>"""
_RSS = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://www.acme.example/</link>
<item><link>https://www.acme.example/a</link><pubDate>Wed, 06 May 2026 07:08:09 GMT</pubDate></item>
<item><guid isPermaLink="true">https://www.acme.example/b</guid><atom:updated>2026</atom:updated></item></channel></rss>"""
_LINES = b"https://www.acme.example/\nhttps://www.acme.example/a?b=c\n\nwww.acme.example/b\n"


def _xml_seeds() -> list[bytes]:
    return seeds.contents(lambda name, data: b"<urlset" in data or b"<sitemapindex" in data)


def _text_seeds() -> list[bytes]:
    return [_LINES, _LINES.replace(b"\n", b"\r\n"), *seeds.contents(lambda name, data: name.endswith(".txt"))]


def _packed_seeds() -> list[bytes]:
    once = gzip.compress(_LINES, mtime=0)
    stored = seeds.contents(lambda name, data: data.startswith(b"\x1f\x8b"))
    return [once, once + once, gzip.compress(once, mtime=0), once + b"\0" * 512, gzip.compress(b" " * 50_000), *stored]


_DICTIONARY = words.MARKUP + words.TEXT + words.URLS + words.VALUES + words.ORDERS
TARGETS = (
    Target("xml", _xml_seeds, _DICTIONARY, run_xml),
    Target("text", _text_seeds, words.TEXT + words.URLS + words.ORDERS + words.MARKUP, run_text),
    Target("feeds", lambda: [_ATOM, _RSS, *seeds.contents(_is_feed)], _DICTIONARY, run_feed),
    Target("gzip", _packed_seeds, (*words.TEXT, *_MAGIC), run_gzip),
)
