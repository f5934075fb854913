"""Real servers and frameworks as origins: nothing to complain of on a good site, and a planted defect is found."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import django_site
import generators
import pytest
from conftest import Outcome, Run, index, urlset
from django.contrib.sites.apps import SitesConfig
from django.test.utils import override_settings
from generators import put
from origins import Nginx, Origin, fake_network, has_nginx, nginx

needs_nginx = pytest.mark.skipif(not has_nginx(), reason="nginx is not installed")


def day(ago: int) -> datetime:
    """A moment in the past: fixed dates would be stale one day, and the check says so."""
    return datetime.now(timezone.utc).replace(microsecond=0) - timedelta(days=ago)


def assert_no_alarm(outcome: Outcome, urls: int, notices: Sequence[str] = ()) -> None:
    """Nothing but the notices that the caller explains."""
    assert outcome.report["findings"] == [f for f in outcome.report["findings"] if f["severity"] == "notice"]
    assert outcome.rules() == list(notices)
    assert (outcome.report["verdict"], outcome.report["score"], outcome.exit_code) == ("pass", 1.0, 0)
    assert outcome.report["urls"] == urls


def paths(outcome: Outcome, origin: str) -> list[str]:
    return [document["location"].removeprefix(origin) for document in outcome.report["documents"]]


# nginx from Debian, with a site made by hand

CONFIG = """
absolute_redirect off; error_page 404 /404.html;
location = /sitemap_index.xml { return 301 /sitemap.xml; }
location = /home { return 302 /; }
"""


@pytest.fixture
def ordinary(tmp_path: Path) -> Iterator[tuple[Nginx, Path]]:
    """A static site: an index at the usual place, with an XML, a gzip and a text child."""
    root = tmp_path / "public"
    root.mkdir()
    with nginx(root, CONFIG) as server:
        url = server.url
        entries = [f"<url><loc>{url}/{n}.html</loc><lastmod>{day(n):%Y-%m-%d}</lastmod></url>" for n in range(7)]
        files: dict[str, str | bytes] = {
            "robots.txt": f"User-agent: *\nDisallow: /private/\n\nSitemap: {url}/sitemap.xml\n",
            "sitemap.xml": index(*(f"{url}/sitemap-{name}" for name in ("pages.xml", "notes.xml.gz", "list.txt"))),
            "sitemap-pages.xml": urlset(*entries),
            "sitemap-notes.xml.gz": gzip.compress(urlset(f"{url}/notes/", f"{url}/notes/caf%C3%A9").encode()),
            "sitemap-list.txt": f"{url}/list/a\n{url}/list/b?x=1&y=2\n",
            "index.html": "<!DOCTYPE html><title>Home</title>",
            "404.html": "<!DOCTYPE html><title>Not here</title><p>This page does not exist.",
        }
        put(root, files)
        yield server, root


@needs_nginx
def test_a_static_site_behind_nginx_raises_no_alarm(run: Run, ordinary: tuple[Nginx, Path]) -> None:
    server, _ = ordinary
    outcome = run(server.url)
    assert_no_alarm(outcome, urls=11)
    documents = outcome.report["documents"]
    assert [(d["location"].removeprefix(server.url), d["format"], d["compressed"]) for d in documents] == [
        ("/sitemap.xml", "sitemapindex", True),
        ("/sitemap-pages.xml", "urlset", True),
        ("/sitemap-notes.xml.gz", "urlset", True),
        ("/sitemap-list.txt", "text", True),
    ]
    # /sitemap_index.xml is the same sitemap once more, /sitemap.txt the HTML of the 404 page.
    log = (server.folder / "access.log").read_text(encoding="utf-8")
    assert '"GET /sitemap_index.xml HTTP/1.1" 301' in log
    assert '"GET /sitemap.txt HTTP/1.1" 404' in log


@needs_nginx
def test_a_child_that_nginx_does_not_have_is_found(run: Run, ordinary: tuple[Nginx, Path]) -> None:
    server, root = ordinary
    (root / "sitemap-notes.xml.gz").unlink()
    outcome = run(server.url)
    assert outcome.rules() == ["index-child-unreachable"]
    assert outcome.finding("index-child-unreachable")["url"] == f"{server.url}/sitemap-notes.xml.gz"
    assert outcome.report["urls"] == 9


@needs_nginx
def test_an_upload_that_was_cut_off_is_found(run: Run, ordinary: tuple[Nginx, Path]) -> None:
    server, root = ordinary
    packed = root / "sitemap-notes.xml.gz"
    packed.write_bytes(packed.read_bytes()[:-20])
    outcome = run(server.url)
    assert outcome.rules() == ["gzip-corrupt"]


@needs_nginx
def test_an_app_that_answers_every_path_with_its_home_page_has_no_sitemap(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "app", {"index.html": "<!DOCTYPE html><title>App</title><div id=app></div>"})
    with nginx(tmp_path / "app", "location / { try_files $uri /index.html; }") as server:
        outcome = run(server.url)
    assert outcome.rules("error") == ["sitemap-missing"]
    assert "HTML" in outcome.finding("sitemap-missing")["message"]


# Django's contrib.sitemaps


def test_django_raises_no_alarm(run: Run) -> None:
    with django_site.serve() as url:
        outcome = run(url)
    # The x-default of Django is the URL without a language, which its sitemap does not list.
    assert_no_alarm(outcome, urls=16, notices=["hreflang-target-not-listed"] * 4)
    posts = "/sitemap-posts.xml"
    assert paths(outcome, url) == ["/sitemap.xml", posts, f"{posts}?p=2", f"{posts}?p=3", "/sitemap-pages.xml"]


def test_dates_without_a_zone_in_the_index_of_django_are_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(django_site.sections, "posts", django_site.PostsWithoutZone)
    with django_site.serve() as url:
        outcome = run(url)
    assert outcome.rules("error") == []
    assert set(outcome.rules("warning")) == {"lastmod-zone-missing"}
    assert outcome.finding("lastmod-zone-missing")["document"] == f"{url}/sitemap.xml"
    assert outcome.finding("lastmod-zone-missing")["count"] == 3


def test_the_site_that_django_makes_at_first_is_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With django.contrib.sites the host comes from the database, where it is example.com until somebody sets it."""
    fake_network(monkeypatch, {}, {})
    with override_settings(INSTALLED_APPS=["django.contrib.sitemaps", SitesConfig.name], SITE_ID=1):
        from django.contrib.sites.models import SITE_CACHE, Site

        monkeypatch.setitem(SITE_CACHE, 1, Site(domain="example.com"))
        with django_site.serve() as url:
            outcome = run(url)
    assert outcome.report["verdict"] != "pass"
    finding = outcome.finding("index-child-unreachable")
    assert (finding["url"], finding["count"]) == ("http://example.com/sitemap-posts.xml", 4)
    assert "The child is on `example.com`" in finding["message"]
    assert "index-child-other-host" not in outcome.rules()


# An origin that behaves as WordPress does

WP_TYPE = "application/xml; charset=UTF-8"
WP_HEADERS = {"X-Robots-Tag": "noindex, follow"}
WP_PRETTY = {
    "index": "/wp-sitemap.xml",
    "posts": "/wp-sitemap-posts-post-1.xml",
    "pages": "/wp-sitemap-posts-page-1.xml",
    "categories": "/wp-sitemap-taxonomies-category-1.xml",
    "users": "/wp-sitemap-users-1.xml",
}
# Without permalinks everything is asked for by query.
WP_PLAIN = {
    "index": "/?sitemap=index",
    "posts": "/?sitemap=posts&sitemap-subtype=post&paged=1",
    "pages": "/?sitemap=posts&sitemap-subtype=page&paged=1",
    "categories": "/?sitemap=taxonomies&sitemap-subtype=category&paged=1",
    "users": "/?sitemap=users&paged=1",
}


def wp_put(origin: Origin, path: str, document: str, stylesheet: str) -> None:
    """A sitemap with the stylesheet that shows it to people in a browser."""
    head, _, rest = document.partition("\n")
    style = f'<?xml-stylesheet type="text/xsl" href="{{origin}}/{stylesheet}.xsl" ?>'
    origin.put(path, f"{head}\n{style}\n{rest}", headers=WP_HEADERS, type=WP_TYPE)


def wordpress(origin: Origin, at: dict[str, str]) -> None:
    """Posts have a time, archives none; the index has no dates at all; unknown paths get a themed page."""
    home = "{origin}/"
    posts = [f"<url><loc>{home}{n}/</loc><lastmod>{day(n).isoformat()}</lastmod></url>" for n in range(1, 7)]
    wp_put(origin, at["posts"], urlset(*posts), "wp-sitemap")
    wp_put(origin, at["pages"], urlset(home, f"{home}about/"), "wp-sitemap")
    wp_put(origin, at["categories"], urlset(f"{home}category/news/"), "wp-sitemap")
    wp_put(origin, at["users"], urlset(f"{home}author/ann/"), "wp-sitemap")
    children = [home.rstrip("/") + path.replace("&", "&amp;") for name, path in at.items() if name != "index"]
    wp_put(origin, at["index"], index(*children), "wp-sitemap-index")
    rules = "User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\n"
    origin.put("/robots.txt", f"{rules}Sitemap: {{origin}}{at['index']}\n", type="text/plain; charset=utf-8")
    origin.redirect("/sitemap.xml", "{origin}" + at["index"], status=302)
    html = "text/html; charset=UTF-8"
    origin.put("/", '<!DOCTYPE html><html lang="en-US"><title>A blog</title></html>', type=html)
    origin.put("/sitemap.txt", "<!DOCTYPE html><title>Page not found</title>", status=404, type=html)


@pytest.mark.parametrize("at", [pytest.param(WP_PRETTY, id="permalinks"), pytest.param(WP_PLAIN, id="plain")])
def test_wordpress_raises_no_alarm(run: Run, origin: Origin, at: dict[str, str]) -> None:
    wordpress(origin, at)
    outcome = run(origin.url)
    assert_no_alarm(outcome, urls=10)
    assert paths(outcome, origin.url) == list(at.values())
    assert outcome.report["documents"][0]["found_by"][0] == "robots.txt"


def test_what_a_plugin_prints_before_the_sitemap_of_wordpress_is_found(run: Run, origin: Origin) -> None:
    wordpress(origin, WP_PRETTY)
    origin.put(WP_PRETTY["posts"], "\n" + urlset("{origin}/1/"), headers=WP_HEADERS, type=WP_TYPE)
    outcome = run(origin.url)
    assert outcome.rules() == ["xml-leading-content"]
    assert outcome.finding("xml-leading-content")["document"] == origin.url + WP_PRETTY["posts"]


def test_an_address_that_was_moved_without_telling_wordpress_is_found(run: Run, origin: Origin) -> None:
    wordpress(origin, WP_PRETTY)
    wp_put(origin, WP_PRETTY["posts"], urlset("https://old.acme.example/1/", "{origin}/2/"), "wp-sitemap")
    outcome = run(origin.url)
    assert outcome.rules() == ["loc-host-mismatch"]
    assert outcome.finding("loc-host-mismatch")["url"] == "https://old.acme.example/1/"


# Generators, built for the address where nginx serves them


@dataclass(frozen=True)
class Built:
    """A built site, and where it is served."""

    url: str
    folder: Path


@contextlib.contextmanager
def edited(built: Built, old: str, new: str) -> Iterator[None]:
    """Change sitemap.xml, and robots.txt if there is one, for a while."""
    files = [path for path in (built.folder / "sitemap.xml", built.folder / "robots.txt") if path.exists()]
    good = {path: path.read_text(encoding="utf-8") for path in files}
    for path in files:
        path.write_text(good[path].replace(old, new), encoding="utf-8")
    yield
    for path in files:
        path.write_text(good[path], encoding="utf-8")


@pytest.fixture(scope="module")
def mkdocs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    source = tmp_path_factory.mktemp("mkdocs")
    site = source / "site"
    site.mkdir()
    with nginx(site, "error_page 404 /404.html;") as server:
        generators.mkdocs(source, site, server.url)
        yield Built(server.url, site)


@pytest.fixture(scope="module")
def sphinx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    source = tmp_path_factory.mktemp("sphinx")
    site = source / "_build"
    site.mkdir()
    with nginx(site) as server:
        generators.sphinx(source, site, server.url)
        yield Built(server.url, site)


@needs_nginx
def test_mkdocs_raises_no_alarm(run: Run, mkdocs: Built) -> None:
    live = run(mkdocs.url)
    assert_no_alarm(live, urls=6)
    assert paths(live, mkdocs.url) == ["/sitemap.xml"]
    # Beside it lies sitemap.xml.gz, the same once more: in the directory that is no second sitemap.
    assert_no_alarm(run(mkdocs.folder, "--site-url", mkdocs.url), urls=6)
    assert_no_alarm(run(f"{mkdocs.url}/sitemap.xml.gz"), urls=6)


@needs_nginx
def test_the_pages_of_mkdocs_and_sphinx_behind_nginx_raise_no_alarm(run: Run, mkdocs: Built, sphinx: Built) -> None:
    for built, notices in ((mkdocs, []), (sphinx, ["loc-index-html"])):
        outcome = run(built.url, "--pages")
        assert_no_alarm(outcome, urls=6, notices=notices)
        assert outcome.report["pages"] == {"listed": 6, "checked": 6}


@needs_nginx
def test_a_page_that_was_deleted_behind_nginx_and_one_that_lost_its_slash_are_found(run: Run, mkdocs: Built) -> None:
    """`/guide/2` is a folder: nginx sends such a request on to the URL with a slash."""
    page = mkdocs.folder / "guide" / "1" / "index.html"
    text = page.read_text(encoding="utf-8")
    page.unlink()
    with edited(mkdocs, "/guide/2/", "/guide/2"):
        outcome = run(mkdocs.url, "--pages", "--retries", "0")
    page.write_text(text, encoding="utf-8")
    found = [(f["rule"], f["url"].removeprefix(mkdocs.url)) for f in outcome.report["findings"]]
    # What nginx answers for a folder without an index is 403: that says nothing of the page.
    assert found == [("page-inconclusive", "/guide/1/"), ("page-redirects", "/guide/2")]
    assert f"redirects to {mkdocs.url}/guide/2/" in outcome.finding("page-redirects")["message"]


@needs_nginx
def test_a_page_that_a_template_for_mkdocs_lists_twice_is_found(run: Run, mkdocs: Built) -> None:
    with edited(mkdocs, "</urlset>", f"<url><loc>{mkdocs.url}/</loc></url></urlset>"):
        assert run(mkdocs.url).rules() == ["loc-repeated"]


@needs_nginx
def test_sphinx_raises_no_alarm(run: Run, sphinx: Built) -> None:
    notices = ["loc-index-html"]  # sphinx-sitemap lists it as such
    assert_no_alarm(run(sphinx.url), urls=6, notices=notices)
    assert_no_alarm(run(sphinx.folder, "--site-url", sphinx.url), urls=6, notices=notices)


@needs_nginx
def test_a_base_url_of_another_host_in_sphinx_is_found_unless_that_is_the_site(
    run: Run, sphinx: Built, monkeypatch: pytest.MonkeyPatch
) -> None:
    production = "https://docs.acme.example"
    fake_network(monkeypatch, {}, {})
    with edited(sphinx, sphinx.url, production):
        outcome = run(sphinx.url)
        assert outcome.rules("warning") == ["loc-host-mismatch"] * 6
        assert outcome.finding("loc-host-mismatch")["count"] == 6
        assert_no_alarm(run(sphinx.url, "--site-url", production), urls=6, notices=["loc-index-html"])
