"""Live indexes and scope: children in order, circles and limits, whose URLs a sitemap may list, previews."""

from __future__ import annotations

import gzip
from typing import Any

import pytest
from conftest import Outcome, Run, index, urlset
from origins import LOOPBACK, OK, Fault, Origin, fake_network, reset, send

PLAIN = "text/plain"
PAGE = urlset("{origin}/")
SITE = "https://www.acme.example"
PREVIEW = ("--site-url", SITE)
RSS = """<rss version="2.0"><channel><title>News</title><link>{origin}/</link><description>News</description>
<item><title>One</title><link>{origin}/rss</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>{origin}/</id>
<updated>2026-01-01T00:00:00Z</updated><entry><title>One</title><id>{origin}/1</id>
<updated>2026-01-01T00:00:00Z</updated><link href="{origin}/atom"/></entry></feed>"""


def paths(outcome: Outcome, origin: Origin) -> list[str]:
    return [document["location"].removeprefix(origin.url) for document in outcome.report["documents"]]


def places(outcome: Outcome, rule: str, origin: Origin) -> list[tuple[str, int, str]]:
    """Where a rule fired: document, line and URL."""
    found = [finding for finding in outcome.report["findings"] if finding["rule"] == rule]
    return [(f["document"].removeprefix(origin.url), f["line"], f["url"].removeprefix(origin.url)) for f in found]


def late(body: str, origin: Origin) -> Fault:
    """An answer that takes its time."""
    data = body.replace("{origin}", origin.url).encode()
    return send(b"", [OK + b"Content-Length: %d\r\n\r\n" % len(data) + data], 0.3)


def document(outcome: Outcome, location: str) -> dict[str, Any]:
    found: dict[str, Any] = next(d for d in outcome.report["documents"] if d["location"] == location)
    return found


# Children


def test_children_stand_in_the_order_of_the_index_however_they_arrive(run: Run, origin: Origin) -> None:
    names = [f"/{name}.xml" for name in "dacbe"]
    origin.put("/sitemap.xml", index(*("{origin}" + name for name in names)))
    for name in names:
        origin.put(name, urlset("{origin}" + name + "/page"))
    origin.fault("/d.xml", late(urlset("{origin}/d.xml/page"), origin))
    outcome = run(origin.url)
    assert paths(outcome, origin) == ["/sitemap.xml", *names]
    assert {d["parent"] for d in outcome.report["documents"][1:]} == {f"{origin.url}/sitemap.xml"}
    assert (outcome.rules(), outcome.report["urls"]) == ([], 5)


def test_children_may_be_gzip_text_rss_and_atom(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{name}" for name in ("a.xml.gz", "b.txt", "c.rss", "d.atom"))))
    origin.put("/a.xml.gz", gzip.compress(urlset(f"{origin.url}/gz").encode()), type="application/gzip")
    origin.put("/b.txt", "{origin}/text\n", type="text/plain; charset=utf-8")
    origin.put("/c.rss", RSS, type="application/rss+xml")
    origin.put("/d.atom", ATOM, type="application/atom+xml")
    outcome = run("--ignore", "lastmod-stale", origin.url)
    formats = [document["format"] for document in outcome.report["documents"]]
    assert formats == ["sitemapindex", "urlset", "text", "rss", "atom"]
    assert (outcome.rules(), outcome.report["urls"]) == ([], 4)


def test_pages_of_a_query_are_children_of_their_own(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/sitemap-blog.xml", "{origin}/sitemap-blog.xml?p=2&amp;s=new"))
    origin.put("/sitemap-blog.xml", urlset("{origin}/1"))
    origin.put("/sitemap-blog.xml?p=2&s=new", urlset("{origin}/2"))
    outcome = run(origin.url)
    assert paths(outcome, origin) == ["/sitemap.xml", "/sitemap-blog.xml", "/sitemap-blog.xml?p=2&s=new"]
    assert (outcome.rules(), outcome.report["urls"]) == ([], 2)
    assert paths(run(f"{origin.url}/sitemap-blog.xml?p=2&s=new"), origin) == ["/sitemap-blog.xml?p=2&s=new"]


@pytest.mark.parametrize("status", [404, 410, 500, None])
def test_a_child_that_fails_is_one_error_at_its_line_of_the_index(run: Run, origin: Origin, status: int | None) -> None:
    origin.put("/sitemap.xml", index("{origin}/good.xml", "{origin}/bad.xml"))
    origin.put("/good.xml", PAGE)
    if status:
        origin.put("/bad.xml", "<html>no</html>", status=status, type="text/html")
    else:
        origin.fault("/bad.xml", reset())
    outcome = run("--retries", "0", origin.url)
    assert (outcome.rules(), outcome.exit_code) == (["index-child-unreachable"], 1)
    assert places(outcome, "index-child-unreachable", origin) == [("/sitemap.xml", 4, "/bad.xml")]
    assert document(outcome, f"{origin.url}/bad.xml")["http_status"] == status
    assert (outcome.report["urls"], outcome.report["steps"][1]["status"]) == (1, "fail")


def test_a_child_that_is_listed_twice_is_asked_for_once(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml", "{origin}/a.xml"))
    origin.put("/a.xml", urlset("{origin}/a"))
    origin.put("/b.xml", urlset("{origin}/b"))
    outcome = run(origin.url)
    assert places(outcome, "index-child-repeated", origin) == [("/sitemap.xml", 5, "/a.xml")]
    assert (outcome.rules(), origin.count("/a.xml")) == (["index-child-repeated"], 1)


def test_two_indexes_may_share_a_child(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/one.xml\nSitemap: {origin}/two.xml\n", type=PLAIN)
    origin.put("/one.xml", index("{origin}/shared.xml"))
    origin.put("/two.xml", index("{origin}/shared.xml", "{origin}/own.xml"))
    origin.put("/shared.xml", urlset("{origin}/shared"))
    origin.put("/own.xml", urlset("{origin}/own"))
    outcome = run(origin.url)
    assert paths(outcome, origin) == ["/one.xml", "/shared.xml", "/two.xml", "/own.xml"]
    assert (outcome.rules(), origin.count("/shared.xml"), outcome.report["urls"]) == ([], 1, 2)


def test_a_child_that_is_dated_older_than_its_entries_is_said_at_its_line(run: Run, origin: Origin) -> None:
    listed = "{origin}/a.xml</loc><lastmod>2025-01-01</lastmod></sitemap><sitemap><loc>{origin}/b.xml"
    origin.put("/sitemap.xml", index(listed))
    origin.put("/a.xml", urlset("<url><loc>{origin}/a</loc><lastmod>2025-03-01</lastmod></url>"))
    origin.put("/b.xml", urlset("<url><loc>{origin}/b</loc><lastmod>2025-03-02</lastmod></url>"))
    outcome = run("--ignore", "lastmod-stale", origin.url)
    assert outcome.rules() == ["index-lastmod-stale"]
    assert places(outcome, "index-lastmod-stale", origin) == [("/sitemap.xml", 3, "/a.xml")]


def test_a_repeat_across_children_names_the_place_where_the_url_stood_first(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/a.xml.gz", "{origin}/b.xml"))
    first = urlset(*(f"{origin.url}/{n}" for n in range(20)))
    origin.put("/a.xml.gz", gzip.compress(("\ufeff" + first).encode()), type="application/gzip")
    origin.put("/b.xml", urlset("{origin}/new", "{origin}/7"), headers={"X-Padding": "x"})
    outcome = run(origin.url)
    assert places(outcome, "loc-repeated", origin) == [("/b.xml", 4, "/7")]
    assert f"{origin.url}/a.xml.gz:10." in outcome.finding("loc-repeated")["message"]


# Circles and limits


def test_a_nested_index_is_an_error_and_is_followed(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/inner.xml"))
    origin.put("/inner.xml", index("{origin}/b.xml"))
    origin.put("/a.xml", urlset("{origin}/a"))
    origin.put("/b.xml", urlset("{origin}/b"))
    outcome = run(origin.url)
    assert paths(outcome, origin) == ["/sitemap.xml", "/a.xml", "/inner.xml", "/b.xml"]
    assert (outcome.rules(), outcome.report["urls"]) == (["index-nested"], 2)
    assert places(outcome, "index-nested", origin) == [("/sitemap.xml", 4, "/inner.xml")]
    assert document(outcome, f"{origin.url}/b.xml")["parent"] == f"{origin.url}/inner.xml"


@pytest.mark.parametrize("child", ["/sitemap.xml", "/again.xml", "/twice.xml"])
def test_an_index_that_lists_itself_is_a_circle_also_through_a_redirect(run: Run, origin: Origin, child: str) -> None:
    origin.redirect("/again.xml", "/sitemap.xml")
    origin.redirect("/twice.xml", "/again.xml")
    origin.put("/sitemap.xml", index("{origin}" + child, "{origin}/a.xml"))
    origin.put("/a.xml", PAGE)
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.report["urls"], outcome.exit_code) == (["index-cycle"], 1, 1)
    assert [place[:2] for place in places(outcome, "index-cycle", origin)] == [("/sitemap.xml", 3)]


def test_a_circle_through_a_child_is_said_where_it_closes(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/inner.xml"))
    origin.put("/inner.xml", index("{origin}/a.xml", "{origin}/sitemap.xml"))
    origin.put("/a.xml", PAGE)
    outcome = run(origin.url)
    assert outcome.rules() == ["index-nested", "index-cycle"]
    assert places(outcome, "index-cycle", origin) == [("/inner.xml", 4, "/sitemap.xml")]
    assert len(origin.requests) == len({request.path for request in origin.requests})


def test_indexes_without_end_are_followed_to_a_depth_and_no_further(run: Run, origin: Origin) -> None:
    for depth in range(50):
        origin.put(f"/{depth}.xml", index(f"{{origin}}/{depth + 1}.xml"))
    outcome = run(f"{origin.url}/0.xml")
    read = paths(outcome, origin)
    assert 3 < len(read) < 15
    assert outcome.rules() == ["index-nested"] * (len(read) - 1)
    assert "not followed" in outcome.report["findings"][-1]["message"]
    assert origin.count(f"/{len(read)}.xml") == 0


def test_the_most_sitemaps_end_in_one_finding_that_says_what_was_left_out(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(30))))
    for n in range(30):
        origin.put(f"/{n}.xml", urlset(f"{{origin}}/{n}"))
    outcome = run("--max-sitemaps", "5", origin.url)
    assert (outcome.rules(), outcome.exit_code) == (["fetch-refused"], 1)
    assert "26 of 30 children were not looked at" in outcome.finding("fetch-refused")["message"]
    assert [place[:2] for place in places(outcome, "fetch-refused", origin)] == [("/sitemap.xml", 7)]
    assert paths(outcome, origin) == ["/sitemap.xml", "/0.xml", "/1.xml", "/2.xml", "/3.xml"]
    assert sum(request.path[1:2].isdigit() for request in origin.requests) == 4


def test_named_sitemaps_that_are_too_many_are_counted_in_one_finding(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "".join(f"Sitemap: {{origin}}/{n}.xml\n" for n in range(20)), type=PLAIN)
    for n in range(20):
        origin.put(f"/{n}.xml", urlset(f"{{origin}}/{n}"))
    outcome = run("--max-sitemaps", "3", origin.url)
    assert (outcome.rules(), paths(outcome, origin)) == (["fetch-refused"], ["/0.xml", "/1.xml", "/2.xml"])
    assert "17 of the sitemaps" in outcome.finding("fetch-refused")["message"]


# Scope


@pytest.mark.parametrize(
    ("typed", "robots", "count"),
    [
        ("/blog/sitemap.xml", "User-agent: *", 1),
        ("/index.xml", "User-agent: *", 1),
        ("/blog/sitemap.xml", "Sitemap: {origin}/blog/sitemap.xml", 0),
        ("/index.xml", "Sitemap: {origin}/index.xml", 0),
        ("/", "Sitemap: {origin}/blog/sitemap.xml", 0),
        ("/", "Sitemap: {origin}/index.xml", 0),
    ],
)
def test_a_sitemap_speaks_for_its_folder_unless_robots_txt_names_it_or_its_index(
    run: Run, origin: Origin, typed: str, robots: str, count: int
) -> None:
    origin.put("/robots.txt", robots, type=PLAIN)
    origin.put("/index.xml", index("{origin}/blog/sitemap.xml"))
    origin.put("/blog/sitemap.xml", urlset("{origin}/blog/", "{origin}/about"))
    outcome = run(origin.url + typed)
    assert outcome.rules("warning") == ["loc-outside-path"] * count
    assert places(outcome, "loc-outside-path", origin) == [("/blog/sitemap.xml", 4, "/about")] * count


@pytest.mark.parametrize("line", ["Sitemap: {here}/sitemap.xml", "Sitemap: {here}/index.xml", "User-agent: *", ""])
def test_the_robots_txt_of_another_origin_vouches_for_the_sitemap_that_lists_it(
    run: Run, origin: Origin, line: str
) -> None:
    origin.put("/index.xml", index("{origin}/sitemap.xml"))
    with Origin() as other:
        origin.put("/sitemap.xml", urlset("{origin}/", f"{other.url}/a", f"{other.url}/b"))
        if line:
            other.put("/robots.txt", line.replace("{here}", origin.url), type=PLAIN)
        outcome = run(f"{origin.url}/index.xml")
        assert [request.path for request in other.requests] == ["/robots.txt"]
    assert outcome.rules() == ([] if "Sitemap" in line else ["loc-port-mismatch"] * 2)
    lines = [place[1] for place in places(outcome, "loc-port-mismatch", origin)]
    assert (lines, outcome.exit_code) == ([] if "Sitemap" in line else [4, 5], 0)


def test_a_host_that_says_nothing_is_a_mismatch_unless_it_is_allowed(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_network(monkeypatch, {"shop.acme.example": [["93.184.216.34"]]}, {"93.184.216.34": (LOOPBACK, origin.port)})
    origin.put("/sitemap.xml", urlset("{origin}/", "http://shop.acme.example/a"))
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.finding("loc-host-mismatch")["line"]) == (["loc-host-mismatch"], 4)
    assert run("--allow-host", "shop.acme.example", origin.url).rules() == []


def test_a_local_host_is_an_error_unless_it_was_typed(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/", "http://localhost:3000/about", "http://10.0.0.7/x"))
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.exit_code) == (["loc-local-host"] * 2, 1)
    assert [finding["line"] for finding in outcome.report["findings"]] == [4, 5]
    assert run("--allow-host", "localhost", "--allow-host", "10.0.0.7", origin.url).rules() == []


def test_a_child_on_another_host_is_fetched_and_reported(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Origin() as cdn:
        fake_network(monkeypatch, {"cdn.acme.example": [["93.184.216.34"]]}, {"93.184.216.34": (LOOPBACK, cdn.port)})
        origin.put("/sitemap.xml", index("http://cdn.acme.example/a.xml"))
        cdn.put("/a.xml", urlset(f"{origin.url}/"))
        outcome = run(origin.url)
        assert (outcome.rules(), outcome.report["urls"]) == (["index-child-other-host"], 1)
        assert places(outcome, "index-child-other-host", origin) == [
            ("/sitemap.xml", 3, "http://cdn.acme.example/a.xml")
        ]
        assert run("--allow-host", "cdn.acme.example", origin.url).rules() == []


def test_a_child_on_a_private_address_is_refused_and_never_contacted(run: Run, origin: Origin) -> None:
    with Origin() as inside:
        origin.put("/sitemap.xml", index(f"http://localhost:{inside.port}/a.xml", "{origin}/b.xml"))
        origin.put("/b.xml", PAGE)
        outcome = run(origin.url)
        assert "fetch-refused" in outcome.rules("error")
        assert (inside.connections, outcome.report["urls"], outcome.exit_code) == (0, 1, 1)


# Previews


def test_a_preview_stands_for_the_site_which_is_never_contacted(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = fake_network(monkeypatch, {}, {})
    origin.put("/robots.txt", f"Sitemap: {SITE}/sitemap.xml\n", type=PLAIN)
    origin.put("/sitemap.xml", index(f"{SITE}/a.xml", "{origin}/b.xml"))
    origin.put("/a.xml", urlset(f"{SITE}/", f"{SITE}/about"))
    origin.put("/b.xml", urlset(f"{SITE}/b"))
    outcome = run(*PREVIEW, "--ignore", "index-child-other-host", origin.url)
    report = outcome.report
    assert (outcome.rules(), outcome.exit_code) == ([], 0)
    pairs = [(d["location"], d["fetched_from"]) for d in report["documents"]]
    assert pairs == [(f"{SITE}{path}", f"{origin.url}{path}") for path in ("/sitemap.xml", "/a.xml", "/b.xml")]
    target = {"kind": "origin", "values": [origin.url], "site_url": f"{SITE}/", "site_url_from": "option"}
    assert report["target"] == target
    assert f"documents of {SITE} are fetched from {origin.url}" in report["steps"][0]["evidence"]
    assert set(network.resolved) | set(network.connected) == {LOOPBACK}


def test_the_text_report_says_that_a_preview_stands_for_the_site(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset(f"{SITE}/"))
    lines = run(*PREVIEW, origin.url, format="text").stdout.splitlines()
    assert f"Site       {SITE}/ (told by --site-url)" in lines
    assert f"Preview    {origin.url}: its documents stand for those of the site" in lines


def test_entries_on_the_preview_itself_are_reported(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset(f"{SITE}/", "{origin}/left-over"))
    outcome = run(*PREVIEW, origin.url)
    assert outcome.rules("warning") == ["loc-host-mismatch"]
    assert outcome.finding("loc-host-mismatch")["line"] == 4
