"""An honest word about live origins: what we were kept out of is not judged, what answers wrongly is."""

from __future__ import annotations

import gzip
import socket

import pytest
from conftest import Outcome, Run, index, urlset
from origins import LOOPBACK, Answer, Fault, Origin, close, fake_network, reset

from sitemap_action.net import client

PLAIN, HTML = "text/plain", "text/html"
PAGE = urlset("{origin}/")
HOME = "<!doctype html><html><head><title>App</title></head><body><div id=root></div></body></html>"
CHALLENGE = (
    "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script>"
)
SPA = Answer(200, HOME, type=HTML)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Second tries come at once."""
    monkeypatch.setattr(client, "_FIRST_PAUSE", 0.0)


def statuses(outcome: Outcome) -> list[str]:
    return [step["status"] for step in outcome.report["steps"]]


def robots(origin: Origin, *names: str) -> None:
    origin.put("/robots.txt", "".join(f"Sitemap: {{origin}}{name}\n" for name in names), type=PLAIN)


def documents(outcome: Outcome, origin: Origin) -> dict[str, int | None]:
    """The last status of each, by its path."""
    return {d["location"].removeprefix(origin.url): d["http_status"] for d in outcome.report["documents"]}


# Walls

WALLS = [
    Answer(401, "Sign in", {"WWW-Authenticate": "Basic"}),
    Answer(403, "Forbidden"),
    Answer(429, "Slow down", {"Retry-After": "0"}),
    Answer(403, CHALLENGE, {"cf-mitigated": "challenge"}, HTML),
    Answer(200, "<p>Wait</p>", {"cf-mitigated": "challenge"}, HTML),
    Answer(503, CHALLENGE, type=HTML),
    Answer(200, CHALLENGE, type=HTML),
    Answer(403, CHALLENGE, type=HTML),
]
IDS = ["401", "403", "429", "cf-mitigated 403", "cf-mitigated 200", "challenge 503", "challenge 200", "challenge 403"]


def says_what_to_do(outcome: Outcome) -> bool:
    words = outcome.report["inconclusive"]
    return "User-Agent `sitemap-action/" in words and "--header" in words


@pytest.mark.parametrize("wall", WALLS, ids=IDS)
def test_an_origin_behind_a_wall_is_not_judged(run: Run, origin: Origin, wall: Answer) -> None:
    origin.fallback = wall
    outcome = run(origin.url)
    assert (outcome.report["verdict"], outcome.exit_code) == ("inconclusive", 3)
    assert (outcome.report["findings"], outcome.report["score"]) == ([], 0)
    assert statuses(outcome) == ["skip"] * 5
    assert says_what_to_do(outcome)
    assert run("--fail-on", "never", origin.url).exit_code == 0
    assert run("--min-score", "0.9", origin.url).exit_code == 3


@pytest.mark.parametrize("wall", WALLS, ids=IDS)
def test_a_named_sitemap_behind_a_wall_is_not_judged_and_discovery_earns_its_share(
    run: Run, origin: Origin, wall: Answer
) -> None:
    robots(origin, "/maps/a.xml")
    origin.sequence("/maps/a.xml", wall)
    outcome = run(origin.url)
    assert (outcome.report["verdict"], outcome.exit_code, outcome.report["findings"]) == ("inconclusive", 3, [])
    assert statuses(outcome) == ["pass", "skip", "skip", "skip", "skip"]
    assert outcome.report["score"] == 0.2
    assert documents(outcome, origin) == {"/maps/a.xml": wall.status}
    assert says_what_to_do(outcome)


def test_a_typed_sitemap_behind_a_wall_is_not_judged(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", "Forbidden", status=403)
    outcome = run(f"{origin.url}/sitemap.xml")
    assert (outcome.report["verdict"], outcome.exit_code, outcome.rules("error")) == ("inconclusive", 3, [])


def test_the_text_report_says_why_there_is_no_judgement(run: Run, origin: Origin) -> None:
    origin.fallback = WALLS[1]
    outcome = run(origin.url, format="text")
    assert f"Not judged: {origin.url}/" in outcome.stdout
    assert "answered 403 Forbidden; allow the User-Agent" in outcome.stdout
    assert outcome.stdout.splitlines()[-1].startswith("INCONCLUSIVE")


def test_a_header_opens_the_wall(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", PAGE)
    run("--header", "X-Bypass: secret", "--user-agent", "me/1", origin.url)
    assert {(r.headers["x-bypass"], r.headers["user-agent"]) for r in origin.requests} == {("secret", "me/1")}


@pytest.mark.parametrize("wall", WALLS, ids=IDS)
def test_a_bucket_that_forbids_all_unknown_paths_is_judged_by_its_sitemap(
    run: Run, origin: Origin, wall: Answer
) -> None:
    origin.fallback = wall
    origin.put("/sitemap.xml", PAGE)
    outcome = run(origin.url)
    assert (outcome.rules("error"), outcome.rules("warning"), outcome.exit_code) == ([], [], 0)
    assert (outcome.report["verdict"], list(documents(outcome, origin))) == ("pass", ["/sitemap.xml"])


@pytest.mark.parametrize("wall", WALLS, ids=IDS)
def test_a_part_behind_a_wall_is_a_warning_and_the_rest_is_judged(run: Run, origin: Origin, wall: Answer) -> None:
    robots(origin, "/index.xml", "/walled.xml")
    origin.put("/index.xml", index("{origin}/a.xml", "{origin}/walled-child.xml"))
    origin.put("/a.xml", urlset("{origin}/", "/relative"))
    origin.sequence("/walled.xml", wall)
    origin.sequence("/walled-child.xml", wall)
    outcome = run(origin.url)
    found = [(f["rule"], f["severity"], f["document"].removeprefix(origin.url)) for f in outcome.report["findings"]]
    assert found == [
        ("loc-not-absolute", "error", "/a.xml"),
        ("http-status-not-ok", "warning", "/walled-child.xml"),
        ("http-status-not-ok", "warning", "/walled.xml"),
    ]
    assert (outcome.report["verdict"], outcome.report["inconclusive"], outcome.exit_code) == ("fail", None, 1)
    assert documents(outcome, origin)["/walled-child.xml"] == wall.status


def test_an_origin_that_could_not_be_judged_does_not_hide_one_that_failed(run: Run, origin: Origin) -> None:
    origin.fallback = WALLS[1]
    with Origin() as other:
        outcome = run(origin.url, other.url)
        assert (outcome.report["verdict"], outcome.rules(), outcome.exit_code) == ("fail", ["sitemap-missing"], 1)
        assert origin.url in outcome.report["inconclusive"]
        other.put("/sitemap.xml", PAGE)
        outcome = run(origin.url, other.url)
        assert (outcome.report["verdict"], outcome.exit_code) == ("inconclusive", 3)


# Servers that are down


@pytest.mark.parametrize("status", [500, 502, 503])
def test_server_errors_everywhere_are_not_judged(run: Run, origin: Origin, status: int) -> None:
    origin.fallback = Answer(status, "oops", type=PLAIN)
    outcome = run(origin.url)
    assert (outcome.report["verdict"], outcome.exit_code) == ("inconclusive", 3)
    assert outcome.rules("error") == []
    assert str(status) in outcome.report["inconclusive"]
    assert origin.count("/sitemap.xml") == (1 if status == 500 else 3)


def test_a_server_error_on_a_named_sitemap_is_an_error_where_robots_txt_works(run: Run, origin: Origin) -> None:
    robots(origin, "/sitemap.xml")
    origin.put("/sitemap.xml", "oops", status=503)
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.exit_code) == (["http-status-not-ok"], 1)
    assert statuses(outcome) == ["pass", "fail", "skip", "skip", "skip"]
    assert outcome.finding("http-status-not-ok")["severity"] == "error"


def test_a_server_error_that_passes_is_not_seen(run: Run, origin: Origin) -> None:
    origin.sequence("/sitemap.xml", Answer(503, "restarting"), reset(), Answer(200, PAGE))
    outcome = run(origin.url)
    assert (outcome.report["findings"], outcome.exit_code) == ([], 0)


def test_a_port_where_nobody_listens_is_not_judged(run: Run) -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
    outcome = run("--retries", "0", f"http://{LOOPBACK}:{port}")
    assert (outcome.report["verdict"], outcome.exit_code) == ("inconclusive", 3)
    assert (outcome.report["findings"], outcome.report["documents"], outcome.report["score"]) == ([], [], 0)
    assert "try again when the site is up" in outcome.report["inconclusive"]


def test_a_name_that_does_not_resolve_is_not_judged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_network(monkeypatch, {}, {})
    outcome = run("--retries", "0", "http://www.acme.example")
    assert (outcome.report["verdict"], outcome.exit_code) == ("inconclusive", 3)
    assert "cannot be resolved" in outcome.report["inconclusive"]


@pytest.mark.parametrize("fault", [close(), reset()], ids=["close", "reset"])
def test_connections_that_break_everywhere_are_not_judged(run: Run, origin: Origin, fault: Fault) -> None:
    for path in ("/", "/robots.txt", "/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml"):
        origin.fault(path, fault)
    outcome = run("--retries", "0", origin.url)
    assert (outcome.report["verdict"], outcome.exit_code, outcome.rules("error")) == ("inconclusive", 3, [])


# What is wrong, and not only hidden


def test_a_site_without_a_sitemap_fails(run: Run, origin: Origin) -> None:
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.exit_code, outcome.report["documents"]) == (["sitemap-missing"], 1, [])
    assert "404" in outcome.finding("sitemap-missing")["message"]
    assert outcome.finding("sitemap-missing")["document"] is None
    assert statuses(outcome) == ["fail", "skip", "skip", "skip", "skip"]
    assert run("--fail-on", "never", origin.url).exit_code == 0


@pytest.mark.parametrize("typed", ["", "/sitemap.xml"])
@pytest.mark.parametrize("status", [404, 410, 204])
def test_a_named_sitemap_that_is_not_there_is_one_error(run: Run, origin: Origin, status: int, typed: str) -> None:
    robots(origin, "/sitemap.xml")
    origin.put("/sitemap.xml", "gone", status=status)
    outcome = run(origin.url + typed)
    assert (outcome.rules(), outcome.exit_code) == (["http-status-not-ok"], 1)
    finding = outcome.finding("http-status-not-ok")
    assert (finding["severity"], finding["step"], finding["document"]) == (
        "error",
        "fetch",
        f"{origin.url}/sitemap.xml",
    )
    assert str(status) in finding["message"]
    assert documents(outcome, origin) == {"/sitemap.xml": status}


def test_a_page_that_answers_every_path_is_no_sitemap(run: Run, origin: Origin) -> None:
    origin.fallback = SPA
    outcome = run(origin.url)
    assert (outcome.rules("error"), outcome.exit_code) == (["sitemap-missing"], 1)
    assert "HTML" in outcome.finding("sitemap-missing")["message"]
    assert outcome.report["documents"] == []


def test_html_where_a_sitemap_is_named_is_an_error(run: Run, origin: Origin) -> None:
    origin.fallback = SPA
    robots(origin, "/map.xml", "/index.xml")
    origin.put("/index.xml", index("{origin}/child.xml", "{origin}/good.xml"))
    origin.put("/good.xml", PAGE)
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.exit_code) == (["content-is-html"] * 2, 1)
    where = [finding["document"].removeprefix(origin.url) for finding in outcome.report["findings"]]
    assert where == ["/map.xml", "/child.xml"]
    assert list(documents(outcome, origin)) == ["/map.xml", "/index.xml", "/child.xml", "/good.xml"]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/sitemap_index.xml", SPA),
        ("/sitemap.txt", Answer(200, "Page not found.\n", type=PLAIN)),
        ("/sitemap-index.xml", Answer(200, '{"error": "not found"}', type="application/json")),
    ],
    ids=["html", "text", "json"],
)
def test_a_soft_404_beside_a_good_sitemap_is_evidence_only(run: Run, origin: Origin, path: str, answer: Answer) -> None:
    origin.put("/sitemap.xml", PAGE)
    origin.sequence(path, answer)
    outcome = run(origin.url)
    assert (outcome.report["findings"], list(documents(outcome, origin))) == ([], ["/sitemap.xml"])
    assert any(line.startswith(path) for line in outcome.report["steps"][0]["evidence"])


# Redirects and types


def test_a_redirect_is_a_notice_and_a_warning_when_it_leaves_the_host(run: Run, origin: Origin) -> None:
    robots(origin, "/a.xml", "/b.xml")
    origin.redirect("/a.xml", "/maps/a.xml")
    origin.redirect("/b.xml", f"http://localhost:{origin.port}/maps/b.xml", 302)
    origin.put("/maps/a.xml", urlset("{origin}/a"))
    origin.put("/maps/b.xml", urlset("{origin}/b"))
    outcome = run("--allow-host", "localhost", origin.url)
    assert outcome.rules() == ["sitemap-redirects"] * 2
    assert [finding["severity"] for finding in outcome.report["findings"]] == ["notice", "warning"]
    finals = [document["final_url"] for document in outcome.report["documents"]]
    assert finals == [f"{origin.url}/maps/a.xml", f"http://localhost:{origin.port}/maps/b.xml"]
    assert outcome.rules("error") == []


@pytest.mark.parametrize(
    ("type", "rules"),
    [
        ("text/xml; charset=utf-8", []),
        ("Application/XML", []),
        ("text/html; charset=utf-8", ["content-type-html"]),
        ("application/json", ["content-type-unexpected"]),
        ("application/octet-stream", ["content-type-unexpected"]),
        ("text/plain", ["content-type-unexpected"]),
        ("", ["content-type-unexpected"]),
    ],
)
def test_the_content_type_should_fit(run: Run, origin: Origin, type: str, rules: list[str]) -> None:
    origin.put("/sitemap.xml", PAGE, type=type)
    outcome = run(origin.url)
    assert (outcome.rules(), outcome.exit_code) == (rules, 0)


def test_an_index_whose_children_are_all_behind_a_wall_leaves_it_open(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml"))
    origin.fallback = Answer(403, "no", type="text/plain")
    outcome = run(origin.url)
    assert (outcome.exit_code, outcome.report["verdict"]) == (3, "inconclusive")
    assert outcome.rules() == []
    assert "--header" in outcome.report["inconclusive"]
    assert [step["status"] for step in outcome.report["steps"]] == ["pass", "skip", "skip", "skip", "skip"]


def test_a_server_that_goes_on_failing_is_not_asked_for_ever(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(90))))
    for n in range(90):
        origin.put(f"/{n}.xml", "", status=500)
    outcome = run("--concurrency", "4", origin.url)
    failed = outcome.finding("index-child-unreachable")["count"]
    assert 25 <= failed < 40
    assert outcome.finding("fetch-refused")["message"] == (
        f"{90 - failed} of 90 children were not looked at: the 25 before them failed one after another."
    )
    assert sum(origin.count(f"/{n}.xml") for n in range(90)) == failed


def test_missing_children_are_all_asked_for(run: Run, origin: Origin) -> None:
    """The server is well; each of them is a finding of its own."""
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(60))))
    assert run(origin.url).finding("index-child-unreachable")["count"] == 60


@pytest.mark.parametrize(
    ("named", "rule"), [("{origin}/gone.xml", "http-status-not-ok"), ("http://localhost/s.xml", "fetch-refused")]
)
def test_another_sitemap_that_fails_is_told_beside_an_index_behind_a_wall(
    run: Run, origin: Origin, named: str, rule: str
) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml\nSitemap: " + named, type="text/plain")
    origin.put("/sitemap.xml", index("{origin}/a.xml"))
    origin.put("/a.xml", "no", status=403)
    outcome = run(origin.url)
    assert (outcome.exit_code, outcome.rules("error"), outcome.rules("warning")) == (1, [rule], ["http-status-not-ok"])


@pytest.mark.parametrize("type", ["application/octet-stream", "binary/octet-stream", "application/x-gzip"])
def test_a_gzip_file_may_be_served_as_what_servers_take_it_for(run: Run, origin: Origin, type: str) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml.gz", type="text/plain")
    origin.put("/sitemap.xml.gz", gzip.compress(urlset(f"{origin.url}/").encode()), type=type)
    assert run(origin.url).rules() == []
