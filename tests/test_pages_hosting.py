"""The configuration of static hosts: what they redirect, rewrite and keep out of search results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Run
from pages import SITE, about_pages, build, page, scope_evidence

FILES = {"index.html": page(), "new/index.html": page(), "here.html": page()}


def listed(run: Run, tmp_path: Path, path: str, **files: str) -> list[tuple[str, str]]:
    """What is found about one listed path, beside the home page; pages that are not listed aside."""
    names = {name.replace("__", "."): content for name, content in files.items()}
    outcome = run(build(tmp_path / "public", {**FILES, **names}, ["/", path]), "--ignore", "page-not-listed")
    return about_pages(outcome)


# `_redirects`, of Netlify and Cloudflare Pages


@pytest.mark.parametrize(
    ("rules", "path", "found"),
    [
        ("/old /new/ 301", "/old", "redirects"),
        ("/old /new/", "/old/", "redirects"),
        ("# a comment\n\n/old\t/new/\t302 # why", "/old", "redirects"),
        ("/blog/* /new/:splat 301", "/blog/a/b", "redirects"),
        ("/posts/:year/:slug /new/?y=:year 308", "/posts/2024/x", "redirects"),
        ("/posts/:year/:slug /new/", "/posts/2024/x/y", "missing"),
        ("/old https://elsewhere.example.net/ 301", "/old", "redirects"),
        ("/here /new/ 301", "/here", None),  # a file beats a rule,
        ("/here /new/ 301!", "/here", "redirects"),  # unless it is forced
        ("/* /index.html 200", "/any/thing", None),
        ("/app/* /here.html 200", "/app/x", None),
        ("/api/* https://api.acme.example/:splat 200", "/api/x", None),
        ("/* /404.html 404", "/any", "missing"),
        ("/gone /404.html 410", "/gone", "missing"),
        ("/old /new/ 301 Country=de", "/old", None),  # nobody can tell from here
        ("/old id=:id /new/:id 301", "/old", None),
        ("https://blog.acme.example/* /new/ 301!", "/here", None),
        (f"{SITE}/old /new/ 301", "/old", "redirects"),
        ("/old /old/ 301", "/old", "redirects"),
        ("/caf%C3%A9 /new/", "/caf%C3%A9", "redirects"),
        ("/Old /new/", "/old", "missing"),
        ("garbage", "/x", "missing"),
        ("/a /b", "/a", "redirects"),
    ],
)
def test_redirects_of_netlify_and_cloudflare(
    run: Run, tmp_path: Path, rules: str, path: str, found: str | None
) -> None:
    assert listed(run, tmp_path, path, _redirects=rules) == ([(found, path)] if found else [])


def test_a_redirect_is_told_with_its_line_and_target(run: Run, tmp_path: Path) -> None:
    rules = "/a /new/\n/blog/* /new/:splat 301\n"
    outcome = run(build(tmp_path / "public", {**FILES, "_redirects": rules}, ["/", "/blog/x"]))
    message = outcome.finding("page-redirects")["message"]
    assert message == f"Listed, but `_redirects` line 2 sends it on to {SITE}/new/x."


def test_the_target_of_a_redirect_need_not_be_listed(run: Run, tmp_path: Path) -> None:
    files = {"index.html": page(), "new/index.html": page(), "_redirects": "/old /new/ 301\n"}
    assert about_pages(run(build(tmp_path / "public", files, ["/", "/old"]))) == [("redirects", "/old")]


# `_headers`


@pytest.mark.parametrize(
    ("rules", "path", "is_found"),
    [
        ("/here\n  X-Robots-Tag: noindex", "/here", True),
        ("/*\n  x-robots-tag: none", "/here", True),
        ("/*\n\tX-Robots-Tag: googlebot: noindex", "/here", True),
        ("/*\n  X-Robots-Tag: otherbot: noindex, nofollow", "/here", False),
        ("/*\n  X-Robots-Tag: nofollow, otherbot: noindex, googlebot: none", "/here", True),
        ("/*\n  X-Robots-Tag: noarchive\n  X-Frame-Options: DENY", "/here", False),
        ("/*\n  X-Robots-Tag: max-snippet: 5, unavailable_after: 1 Jan 2020", "/here", False),
        ("/drafts/*\n  X-Robots-Tag: noindex", "/here", False),
        ("# /*\n#  X-Robots-Tag: noindex", "/here", False),
        ("https://:project.pages.dev/*\n  X-Robots-Tag: noindex", "/here", False),
        ("https://www.acme.example/*\n  X-Robots-Tag: noindex", "/here", True),
        ("  X-Robots-Tag: noindex", "/here", False),
        ("/new\n  X-Robots-Tag: noindex", "/new/", True),
    ],
)
def test_headers_that_keep_pages_out(run: Run, tmp_path: Path, rules: str, path: str, is_found: bool) -> None:
    outcome = run(build(tmp_path / "public", {**FILES, "_headers": rules}, [path]), "--ignore", "page-not-listed")
    assert about_pages(outcome) == ([("noindex", path)] if is_found else [])


def test_a_header_is_told_with_its_line_also_for_what_is_no_page(run: Run, tmp_path: Path) -> None:
    rules = "/here\n  X-Frame-Options: DENY\n\n/*.pdf\n  X-Robots-Tag: noindex\n"
    outcome = run(build(tmp_path / "public", {**FILES, "a.pdf": "%PDF", "_headers": rules}, ["/", "/a.pdf"]))
    message = outcome.finding("page-noindex")["message"]
    assert message == "Listed, but kept out of search results by `_headers` line 5 (`X-Robots-Tag: noindex`)."


# netlify.toml, vercel.json, staticwebapp.config.json


@pytest.mark.parametrize(
    ("name", "text", "path", "found"),
    [
        ("netlify__toml", '[[redirects]]\nfrom = "/old/*"\nto = "/new/:splat"', "/old/x", "redirects"),
        ("netlify__toml", '[[redirects]]\nfrom = "/here"\nto = "/new/"', "/here", None),
        ("netlify__toml", '[[redirects]]\nfrom = "/here"\nto = "/new/"\nforce = true', "/here", "redirects"),
        ("netlify__toml", '[[redirects]]\nfrom="/*"\nto="/index.html"\nstatus=200', "/x", None),
        ("netlify__toml", '[[redirects]]\nfrom="/x"\nto="/new/"\nconditions={Country=["de"]}', "/x", None),
        ("netlify__toml", '[[headers]]\nfor = "/*"\n[headers.values]\nX-Robots-Tag = "noindex"', "/here", "noindex"),
        ("vercel__json", '{"redirects": [{"source": "/old/:p*", "destination": "/new/"}]}', "/old/a/b", "redirects"),
        ("vercel__json", '{"redirects": [{"source": "/old/:p", "destination": "/new/"}]}', "/old/a/b", "missing"),
        ("vercel__json", '{"redirects": [{"source": "/here", "destination": "/new/"}]}', "/here", "redirects"),
        ("vercel__json", '{"redirects": [{"source": "/:a(\\\\d+)", "destination": "/new/"}]}', "/12", None),
        ("vercel__json", '{"rewrites": [{"source": "/(.*)", "destination": "/index.html"}]}', "/a/b", None),
        ("vercel__json", '{"cleanUrls": true}', "/here.html", "redirects"),
        ("vercel__json", '{"cleanUrls": true}', "/here", None),
        ("vercel__json", '{"trailingSlash": true}', "/new", "redirects"),
        ("vercel__json", '{"trailingSlash": false}', "/new/", "redirects"),
        ("vercel__json", '{"trailingSlash": false}', "/new", None),
        (
            "vercel__json",
            '{"headers": [{"source": "/(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}',
            "/here",
            "noindex",
        ),
        (
            "vercel__json",
            '{"headers": [{"source": "/(.*)", "has": [{"type": "host", "value": "x.vercel.app"}],'
            ' "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]}',
            "/here",
            None,
        ),
        ("vercel__json", '{"routes": [{"src": "/x", "dest": "/y"}]}', "/x", None),
        (
            "staticwebapp__config__json",
            '{"routes": [{"route": "/old", "redirect": "/new/", "statusCode": 301}]}',
            "/old",
            "redirects",
        ),
        ("staticwebapp__config__json", '{"routes": [{"route": "/app/*", "rewrite": "/index.html"}]}', "/app/x", None),
        ("staticwebapp__config__json", '{"navigationFallback": {"rewrite": "/index.html"}}', "/any", None),
        ("staticwebapp__config__json", '{"globalHeaders": {"X-Robots-Tag": "noindex"}}', "/here", "noindex"),
        ("staticwebapp__config__json", '{"trailingSlash": "always"}', "/new", "redirects"),
    ],
)
def test_other_hosts(run: Run, tmp_path: Path, name: str, text: str, path: str, found: str | None) -> None:
    assert (found, path) in listed(run, tmp_path, path, **{name: text}) or found is None
    if found is None:
        assert listed(run, tmp_path, path, **{name: text}) == []


def test_the_configuration_of_the_project_is_found_in_the_working_directory(run: Run, tmp_path: Path) -> None:
    public = build(tmp_path / "public", FILES, ["/", "/old"])
    (tmp_path / "vercel.json").write_text(
        '{\n  "redirects": [\n    {"source": "/old", "destination": "/new/"}\n  ]\n}\n', encoding="utf-8"
    )
    outcome = run(public)
    assert "`vercel.json` line 3 sends it on" in outcome.finding("page-redirects")["message"]
    (public / "vercel.json").write_text("{}", encoding="utf-8")  # the one in the build counts more
    assert ("missing", "/old") in about_pages(run(public))


@pytest.mark.parametrize("name", ["netlify.toml", "vercel.json", "staticwebapp.config.json"])
@pytest.mark.parametrize(
    "text", ["{", "[]", "null", "[" * 9000, '{"routes": 5, "redirects": [3, {"source": 1}]}', "a = " + "9" * 5000]
)
def test_a_configuration_that_cannot_be_read_is_said_and_does_no_harm(
    run: Run, tmp_path: Path, name: str, text: str
) -> None:
    outcome = run(build(tmp_path / "public", {**FILES, name: text}, ["/", "/new/", "/here"]))
    assert about_pages(outcome) == []
    if text in ("{", "[" * 9000):
        assert f"{name} could not be read" in scope_evidence(outcome)


def test_a_hostile_configuration_comes_to_an_end(run: Run, tmp_path: Path) -> None:
    """As regular expressions, such patterns would take for ever: longer than a test may."""
    rules = "".join(f"/{'*a' * 200}{number} /new/ 301\n" for number in range(200))
    public = build(
        tmp_path / "public", {**FILES, "_redirects": rules}, ["/", *(f"/{'a' * 1500}{n}" for n in range(20))]
    )
    assert run(public).report["pages"] == {"listed": 21, "checked": 21}


def test_rewrites_in_a_circle_come_to_an_end(run: Run, tmp_path: Path) -> None:
    rules = "/a /b 200\n/b /c 200\n/c /a 200\n/self /self 200\n"
    assert listed(run, tmp_path, "/a", _redirects=rules) == []
    assert listed(run, tmp_path, "/self", _redirects=rules) == [("missing", "/self")]


def test_the_number_of_a_group_may_have_any_length(run: Run, tmp_path: Path) -> None:
    number = "1" * 5_000
    assert listed(run, tmp_path, "/old", _redirects=f"/old /new/${number} 301") == [("redirects", "/old")]


def test_a_header_of_vercel_without_a_proper_name_is_none(run: Run, tmp_path: Path) -> None:
    names: list[object] = [[], {}, None, 1, "X-Robots-Tag"]
    headers = [{"key": name, "value": "noindex"} for name in names]
    settings = json.dumps({"headers": [{"source": "/here", "headers": headers}]})
    assert listed(run, tmp_path, "/here", vercel__json=settings) == [("noindex", "/here")]
