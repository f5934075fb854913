"""Live origins at the edges: previews, limits, redirects to pages, spellings of one URL, and hosts that complain."""

from __future__ import annotations

from itertools import pairwise

import pytest
from conftest import Run, index, urlset
from origins import Answer, Origin, fake_network

PLAIN = "text/plain"
PAGE = urlset("{origin}/")
SITE = "https://www.acme.example"


@pytest.mark.parametrize("robots", [f"Sitemap: {SITE}/sitemap.xml", "Sitemap: {origin}/sitemap.xml"])
def test_entries_on_the_preview_are_reported_whatever_its_robots_txt_names(
    run: Run, origin: Origin, robots: str
) -> None:
    origin.put("/robots.txt", robots, type=PLAIN)
    origin.put("/sitemap.xml", urlset(f"{SITE}/", "{origin}/left-over"))
    assert run("--site-url", SITE, origin.url).rules("warning") == ["loc-host-mismatch"]


def test_a_child_that_robots_txt_names_is_in_scope_when_its_index_is_typed(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/blog/sitemap.xml", type=PLAIN)
    origin.put("/index.xml", index("{origin}/blog/sitemap.xml"))
    origin.put("/blog/sitemap.xml", urlset("{origin}/about"))
    assert run(f"{origin.url}/index.xml").rules() == []


def test_a_typed_sitemap_that_redirects_to_one_that_robots_txt_names(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/maps/new.xml", type=PLAIN)
    origin.redirect("/maps/old.xml", "/maps/new.xml")
    origin.put("/maps/new.xml", urlset("{origin}/about"))
    assert run(f"{origin.url}/maps/old.xml").rules() == ["sitemap-redirects"]


def test_the_most_sitemaps_count_those_that_convention_finds(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(9))))
    for n in range(9):
        origin.put(f"/{n}.xml", urlset(f"{{origin}}/{n}"))
    assert len(run("--max-sitemaps", "5", origin.url).report["documents"]) == 5


def test_an_origin_that_was_not_asked_is_not_called_empty(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    with Origin() as other:
        other.put("/sitemap.xml", PAGE)
        assert run("--max-sitemaps", "1", origin.url, other.url).rules() == ["fetch-refused"]


def test_a_linked_sitemap_that_is_left_out_is_said(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/a.xml", type=PLAIN)
    origin.put("/a.xml", PAGE)
    origin.put("/", '<link rel="sitemap" href="/b.xml">', type="text/html")
    origin.put("/b.xml", urlset("{origin}/b"))
    assert run("--max-sitemaps", "1", origin.url).rules() == ["fetch-refused"]


def test_every_child_that_ends_at_a_page_is_reported(run: Run, origin: Origin) -> None:
    origin.put("/", "<!doctype html><title>Home</title>", type="text/html")
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml"))
    for path in ("/a.xml", "/b.xml"):
        origin.redirect(path, "/")
    outcome = run(origin.url)
    assert outcome.rules("error") == ["content-is-html"] * 2
    assert len(outcome.report["documents"]) == 3


def test_dots_in_a_path_make_no_other_sitemap(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/./sitemap.xml", "{origin}/x/../a.xml"))
    origin.put("/a.xml", PAGE)
    assert run(origin.url).rules() == ["index-cycle"]
    assert origin.count("/a.xml") == 1


def test_the_site_of_a_preview_is_not_contacted_for_its_http_entries(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = fake_network(monkeypatch, {}, {})
    origin.put("/sitemap.xml", urlset(f"{SITE}/", "http://www.acme.example/x"))
    run("--site-url", SITE, origin.url)
    assert "www.acme.example" not in network.resolved


def test_a_path_is_asked_for_and_named_once(run: Run, origin: Origin) -> None:
    origin.fallback = Answer(200, '<!doctype html><link rel="sitemap" href="/sitemap.xml">', type="text/html")
    message = run(origin.url).finding("sitemap-missing")["message"]
    assert (message.count("/sitemap.xml"), origin.count("/sitemap.xml")) == (1, 1)


def test_a_challenge_on_robots_txt_is_treated_alike_with_any_status(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", PAGE)
    page = "<!DOCTYPE html><html><title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
    rules = []
    for status in (403, 503):
        origin.put("/robots.txt", page, status=status, type="text/html")
        rules.append(run("--retries", "0", origin.url).rules())
    assert rules[0] == rules[1]


def test_http_urls_of_the_site_are_fetched_from_its_preview(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = fake_network(monkeypatch, {}, {})
    origin.put("/robots.txt", "Sitemap: http://www.acme.example/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", urlset(f"{SITE}/"))
    outcome = run("--site-url", SITE, origin.url)
    assert outcome.report["documents"][0]["fetched_from"] == f"{origin.url}/sitemap.xml"
    assert outcome.report["urls"] == 1
    assert "www.acme.example" not in network.resolved


def test_server_errors_on_all_usual_places_leave_it_open(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "User-agent: *", type=PLAIN)
    origin.fallback = Answer(500, "oops", type=PLAIN)
    outcome = run(origin.url)
    assert (outcome.exit_code, outcome.report["verdict"]) == (3, "inconclusive")
    assert f"{origin.url}/sitemap.xml answered 500" in outcome.report["inconclusive"]
    assert {document["http_status"] for document in outcome.report["documents"]} == {500}


def test_one_named_sitemap_that_fails_is_judged_beside_one_behind_a_wall(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/a.xml\nSitemap: {origin}/b.xml", type=PLAIN)
    origin.put("/a.xml", "", status=403)
    origin.put("/b.xml", "", status=500)
    outcome = run(origin.url)
    assert outcome.exit_code == 1
    assert [(f["severity"], f["rule"]) for f in outcome.report["findings"]] == [
        ("warning", "http-status-not-ok"),
        ("error", "http-status-not-ok"),
    ]


def test_a_host_that_complains_is_asked_more_slowly(run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.05)
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(6))))
    for n in range(6):
        good = Answer(200, urlset(f"{{origin}}/{n}"))
        origin.sequence(f"/{n}.xml", Answer(429, "slow down", type=PLAIN), good)
    outcome = run("--concurrency", "6", origin.url)
    assert outcome.exit_code == 0
    assert outcome.report["urls"] == 6
    second = sorted(request.at for request in origin.requests if request.path.endswith(".xml"))[-6:]
    assert all(later - earlier > 0.05 for earlier, later in pairwise(second))


def test_urls_of_an_origin_that_cannot_be_judged_say_why_on_standard_error(run: Run, origin: Origin) -> None:
    origin.fallback = Answer(403, "no", type=PLAIN)
    outcome = run("--urls", origin.url, format=None)
    assert (outcome.exit_code, outcome.stdout) == (3, "")
    assert outcome.stderr.startswith("Not judged: ")
    assert "--header" in outcome.stderr


def test_a_page_as_target_is_told_what_a_target_with_a_path_means(run: Run, origin: Origin) -> None:
    origin.put("/docs/", "<!doctype html><title>Docs</title>", type="text/html")
    assert "taken for the URL of a sitemap" in run(f"{origin.url}/docs/").finding("content-is-html")["message"]


def test_an_empty_text_at_a_usual_place_is_no_sitemap(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", PAGE)
    origin.put("/sitemap.txt", "", type=PLAIN)
    assert run(origin.url).rules() == []


def test_a_site_below_a_path_still_has_its_robots_txt_at_the_root(run: Run, origin: Origin) -> None:
    origin.put(
        "/robots.txt", f"Sitemap: {SITE}/docs/sitemap.xml\nUser-agent: *\nDisallow: /docs/sitemap.xml", type=PLAIN
    )
    origin.put("/docs/sitemap.xml", urlset(f"{SITE}/docs/"))
    assert run("--site-url", f"{SITE}/docs/", origin.url).rules() == ["sitemap-blocked-by-robots"]


def served(monkeypatch: pytest.MonkeyPatch, origin: Origin, *hosts: str) -> None:
    """Public names that lead to the server of the test; requests tell them apart by their Host header."""
    names = {host: [[f"93.184.216.{number}"]] for number, host in enumerate(hosts, start=1)}
    fake_network(monkeypatch, names, {answers[0][0]: ("127.0.0.1", origin.port) for answers in names.values()})


def test_a_site_that_sends_everybody_to_its_www_name_is_checked_there(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All requests reach one server, so the first answer redirects and the second, asked as www, is the file."""
    served(monkeypatch, origin, "acme-live.net", "www.acme-live.net")
    robots = Answer(200, "Sitemap: http://www.acme-live.net/sitemap.xml", type=PLAIN)
    moved = Answer(301, "", {"Location": "http://www.acme-live.net/robots.txt"})
    origin.sequence("/robots.txt", moved, robots)
    origin.put("/sitemap.xml", urlset("http://www.acme-live.net/"))
    outcome = run("http://acme-live.net")
    assert (outcome.rules(), outcome.exit_code) == ([], 0)
    assert outcome.report["target"]["site_url"] == "http://www.acme-live.net/"
    assert (
        "http://acme-live.net redirects to http://www.acme-live.net, which is taken for the site"
        in (outcome.report["steps"][0]["evidence"])
    )
    assert {request.headers["host"] for request in origin.requests[1:]} == {"www.acme-live.net"}


@pytest.mark.parametrize("to", ["http://other-live.net/robots.txt", "http://www.acme-live.net/elsewhere/robots.txt"])
def test_a_robots_txt_elsewhere_does_not_make_another_site(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    served(monkeypatch, origin, "acme-live.net", "www.acme-live.net", "other-live.net")
    origin.sequence("/robots.txt", Answer(301, "", {"Location": to}), Answer(200, "", type=PLAIN))
    origin.put("/elsewhere/robots.txt", "", type=PLAIN)
    origin.put("/sitemap.xml", urlset("http://acme-live.net/"))
    outcome = run("http://acme-live.net")
    assert outcome.report["target"]["site_url"] == "http://acme-live.net/"
    assert outcome.rules() == ["robots-no-sitemap"]
