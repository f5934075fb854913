"""Promises that hold for any input, tried with many."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import NAMESPACE, urlset
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from judging import judged
from protego import Protego

from sitemap_action.formats import FORMATS, render
from sitemap_action.formats.escape import clean
from sitemap_action.formats.style import Style
from sitemap_action.model import Document, Severity
from sitemap_action.model.survey import survey
from sitemap_action.parse import parse, quick, xml
from sitemap_action.report import Report
from sitemap_action.report.sieve import Policy
from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Found
from sitemap_action.site import Scope, Site
from sitemap_action.site.robots import read_robots
from sitemap_action.values import urls

RULES = list(all_rules().values())
ROOT = Path(__file__).parents[1]
relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=200)

# Pieces that sitemaps are made of, whole and broken, so that random bytes come near to real defects.
PIECES = [
    b'<?xml version="1.0" encoding="UTF-8"?>',
    f'<urlset xmlns="{NAMESPACE}">'.encode(),
    f'<urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml">'.encode(),
    f'<sitemapindex xmlns="{NAMESPACE}">'.encode(),
    b"</urlset>",
    b"</sitemapindex>",
    b"<url>",
    b"</url>",
    b"<sitemap>",
    b"</sitemap>",
    b"<loc>https://www.acme.example/a</loc>",
    b"<loc>http://[::1/</loc>",
    b"<loc>%zz</loc>",
    b"<loc/>",
    b"<lastmod>2026-02-30</lastmod>",
    b"<priority>NaN</priority>",
    b'<xhtml:link rel="alternate" hreflang="en" href="/x"/>',
    b"<rss version='2.0'><channel><item><link>x</link><pubDate>Mon, 99</pubDate></item></channel></rss>",
    b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='::'/></entry></feed>",
    b"https://www.acme.example/\n",
    b"{{ x }}",
    b"{% y %}",
    b"---\n",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"&amp;",
    b"&x;",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\x00",
    b"\x1f\x8b\x08\x00",
    b"\xc3\xa9",
    b"\n",
]
soup = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=8)), max_size=14).map(b"".join)


def judge(data: bytes, name: str = "sitemap.xml") -> Report:
    """A document through parser, rules and report, without the file system."""
    document = parse(Document(name), data, limit=10_000_000)
    return judged(document, Site(Scope()), RULES, Policy(), 10_000_000)


@relaxed
@given(soup, st.sampled_from(["sitemap.xml", "sitemap.txt", "sitemap.xml.gz"]))
def test_any_bytes_end_in_a_report(data: bytes, name: str) -> None:
    report = judge(data, name)
    for format in FORMATS:
        assert render(format, report, Style(color=True, width=60, verbose=True)).endswith("\n")
    assert report.documents[0].readable or report.counts["error"] or report.counts["notice"]
    for finding in report.findings():
        assert finding.message.endswith(".") or finding.message.endswith("?")


value = st.sampled_from(
    [
        "https://www.acme.example/a",
        " https://b.example/ ",
        "a&amp;b",
        "&#65;",
        "é",
        "x&y",
        "",
        " ",
        "2026-01-01",
        "]]>",
        "a\tb",
        "a\x00b",
        "a\x0bb",
        "\n",
        '"',
        ">",
    ]
)
field = st.builds(
    lambda name, text: f"<{name}>{text}</{name}>", st.sampled_from(["loc", "lastmod", "priority", "x:y"]), value
)
link = st.builds(lambda code, href: f'<x:link rel="{code}" href="{href}"/>', st.sampled_from(["en", "de"]), value)
odd = st.sampled_from(
    ["<!-- c -->", "<![CDATA[x]]>", "text", "<a><b/></a>", "<loc a='1'/>", "<loc/>", "\r\n", "\r", "<", "&"]
)
entry = st.lists(st.one_of(field, field, field, link, odd), max_size=4).map(
    lambda parts: "<url>" + "\n ".join(parts) + "</url>"
)
regular = st.lists(entry, min_size=1, max_size=3).flatmap(lambda kinds: st.lists(st.sampled_from(kinds), max_size=8))


@settings(relaxed, max_examples=600)
@given(regular, st.sampled_from(["\n", "", " <!-- between --> ", "\r\n"]))
@example(["<url></url>", "<url>text\n <loc>https://www.acme.example/a</loc>\n a</url>"], "\n")
def test_the_quick_reader_says_what_the_general_one_says(entries: list[str], gap: str) -> None:
    assert_read_alike(entries, gap)


def assert_read_alike(entries: list[str], gap: str) -> None:
    text = f'<urlset xmlns="{NAMESPACE}" xmlns:x="https://ns.example/">{gap}{gap.join(entries)}{gap}</urlset>'
    fast, slow = Document("a", text.encode()), Document("b", text.encode())
    if not quick.read(fast):
        return
    xml.read(slow)
    assert slow.faults == []
    assert {path: vars_of(fast, path) for path in fast.columns} == {path: vars_of(slow, path) for path in slow.columns}
    assert [fast.shapes[n].tokens for n in fast.shape_of] == [slow.shapes[n].tokens for n in slow.shape_of]
    assert fast.other_namespaces == slow.other_namespaces
    assert fast.strays == slow.strays
    for number in range(fast.entry_count):
        assert fast.locate(number, 0) == slow.locate(number, 0)
        assert fast.locate(number, 1) == slow.locate(number, 1)


# One markup, many values: what a generator writes, with a few values that no generator should.
alike = st.tuples(st.sampled_from(["", "\n  ", "\t", "\r\n"]), st.booleans()).flatmap(
    lambda how: st.lists(st.tuples(value, value, value), min_size=2, max_size=9).map(
        lambda rows: [
            f"<url>{how[0]}<loc>https://www.acme.example/{one}</loc>{how[0]}<lastmod>{two}</lastmod>{how[0]}"
            + (f'<x:link rel="en" href="{three}"/>' if how[1] else "")
            + "</url>"
            for one, two, three in rows
        ]
    )
)


@settings(relaxed, max_examples=600)
@given(alike, st.sampled_from(["\n", "", "\n  ", "\r\n"]), st.sampled_from([40, 200, 1 << 18]))
def test_entries_matched_many_at_a_time_are_read_as_one_by_one(entries: list[str], gap: str, window: int) -> None:
    before, quick._WINDOW = quick._WINDOW, window
    try:
        assert_read_alike(entries, gap)
    finally:
        quick._WINDOW = before


def test_a_tab_in_an_attribute_is_read_as_a_space() -> None:
    entries = [
        f'<url><loc>https://www.acme.example/{n}</loc><x:link rel="en" href="a{gap}b"/></url>'
        for n, gap in enumerate(["-", "-", "\t", "\n", "-"])
    ]
    assert_read_alike(entries, "\n")


def vars_of(document: Document, path: str) -> tuple[list[str], list[int], list[int]]:
    column = document.columns[path]
    return column.values, list(column.entries), list(column.elements)


def test_regular_sitemaps_do_take_the_quick_way() -> None:
    plain = urlset(*(f"https://www.acme.example/{number}?a=1&amp;b=é" for number in range(5)))
    kinds = urlset(
        "https://www.acme.example/", "<url>\n<loc>https://www.acme.example/x</loc><priority>1</priority></url>"
    )
    for text in (plain, kinds, plain.replace("\n", "\r\n")):
        assert quick.read(Document("", text.encode()))


@relaxed
@given(
    st.text(alphabet=st.sampled_from("ahtps:/.?#&=%20[]@éx-_~\\ \n1|{\u3000\ufdd0\ud800\xa0"), max_size=30).map(
        lambda text: "http://a.example/" + text
    )
)
def test_ordinary_urls_have_no_fault_and_one_spelling(text: str) -> None:
    if urls.is_ordinary(text):
        assert isinstance(urls.examine(text), urls.Url)
        assert urls.same_page(text) == text
    assert survey([text]).odd == (frozenset() if urls.is_ordinary(text) else frozenset([text]))
    assert urls.examine(text) == urls._examine_closely(text)
    if urls.parse(text):
        page = urls.same_page(text)
        assert urls.same_page(page) == page


@relaxed
@given(st.text())
def test_cleaned_text_cannot_steer_a_terminal_or_start_a_line(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", clean(text))
    clean(text).encode("utf-8")


line = st.sampled_from(
    [
        "Sitemap: https://a.example/s.xml",
        "sitemap:https://b.example/x",
        "SiteMap : /rel.xml # c",
        "User-agent: *",
        "Disallow: /",
        "",
        "# Sitemap: x",
        "junk",
    ]
)


@relaxed
@given(st.lists(line, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_sitemaps_of_robots_are_those_a_maintained_parser_finds(lines: list[str], end: str) -> None:
    text = end.join(lines)
    ours = [found.value for found in read_robots("robots.txt", b"\xef\xbb\xbf" + text.encode()).sitemaps]
    assert ours == list(Protego.parse(text).sitemaps)


@relaxed
@given(st.lists(st.tuples(st.sampled_from(RULES), st.sampled_from(list(Severity))), max_size=12))
def test_the_score_never_rises_when_a_finding_is_added(found: list[tuple[type, Severity]]) -> None:
    site = Site(Scope())
    report = Report([], Policy())
    document = Document("sitemap.xml", format="urlset")
    report.documents.append(document)
    before = report.score
    for rule, severity in found:
        report.add([Found(rule(site), "Something is wrong.", document, severity=severity)])
        assert report.score <= before
        before = report.score


@pytest.mark.parametrize("format", FORMATS)
def test_output_is_byte_identical_on_every_run(tmp_path: Path, format: str) -> None:
    entries = [f"https://www.acme.example/{number % 40}#x" for number in range(60)]
    (tmp_path / "sitemap.xml").write_text(urlset(*entries, "http://localhost/", "/a", "https://b.example/?utm_x=1"))
    outputs = set()
    for seed in ("0", "1", "2"):
        command = [sys.executable, "-m", "sitemap_action", "--format", format, str(tmp_path)]
        done = subprocess.run(
            command, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed}, cwd=ROOT, check=False
        )
        outputs.add(done.stdout)
        assert done.returncode == 1
    assert len(outputs) == 1
