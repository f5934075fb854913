"""Input of any kind ends in a finding or a usage error: never a traceback, never a hang."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from conftest import NAMESPACE, Run, Write, index, urlset

HOME = "https://www.acme.example"
GOOD = urlset(f"{HOME}/")
BILLION = (
    '<!DOCTYPE urlset [<!ENTITY a "lol">'
    + "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True))
    + f']><urlset xmlns="{NAMESPACE}"><url><loc>&i;</loc></url></urlset>'
)
QUADRATIC = (
    f'<!DOCTYPE urlset [<!ENTITY a "{"x" * 100_000}">]><urlset xmlns="{NAMESPACE}">'
    f"<url><loc>{'&a;' * 10_000}</loc></url></urlset>"
)
MANY_ATTRIBUTES = " ".join(f'a{number}=""' for number in range(20_000))
EXTERNAL = f'<!DOCTYPE u SYSTEM "file:///etc/passwd"><urlset xmlns="{NAMESPACE}"/>'


@pytest.mark.parametrize(
    ("content", "rules"),
    [
        (b"", ["document-empty"]),
        (b" \n\t\r\n", ["document-empty"]),
        (b"\xef\xbb\xbf", ["document-empty"]),
        (GOOD.encode(), []),
        (b"\xef\xbb\xbf" + GOOD.encode(), []),
        (GOOD.encode("utf-16"), ["encoding-not-utf8"]),
        (GOOD.encode("utf-16-le"), ["encoding-not-utf8"]),
        (GOOD.encode("utf-16-be"), ["encoding-not-utf8"]),
        (GOOD.encode("utf-32"), ["encoding-not-utf8"]),
        (GOOD.replace("UTF-8", "windows-1252").encode(), ["encoding-not-utf8"]),
        (GOOD.replace("UTF-8", "us-ascii").encode(), []),
        (urlset(f"{HOME}/é").encode("latin-1"), ["encoding-invalid-bytes"]),
        (os.urandom(5000).replace(b"<", b"\xff"), ["encoding-invalid-bytes"]),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), ["encoding-invalid-bytes"]),
        (GOOD[:-20].encode(), ["xml-not-well-formed"]),
        (b"hello", ["xml-not-well-formed"]),
        (b"<urlset", ["xml-not-well-formed"]),
        (b"<", ["xml-not-well-formed"]),
        (b"&", ["xml-not-well-formed"]),
        (b"\x00", ["xml-not-well-formed"]),
        (GOOD.replace("acme", "ac\x01me").encode(), ["xml-not-well-formed"]),
        (GOOD.replace("acme", "ac&#1;me").encode(), ["xml-not-well-formed"]),
        (GOOD.replace("acme", "ac&nbsp;me").encode(), ["xml-not-well-formed"]),
        (GOOD.replace("acme", "ac]]>me").encode(), ["xml-not-well-formed"]),
        (GOOD.replace("</loc>", "</lok>").encode(), ["xml-not-well-formed"]),
        ((GOOD + GOOD).encode(), ["xml-not-well-formed"]),
        ((GOOD + "trailing").encode(), ["xml-not-well-formed"]),
        (BILLION.encode(), ["doctype-present"]),
        (QUADRATIC.encode(), ["doctype-present"]),
        (EXTERNAL.encode(), ["doctype-present"]),
        (b'<!DOCTYPE html PUBLIC "x"><html/>', ["content-is-html"]),
        (b'<?xml version="1.0"?><!-- a --><html xmlns="http://www.w3.org/1999/xhtml"/>', ["content-is-html"]),
        (b"<div>Loading</div>", ["content-is-html"]),
        (b"\n" + GOOD.encode(), ["xml-leading-content"]),
        (b"Warning: x in /var/www/y.php\n" + GOOD.encode(), ["xml-leading-content"]),
        (b"<br />\n<b>Warning</b>: x\n" + GOOD.encode(), ["xml-leading-content"]),
        (b"{{ page.title }}", ["template-unrendered"]),
        (b'<?php echo 1; ?><urlset xmlns="x"></urlset>', ["template-unrendered"]),
        (f'<urlset xmlns="{NAMESPACE}"><url><loc>${{url}}</loc></url></urlset>'.encode(), ["template-unrendered"]),
        (f'<urlset xmlns="{NAMESPACE}"><%= pages %></urlset>'.encode(), ["template-unrendered"]),
        (f"<!-- {{{{ x }}}} {{% y %}} -->{GOOD[38:]}".encode(), []),
        (urlset(f"{HOME}/{{id}}").encode(), ["loc-invalid"]),
        (urlset(f"{HOME}/<<<<<<< a").encode(), ["xml-not-well-formed"]),
        (b"PK\x03\x04rest", ["compression-unsupported"]),
        (b"BZh91AY", ["compression-unsupported"]),
        (b"\x28\xb5\x2f\xfdrest", ["compression-unsupported"]),
        (b"\x1f\x8b", ["gzip-corrupt"]),
        (gzip.compress(GOOD.encode(), mtime=0)[:-10], ["gzip-corrupt"]),
        (gzip.compress(GOOD.encode(), mtime=0) + b"garbage", ["gzip-corrupt"]),
        (gzip.compress(b"x" * 257 + b"ustar", mtime=0), ["compression-unsupported"]),
        (gzip.compress(b"", mtime=0), ["document-empty"]),
        (f'<urlset xmlns="{NAMESPACE[:-3]} 0.9"><url><loc>{HOME}/</loc></url></urlset>'.encode(), ["namespace-wrong"]),
    ],
)
def test_one_cause_gives_one_finding(run: Run, write: Write, content: bytes, rules: list[str]) -> None:
    write("sitemap.xml", content)
    outcome = run("sitemap.xml", "--ignore", "gzip-name-mismatch")
    assert outcome.rules() == rules


def test_gzip_in_several_members_and_layers_is_read(run: Run, write: Write) -> None:
    text = GOOD.encode()
    write("a.xml.gz", gzip.compress(text[:50], mtime=0) + gzip.compress(text[50:]) + bytes(100))
    write("b.xml.gz", gzip.compress(gzip.compress(text), mtime=0))
    write("c.xml.gz", gzip.compress(gzip.compress(gzip.compress(text), mtime=0)))
    assert run("a.xml.gz").rules() == []
    assert run("b.xml.gz").rules() == ["gzip-name-mismatch"]
    assert run("c.xml.gz").rules() == ["compression-unsupported"]


@pytest.mark.skipif(sys.platform == "win32", reason="memory cannot be measured this way")
def test_a_bomb_is_stopped_at_the_limit_with_little_memory(write: Write, tmp_path: Path) -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    bomb = b"".join(packer.compress(block) for _ in range(300)) + packer.flush()
    write("sitemap.xml.gz", bomb)
    outcome, peak = _measured([str(tmp_path / "sitemap.xml.gz"), "--max-bytes", "20000000"])
    assert "decompression-limit" in outcome.stdout
    assert outcome.returncode == 1
    assert peak < 150


def test_a_file_beyond_the_limit_is_refused_unread(run: Run, write: Write, tmp_path: Path) -> None:
    with (tmp_path / "huge.xml").open("wb") as file:
        file.truncate(300_000_000)
    outcome = run("huge.xml")
    assert outcome.rules() == ["fetch-refused"]
    assert outcome.report["documents"][0]["bytes"] == 0


@pytest.mark.parametrize(
    "content",
    [
        f'<urlset xmlns="{NAMESPACE}"><url>{"<a>" * 10_000}{"</a>" * 10_000}<loc>{HOME}/</loc></url></urlset>',
        f'<urlset xmlns="{NAMESPACE}">{"<url>" * 10_000}',
        f'<urlset xmlns="{NAMESPACE}"><url a="{"x" * 1_000_000}"><loc>{HOME}/</loc></url></urlset>',
        f'<urlset xmlns="{NAMESPACE}"><url {MANY_ATTRIBUTES}><loc>{HOME}/</loc></url></urlset>',
        "<!--" * 300_000,
        "{{" * 500_000,
        f'<urlset xmlns="{NAMESPACE}"><url><loc>' + "{{" * 300_000,
        f'<urlset xmlns="{NAMESPACE}">' + "<!--" * 200_000 + "{{}}",
        "<%" * 300_000 + "<urlset>",
        f'<urlset xmlns="{NAMESPACE}"><url><loc>' + "&amp;" * 300_000 + "</loc></url></urlset>",
        f'<urlset xmlns="{NAMESPACE}">' + "".join(f"<url><a{n}/></url>" for n in range(5000)) + "</urlset>",
        "\n" * 1_000_000 + "x",
        ("\n" * 99 + "<") * 10_000,
        "---\n" * 300_000,
        "h" + ":" * 500_000,
    ],
    ids=lambda content: content[:30] + str(len(content)),
)
def test_hostile_text_is_judged_in_bounded_time(run: Run, write: Write, content: str) -> None:
    write("sitemap.xml", content)
    started = time.process_time()
    outcome = run("sitemap.xml")
    assert outcome.report["findings"]
    assert time.process_time() - started < 20  # quadratic behaviour would take hours


@pytest.mark.skipif(sys.platform == "win32", reason="such names cannot exist")
def test_names_with_spaces_newlines_and_other_bytes_are_shown_escaped(run: Run, write: Write, tmp_path: Path) -> None:
    write("my sitemap\n\x1b[31m.xml", urlset("/a"))
    report = run(".").report
    assert report["findings"][0]["document"] == "my sitemap\n\x1b[31m.xml"
    text = run(".", format="text").stdout
    assert "my sitemap\\n\\x1b[31m.xml:3:6" in text
    assert "\x1b" not in text


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not keep names with any bytes")
def test_a_name_that_is_not_utf8_is_read_and_shown(run: Run, tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/sitemap-\xff.xml"
    with open(name, "wb") as file:
        file.write(urlset("/a").encode())
    outcome = run(".")
    assert outcome.report["documents"][0]["location"] == "sitemap-\\xff.xml"
    assert outcome.rules() == ["loc-not-absolute"]
    assert "sitemap-\\xff.xml:3" in run(os.fsdecode(name), format="text").stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no symbolic links and pipes")
def test_links_in_loops_pipes_and_directories_are_findings(run: Run, write: Write, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    os.symlink("loop.xml", tmp_path / "site/loop.xml")
    os.symlink("sitemap-loop.xml", tmp_path / "site/sitemap-loop.xml")
    os.symlink("a" * 300, tmp_path / "site/sitemap-far.xml")  # leads to a name that no file can have
    os.symlink(tmp_path / "site", tmp_path / "site/again")
    os.mkfifo(tmp_path / "site/sitemap-pipe.xml")
    (tmp_path / "site/sitemap.xml").mkdir()
    outcome = run("site")
    assert sorted((f["rule"], f["document"]) for f in outcome.report["findings"]) == [
        ("fetch-failed", "site/sitemap-far.xml"),
        ("fetch-failed", "site/sitemap-loop.xml"),
        ("fetch-refused", "site/sitemap-pipe.xml"),
    ]
    assert run("site/loop.xml").rules() == ["fetch-failed"]
    assert run("site/sitemap-far.xml").rules() == ["fetch-failed"]
    assert run("site/sitemap.xml").rules() == ["sitemap-missing"]


def test_a_file_that_vanishes_between_reading_and_reporting_loses_only_its_lines(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sitemap.xml", urlset("http://localhost/a"))
    from sitemap_action import check

    finish = check.Checker.finish

    def vanish(self: check.Checker) -> object:
        (tmp_path / "sitemap.xml").unlink(missing_ok=True)
        return finish(self)

    monkeypatch.setattr(check.Checker, "finish", vanish)
    finding = run("sitemap.xml").finding("loc-local-host")
    assert (finding["line"], finding["url"], finding["count"]) == (None, None, 1)


def test_exact_lines_beyond_65535(run: Run, write: Write) -> None:
    entries = [f"<url>\n<loc>{HOME}/{number}</loc>\n</url>" for number in range(30_000)]
    entries.append("<url>\n  <!-- é -->  <loc>/late</loc>\n</url>")
    write("sitemap.xml", urlset(*entries))
    finding = run("sitemap.xml").finding("loc-not-absolute")
    assert (finding["line"], finding["column"]) == (90_004, 15)


# From a small process: a child counts the memory of the one that it was split off, and that of pytest is large.
_MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print("\\n%d" % resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def _measured(arguments: list[str]) -> tuple[subprocess.CompletedProcess[str], float]:
    """The command in a process of its own, and the peak of its memory in MB."""
    command = [sys.executable, "-c", _MEASURE, sys.executable, "-m", "sitemap_action", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    done.stdout, _, peak = done.stdout.rstrip().rpartition("\n")
    return done, int(peak) / (1024 if sys.platform == "linux" else 1024 * 1024)


@pytest.mark.parametrize(
    "line",
    [
        b"a" + b" " * 400_000,
        b"a " * 200_000,
        b"Sitemap" + b" " * 400_000 + b":x",
        b"-" * 400_000,
        b"Sitemp: " + b"/" * 400_000 + b" x",
    ],
)
def test_a_long_line_of_robots_txt_takes_no_longer_than_it_is_long(run: Run, write: Write, line: bytes) -> None:
    write("site/robots.txt", line + b"\x01\nSitemap: https://www.acme.example/sitemap.xml\n")
    write("site/sitemap.xml", urlset("https://www.acme.example/"))
    start = time.monotonic()
    assert "fetch-failed" not in run("site").rules()
    assert time.monotonic() - start < 10  # it took hours


@pytest.mark.parametrize("gap", [" " * 1_000_000, "> " * 500_000, "\n<url>" * 50_000])
def test_a_long_gap_between_entries_takes_no_longer_than_it_is_long(run: Run, write: Write, gap: str) -> None:
    entry = "<url><loc>https://www.acme.example/</loc></url>"
    path = write("sitemap.xml", urlset(entry + entry + gap + "<url><x/></url>"))
    start = time.monotonic()
    run(path)
    assert time.monotonic() - start < 60  # it took minutes


def test_a_long_word_in_a_tag_takes_no_longer_than_it_is_long(run: Run, write: Write) -> None:
    entry = f"<url><loc>https://www.acme.example/</loc><{'x' * 400_000}/></url>"
    path = write("sitemap.xml", urlset(entry, entry))
    started = time.process_time()
    run(path)
    assert time.process_time() - started < 20  # it took a quarter of an hour


@pytest.mark.parametrize(("times", "texts"), [(1, 20_000), (20_000, 1)])
def test_texts_between_elements_are_placed_in_time_in_one_entry_and_in_many(
    run: Run, write: Write, times: int, texts: int
) -> None:
    text = "<lastmod>2026-05-06</lastmod>\rtext"
    path = write("sitemap.xml", urlset(*[f"<url><loc>https://www.acme.example/</loc>{text * texts}</url>"] * times))
    started = time.process_time()
    outcome = run(path)
    assert outcome.finding("text-unexpected")["count"] == times * texts
    assert outcome.finding("text-unexpected")["line"] >= 4
    assert time.process_time() - started < 20  # it took many minutes


def test_a_namespace_of_its_own_for_each_entry_takes_no_longer_than_the_entries(run: Run, write: Write) -> None:
    entry = "<url><loc>https://www.acme.example/{0}</loc><x:a xmlns:x='http://b.example/{0}'/></url>"
    path = write("sitemap.xml", urlset(*(entry.format(number) for number in range(50_000))))
    started = time.process_time()
    outcome = run(path)
    assert outcome.finding("extension-namespace-unknown")["count"] == 50_000
    assert outcome.finding("extension-namespace-unknown")["line"] == 3
    assert time.process_time() - started < 40  # it took minutes


def test_a_child_on_another_host_that_lies_in_the_directory_is_only_that(run: Run, write: Write) -> None:
    write("site/CNAME", "www.acme.example")
    entry = "<sitemap><loc>https://old.acme.example/a.xml</loc><lastmod>2020-01-01</lastmod></sitemap>"
    write(
        "site/sitemap.xml",
        index("https://www.acme.example/b.xml").replace("</sitemapindex>", entry + "</sitemapindex>"),
    )
    for name in ("a", "b"):
        write(
            f"site/{name}.xml",
            urlset(f"<url><loc>https://www.acme.example/{name}</loc><lastmod>2026-01-01</lastmod></url>"),
        )
    assert "index-lastmod-stale" not in run("site").rules()


def test_an_entry_begins_behind_the_comment_before_it(run: Run, write: Write) -> None:
    """Generators write comments between entries; the line is that of the entry that lacks something."""
    entries = ["<!-- no\nname --><url><priority>0.5</priority></url>"] * 5
    path = write("sitemap.xml", urlset("<url><loc>https://www.acme.example/</loc></url>", *entries))
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [finding for finding in run(path).report["findings"] if finding["rule"] == "loc-missing"]
    assert len({finding["line"] for finding in found}) == len(found) == 5
    assert {lines[finding["line"] - 1] for finding in found} == {"name --><url><priority>0.5</priority></url>"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<a>" * 1_001, "its elements are nested more than 1,000 deep"),
        (
            "<url>" + "<x/>" * 260_000 + "</url>",
            "one of its entries has hundreds of thousands of elements and attributes",
        ),
    ],
)
def test_what_would_take_all_memory_is_refused_in_words(run: Run, write: Write, text: str, words: str) -> None:
    write("sitemap.xml", f'<urlset xmlns="{NAMESPACE}">{text}</urlset>')
    outcome = run("sitemap.xml")
    assert outcome.rules() == ["fetch-refused"]
    assert words in outcome.finding("fetch-refused")["message"]


def test_a_feed_that_goes_deep_is_refused_as_well(run: Run, write: Write) -> None:
    write("feed.xml", f'<rss version="2.0"><channel>{"<a>" * 1_001}')
    assert run("feed.xml").rules() == ["fetch-refused"]


def test_a_file_that_is_read_piece_by_piece_is_read_as_a_whole(run: Run, write: Write) -> None:
    """Texts, characters and tags lie across the borders of pieces."""
    entries = "".join(f"<url><loc><![CDATA[https://www.acme.example/€/{n}]]></loc></url>\n" for n in range(30_000))
    write("sitemap.xml", f'<urlset xmlns="{NAMESPACE}">{entries}<url><loc>None/x</loc></url></urlset>')
    report = run("sitemap.xml", "--ignore", "loc-not-escaped").report
    assert report["urls"] == 30_001
    assert [(f["rule"], f["line"]) for f in report["findings"]] == [("loc-not-absolute", 30_001)]


@pytest.mark.parametrize("uri", ["a b c", "a\u2028b", "a\u2003b\u2028c", "\u2028", "&#x2028;a&#x2003;"])
@pytest.mark.parametrize("place", ["urlset", "url", "news:news"])
def test_a_namespace_with_a_space_is_named_whoever_trips_over_it(run: Run, write: Write, uri: str, place: str) -> None:
    opening = {name: f'<{name} xmlns:news="{uri}">' if name == place else f"<{name}>" for name in ("url", "news:news")}
    own = f' xmlns:news="{uri}"' if place == "urlset" else ""
    record = f'{opening["news:news"]}<news:title xml:lang="en">x</news:title></news:news>'
    url = f"{opening['url']}<loc>https://www.acme.example/</loc>{record}</url>"
    write("sitemap.xml", f'<urlset xmlns="{NAMESPACE}"{own}>{url}</urlset>')
    rules = run("sitemap.xml").rules()
    assert {"extension-namespace-unknown", "extension-namespace-wrong"} & {*rules}
