"""Live pages: asked for politely, and judged by what the server says."""

from __future__ import annotations

import gzip
import io
import itertools
from pathlib import Path

import pytest
from conftest import Run, urlset
from origins import Origin, bomb, drip, fake_network, reset
from pages import HTML, about_pages, page, scope_evidence, serve

from sitemap_action.command.progress import Progress


def test_live_pages_are_looked_at_only_if_that_is_asked_for(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/a")
    outcome = run(origin.url)
    assert (outcome.report["pages"], origin.count("/a")) == (None, 0)
    outcome = run(origin.url, "--pages")
    assert outcome.report["findings"] == []
    assert outcome.report["pages"] == {"listed": 2, "checked": 2}
    assert origin.count("/a") == 1


@pytest.mark.parametrize("status", [404, 410, 500, 418, 204])
def test_a_page_that_is_not_there_is_a_warning_at_its_line(run: Run, origin: Origin, status: int) -> None:
    serve(origin, "/", "/gone")
    origin.put("/gone", page(), status=status, type=HTML)
    outcome = run(origin.url, "--pages", "--retries", "0")
    assert about_pages(outcome, origin.url) == [("missing", "/gone")]
    finding = outcome.finding("page-missing")
    assert (finding["severity"], finding["line"]) == ("warning", 4)
    assert str(status) in finding["message"]
    assert outcome.exit_code == 0


def test_a_redirect_is_told_with_its_target_and_nothing_else(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/old", "/lost")
    origin.redirect("/old", "/new")
    origin.put("/new", page('<meta name="robots" content="noindex">'), type=HTML)
    origin.redirect("/lost", "/nowhere", 302)
    outcome = run(origin.url, "--pages")
    assert about_pages(outcome, origin.url) == [("redirects", "/old"), ("redirects", "/lost")]
    messages = [finding["message"] for finding in outcome.report["findings"]]
    assert f"it answers 301 Moved Permanently and redirects to {origin.url}/new." in messages[0]
    assert "it answers 302 Found and redirects to" in messages[1]
    assert origin.count("/new") == origin.count("/nowhere") == 0  # that it redirects is all there is to know


@pytest.mark.parametrize(
    ("headers", "head", "rule"),
    [
        ({"X-Robots-Tag": "noindex"}, "", "noindex"),
        ({"X-Robots-Tag": "otherbot: noindex"}, "", None),
        ({}, '<meta name="robots" content="noindex">', "noindex"),
        ({"Link": '<https://other.example.net/x>; rel="canonical"'}, "", "canonical-elsewhere"),
        ({"Link": "</a>; rel=canonical, </style.css>; rel=preload"}, "", None),
        ({"Link": '<https://x.example.net/>; rel="alternate"'}, "", None),
        ({}, '<link rel="canonical" href="/b">', "canonical-elsewhere"),
        ({}, '<meta http-equiv="refresh" content="0;url=/b">', "redirects"),
    ],
)
def test_headers_and_heads_are_read(
    run: Run, origin: Origin, headers: dict[str, str], head: str, rule: str | None
) -> None:
    serve(origin, "/", "/a")
    origin.put("/a", page(head), headers=headers, type=HTML)
    assert about_pages(run(origin.url, "--pages"), origin.url) == ([(rule, "/a")] if rule else [])


@pytest.mark.parametrize("status", [401, 403, 429])
def test_a_page_behind_a_wall_is_not_judged(run: Run, origin: Origin, status: int) -> None:
    serve(origin, "/", "/intern")
    origin.put("/intern", "no", status=status, type=HTML)
    outcome = run(origin.url, "--pages", "--retries", "0")
    assert about_pages(outcome, origin.url) == [("inconclusive", "/intern")]
    assert outcome.finding("page-inconclusive")["severity"] == "notice"
    assert (outcome.report["verdict"], outcome.exit_code) == ("pass", 0)


def test_a_page_that_fails_on_the_way_is_not_judged(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/reset")
    origin.fault("/reset", reset())
    assert about_pages(run(origin.url, "--pages", "--retries", "0"), origin.url) == [("inconclusive", "/reset")]


def test_a_page_that_recovers_is_no_finding(run: Run, origin: Origin) -> None:
    from origins import Answer

    serve(origin, "/", "/busy")
    origin.sequence("/busy", Answer(503, "", {"Retry-After": "0"}), Answer(200, page(), type=HTML))
    assert about_pages(run(origin.url, "--pages"), origin.url) == []
    assert origin.count("/busy") == 2


def test_a_server_that_fails_for_every_page_is_left_alone_after_a_while(run: Run, origin: Origin) -> None:
    paths = [f"/p{number}" for number in range(80)]
    serve(origin, *paths)
    for path in paths:
        origin.put(path, "no", status=403, type=HTML)
    outcome = run(origin.url, "--pages", "--concurrency", "4")
    checked = outcome.report["pages"]["checked"]
    assert 25 <= checked <= 40
    assert "the rest was not asked for" in scope_evidence(outcome)
    assert sum(origin.count(path) for path in paths) <= checked + 5


# Politeness


def test_what_robots_txt_forbids_is_not_asked_for(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/intern/a", robots="User-agent: *\nDisallow: /intern/")
    outcome = run(origin.url, "--pages")
    assert about_pages(outcome, origin.url) == [("blocked-by-robots", "/intern/a")]
    assert "robots.txt line 2 (`Disallow: /intern/`)" in outcome.finding("page-blocked-by-robots")["message"]
    assert origin.count("/intern/a") == 0


def test_a_crawl_delay_is_kept(run: Run, origin: Origin) -> None:
    paths = [f"/p{number}" for number in range(5)]
    serve(origin, *paths, robots="User-agent: *\nCrawl-delay: 0.2")
    assert about_pages(run(origin.url, "--pages"), origin.url) == []
    times = sorted(request.at for request in origin.requests if request.path in paths)
    assert min(later - earlier for earlier, later in itertools.pairwise(times)) > 0.15


def test_a_long_crawl_delay_takes_fewer_pages_and_says_so(run: Run, origin: Origin) -> None:
    serve(origin, *(f"/p{number}" for number in range(9)), robots="User-agent: *\nCrawl-delay: 1800")
    outcome = run(origin.url, "--pages")
    assert outcome.report["pages"] == {"listed": 9, "checked": 1}
    assert "robots.txt asks for 1800 seconds" in scope_evidence(outcome)


def test_not_more_at_a_time_than_allowed(run: Run, origin: Origin) -> None:
    serve(origin, *(f"/p{number}" for number in range(24)))
    origin.delay = 0.02
    run(origin.url, "--pages", "--concurrency", "3")
    assert origin.most_at_once == 3


def test_an_even_sample_that_is_the_same_each_time(run: Run, origin: Origin) -> None:
    paths = [f"/p{number:02}" for number in range(40)]
    serve(origin, *paths)
    outcome = run(origin.url, "--pages", "--pages-limit", "8")
    asked = sorted(request.path for request in origin.requests if request.path in paths)
    assert asked == paths[::5]
    assert outcome.report["pages"] == {"listed": 40, "checked": 8}
    assert "checked 8 of 40 listed pages" in scope_evidence(outcome)


def test_a_file_that_is_no_page_is_asked_for_its_head_only(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/a.pdf", "/b.pdf", "/c.pdf")
    origin.put("/a.pdf", b"%PDF" * 9000, type="application/pdf", headers={"X-Robots-Tag": "noindex"})
    origin.put("/b.pdf", "", status=404)
    origin.redirect("/c.pdf", "/a.pdf")
    outcome = run(origin.url, "--pages")
    assert about_pages(outcome, origin.url) == [("noindex", "/a.pdf"), ("missing", "/b.pdf"), ("redirects", "/c.pdf")]
    # A bad answer to HEAD is not believed.
    asked = [(request.method, request.path[1:]) for request in origin.requests if request.path.endswith(".pdf")]
    assert sorted(asked) == [
        ("GET", "b.pdf"),
        ("GET", "c.pdf"),
        ("HEAD", "a.pdf"),
        ("HEAD", "b.pdf"),
        ("HEAD", "c.pdf"),
    ]


def test_a_server_that_knows_no_head_is_asked_with_get(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/a.pdf")
    origin.put("/a.pdf", b"%PDF", type="application/pdf")
    origin.knows_head = False
    assert about_pages(run(origin.url, "--pages"), origin.url) == []
    assert [request.method for request in origin.requests if request.path == "/a.pdf"] == ["HEAD", "GET"]


def test_no_more_of_a_page_is_read_than_its_head(run: Run, origin: Origin) -> None:
    """The rest would drip for minutes."""
    head = page('<meta name="robots" content="noindex">').partition("<body>")[0]
    serve(origin, "/", "/long")
    start = (
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n" + head.encode() + b" " * 5_000
    )
    origin.fault("/long", drip(start, b"x" * 90_000, 0.05))
    assert about_pages(run(origin.url, "--pages", "--timeout", "10"), origin.url) == [("noindex", "/long")]


def test_packed_pages_are_read_and_bombs_are_not(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/packed", "/bomb")
    packed = gzip.compress(page('<meta name="robots" content="noindex">').encode())
    origin.put("/packed", packed, headers={"Content-Encoding": "gzip"}, type=HTML)
    origin.put("/bomb", bomb(300_000_000), headers={"Content-Encoding": "gzip"}, type=HTML)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("noindex", "/packed")]


@pytest.mark.parametrize(
    ("type", "body"),
    [
        (
            "text/html; charset=iso-8859-1",
            page('<meta name="robots" content="noindex">', "Caf\u00e9").encode("latin-1"),
        ),
        ("text/html", b"\xef\xbb\xbf" + page('<meta name="robots" content="noindex">').encode()),
        ("text/html", page('<meta name="robots" content="noindex">').encode("utf-16")),
        ("application/xhtml+xml", page('<meta name="robots" content="noindex"/>').encode()),
        ("", page('<meta name="robots" content="noindex">').encode()),
    ],
)
def test_pages_in_any_encoding_are_read(run: Run, origin: Origin, type: str, body: bytes) -> None:
    serve(origin, "/", "/a")
    origin.put("/a", body, type=type)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("noindex", "/a")]


# Dates


@pytest.mark.parametrize(
    ("headers", "differs"),
    [
        ({"Last-Modified": "Wed, 06 May 2026 10:00:00 GMT"}, False),
        ({"Last-Modified": "Sun, 10 May 2026 10:00:00 GMT"}, True),
        ({"Last-Modified": "Sun, 10 May 2026 10:00:00 GMT", "Date": "Sun, 10 May 2026 10:00:01 GMT"}, False),
        ({"Last-Modified": "never"}, False),
    ],
)
def test_the_date_of_an_entry_is_compared_with_the_servers(
    run: Run, origin: Origin, headers: dict[str, str], differs: bool
) -> None:
    serve(origin, "/", f"<url><loc>{origin.url}/a</loc><lastmod>2026-05-06</lastmod></url>")
    origin.put("/a", page(), headers=headers, type=HTML)
    outcome = run(origin.url, "--pages")
    assert ("page-lastmod-mismatch" in outcome.rules()) == differs


def test_the_day_of_a_deployment_is_no_date_of_the_pages(run: Run, origin: Origin) -> None:
    paths = [f"/p{number}" for number in range(7)]
    entry = "<url><loc>{}{}</loc><lastmod>2026-0{}-06</lastmod></url>"
    serve(origin, *(entry.format(origin.url, path, number + 1) for number, path in enumerate(paths)))
    for number, path in enumerate(paths):
        day = "Sun, 10 May 2015" if number == 3 else "Sat, 14 Nov 2026"
        origin.put(path, page(), headers={"Last-Modified": f"{day} 10:00:00 GMT"}, type=HTML)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("lastmod-mismatch", "/p3")]


# A preview


def test_the_pages_of_a_preview_are_asked_for_there_and_its_own_noindex_is_no_matter(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_network(monkeypatch, {}, {})
    site = "https://www.acme.example"
    origin.put("/robots.txt", "User-agent: *\nDisallow: /\n", type="text/plain")
    origin.put("/sitemap.xml", urlset(f"{site}/", f"{site}/a", f"{site}/old", f"{site}/gone"))
    for path in ("/", "/a"):
        body = page(f'<link rel="canonical" href="{site}{path}">')
        origin.put(path, body, headers={"X-Robots-Tag": "noindex"}, type=HTML)
    origin.redirect("/old", "/a")
    outcome = run(origin.url, "--site-url", site, "--pages")
    found = [(f["rule"], f["url"]) for f in outcome.report["findings"] if f["rule"].startswith("page-")]
    assert found == [("page-redirects", f"{site}/old"), ("page-missing", f"{site}/gone")]
    assert f"redirects to {site}/a." in outcome.finding("page-redirects")["message"]


def test_another_scheme_or_host_is_a_rules_matter_and_not_asked_for(run: Run, origin: Origin) -> None:
    serve(
        origin,
        "/",
        f"<url><loc>{origin.url.replace('http:', 'https:')}/a</loc></url>",
        "<url><loc>http://x.example.net/</loc></url>",
    )
    origin.put("/a", page(), type=HTML)
    outcome = run(origin.url, "--pages")
    assert about_pages(outcome, origin.url) == []
    assert outcome.report["pages"] == {"listed": 2, "checked": 2}


def test_a_single_sitemap_of_an_origin_has_pages_as_well(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/gone")
    origin.put("/gone", "", status=404)
    assert about_pages(run(f"{origin.url}/sitemap.xml", "--pages"), origin.url) == [("missing", "/gone")]


def test_an_origin_that_cannot_be_judged_is_not_asked_for_pages(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "no", status=403)
    origin.fallback = origin.fallback.__class__(403, "no")
    outcome = run(origin.url, "--pages")
    assert (outcome.exit_code, outcome.report["pages"]) == (3, None)


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_tells_how_long_it_will_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    now = 0.0
    stream = Terminal()
    shown = Progress(stream, wanted=True, clock=lambda: now)
    for done in range(0, 301, 10):
        now = done * 1.0
        shown.show_page(done, 400, f"https://www.acme.example/{done}")
    lines = stream.getvalue().split("\r\x1b[K")
    assert "100 of 400 pages, about 5 min left, https://www.acme.example/100" in lines
    assert "300 of 400 pages, about 2 min left" in lines[-1]
    now = 1_000.0
    shown.show_page(0, 100_000, "x")
    now = 1_010.0
    shown.show_page(10, 100_000, "x")
    assert "about 27.8 h left" in stream.getvalue()
    shown.clear()
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_directory_needs_no_network_for_its_pages(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_network(monkeypatch, {}, {})
    (tmp_path / "sitemap.xml").write_text(urlset("https://www.acme.example/"), encoding="utf-8")
    (tmp_path / "index.html").write_text(page(), encoding="utf-8")
    assert run(tmp_path).exit_code == 0
