"""Several sites in one run, sources nobody has built, and hosts that answer by more than files."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from conftest import Run
from pages import SITE, about_pages, build, page, scope_evidence

HOME = {"index.html": page()}
SHELLS = [
    "<body><app-root></app-root><script src=main.js></script></body>",
    '<body><div id="root"><div class="spinner">Loading…</div></div><script type=module src=/app.js></script></body>',
    "<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=vue-app></div><script src=a.js></script>",
]


@pytest.mark.parametrize("order", [("web", "docs"), ("docs", "web")])
@pytest.mark.parametrize("robots", [False, True])
def test_two_builds_of_one_host_are_each_served_at_their_own_path(
    run: Run, tmp_path: Path, order: tuple[str, str], robots: bool
) -> None:
    build(tmp_path / "web", {**HOME, "about.html": page()}, ["/", "/about"])
    pages = {name: page() for name in ("index.html", "intro/index.html", "two/index.html")}
    build(tmp_path / "docs", pages, ["/docs/", "/docs/intro/", "/docs/two/"])
    if robots:
        (tmp_path / "web" / "robots.txt").write_text(f"Sitemap: {SITE}/sitemap.xml\n", encoding="utf-8")
        (tmp_path / "docs" / "robots.txt").write_text(f"Sitemap: {SITE}/docs/sitemap.xml\n", encoding="utf-8")
    outcome = run(*order)
    assert about_pages(outcome) == []
    assert outcome.report["pages"] == {"listed": 5, "checked": 5}


def test_two_sites_below_one_directory_are_found_in_their_folders(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "apps" / "web" / "out", {**HOME, "about.html": page()}, ["/", "/about"])
    pages = {name: page() for name in ("index.html", "intro/index.html")}
    build(tmp_path / "apps" / "docs" / "build", pages, ["/docs/", "/docs/intro/", "/docs/gone/"])
    assert about_pages(run(tmp_path)) == [("missing", "/docs/gone/")]


@pytest.mark.parametrize("options", [(), ("--site-url", f"{SITE}/%C3%BC/"), ("--site-url", f"{SITE}/ü/")])
def test_a_path_with_escapes_is_a_path_like_others(run: Run, tmp_path: Path, options: tuple[str, ...]) -> None:
    listed = ["/%C3%BC/", "/%C3%BC/a/", "/%C3%BC/gone/"]
    public = build(tmp_path / "public", {**HOME, "a/index.html": page()}, listed)
    assert about_pages(run(public, *options)) == [("missing", "/%C3%BC/gone/")]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("beside", [{}, {"privacy.html": page('<meta name="robots" content="noindex">')}])
def test_an_application_is_known_by_its_empty_page(
    run: Run, tmp_path: Path, shell: str, beside: dict[str, str]
) -> None:
    home = f"<!doctype html><html><head><title>App</title></head>{shell}</html>"
    assert about_pages(run(build(tmp_path / "dist", {"index.html": home, **beside}, ["/", "/a", "/b/c"]))) == []


def test_a_program_in_front_of_the_files_may_answer_for_any_page(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {**HOME, "_worker.js": "export default {}"}, ["/", "/made-by-it"])
    assert about_pages(run(public)) == []


@pytest.mark.parametrize(
    "home", ["---\nlayout: home\n---\n", "<title>{{ site.title }}</title>\n{% include head.html %}"]
)
def test_sources_that_nobody_has_rendered_are_no_built_site(run: Run, tmp_path: Path, home: str) -> None:
    files = {"index.html": home, "about.md": "# About", "_layouts/default.html": page()}
    outcome = run(build(tmp_path / "source", files, ["/", "/about/"]))
    assert about_pages(outcome) == []
    assert "templates that nobody has rendered" in scope_evidence(outcome)


def test_folders_that_begin_with_an_underscore_hold_no_pages(run: Run, tmp_path: Path) -> None:
    files = {**HOME, "_layouts/default.html": page(), "_next/x/y.html": page()}
    assert run(build(tmp_path / "public", files, ["/"])).rules() == []


def test_a_name_composed_in_another_way_is_told(run: Run, tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "über")
    public = build(tmp_path / "public", {**HOME, f"{name}.html": page()}, ["/", "/%C3%BCber"])
    finding = run(public, "--ignore", "page-not-listed").finding("page-missing")
    assert "differs in how its letters are composed" in finding["message"]


def test_numbers_that_are_also_error_codes_are_pages_like_others(run: Run, tmp_path: Path) -> None:
    files = {f"posts/{n}/index.html": page() for n in range(395, 410) if n != 404}
    outcome = run(build(tmp_path / "public", {**HOME, **files}, ["/", *(f"/posts/{n}/" for n in range(395, 410))]))
    assert about_pages(outcome) == [("missing", "/posts/404/")]
    assert outcome.report["pages"] == {"listed": 16, "checked": 16}


@pytest.mark.parametrize(
    ("tag", "is_found"),
    [
        ('<meta name="description" content="the <body> tag"><meta name="robots" content="noindex">', True),
        ("<meta name='description' content='</head>'><meta name='robots' content='noindex'>", True),
        ('<meta name="robots" content="max-image-preview: none, max-snippet: -1">', False),
        ('<meta name="robots" content="noindex nofollow">', True),
    ],
)
def test_attributes_are_read_as_a_browser_reads_them(run: Run, tmp_path: Path, tag: str, is_found: bool) -> None:
    outcome = run(build(tmp_path / "public", {"index.html": page(tag)}, ["/"]))
    assert about_pages(outcome) == ([("noindex", "/")] if is_found else [])


@pytest.mark.parametrize("escaped", ["what%27s", "a%28b%29", "x%21"])
def test_escapes_that_no_server_minds_make_no_other_page(run: Run, tmp_path: Path, escaped: str) -> None:
    plain = {"what%27s": "what's", "a%28b%29": "a(b)", "x%21": "x!"}[escaped]
    files = {**HOME, f"{plain}/index.html": page(f'<link rel="canonical" href="{SITE}/{escaped}/">')}
    assert about_pages(run(build(tmp_path / "public", files, ["/", f"/{plain}/"]))) == []


# Hosts


def told(run: Run, tmp_path: Path, path: str, **files: str) -> list[tuple[str, str]]:
    names = {name.replace("__", "."): text for name, text in files.items()}
    files_of_it = {**HOME, "new/index.html": page(), "pub/index.html": page(), "reindex.html": page(), **names}
    return about_pages(run(build(tmp_path / "public", files_of_it, ["/", path]), "--ignore", "page-not-listed"))


@pytest.mark.parametrize(
    ("path", "found", "files"),
    [
        ("/app/x", None, {"_redirects": f"http://www.acme.example/* {SITE}/:splat 301!\n/* /index.html 200"}),
        ("/old", "redirects", {"_redirects": f"{SITE}/* {SITE}/:splat 301!\n/old /new/ 301"}),
        ("/q", "redirects", {"_redirects": "/a /b ²\n/q /new/ 301"}),
        (
            "/docs/v1/a/b",
            "redirects",
            {"vercel__json": '{"redirects": [{"source": "/docs/:v/:p*", "destination": "/d/:p*"}]}'},
        ),
        (
            "/docs/v1",
            "redirects",
            {"vercel__json": '{"redirects": [{"source": "/docs/:v/:p*", "destination": "/d/:p*"}]}'},
        ),
        ("/reindex", None, {"vercel__json": '{"cleanUrls": true}'}),
        (
            "/pub/",
            None,
            {"staticwebapp__config__json": '{"routes": [{"route": "/pub/", "methods": ["PUT"], "redirect": "/x"}]}'},
        ),
        (
            "/pub/",
            None,
            {"staticwebapp__config__json": '{"routes": [{"route": "/pub/"}, {"route": "/pub*", "redirect": "/new/"}]}'},
        ),
        ("/pub/", "missing", {"staticwebapp__config__json": '{"routes": [{"route": "/pub/", "statusCode": 404}]}'}),
        (
            "/any",
            None,
            {
                "staticwebapp__config__json": '{"responseOverrides": {"404": {"rewrite": "/index.html", "statusCode": 200}}}'
            },
        ),
        (
            "/x/any",
            "missing",
            {"staticwebapp__config__json": '{"navigationFallback": {"rewrite": "/index.html", "exclude": ["/x/*"]}}'},
        ),
        ("/pub/", None, {"_headers": "/*\n  X-Robots-Tag: noindex\n/pub/*\n  ! X-Robots-Tag\n/\n  ! X-Robots-Tag"}),
        ("/any", None, {"_redirects": "/x /y 301\n" + "#" * 2_100_000}),
    ],
)
def test_rules_of_hosts_mean_what_their_makers_say(
    run: Run, tmp_path: Path, path: str, found: str | None, files: dict[str, str]
) -> None:
    assert told(run, tmp_path, path, **files) == ([(found, path)] if found else [])


def test_the_line_of_a_rule_is_that_of_its_own_section(run: Run, tmp_path: Path) -> None:
    vercel = (
        '{\n"headers": [\n{"source": "/(.*)", "headers": [{"key": "a", "value": "b"}]},\n'
        '{"source": "/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}],\n'
        '"rewrites": [\n{"source": "/(.*)", "destination": "/index.html"}]\n}\n'
    )
    outcome = run(build(tmp_path / "one", {**HOME, "vercel.json": vercel}, ["/"]))
    assert "`vercel.json` line 4" in outcome.finding("page-noindex")["message"]
    netlify = "# /a/b\n[build]\n\n[[redirects]]\nfrom = '/a'\nto = '/'\n"
    outcome = run(build(tmp_path / "two", {**HOME, "netlify.toml": netlify}, ["/", "/a"]))
    assert "`netlify.toml` line 5" in outcome.finding("page-redirects")["message"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("_redirects", "".join(f"/{n}/*/x /new/ 301\n" for n in range(30_000))),
        ("_redirects", "".join(f"/*/{n} /new/ 301\n" for n in range(30_000))),
        ("_headers", "".join(f"/*/{n}\n  X-Robots-Tag: noindex\n" for n in range(20_000))),
        ("robots.txt", "User-agent: *\n" + "".join(f"Disallow: /*{n}*x\n" for n in range(12_000))),
        ("robots.txt", "User-agent: *\n" + "".join(f"Disallow: /p{n}\n" for n in range(12_000))),
    ],
)
def test_thousands_of_rules_are_not_asked_for_each_page(run: Run, tmp_path: Path, name: str, text: str) -> None:
    """With a hundred times the pages it may take longer, but not as if each were held against every rule."""
    spent: dict[int, float] = {}
    for count in (3, 300):
        pages = {f"p{n}/index.html": page() for n in range(count)}
        public = build(tmp_path / str(count), {**HOME, **pages, name: text}, ["/", *(f"/p{n}/" for n in range(count))])
        began = time.process_time()
        assert run(public).report["pages"] == {"listed": count + 1, "checked": count + 1}
        spent[count] = time.process_time() - began
    assert spent[300] < 15 * spent[3]


def test_a_site_in_a_folder_of_another_is_not_missed_there(run: Run, tmp_path: Path) -> None:
    build(tmp_path / "public", {**HOME, "about.html": page()}, ["/", "/about"])
    pages = {name: page() for name in ("index.html", "intro/index.html", "lost.html")}
    build(tmp_path / "public" / "manual-build", pages, ["/docs/", "/docs/intro/"])
    outcome = run(tmp_path / "public")
    assert about_pages(outcome) == [("not-listed", "/docs/lost.html")]


@pytest.mark.parametrize("content", ["<h1>Home</h1>", "<p>Hi</p>", '<a href="/about">About</a>'])
def test_a_small_home_page_with_a_script_is_no_application(run: Run, tmp_path: Path, content: str) -> None:
    home = f'<!doctype html><title>Acme</title><script src="/a.js"></script><body>{content}</body>'
    assert about_pages(run(build(tmp_path / "public", {"index.html": home}, ["/", "/gone"]))) == [("missing", "/gone")]


@pytest.mark.parametrize("body", ["<p>Write {{ page.title }}</p>", "<script>f({{a:1}});{%x%}</script>"])
def test_a_home_page_that_quotes_a_template_is_a_page(run: Run, tmp_path: Path, body: str) -> None:
    files = {"index.html": page().replace("<body>", f"<body>{body}")}
    assert about_pages(run(build(tmp_path / "public", files, ["/", "/gone"]))) == [("missing", "/gone")]


def test_why_pages_were_not_looked_at_is_in_the_text_as_well(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", {}, ["/", "/a"])
    text = run(public, format="text").stdout
    assert "Pages      the pages were not looked at: there is no HTML beside the sitemaps\n" in text
    assert "Pages" not in run(public, "--no-pages", format="text").stdout


def test_a_robots_txt_that_pages_are_not_held_against_is_said(run: Run, tmp_path: Path) -> None:
    robots = "User-agent: *\n" + "".join(f"Disallow: /*{n}*x\n" for n in range(3_000))
    outcome = run(build(tmp_path / "public", {**HOME, "robots.txt": robots}, ["/"]))
    assert "robots.txt has too many patterns" in scope_evidence(outcome)
