"""Live pages once more: what a server may do to us, and we to it."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

import pytest
from conftest import Run
from origins import Origin, reset
from pages import HTML, about_pages, page, scope_evidence, serve

from sitemap_action.net.links import canonical_links

NOINDEX = '<meta name="robots" content="noindex">'


# Crawl-delay


def test_with_a_long_crawl_delay_nothing_is_asked_for_again(run: Run, origin: Origin) -> None:
    serve(origin, "/a", "/b", robots="User-agent: *\nCrawl-delay: 3600")
    origin.fault("/a", reset())
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("inconclusive", "/a")]


def test_the_pace_of_one_origin_is_not_that_of_its_neighbour(run: Run, origin: Origin) -> None:
    serve(origin, "/a", robots="User-agent: *\nCrawl-delay: 3600")
    with Origin() as other:
        serve(other, "/a", "/b", "/c")
        outcome = run(origin.url, other.url, "--pages")
        assert other.count("/c") == 1
    assert outcome.report["pages"] == {"listed": 4, "checked": 4}


@pytest.mark.parametrize("delay", ["nan", "-1", "inf", "soon", "0", ""])
def test_a_crawl_delay_that_is_none_does_no_harm(run: Run, origin: Origin, delay: str) -> None:
    serve(origin, "/a", "/b", robots=f"User-agent: *\nCrawl-delay: {delay}")
    assert run(origin.url, "--pages").report["pages"]["checked"] >= 1


# Redirects


@pytest.mark.parametrize(
    "target",
    ["/walled", "http://10.0.0.1/x", "http://nowhere.invalid/", "/r", "javascript:alert(1)", "https://[::1", "//"],
)
def test_a_redirect_is_one_wherever_it_leads(run: Run, origin: Origin, target: str) -> None:
    serve(origin, "/", "/r")
    origin.put("/walled", "no", status=403)
    origin.redirect("/r", target)
    outcome = run(origin.url, "--pages", "--fail-on", "warning")
    assert about_pages(outcome, origin.url) == [("redirects", "/r")]
    assert outcome.exit_code == 1
    assert origin.count("/walled") == 0


def test_many_redirects_into_nowhere_do_not_hide_the_rest(run: Run, origin: Origin) -> None:
    paths = [f"/r{number}" for number in range(40)]
    serve(origin, *paths, "/gone")
    for path in paths:
        origin.redirect(path, "http://10.0.0.1/")
    origin.put("/gone", "", status=404)
    outcome = run(origin.url, "--pages")
    assert outcome.finding("page-missing")["url"] == f"{origin.url}/gone"
    assert outcome.finding("page-redirects")["count"] == 40


def test_a_redirect_without_a_target_is_told_with_its_status(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/r")
    origin.put("/r", "", status=304)
    outcome = run(origin.url, "--pages")
    assert outcome.finding("page-redirects")["message"] == "Listed, but it answers 304 Not Modified."


# robots.txt


@pytest.mark.parametrize(
    "robots",
    ["Useragent: *\nDisallow: /b", "User agent: *\nDisallow: /b", "User-agent: *\nDissallow: /b\nDisallow: /zz"],
)
def test_what_the_parser_of_robots_txt_understands_is_not_asked_for(run: Run, origin: Origin, robots: str) -> None:
    serve(origin, "/", "/b", robots=robots)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("blocked-by-robots", "/b")]
    assert origin.count("/b") == 0


@pytest.mark.parametrize("path", ["/./b", "/x/../b"])
def test_dots_lead_past_no_robots_txt(run: Run, origin: Origin, path: str) -> None:
    serve(origin, "/", path, robots="User-agent: *\nDisallow: /b")
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("blocked-by-robots", path)]
    assert origin.count("/b") == 0


# Servers in trouble


@pytest.mark.parametrize("status", [500, 502])
def test_a_server_that_answers_every_page_with_an_error_is_left_alone(run: Run, origin: Origin, status: int) -> None:
    paths = [f"/p{number}" for number in range(70)]
    serve(origin, *paths)
    for path in paths:
        origin.put(path, "", status=status)
    outcome = run(origin.url, "--pages", "--retries", "0", "--concurrency", "4")
    assert outcome.report["pages"]["checked"] <= 35
    assert "the rest was not asked for" in scope_evidence(outcome)


def test_a_server_that_answers_head_wrongly_is_asked_once_more(run: Run, origin: Origin) -> None:
    serve(origin, "/", "/a.pdf")
    origin.put("/a.pdf", b"%PDF", type="application/pdf")
    origin.head_status = 404
    assert about_pages(run(origin.url, "--pages"), origin.url) == []


# Heads


@pytest.mark.parametrize(
    "bait",
    [
        "<script>w.write('<html><head></head><body>')\n" + "x;" * 5_000 + "</script>",
        "<!-- <body class=old> -->" + "<style>" + "a{}" * 3_000 + "</style>",
        "<title>About </head> and <body></title>" + "<!--" + "-" * 9_000 + "-->",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_bait_in_the_head_does_not_end_it(run: Run, origin: Origin, bait: str, packed: bool) -> None:
    serve(origin, "/", "/a")
    body = page(bait + NOINDEX).encode()
    headers = {"Content-Encoding": "gzip"} if packed else {}
    origin.put("/a", gzip.compress(body) if packed else body, headers=headers, type=HTML)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("noindex", "/a")]


@pytest.mark.parametrize(
    ("headers", "body", "type", "found"),
    [
        ({"Content-Encoding": "br"}, b"\x0b\x02\x80", HTML, "inconclusive"),
        ({}, page(NOINDEX).encode("utf-16-le"), "text/html; charset=utf-16le", "noindex"),
        ({}, page(NOINDEX).encode("utf-16-be"), "text/html; charset=UTF-16BE", "noindex"),
    ],
)
def test_what_cannot_be_read_is_not_called_good(
    run: Run, origin: Origin, headers: dict[str, str], body: bytes, type: str, found: str
) -> None:
    serve(origin, "/", "/a")
    origin.put("/a", body, headers=headers, type=type)
    assert about_pages(run(origin.url, "--pages"), origin.url) == [(found, "/a")]


def test_each_line_of_x_robots_tag_stands_for_itself(run: Run, origin: Origin) -> None:
    from origins import send

    serve(origin, "/", "/a")
    lines = "X-Robots-Tag: otherbot: nofollow\r\nX-Robots-Tag: noindex\r\n"
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{lines}Content-Length: 5\r\n\r\n<p>Hi"
    origin.fault("/a", send(head.encode()))
    assert about_pages(run(origin.url, "--pages"), origin.url) == [("noindex", "/a")]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ('<https://a.example/x>; rel="canonical"', ["https://a.example/x"]),
        ('<https://a.example/x>; title="a, b; rel=next"; rel="next canonical"', ["https://a.example/x"]),
        ("</style.css>; rel=preload; as=style, </x>;rel=canonical", ["/x"]),
        ('</x>; REL="Canonical"', ["/x"]),
        ('</x>; rel="not-canonical"', []),
        ('</x>; rel="https://schema.example/canonical"', []),
        ('</x>; rel="alternate"; foo="; rel=canonical"', []),
        ("</x>; rel=alternate; rel=canonical", []),
        ('</x>; rel="canonical"; anchor="/other"', []),
        ("rel=canonical", []),
        ("", []),
        ("</x>" + "; a=b" * 9_000, []),
        ("<" * 30_000, []),
        ("</x>;" + " " * 19_000 + "rel", []),
    ],
)
def test_link_headers_are_read_as_they_are_meant(header: str, found: Sequence[str]) -> None:
    assert list(canonical_links(header)) == found
