"""A live origin through the front door: what is found and how, and what the report says of it."""

from __future__ import annotations

import gzip
import json
from importlib.resources import files

import jsonschema
import pytest
from conftest import Outcome, Run, Write, index, urlset
from origins import LOOPBACK, Answer, Origin, fake_network, silence

CONVENTIONS = ["/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml"]
SCHEMA = json.loads(files("sitemap_action.schemas").joinpath("report.schema.json").read_text(encoding="utf-8"))
HTML = "<!doctype html><html><title>Home</title><body>Hello</body></html>"
PAGE = urlset("{origin}/")
PLAIN = "text/plain"


def found(outcome: Outcome, origin: Origin) -> dict[str, list[str]]:
    """How each document was found, by its path."""
    documents = outcome.report["documents"]
    return {document["location"].removeprefix(origin.url): document["found_by"] for document in documents}


def asked(origin: Origin) -> list[str]:
    return sorted(request.path for request in origin.requests)


# Discovery


@pytest.mark.parametrize(
    "text",
    [
        "Sitemap: {origin}/map.xml",
        "SITEMAP:{origin}/map.xml\n",
        "User-agent: Bad\nDisallow: /\n\nUser-agent: *\nDisallow: /x\nsitemap: {origin}/map.xml\nDisallow: /y\n",
        "\ufeffSitemap: {origin}/map.xml",
        "User-agent: *\r\nDisallow:\r\n\r\nSitemap: {origin}/map.xml\r\n",
        "# Sitemap: {origin}/old.xml\n  Sitemap :  {origin}/map.xml  # the only one\n",
    ],
    ids=["plain", "upper case", "inside a group", "byte order mark", "CRLF", "comments and spaces"],
)
def test_a_sitemap_line_is_found_however_robots_txt_is_written(run: Run, origin: Origin, text: str) -> None:
    origin.put("/robots.txt", text, type=PLAIN)
    origin.put("/map.xml", PAGE)
    outcome = run(origin.url)
    assert found(outcome, origin) == {"/map.xml": ["robots.txt"]}
    assert (outcome.rules(), outcome.report["verdict"], outcome.exit_code) == ([], "pass", 0)


def test_all_sitemaps_of_robots_txt_are_read_in_its_order_and_once_each(run: Run, origin: Origin) -> None:
    names = ["/c.xml", "/a.xml", "/b.xml", "/a.xml"]
    origin.put("/robots.txt", "".join(f"Sitemap: {{origin}}{name}\n" for name in names), type=PLAIN)
    for name in names:
        origin.put(name, urlset(f"{{origin}}{name}/page"))
    outcome = run(origin.url)
    assert list(found(outcome, origin)) == ["/c.xml", "/a.xml", "/b.xml"]
    evidence = outcome.report["steps"][0]["evidence"]
    assert evidence[:3] == ["3 sitemaps", "found by: robots.txt 3", "robots.txt names 4 sitemaps"]
    assert origin.count("/a.xml") == 1


@pytest.mark.parametrize("value", ["/maps/all.xml", "maps/all.xml", "//{host}/maps/all.xml"])
def test_a_relative_value_in_robots_txt_is_tried_and_reported(run: Run, origin: Origin, value: str) -> None:
    value = value.replace("{host}", origin.host_port)
    origin.put("/robots.txt", f"User-agent: *\nSitemap: {value}\n", type=PLAIN)
    origin.put("/maps/all.xml", PAGE)
    outcome = run(origin.url)
    assert found(outcome, origin) == {"/maps/all.xml": ["robots.txt"]}
    assert outcome.rules() == ["robots-sitemap-not-absolute"]
    finding = outcome.finding("robots-sitemap-not-absolute")
    assert (finding["document"], finding["line"], finding["url"]) == (f"{origin.url}/robots.txt", 2, value)
    assert (finding["severity"], finding["step"], outcome.exit_code) == ("warning", "discover", 0)


@pytest.mark.parametrize("path", CONVENTIONS)
def test_each_conventional_path_is_tried_and_the_absent_ones_are_evidence_only(
    run: Run, origin: Origin, path: str
) -> None:
    is_text = path.endswith(".txt")
    origin.put(path, "{origin}/\n" if is_text else PAGE, type=PLAIN if is_text else "text/xml")
    outcome = run(origin.url)
    assert found(outcome, origin) == {path: ["convention"]}
    assert outcome.rules() == []
    absent = ", ".join(name for name in CONVENTIONS if name != path)
    assert f"{absent} answered 404 Not Found" in outcome.report["steps"][0]["evidence"]
    assert asked(origin) == sorted([*CONVENTIONS, "/", "/robots.txt"])


def test_the_link_of_the_home_page_is_followed(run: Run, origin: Origin) -> None:
    origin.put("/", '<HTML><link href="maps/all.xml" REL="home Sitemap"><p>unclosed', type="text/html")
    origin.put("/maps/all.xml", urlset("{origin}/maps/"))
    outcome = run(origin.url)
    assert found(outcome, origin) == {"/maps/all.xml": ["link"]}
    assert outcome.exit_code == 0


def test_a_document_knows_every_way_that_leads_to_it(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/sitemap.xml\nSitemap: {origin}/sitemap_index.xml\n", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    origin.put("/sitemap_index.xml", index("{origin}/sitemap.xml"))
    origin.put("/", '<link rel="sitemap" href="/sitemap.xml">', type="text/html")
    ways = found(run(origin.url), origin)
    assert sorted(ways["/sitemap.xml"]) == ["convention", "index", "link", "robots.txt"]
    assert sorted(ways["/sitemap_index.xml"]) == ["convention", "robots.txt"]


@pytest.mark.parametrize(
    ("text", "ways"), [("Sitemap: {origin}/m/s.xml", ["argument", "robots.txt"]), ("", ["argument"])]
)
def test_a_sitemap_that_is_typed_is_looked_up_in_robots_txt_and_nowhere_else(
    run: Run, origin: Origin, text: str, ways: list[str]
) -> None:
    origin.put("/robots.txt", text, type=PLAIN)
    origin.put("/m/s.xml", urlset("{origin}/m/"))
    outcome = run(f"{origin.url}/m/s.xml")
    assert found(outcome, origin) == {"/m/s.xml": ways}
    assert outcome.report["target"]["values"] == [f"{origin.url}/m/s.xml"]
    assert asked(origin) == ["/m/s.xml", "/robots.txt"]


@pytest.mark.parametrize("typed", ["", "/sitemap.xml"])
def test_a_sitemap_that_robots_txt_disallows_is_an_error(run: Run, origin: Origin, typed: str) -> None:
    origin.put("/robots.txt", "User-agent: *\nDisallow: /*.xml$\nSitemap: {origin}/sitemap.xml\n", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    outcome = run(origin.url + typed)
    assert (outcome.rules("error"), outcome.exit_code) == (["sitemap-blocked-by-robots"], 1)
    assert outcome.finding("sitemap-blocked-by-robots")["document"] == f"{origin.url}/sitemap.xml"


LONG = "# " + "x" * 600_000
PACKED = gzip.compress(b"Sitemap: /sitemap.xml")


@pytest.mark.parametrize(
    ("answer", "rules"),
    [
        (Answer(404, HTML, type="text/html"), []),
        (Answer(410, ""), []),
        (Answer(403, "no"), []),
        (Answer(200, HTML, type="text/html"), ["robots-unreadable"]),
        (Answer(500, "oops", type=PLAIN), ["robots-unreadable"]),
        (Answer(503, "oops", type=PLAIN), ["robots-unreadable"]),
        (Answer(200, "Sitemap: {origin}/sitemap.xml\n" + LONG, type=PLAIN), ["robots-unreadable"]),
        (Answer(302, "", {"Location": "/elsewhere.txt"}), []),
        (Answer(200, PACKED, {"Content-Encoding": "gzip"}, PLAIN), ["robots-sitemap-not-absolute"]),
        (Answer(200, "User-agent: *\nDisallow:\n", type=PLAIN), ["robots-no-sitemap"]),
        (Answer(200, "Site-map: {origin}/sitemap.xml\n", type=PLAIN), ["robots-sitemap-misspelled"]),
    ],
)
def test_whatever_is_wrong_with_robots_txt_never_fails_the_check(
    run: Run, origin: Origin, answer: Answer, rules: list[str]
) -> None:
    origin.sequence("/robots.txt", answer)
    origin.put("/elsewhere.txt", "Sitemap: {origin}/sitemap.xml", type=PLAIN)
    origin.put("/sitemap.xml", PAGE)
    outcome = run("--retries", "0", origin.url)
    assert (outcome.rules(), outcome.exit_code) == (rules, 0)
    assert outcome.report["verdict"] == ("warn" if outcome.rules("warning") else "pass")
    assert list(found(outcome, origin)) == ["/sitemap.xml"]


def test_what_a_redirected_or_long_robots_txt_names_is_known(run: Run, origin: Origin) -> None:
    origin.redirect("/robots.txt", "/other/robots.txt", 302)
    origin.put("/other/robots.txt", "Sitemap: {origin}/a.xml\n" + LONG + "\nSitemap: {origin}/b.xml\n", type=PLAIN)
    origin.put("/a.xml", PAGE)
    origin.put("/b.xml", PAGE)
    assert found(run(origin.url), origin) == {"/a.xml": ["robots.txt"]}


def test_a_conventional_sitemap_that_robots_txt_leaves_out_is_a_notice(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/pages.xml\n", type=PLAIN)
    origin.put("/pages.xml", PAGE)
    origin.put("/sitemap.xml", urlset("{origin}/about"))
    outcome = run(origin.url)
    assert (outcome.rules("notice"), outcome.exit_code) == (["sitemap-not-in-robots"], 0)
    assert outcome.finding("sitemap-not-in-robots")["document"] == f"{origin.url}/sitemap.xml"


def test_a_sitemap_on_another_host_that_robots_txt_names_is_read_and_in_scope(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"www.acme.example": [["93.184.216.34"]], "cdn.acme.example": [["93.184.216.35"]]}
    with Origin() as cdn:
        serve = {"93.184.216.34": (LOOPBACK, origin.port), "93.184.216.35": (LOOPBACK, cdn.port)}
        fake_network(monkeypatch, names, serve)
        origin.put("/robots.txt", "Sitemap: http://cdn.acme.example/maps/acme.xml\n", type=PLAIN)
        cdn.put("/maps/acme.xml", urlset("http://www.acme.example/", "http://www.acme.example/about"))
        outcome = run("http://www.acme.example")
    assert outcome.rules() == ["robots-sitemap-other-host"]
    assert outcome.finding("robots-sitemap-other-host")["severity"] == "notice"
    assert [d["location"] for d in outcome.report["documents"]] == ["http://cdn.acme.example/maps/acme.xml"]
    assert outcome.exit_code == 0


def test_a_sitemap_that_redirects_to_another_candidate_is_one_document(run: Run, origin: Origin) -> None:
    origin.redirect("/sitemap.xml", "/sitemap_index.xml")
    origin.put("/sitemap_index.xml", index("{origin}/pages.xml"))
    origin.put("/pages.xml", PAGE)
    outcome = run(origin.url)
    assert found(outcome, origin) == {"/sitemap.xml": ["convention"], "/pages.xml": ["index"]}
    assert outcome.report["documents"][0]["final_url"] == f"{origin.url}/sitemap_index.xml"
    assert outcome.rules() == ["sitemap-redirects"]


# The report


def test_the_report_names_the_origin_and_what_each_document_is(run: Run, origin: Origin) -> None:
    packed = gzip.compress(urlset(f"{origin.url}/a", f"{origin.url}/b").encode())
    origin.put("/sitemap.xml", index("{origin}/a.xml.gz", "{origin}/b.xml"))
    origin.put("/a.xml.gz", packed, type="application/octet-stream")
    origin.put("/b.xml", gzip.compress(urlset(f"{origin.url}/c").encode()), headers={"Content-Encoding": "gzip"})
    outcome = run(f"{origin.url}/")
    report = outcome.report
    assert outcome.rules() == []
    home = f"{origin.url}/"
    assert report["target"] == {"kind": "origin", "values": [home], "site_url": home, "site_url_from": "target"}
    main, first, second = report["documents"]
    assert (main["http_status"], main["compressed"], main["final_url"]) == (200, False, None)
    assert (first["http_status"], first["compressed"], first["entries"]) == (200, True, 2)
    assert first["bytes"] == len(gzip.decompress(packed))
    assert (second["compressed"], second["parent"], report["urls"]) == (True, main["location"], 3)


BROKEN = {
    "/robots.txt": "Sitemap: {origin}/gone.xml\nSitemap: {origin}/index.xml",
    "/index.xml": index("{origin}/gone-too.xml", "{origin}/there.xml"),
    "/there.xml": urlset("/relative", "http://localhost/x"),
}


@pytest.mark.parametrize(
    ("site", "fallback", "verdict", "exit_code"),
    [
        ({"/sitemap.xml": PAGE}, 404, "pass", 0),
        (BROKEN, 404, "fail", 1),
        ({}, 404, "fail", 1),
        ({}, 403, "inconclusive", 3),
        ({}, 500, "inconclusive", 3),
    ],
    ids=["good", "broken", "empty", "walled", "down"],
)
def test_every_outcome_keeps_to_the_schema_and_is_the_same_on_the_next_run(
    run: Run, origin: Origin, site: dict[str, str], fallback: int, verdict: str, exit_code: int
) -> None:
    origin.fallback = Answer(fallback, "no")
    for path, body in site.items():
        origin.put(path, body)
    outcome = run(origin.url)
    jsonschema.validate(outcome.report, SCHEMA)
    assert (outcome.report["verdict"], outcome.exit_code) == (verdict, exit_code)
    assert run(origin.url).stdout == outcome.stdout


def test_the_text_report_shows_the_tree_with_status_and_how_each_was_found(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/gone.xml"))
    origin.put("/a.xml", urlset("<url><loc>{origin}/</loc><lastmod>2026-01-02</lastmod></url>"))
    outcome = run(origin.url, format="text")
    lines = [line.split() for line in outcome.stdout.splitlines()]
    tree = lines[lines.index(["Documents", "3", "documents,", "1", "URL"]) + 1 :][:3]
    assert tree[0][:3] + tree[0][-3:] == ["/sitemap.xml", "200", "sitemapindex", "found", "by", "convention"]
    assert tree[1][:5] + tree[1][-3:] == ["/a.xml", "200", "urlset", "1", "URL", "found", "by", "index"]
    assert tree[2] == ["/gone.xml", "404", "found", "by", "index"]
    assert "lastmod 2026-01-02  found by index" in outcome.stdout
    assert f"Site       {origin.url}/ (told by the target)" in outcome.stdout


def test_urls_are_printed_once_each_in_order_whatever_the_verdict(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index("{origin}/b.xml", "{origin}/gone.xml", "{origin}/a.xml"))
    origin.put("/b.xml", urlset("{origin}/2", "{origin}/1", "{origin}/2"))
    origin.put("/a.xml", urlset("{origin}/1", "{origin}/3"))
    outcome = run("--urls", origin.url, format=None)
    assert outcome.stdout.split() == [f"{origin.url}/{n}" for n in (2, 1, 3)]
    assert outcome.exit_code == 1


# Targets from elsewhere


def test_two_origins_are_two_sets_in_one_report(run: Run, origin: Origin) -> None:
    with Origin() as other:
        origin.put("/sitemap.xml", PAGE)
        outcome = run(origin.url, other.url)
        report = outcome.report
        jsonschema.validate(report, SCHEMA)
        assert report["target"]["values"] == [origin.url, other.url]
        assert (report["target"]["site_url"], outcome.rules(), outcome.exit_code) == (None, ["sitemap-missing"], 1)
        assert other.url in outcome.finding("sitemap-missing")["message"]
        other.put("/sitemap.xml", PAGE)
        outcome = run(origin.url, other.url)
        assert (outcome.rules(), len(outcome.report["documents"])) == ([], 2)


def test_live_and_built_sites_do_not_mix(run: Run, origin: Origin, write: Write) -> None:
    outcome = run(origin.url, write("sitemap.xml", PAGE), format=None)
    assert outcome.exit_code == 2
    assert [line for line in outcome.stderr.splitlines() if line.startswith("Error:")]
    assert origin.requests == []


def test_target_timeout_and_headers_may_come_from_the_environment(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SITEMAP_ACTION_TARGET", f"{origin.url}/a.xml\n{origin.url}/b.xml\n")
    monkeypatch.setenv("SITEMAP_ACTION_TIMEOUT", "1.5")
    monkeypatch.setenv("SITEMAP_ACTION_RETRIES", "0")
    monkeypatch.setenv("SITEMAP_ACTION_HEADER", "X-Preview: let me in\nCookie: a=b")
    origin.put("/a.xml", PAGE)
    origin.fault("/b.xml", silence())
    outcome = run()
    assert list(found(outcome, origin)) == ["/a.xml", "/b.xml"]
    assert "1.5 seconds" in outcome.finding("fetch-failed")["message"]
    assert {(r.headers.get("x-preview"), r.headers.get("cookie")) for r in origin.requests} == {("let me in", "a=b")}


def test_the_target_may_come_from_the_config_file(run: Run, origin: Origin, write: Write) -> None:
    origin.put("/sitemap.xml", PAGE)
    write(".sitemap-action.toml", f'target = ["{origin.url}"]\nretries = 0\n')
    assert list(found(run(), origin)) == ["/sitemap.xml"]
