"""Built pages: each listed URL is held against the file that a static host would serve."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from conftest import NAMESPACE, Run, index, urlset
from pages import SITE, about_pages, build, page, scope_evidence

HOME = {"index.html": page()}


@pytest.mark.parametrize(
    ("listed", "file"),
    [
        ("/", "index.html"),
        ("/x/", "x/index.html"),
        ("/x/", "x/index.htm"),
        ("/x", "x/index.html"),
        ("/x", "x.html"),
        ("/x", "x"),
        ("/x.html", "x.html"),
        ("/x/index.html", "x/index.html"),
        ("/a%20b/", "a b/index.html"),
        ("/caf%C3%A9", "café.html"),
        ("/café", "café.html"),
        ("/100%25", "100%.html"),
        ("/x?page=2", "x.html"),
        ("/x#part", "x.html"),
        ("/a/../x", "x.html"),
        ("/files/price.pdf", "files/price.pdf"),
        ("/.well-known/about.html", ".well-known/about.html"),
        ("/v1.2/", "v1.2/index.html"),
        ("/v1.2", "v1.2.html"),
    ],
)
def test_a_page_is_found_where_a_static_host_finds_it(run: Run, tmp_path: Path, listed: str, file: str) -> None:
    public = build(tmp_path / "public", {**HOME, file: page()}, [listed])
    outcome = run(public)
    assert "page-missing" not in outcome.rules()
    assert outcome.report["pages"] == {"listed": 1, "checked": 1}


@pytest.mark.parametrize(
    ("listed", "file", "hint"),
    [
        ("/x/", "x.html", "`x.html` is there"),
        ("/About", "about.html", "`about.html` differs in case"),
        ("/x", "y.html", ""),
        ("/x%2Fy", "z.html", ""),
        ("/x%00", "x.html", ""),
        ("/..%5cx", "x.html", ""),
        ("/%2e%2e/%2e%2e/etc/passwd", "x.html", ""),
        ("/x.htm", "x.html", ""),
        ("/x/index", "x/index.htm", ""),
    ],
)
def test_a_page_that_no_host_would_find_is_missing(run: Run, tmp_path: Path, listed: str, file: str, hint: str) -> None:
    public = build(tmp_path / "public", {**HOME, file: page("<meta name=robots content=noindex>")}, ["/", listed])
    outcome = run(public)
    finding = outcome.finding("page-missing")
    assert finding["severity"] == "error"
    assert (finding["document"], finding["line"]) == ("public/sitemap.xml", 4)
    assert finding["url"] == SITE + listed
    assert hint in finding["message"]
    assert outcome.exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
def test_a_link_out_of_the_directory_is_no_page_and_one_within_is(run: Run, tmp_path: Path) -> None:
    outside = tmp_path / "secret.html"
    outside.write_text(page(), encoding="utf-8")
    public = build(
        tmp_path / "public", {**HOME, "real/index.html": page()}, ["/", "/in/", "/real/", "/one.html", "/out.html"]
    )
    os.symlink(public / "real", public / "in")
    os.symlink(public / "real" / "index.html", public / "one.html")
    os.symlink(outside, public / "out.html")
    os.symlink(public / "round", public / "round")
    assert about_pages(run(public)) == [("missing", "/out.html")]


def test_a_site_below_a_path_is_looked_up_without_it(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "guide/index.html": page()}
    public = build(tmp_path / "public", files, ["/", "/guide/", "/gone/"], site=f"{SITE}/repo")
    for options in ((), ("--site-url", f"{SITE}/repo/"), ("--site-url", SITE)):
        outcome = run(public, *options)
        assert about_pages(outcome) == [("missing", "/repo/gone/")], options


def test_the_path_of_the_site_itself_is_its_home(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", HOME, [f"{SITE}/repo", f"{SITE}/repo/a"])
    assert about_pages(run(public, "--site-url", f"{SITE}/repo/")) == [("missing", "/repo/a")]


def test_a_folder_of_the_site_is_not_taken_for_a_prefix(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {"docs/a/index.html": page(), **HOME}, ["/docs/a/", "/docs/b/"])
    assert ("missing", "/docs/b/") in about_pages(run(public))


def test_a_site_one_folder_below_the_target_is_found(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "dist" / "client", {**HOME, "a/index.html": page()}, ["/", "/a/", "/b/"])
    assert about_pages(run(tmp_path / "dist")) == [("missing", "/b/")]


def test_pages_outside_of_the_path_that_is_built_are_not_ours_to_look_for(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {**HOME, "a.html": page()}, ["/repo/", "/repo/a.html", "/other/"])
    outcome = run(public, "--site-url", f"{SITE}/repo/")
    assert about_pages(outcome) == []
    assert outcome.report["pages"] == {"listed": 2, "checked": 2}


def test_entries_on_other_hosts_are_not_looked_up(run: Run, tmp_path: Path) -> None:
    listed = ["/", "https://cdn.acme.example/x", "https://www.acme.example:8443/y", "https://user@www.acme.example/z"]
    public = build(tmp_path / "public", HOME, listed)
    outcome = run(public, "--site-url", SITE, "--allow-host", "cdn.acme.example")
    assert about_pages(outcome) == []
    assert outcome.report["pages"] == {"listed": 1, "checked": 1}


def test_a_directory_with_sitemaps_only_has_no_missing_pages(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "public", {"google0123456789abcdef.html": "google-site-verification"}, ["/a", "/b"])
    outcome = run(tmp_path / "public")
    assert (outcome.rules(), outcome.exit_code) == ([], 0)
    assert "there is no HTML beside the sitemaps" in scope_evidence(outcome)
    (tmp_path / "public" / "google0123456789abcdef.html").unlink()
    outcome = run(tmp_path / "public", "--pages")
    assert (outcome.rules(), outcome.report["pages"]) == ([], {"listed": 0, "checked": 0})
    assert "there is no HTML beside the sitemaps" in scope_evidence(outcome)


def test_a_directory_that_holds_none_of_the_pages_and_no_home_is_no_built_site(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "static", {"widgets/frame.html": page()}, ["/a", "/b"])
    outcome = run(tmp_path / "static")
    assert (outcome.rules(), outcome.exit_code) == ([], 0)
    assert "this is no built site" in scope_evidence(outcome)


@pytest.mark.parametrize("other", [{}, {"404.html": page()}, {"200.html": page()}])
def test_an_application_with_one_page_draws_the_others_itself(run: Run, tmp_path: Path, other: dict[str, str]) -> None:
    shell = '<!doctype html><title>App</title><body><div id="root"></div><script src="/app.js"></script></body>'
    public = build(tmp_path / "dist", {"index.html": shell, **other}, ["/", "/about", "/contact"])
    outcome = run(public)
    assert about_pages(outcome) == []
    assert "an application in the browser, may draw it" in scope_evidence(outcome)


def test_a_single_page_with_text_is_no_application(run: Run, tmp_path: Path) -> None:
    assert about_pages(run(build(tmp_path / "dist", HOME, ["/", "/about"]))) == [("missing", "/about")]


def test_a_file_has_no_pages_to_look_at(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", HOME, ["/gone"])
    outcome = run(public / "sitemap.xml", "--pages")
    assert (outcome.rules(), outcome.report["pages"]) == ([], None)


def test_pages_can_be_left_out(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public = build(tmp_path / "public", HOME, ["/", "/gone"])
    assert run(public).rules() == ["page-missing"]
    assert run(public, "--no-pages").report["pages"] is None
    assert run(public, "--no-pages").rules() == []
    monkeypatch.setenv("SITEMAP_ACTION_PAGES", "false")
    assert run(public).rules() == []
    assert run(public, "--pages").rules() == ["page-missing"]


def test_the_rules_about_pages_can_be_chosen_like_others(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", HOME, ["/", "/gone"])
    assert run(public, "--ignore", "page-missing").rules() == []
    assert run(public, "--severity", "page-missing=notice").exit_code == 0
    assert run(public, "--select", "loc-invalid").rules() == []


def test_a_limit_takes_an_even_sample_that_is_the_same_each_time(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", HOME, ["/", *(f"/gone/{number}" for number in range(99))])
    outcome = run(public, "--pages-limit", "10", "--max-findings", "0")
    assert [path for _, path in about_pages(outcome)] == [f"/gone/{number}" for number in range(9, 99, 10)]
    assert outcome.report["pages"] == {"listed": 100, "checked": 10}
    assert "checked 10 of 100 listed pages" in scope_evidence(outcome)
    assert run(public, "--pages-limit", "10", "--max-findings", "0").stdout == outcome.stdout


def test_a_page_that_several_files_list_is_reported_where_it_stands_first(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "sitemap.txt": f"{SITE}/\n{SITE}/gone\n"}
    outcome = run(build(tmp_path / "public", files, ["/", "/gone"]))
    assert about_pages(outcome) == [("missing", "/gone")]
    assert outcome.finding("page-missing")["document"] == "public/sitemap.xml"


def test_two_directories_of_one_site_hold_its_pages_together(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "one", {**HOME, "robots.txt": f"Sitemap: {SITE}/sitemap.xml\n"}, ["/", "/b.html"])
    build(tmp_path / "two", {"b.html": page()}, ["/b.html", "/c.html"])
    outcome = run(tmp_path / "one", tmp_path / "two", "--ignore", "loc-repeated")
    assert about_pages(outcome) == [("missing", "/c.html")]


def test_a_set_without_a_url_has_no_pages(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", HOME, ["https://a.acme.example/", "https://b.acme.example/"])
    assert "the site's URL is not known" in scope_evidence(run(public))


def test_pages_of_a_set_on_another_host_than_the_site_are_not_judged(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {**HOME, "CNAME": "www.acme.example"}, ["https://acme.example/gone"])
    outcome = run(public)
    assert about_pages(outcome) == []
    assert "none of them is on the site's own host" in scope_evidence(outcome)


# What a page says of itself


@pytest.mark.parametrize(
    "tag",
    [
        '<meta name="robots" content="noindex">',
        '<META NAME="ROBOTS" CONTENT="NOINDEX, FOLLOW">',
        "<meta content='none' name='googlebot'>",
        "<meta name=robots content=nofollow,noindex>",
        '<meta name="robots" content="max-snippet:-1"><meta name="robots" content="noindex">',
    ],
)
def test_a_listed_page_that_asks_not_to_be_indexed_is_found(run: Run, tmp_path: Path, tag: str) -> None:
    outcome = run(build(tmp_path / "public", {"index.html": page(tag)}, ["/"]))
    assert about_pages(outcome) == [("noindex", "/")]
    assert "<meta name=" in outcome.finding("page-noindex")["message"]


@pytest.mark.parametrize(
    "tag",
    [
        '<meta name="robots" content="index, follow">',
        '<meta name="robots" content="noimageindex">',
        '<meta name="bingbot" content="noindex">',
        '<meta property="robots" content="noindex">',
        '<!-- <meta name="robots" content="noindex"> -->',
        '<noscript><meta name="robots" content="noindex"></noscript>',
        '<script>document.write(\'<meta name="robots" content="noindex">\')</script>',
        '<template><meta name="robots" content="noindex"></template>',
    ],
)
def test_what_only_looks_like_noindex_is_none(run: Run, tmp_path: Path, tag: str) -> None:
    assert about_pages(run(build(tmp_path / "public", {"index.html": page(tag)}, ["/"]))) == []


@pytest.mark.parametrize(
    ("tag", "target"),
    [
        ('<meta http-equiv="refresh" content="0; url=/new/">', f"{SITE}/new/"),
        ("<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='https://new.example.net/a'\">", "https://new.example.net/a"),
        ('<meta http-equiv="refresh" content="5 ; new/">', f"{SITE}/old/new/"),
        ('<base href="/other/"><meta http-equiv="refresh" content="0;url=x">', f"{SITE}/other/x"),
    ],
)
def test_a_page_with_a_refresh_redirects_and_has_no_other_fault(
    run: Run, tmp_path: Path, tag: str, target: str
) -> None:
    stub = page(tag + '<link rel="canonical" href="/elsewhere/"><meta name="robots" content="noindex">')
    outcome = run(build(tmp_path / "public", {**HOME, "old/index.html": stub}, ["/", "/old/"]))
    assert about_pages(outcome) == [("redirects", "/old/")]
    assert target in outcome.finding("page-redirects")["message"]


@pytest.mark.parametrize(
    "tag",
    [
        '<meta http-equiv="refresh" content="300">',
        '<meta http-equiv="refresh" content="0; url=/">',
        '<noscript><meta http-equiv="refresh" content="0; url=/nojs/"></noscript>',
    ],
)
def test_a_page_that_reloads_itself_is_no_redirect(run: Run, tmp_path: Path, tag: str) -> None:
    assert about_pages(run(build(tmp_path / "public", {"index.html": page(tag)}, ["/"]))) == []


@pytest.mark.parametrize(
    "href",
    [
        "/a/",
        "./",
        "../a/",
        f"{SITE}/a/",
        "HTTPS://WWW.ACME.EXAMPLE:443/a/",
        "//www.acme.example/a/",
        f"{SITE}/%61/",
        f"{SITE}/a/#top",
        f" {SITE}/a/ ",
        "",
    ],
)
def test_a_canonical_that_means_the_page_itself_is_fine(run: Run, tmp_path: Path, href: str) -> None:
    files = {**HOME, "a/index.html": page(f'<link rel="canonical" href="{href}">')}
    assert about_pages(run(build(tmp_path / "public", files, ["/", "/a/"]))) == []


@pytest.mark.parametrize(
    ("href", "words"),
    [
        ("/a", "differs by the slash at the end"),
        ("https://acme.example/a/", "differs by `www.`"),
        ("http://www.acme.example/a/", "differs by the scheme"),
        ("index.html", "differs by `index.html`"),
        ("/b/", "is another page"),
        ("https://other.example.net/a/", "is another page"),
    ],
)
def test_a_canonical_elsewhere_is_told_with_the_difference(run: Run, tmp_path: Path, href: str, words: str) -> None:
    files = {**HOME, "a/index.html": page(f'<link rel="canonical" href="{href}">')}
    outcome = run(build(tmp_path / "public", files, ["/", "/a/"]))
    assert about_pages(outcome) == [("canonical-elsewhere", "/a/")]
    assert words in outcome.finding("page-canonical-elsewhere")["message"]


def test_pages_that_differ_in_one_way_are_one_finding_with_their_number(run: Run, tmp_path: Path) -> None:
    slash = {f"s{n}/index.html": page(f'<link rel="canonical" href="/s{n}/">') for n in range(12)}
    www = {f"w{n}/index.html": page(f'<link rel="canonical" href="https://acme.example/w{n}">') for n in range(3)}
    listed = ["/", *(f"/s{n}" for n in range(12)), *(f"/w{n}" for n in range(3))]
    outcome = run(build(tmp_path / "public", {**HOME, **slash, **www}, listed))
    found = [f for f in outcome.report["findings"] if f["rule"] == "page-canonical-elsewhere"]
    assert [(f["count"], f["line"], f["url"]) for f in found] == [(12, 4, f"{SITE}/s0"), (3, 16, f"{SITE}/w0")]
    assert "12 pages name a canonical that differs by the slash at the end" in found[0]["message"]
    assert outcome.report["counts"]["warning"] == 15
    text = run(tmp_path / "public", format="text").stdout
    assert "page-canonical-elsewhere ×15" in text
    assert "more\n" not in text


def test_a_bundle_counts_only_what_is_not_ignored(run: Run, tmp_path: Path) -> None:
    files = {f"s{n}/index.html": page(f'<link rel="canonical" href="/s{n}/">') for n in range(5)}
    public = build(tmp_path / "public", {**HOME, **files}, ["/", *(f"/s{n}" for n in range(5))])
    outcome = run(public, "--ignore-url", "*/s0", "--ignore-url", "*/s3")
    assert outcome.finding("page-canonical-elsewhere")["count"] == 3
    assert outcome.finding("page-canonical-elsewhere")["url"] == f"{SITE}/s1"
    assert outcome.report["counts"]["ignored"] == 2


def test_robots_txt_shuts_out_listed_pages_and_its_line_is_named(run: Run, tmp_path: Path) -> None:
    robots = (
        "User-agent: otherbot\nDisallow: /\n\nUser-agent: *\nDisallow: /in\nAllow: /intern/press/\n"
        f"Disallow: /intern/ # nobody\nDisallow: /*.pdf$\nSitemap: {SITE}/sitemap.xml\n"
    )
    files = {name: page() for name in ("index.html", "intern/a.html", "intern/press/b.html")}
    listed = ["/", "/intern/a.html", "/intern/press/b.html", "/c.pdf"]
    outcome = run(build(tmp_path / "public", {**files, "c.pdf": b"%PDF", "robots.txt": robots}, listed))
    assert about_pages(outcome) == [("blocked-by-robots", "/intern/a.html"), ("blocked-by-robots", "/c.pdf")]
    assert "robots.txt line 7 (`Disallow: /intern/`)" in outcome.finding("page-blocked-by-robots")["message"]


def test_a_robots_txt_below_a_path_shuts_nobody_out(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "robots.txt": "User-agent: *\nDisallow: /\n"}
    public = build(tmp_path / "public", files, ["/repo/"])
    assert about_pages(run(public, "--site-url", f"{SITE}/repo/")) == []


def test_noindex_canonical_and_robots_may_come_together(run: Run, tmp_path: Path) -> None:
    head = '<meta name="robots" content="noindex"><link rel="canonical" href="/b/">'
    files = {
        **HOME,
        "a/index.html": page(head),
        "robots.txt": f"User-agent: *\nDisallow: /a/\nSitemap: {SITE}/sitemap.xml",
    }
    outcome = run(build(tmp_path / "public", files, ["/", "/a/"]))
    assert sorted(rule for rule, _ in about_pages(outcome)) == ["blocked-by-robots", "canonical-elsewhere", "noindex"]


# Dates


def dated(*days: str) -> list[str]:
    return [f"<url><loc>{SITE}/p{n}.html</loc><lastmod>{day}</lastmod></url>" for n, day in enumerate(days)]


@pytest.mark.parametrize(
    ("lastmod", "head", "differs"),
    [
        ("2026-05-06", '<meta property="article:modified_time" content="2026-05-06T23:00:00Z">', False),
        ("2026-05-06", '<meta property="article:modified_time" content="2026-05-07T12:00:00+00:00">', False),
        ("2026-05-06", '<meta property="article:modified_time" content="2026-05-09T00:00:00+00:00">', True),
        ("2026-05-06T10:00:00Z", '<script type="application/ld+json">{"dateModified": "2026-05-04"}</script>', True),
        ("2026-05-06T10:00:00Z", '<script type="application/ld+json">{"dateModified":"2026-05-05"}</script>', False),
        ("2026-05-06", '<script>var x = {"dateModified": "2020-01-01"}</script>', False),
        ("2026-05-06", '<meta property="article:published_time" content="2020-01-01">', False),
        ("2026-05-06", '<meta property="article:modified_time" content="2026-01-01 10:00:00+0200">', True),
        ("2026-05-06", '<meta property="article:modified_time" content="yesterday">', False),
        ("2026-05", '<meta property="article:modified_time" content="2026-01-01">', False),
    ],
)
def test_the_date_of_an_entry_is_compared_with_the_pages_own(
    run: Run, tmp_path: Path, lastmod: str, head: str, differs: bool
) -> None:
    public = build(tmp_path / "public", {**HOME, "p0.html": page(head)}, ["/", *dated(lastmod)])
    assert ("page-lastmod-mismatch" in run(public).rules()) == differs


def test_structured_data_in_the_body_tells_a_date_as_well(run: Run, tmp_path: Path) -> None:
    data = '<script type="application/ld+json">{"@type": "Article", "dateModified": "2026-01-01T00:00:00Z"}</script>'
    body = page().replace("<p>", f"{data}<p>")
    public = build(tmp_path / "public", {**HOME, "p0.html": body}, ["/", *dated("2026-05-06")])
    assert about_pages(run(public)) == [("lastmod-mismatch", "/p0.html")]


def test_the_build_time_on_all_pages_is_one_finding_that_names_the_pages_own_dates(run: Run, tmp_path: Path) -> None:
    pages = {
        f"p{n}.html": page(f'<meta property="article:modified_time" content="2026-0{n + 1}-01T00:00:00Z">')
        for n in range(6)
    }
    public = build(tmp_path / "public", {**HOME, **pages}, ["/", *dated(*["2026-09-01T04:47:02Z"] * 6)])
    outcome = run(public)
    assert outcome.rules() == ["lastmod-all-identical"]
    message = outcome.finding("lastmod-all-identical")["message"]
    assert message == "All 6 dates are '2026-09-01T04:47:02Z', while the pages themselves name 6 different days."


# What nobody lists


def test_indexable_pages_that_nobody_lists_are_one_finding_with_their_number(run: Run, tmp_path: Path) -> None:
    files = {**HOME, **{f"lost/{n}.html": page() for n in range(8)}, "old/index.html": page()}
    outcome = run(build(tmp_path / "public", files, ["/"]))
    assert outcome.rules() == ["page-not-listed"]
    finding = outcome.finding("page-not-listed")
    assert (finding["count"], finding["document"], finding["url"]) == (9, None, f"{SITE}/lost/0.html")
    assert "9 indexable pages" in finding["message"]
    assert "and 4 more" in finding["message"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("404.html", page()),
        ("en/404.html", page()),
        ("404/index.html", page()),
        ("50x.html", page()),
        ("search.html", page()),
        ("google1234567890abcdef.html", page()),
        ("draft.html", page('<meta name="robots" content="noindex">')),
        ("moved.html", page('<meta http-equiv="refresh" content="0; url=/">')),
        ("copy.html", page('<link rel="canonical" href="/">')),
        ("away.html", page('<link rel="canonical" href="https://other.example.net/">')),
        ("part.html", "<div>no title, a part of a page</div>"),
        ("feed/index.html", '<?xml version="1.0"?><rss version="2.0"><channel><title>F</title></channel></rss>'),
        ("empty.html", ""),
        ("private/a.html", page()),
        ("hidden/a.html", page()),
        ("forced.html", page()),
    ],
)
def test_what_is_not_meant_to_be_found_need_not_be_listed(run: Run, tmp_path: Path, name: str, content: str) -> None:
    files = {
        **HOME,
        name: content,
        "robots.txt": f"User-agent: *\nDisallow: /private/\nSitemap: {SITE}/sitemap.xml\n",
        "_headers": "/hidden/*\n  X-Robots-Tag: noindex\n",
        "_redirects": "/forced.html / 301!\n",
    }
    assert run(build(tmp_path / "public", files, ["/"])).rules() == []


def test_a_page_is_listed_under_any_name_that_leads_to_its_file(run: Run, tmp_path: Path) -> None:
    files = {
        **HOME,
        "a/index.html": page(),
        "b.html": page(),
        "c/index.html": page('<link rel="canonical" href="/d/">'),
        "d/index.html": page(),
        "e/index.html": page('<meta http-equiv="refresh" content="0; url=/f/">'),
        "f/index.html": page(),
    }
    outcome = run(build(tmp_path / "public", files, ["/", "/a", "/b", "/c/", "/e/"]))
    assert about_pages(outcome) == [("canonical-elsewhere", "/c/"), ("redirects", "/e/")]


def test_an_unlisted_page_is_named_as_the_listed_ones_are(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "a.html": page(), "b.html": page()}
    assert about_pages(run(build(tmp_path / "public", files, ["/", "/a"]))) == [("not-listed", "/b")]


def test_pages_are_not_missed_where_a_part_of_the_list_is(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "a.html": page(), "sitemap.xml": index(f"{SITE}/one.xml", f"{SITE}/two.xml")}
    files["one.xml"] = urlset(f"{SITE}/")
    outcome = run(build(tmp_path / "public", files, []))
    assert outcome.rules() == ["index-child-missing"]
    files["two.xml"] = f'<urlset xmlns="{NAMESPACE}"><url>'
    assert run(build(tmp_path / "public", files, [])).rules() == ["xml-not-well-formed"]


def test_a_page_that_cannot_be_read_says_nothing(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {**HOME, "a.html": b"\xff\xfe\x00<\x00"}, ["/", "/a.html"])
    assert about_pages(run(public)) == []


# Languages


def test_the_languages_of_page_and_entry_must_agree(run: Run, tmp_path: Path) -> None:
    entry = "<url><loc>{0}</loc>" + "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{SITE}/{code.lower()}/"/>' for code in ("en", "de-AT")
    )
    document = urlset(
        *(f"{entry.format(f'{SITE}/{code}/')}</url>" for code in ("en", "de-at")),
        attributes=' xmlns:xhtml="http://www.w3.org/1999/xhtml"',
    )
    right = '<link rel="alternate" hreflang="EN" href="/en/"><link rel="alternate" hreflang="de-at" href="/de-at/">'
    files = {"sitemap.xml": document, "en/index.html": page(right), "de-at/index.html": page(right)}
    assert run(build(tmp_path / "public", files, [])).rules() == []
    files["de-at/index.html"] = page(right.replace('"/de-at/"', '"/at/"'))
    outcome = run(build(tmp_path / "public", files, []))
    assert about_pages(outcome) == [("hreflang-mismatch", "/de-at/")]
    assert f"the page '{SITE}/at/'" in outcome.finding("page-hreflang-mismatch")["message"]


# One cause, one finding


def test_index_html_is_told_once_where_the_page_wants_its_folder_listed(run: Run, tmp_path: Path) -> None:
    files = {"a/index.html": page('<link rel="canonical" href="./">'), "b/index.html": page()}
    outcome = run(build(tmp_path / "public", files, ["/a/index.html", "/b/index.html"]))
    assert outcome.rules() == ["page-canonical-elsewhere", "loc-index-html"]
    assert outcome.finding("loc-index-html")["url"] == f"{SITE}/b/index.html"


def test_an_error_page_is_not_looked_at_as_a_page(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "404.html": page('<meta name="robots" content="noindex"><link rel="canonical" href="/">')}
    assert run(build(tmp_path / "public", files, ["/", "/404.html", "/500.html"])).rules() == ["loc-not-a-page"] * 2


@pytest.mark.parametrize("format", ["rss", "atom", "text"])
def test_pages_of_feeds_and_lists_are_found_at_their_lines(run: Run, tmp_path: Path, format: str) -> None:
    rss = (
        '<?xml version="1.0"?>\n<rss version="2.0"><channel><title>News</title><link>{0}/</link>\n'
        "<item>\n<title>A</title>\n<link>{0}/gone</link></item></channel></rss>"
    )
    atom = (
        '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>\n<entry>\n'
        '<title>A</title>\n<link href="{0}/gone"/><updated>2026-05-06T10:00:00Z</updated></entry></feed>'
    )
    name, text = {
        "rss": ("feed.xml", rss),
        "atom": ("feed.xml", atom),
        "text": ("sitemap.txt", "{0}/\n\n\n\n{0}/gone\n"),
    }[format]
    files = {**HOME, name: text.format(SITE), "robots.txt": f"Sitemap: {SITE}/{name}\nSitemap: {SITE}/sitemap.xml\n"}
    outcome = run(build(tmp_path / "public", files, ["/"]))
    assert about_pages(outcome) == [("missing", "/gone")]
    finding = outcome.finding("page-missing")
    assert (finding["document"], finding["line"]) == (f"public/{name}", 5)


def test_a_bundle_over_several_documents_counts_for_each_of_them(run: Run, tmp_path: Path) -> None:
    pages = {f"s{n}/index.html": page(f'<link rel="canonical" href="/s{n}/">') for n in range(5)}
    files = {
        **HOME,
        **pages,
        "sitemap.xml": index(f"{SITE}/one.xml", f"{SITE}/two.xml"),
        "one.xml": urlset(f"{SITE}/", f"{SITE}/s0", f"{SITE}/s1"),
        "two.xml": urlset(*(f"{SITE}/s{n}" for n in range(2, 5))),
    }
    public = build(tmp_path / "public", files, [])
    outcome = run(public)
    assert [(f["document"], f["count"]) for f in outcome.report["findings"]] == [("public/one.xml", 5)]
    assert outcome.report["counts"]["warning"] == 5
    summary = run(public, format="markdown").stdout
    rows = [line for line in summary.splitlines() if ".xml" in line and "<td>urlset" in line]
    assert ["2 warnings" in rows[0], "3 warnings" in rows[1]] == [True, True]
    log = run(public, format="github").stdout
    assert "further" not in log


def test_ignored_pages_are_not_named_among_those_that_nobody_lists(run: Run, tmp_path: Path) -> None:
    files = {**HOME, **{f"tag/{n}.html": page() for n in range(9)}, "lost.html": page(), "more.html": page()}
    outcome = run(build(tmp_path / "public", files, ["/"]), "--ignore-url", "*/tag/*")
    finding = outcome.finding("page-not-listed")
    assert finding["count"] == 2
    assert finding["message"].endswith("lists them: `/lost.html`, `/more.html`.")
    assert outcome.report["counts"]["ignored"] == 9


@pytest.mark.parametrize("href", ["javascript:alert(1)", "mailto:x@acme.example", "data:text/html,x"])
def test_a_canonical_that_is_no_address_of_a_page_is_none(run: Run, tmp_path: Path, href: str) -> None:
    assert (
        about_pages(run(build(tmp_path / "p", {"index.html": page(f'<link rel="canonical" href="{href}">')}, ["/"])))
        == []
    )


def test_the_404th_post_is_a_page_like_others(run: Run, tmp_path: Path) -> None:
    """Whatever the rule about error pages lets pass is looked at."""
    files = {**HOME, "posts/403.html": page(), "posts/405.html": page()}
    outcome = run(build(tmp_path / "public", files, ["/", *(f"/posts/{number}.html" for number in range(403, 407))]))
    assert outcome.rules() == ["page-missing"] * 2
    assert outcome.report["pages"] == {"listed": 5, "checked": 5}
