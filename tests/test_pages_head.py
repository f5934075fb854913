"""The head of a page, read quickly: any bytes are read, and a cut or a short way changes nothing of what is found."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from sitemap_action.pages import head as reader
from sitemap_action.pages.head import header_says_noindex, read_head
from sitemap_action.pages.page import Head

PIECES = (
    '<meta name="robots" content="noindex">',
    "<meta name='googlebot' content='none'/>",
    '<META HTTP-EQUIV="refresh" CONTENT="0;url=/x">',
    '<link rel="canonical" href="/a">',
    "<LINK REL=Canonical HREF=/b>",
    '<link rel="alternate" hreflang="de" href="/de/">',
    '<link rel="stylesheet" href="/a.css">',
    '<base href="/c/">',
    '<meta property="article:modified_time" content="2026-01-01">',
    '<script type="application/ld+json">{"dateModified": "2026-01-02"}</script>',
    "<script>if (a < b) { '</head>' }</script>",
    '<script>"<meta name=robots content=noindex>"</script>',
    "<!-- </head> <body> -->",
    '<!-- <meta name="robots" content="noindex"> -->',
    '<meta name="robots" content content="noindex">',
    '<meta name="robots" content="noindex" content>',
    '<link href rel="canonical" href="/twice/">',
    "<noscript>",
    "</noscript>",
    "<template>",
    "</template>",
    "<title>Robots & canonical</title>",
    "<title></head></title>",
    "<style>a{b:c}</style>",
    "<p>",
    "text ",
    "&amp;",
    "\x00",
    "<",
    "é",
)


def everything(text: str) -> Head | None:
    """The head, when all of it is parsed in any case: no cut, no look for signs before."""
    data = text.encode()
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True)
    tree = etree.fromstring(data, parser) if b"<" in data else None
    if tree is None:
        return None
    head = Head()
    for element in tree.iter("meta", "link", "base", "script"):
        if not reader._is_inert(element):
            reader._TAKERS[element.tag](element, head)
    return head


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_the_quick_way_finds_what_the_whole_parse_finds(pieces: list[str]) -> None:
    text = '<!doctype html><html><head><meta charset="utf-8">' + "".join(pieces) + "</head><body></body></html>"
    quick, whole = read_head(text.encode()), everything(text)
    assert quick is not None
    assert whole is not None
    assert dataclasses.replace(quick, has_title=False) == whole


@given(st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(PIECES)).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_are_read(data: bytes) -> None:
    read_head(data)


@given(st.text(alphabet="abgnoindexe,:; 0-_\tRé", max_size=80))
def test_any_header_is_read(value: str) -> None:
    header_says_noindex(value)


@pytest.mark.parametrize("size", [1_000, 300_000])
def test_a_body_full_of_bait_takes_no_time(size: int) -> None:
    bait = b'<script type="application/ld+json">"dateModified"' * (size // 50)
    head = read_head(b"<html><head><title>x</title></head><body>" + bait)
    assert head == Head(has_title=True)


@pytest.mark.parametrize(
    ("data", "charset", "language"),
    [
        ('<link rel="alternate" hreflang="de" href="/caf\xe9">'.encode("latin-1"), "iso-8859-1", "/caf\xe9"),
        (
            '<meta charset="windows-1252"><link rel="alternate" hreflang="de" href="/caf\xe9">'.encode("cp1252"),
            "",
            "/caf\xe9",
        ),
        ('<link rel="alternate" hreflang="de" href="/caf\xe9">'.encode("latin-1"), "no-such-charset", "/caf\ufffd"),
        ('<link rel="alternate" hreflang="de" href="/caf\xe9">'.encode("utf-16"), "", "/caf\xe9"),
        ('<link rel="alternate" hreflang="de" href="/caf\xe9">'.encode(), "latin-1", "/caf\xe9"),
    ],
)
def test_a_page_is_read_in_its_encoding(data: bytes, charset: str, language: str) -> None:
    head: Any = read_head(b"" + data, charset)
    assert head.alternates == [("de", language)]


@pytest.mark.parametrize(
    ("html", "is_simple"),
    [
        ('<html lang="en">', True),
        ("<html lang=en data-theme=a1>", True),
        ("<html>", True),
        ('<html lang="en"https://.example/>', False),
        ('<html lang="en>', False),
        ("<html lang=en/>", True),
        ("<html 1>", False),
    ],
)
def test_tags_that_a_parser_may_read_otherwise_are_left_to_it(html: str, is_simple: bool) -> None:
    text = (
        f'<!doctype html>{html}<head><link rel="canonical" href="https://www.acme.example/"></head><body></body></html>'
    )
    quick, whole = read_head(text.encode()), everything(text)
    assert quick is not None
    assert whole is not None
    assert quick.canonicals == whole.canonicals
    assert (reader._SIMPLE.fullmatch(text.partition("</head>")[0].encode()) is not None) is is_simple


@pytest.mark.parametrize("attributes", ['content content="noindex"', 'content="" content="noindex"'])
def test_of_an_attribute_that_is_there_twice_the_first_counts_with_or_without_a_value(attributes: str) -> None:
    text = f'<!doctype html><html><head><meta name="robots" {attributes}></head><body></body></html>'
    assert reader._SIMPLE.fullmatch(text.partition("</head>")[0].encode()) is not None
    assert read_head(text.encode()) == everything(text) == Head()


@pytest.mark.parametrize("space", ["\n", " ", "\t", " \n"])
def test_a_gap_before_the_head_takes_no_time(space: str) -> None:
    """Templates leave many empty lines; to try every way to share them out would take hours, and no test has so many."""
    page = (space * 3_000)[:3_000] + '<meta name="robots" content="noindex"> and text'
    assert read_head(page.encode()) == everything(page)
