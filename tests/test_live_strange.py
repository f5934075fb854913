"""What a stranger tried: faults at the usual places, two names of one sitemap, odd robots.txt lines, empty greens."""

from __future__ import annotations

import pytest
from conftest import Run, index, urlset
from origins import Answer, Fault, Origin, close, drip, send, truncated

PLAIN = "text/plain"
PAGE = urlset("{origin}/")
QUICK = ("--retries", "0", "--timeout", "1")
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n"


@pytest.mark.parametrize("fault", [truncated(b"<urlset", 5000), close(), drip(HEAD, b"x" * 100, 0.1)])
def test_a_fault_at_a_usual_place_is_told_if_there_is_nothing_else(run: Run, origin: Origin, fault: Fault) -> None:
    origin.fault("/sitemap.xml", fault)
    outcome = run(origin.url, *QUICK)
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-failed"])
    assert outcome.finding("fetch-failed")["document"] == f"{origin.url}/sitemap.xml"


def test_a_circle_of_redirects_at_a_usual_place_is_told(run: Run, origin: Origin) -> None:
    origin.redirect("/sitemap.xml", "/a")
    origin.redirect("/a", "/sitemap.xml")
    assert run(origin.url).rules() == ["fetch-failed"]


def test_a_redirect_of_a_usual_place_to_a_private_host_is_refused(run: Run, origin: Origin) -> None:
    origin.redirect("/sitemap.xml", f"http://localhost:{origin.port}/real.xml")
    origin.put("/real.xml", PAGE)
    assert run(origin.url).rules() == ["fetch-refused"]
    assert origin.count("/real.xml") == 0


@pytest.mark.parametrize("other", [True, False])
def test_a_sitemap_over_the_byte_limit_is_never_kept_quiet_about(run: Run, origin: Origin, other: bool) -> None:
    origin.put("/sitemap.xml", urlset(*(f"{{origin}}/{n}" for n in range(50))))
    if other:
        origin.put("/sitemap_index.xml", PAGE)
    outcome = run("--max-bytes", "400", origin.url)
    assert (outcome.exit_code, outcome.rules("error")) == (1, ["fetch-refused"])
    assert outcome.report["documents"][0]["location"] == f"{origin.url}/sitemap.xml"


def test_a_server_error_at_a_usual_place_is_told_if_there_is_nothing_else(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", "", status=500)
    outcome = run(origin.url)
    assert (outcome.exit_code, outcome.rules()) == (1, ["http-status-not-ok"])


def test_two_targets_may_share_a_sitemap(run: Run, origin: Origin) -> None:
    with Origin() as other:
        named = f"Sitemap: {origin.url}/s.xml"
        origin.put("/robots.txt", named, type=PLAIN)
        other.put("/robots.txt", named, type=PLAIN)
        origin.put("/s.xml", urlset("{origin}/", f"{other.url}/"))
        outcome = run(origin.url, other.url)
    assert "sitemap-missing" not in outcome.rules()
    assert outcome.exit_code == 0


@pytest.mark.parametrize("order", [("/a.xml", "/b.xml"), ("/b.xml", "/a.xml")])
def test_a_child_that_redirects_to_another_one_is_told_in_any_order(
    run: Run, origin: Origin, order: tuple[str, str]
) -> None:
    origin.put("/sitemap.xml", index(*("{origin}" + path for path in order)))
    origin.redirect("/a.xml", "/b.xml")
    origin.put("/b.xml", PAGE)
    outcome = run(origin.url)
    assert outcome.rules() == ["sitemap-redirects"]
    assert outcome.finding("sitemap-redirects")["document"] == f"{origin.url}/a.xml"
    assert outcome.report["urls"] == 1


def test_a_failure_behind_a_redirect_is_not_taken_for_what_was_read_before(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/b.xml", "{origin}/a.xml", "{origin}/c.xml"))
    origin.redirect("/a.xml", "/b.xml")
    origin.redirect("/c.xml", f"http://u:p@{origin.host_port}/b.xml")
    origin.sequence("/b.xml", Answer(200, PAGE), Answer(403, "no", type=PLAIN))
    outcome = run("--concurrency", "1", origin.url)
    assert sorted(outcome.rules()) == ["fetch-refused", "http-status-not-ok"]


def test_the_most_sitemaps_bound_the_usual_places_too(run: Run, origin: Origin) -> None:
    for number, path in enumerate(("/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml")):
        origin.put(path, urlset(f"{{origin}}/{number}"))
    outcome = run("--max-sitemaps", "1", origin.url)
    assert len(outcome.report["documents"]) == 1
    assert outcome.rules() == ["fetch-refused"]


def test_half_a_line_of_a_robots_txt_that_is_too_long_names_nothing(run: Run, origin: Origin) -> None:
    line = f"Sitemap: {origin.url}/early.xml"
    origin.put("/robots.txt", "#" * (512_000 - len(line) + 8) + "\n" + line + "\n", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    assert run(origin.url).rules() == ["robots-unreadable"]


@pytest.mark.parametrize("host", ["127.0.0.1.", "127.0.0.1"])
def test_a_host_with_a_dot_at_its_end_is_the_host_that_was_typed(run: Run, origin: Origin, host: str) -> None:
    origin.put("/sitemap.xml", urlset(f"http://{host}:{origin.port}/"))
    assert run(f"http://{host}:{origin.port}").report["urls"] == 1


@pytest.mark.parametrize(
    "value", ["ftp://acme.example/s.xml", "file:///etc/passwd", "http://u:p@{origin.host_port}/s.xml"]
)
def test_a_named_sitemap_that_nobody_may_ask_for_is_refused(run: Run, origin: Origin, value: str) -> None:
    origin.put("/robots.txt", "Sitemap: " + value.format(origin=origin), type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    assert run(origin.url).rules("error") == ["fetch-refused"]
    assert "robots-sitemap-not-absolute" not in run(origin.url).rules()


def test_a_named_sitemap_with_a_space_is_tried(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/a b.xml", type=PLAIN)
    origin.put("/a%20b.xml", PAGE)
    outcome = run(origin.url)
    assert (outcome.report["urls"], outcome.rules()) == (1, ["robots-sitemap-not-absolute"])


def test_urls_cannot_give_orders_to_the_log(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset("::error::pwn", "{origin}/##[error]pwn", "{origin}/a::b"))
    lines = run("--urls", origin.url, format=None).stdout.splitlines()
    assert lines == ["\\x3a:error::pwn", f"{origin.url}/#\\x23[error]pwn", f"{origin.url}/a::b"]


@pytest.mark.parametrize("option", [("--ignore", "http-status-not-ok"), ("--severity", "http-status-not-ok=notice")])
def test_a_run_that_has_read_nothing_is_never_green(run: Run, origin: Origin, option: tuple[str, str]) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/gone.xml", type=PLAIN)
    outcome = run(*option, origin.url)
    assert (outcome.exit_code, outcome.report["verdict"]) == (1, "fail")


@pytest.mark.parametrize("page", ["<!-- app --><html><body>Hi</body></html>", "<div id=app></div>"])
def test_a_robots_txt_that_begins_with_a_tag_is_a_page(run: Run, origin: Origin, page: str) -> None:
    origin.put("/robots.txt", page, type="text/html")
    origin.put("/sitemap.xml", PAGE)
    assert run(origin.url).rules() == ["robots-unreadable"]


def test_lines_of_robots_txt_end_where_crawlers_end_them(run: Run, origin: Origin) -> None:
    text = "# note\u2028Sitemap: {origin}/evil.xml\n\x0c\nSitemap: /sitemap.xml\n"
    origin.put("/robots.txt", text, type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    outcome = run(origin.url)
    assert outcome.rules() == ["robots-sitemap-not-absolute"]
    assert outcome.finding("robots-sitemap-not-absolute")["line"] == 3


def test_a_link_is_resolved_against_the_base_of_its_page(run: Run, origin: Origin) -> None:
    page = '<base href="/deep/"><link rel=sitemap href=s.xml>'
    origin.put("/", page, type="text/html")
    origin.put("/deep/s.xml", urlset("{origin}/deep/"))
    assert run(origin.url).report["documents"][0]["location"] == f"{origin.url}/deep/s.xml"


def test_urls_to_ignore_are_those_of_live_documents_as_well(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml\nSitemap: {origin}/gone.xml", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    outcome = run("--ignore-url", "*gone.xml", origin.url)
    assert (outcome.rules(), outcome.report["counts"]["ignored"]) == ([], 1)


@pytest.mark.parametrize("body", ["ok", "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", '{"error": 404}'])
def test_a_server_that_says_anything_to_everybody_has_no_sitemap(run: Run, origin: Origin, body: str) -> None:
    origin.fallback = Answer(200, body, type=PLAIN)
    assert "sitemap-missing" in run(origin.url).rules("error")
    assert len(run(origin.url).rules("error")) == 1


def test_what_shuts_out_an_index_is_told_once(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "User-agent: *\nDisallow: /\nSitemap: {origin}/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml"))
    origin.put("/a.xml", urlset("{origin}/a"))
    origin.put("/b.xml", urlset("{origin}/b"))
    assert run(origin.url).rules() == ["sitemap-blocked-by-robots"]


def test_a_preview_may_keep_all_crawlers_out(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "User-agent: *\nDisallow: /\nSitemap: https://www.acme.example/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", urlset("https://www.acme.example/"))
    assert run("--site-url", "https://www.acme.example", origin.url).rules() == []


def test_a_target_without_a_name_is_none(run: Run) -> None:
    assert run("").exit_code == 2


def test_a_host_that_asks_for_pauses_again_and_again_is_given_up_on(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_action.net.pace._MOST_PATIENCE", 1.5)
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(12))))
    for n in range(12):
        origin.put(f"/{n}.xml", "", status=503, headers={"Retry-After": "1"})
    outcome = run("--concurrency", "2", origin.url)
    assert outcome.finding("index-child-unreachable")["count"] == 12
    assert sum(origin.count(f"/{n}.xml") for n in range(12)) < 12 + 8


def test_an_answer_in_two_pieces_is_read_whole(run: Run, origin: Origin) -> None:
    text = PAGE.replace("{origin}", origin.url).encode()
    origin.fault("/sitemap.xml", send(HEAD + text[:60], [text[60:]], 0.1))
    assert run(origin.url).report["urls"] == 1
