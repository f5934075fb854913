"""Targets that read what lies beside the sitemaps: robots.txt, pages, configuration of hosts, our own settings."""

from __future__ import annotations

import atexit
import json
import os
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path

import click

from fuzz import seeds, words
from fuzz.engine import Outcome, Target
from sitemap_action.cli import main
from sitemap_action.pages import head
from sitemap_action.pages.hosting import read_hosting
from sitemap_action.site.built import sitemap_links
from sitemap_action.site.robots import read_robots

_HOME = "https://www.acme.example/"
_PATHS = ("/", "/a", "/a/", "/a/b.html", "/blog/2026/x", "/ü%20", "/index.html", "//", "/*", "/:a")
_URLS = (_HOME, _HOME + "a", _HOME + "a?b=c", "http://[::1]/x", _HOME + "%zz", _HOME + "ü", "https://www.acme.example")
_NEVER = re.compile(rb"(?!)")
_HOSTING = ("_redirects", "_headers", "netlify.toml", "vercel.json", "staticwebapp.config.json")


@cache
def _folder() -> Path:
    """One for the whole process; nothing in it is worth keeping."""
    folder = tempfile.mkdtemp(prefix="fuzz-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def run_robots(data: bytes) -> Outcome:
    robots = read_robots("robots.txt", data)
    lines = robots.text.count("\n") + robots.text.count("\r") + 1
    for found in (*robots.sitemaps, *robots.misspelled):
        assert 1 <= found.line <= lines, "a line that is not there"
        assert found.value == found.value.strip(), "white space around a value"
        assert found.value, "a sitemap without a name"
    verdicts = []
    for url in _URLS:
        blocked = None if robots.is_excessive else robots.blocked_by(url)
        assert blocked is None or not robots.allows(url), "blocked, and allowed"
        verdicts.append((None if robots.is_excessive else robots.allows(url), blocked))
    delay = robots.crawl_delay
    assert 0 <= delay < 1e6, "no number of seconds"
    counts = (min(len(robots.sitemaps), 3), min(len(robots.misspelled), 3))
    kind = (robots.problem, counts, [verdict[0] for verdict in verdicts], [bool(verdict[1]) for verdict in verdicts])
    return Outcome((kind, delay > 0), (kind, robots.sitemaps, robots.misspelled, verdicts, delay))


def run_head(data: bytes) -> Outcome:
    """A head that is simple enough to be read without a parser is read as the parser would read it."""
    charset, page = _with_charset(data)
    found = head.read_head(page, charset)
    simple, head._SIMPLE = head._SIMPLE, _NEVER
    try:
        assert head.read_head(page, charset) == found, "the parser reads another head"
    finally:
        head._SIMPLE = simple
    end = head.end_of_head(page)
    assert end is None or 0 <= end < len(page), "the head ends elsewhere"
    empty = head.is_empty_page(page)
    counts = (len(found.canonicals), len(found.modified), len(found.alternates)) if found else ()
    told = (bool(found.noindex), bool(found.refresh), bool(found.base), found.has_title) if found else ()
    kind = ([min(count, 3) for count in counts], told, end is None, empty)
    return Outcome(kind, (kind, found, end))


def _with_charset(data: bytes) -> tuple[str, bytes]:
    """A server may name an encoding: an input that begins with `@name` has one that does."""
    if data.startswith(b"@"):
        name, _, page = data[1:].partition(b"\n")
        return name[:40].decode("latin-1"), page
    return "", data


def run_links(data: bytes) -> Outcome:
    found = sitemap_links(data, _HOME)
    assert all(isinstance(link, str) for link in found)
    return Outcome((min(len(found), 3), [link[:12] for link in found[:3]]), found)


def run_hosting(data: bytes) -> Outcome:
    """The first line says which file it is; then pages are held against what the file says."""
    name, _, text = data.partition(b"\n")
    file = next((one for one in _HOSTING if one.encode() == name), _HOSTING[len(data) % len(_HOSTING)])
    folder = _folder() / "hosting"
    folder.mkdir(exist_ok=True)
    path = folder / file
    path.write_bytes(text)
    try:
        hosting = read_hosting(folder, folder)
    finally:
        path.unlink()
    told = []
    for page in _PATHS:
        turn, header = hosting.turn(page, "www.acme.example"), hosting.noindex(page, "www.acme.example")
        assert turn is None or turn.kind in ("redirect", "rewrite", "gone", "unknown"), "a strange turn"
        assert turn is None or file in turn.told_by, "told by nobody"
        told.append((turn, header.told_by if header else None, header.value if header else None))
    kind = (
        file,
        [re.sub(r"[^a-z ]", "", note)[:50] for note in hosting.notes],
        [(turn.kind if turn else "", told_by) for turn, told_by, _ in told],
    )
    return Outcome(kind, (kind, told, hosting.notes, hosting.has_turns, hosting.has_headers))


def run_config(data: bytes) -> Outcome:
    """A config file is understood, or it is a usage error in one clear line."""
    folder = _folder() / "config"
    folder.mkdir(exist_ok=True)
    file = folder / "settings.toml"
    file.write_bytes(data)
    before = Path.cwd()
    os.chdir(folder)
    try:
        context = main.make_context("sitemap-action", ["--config", str(file)])
    except click.UsageError as error:
        message = error.format_message()
        assert message.strip(), "an error without words"
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]|##\[|^\s*::", message), "a message that is a command"
        return Outcome(re.sub(r"[\d'`\"].*", "", message.replace(str(file), ""))[:80], message)
    finally:
        os.chdir(before)
    return Outcome(
        sorted(name for name in context.params if context.params[name]), sorted(map(repr, context.params.items()))
    )


def _robots_seeds() -> list[bytes]:
    rules = b"User-agent: *\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2\nSitemap: https://www.acme.example/s.xml\n"
    return [rules, b"\xef\xbb\xbf" + rules, *seeds.contents(lambda name, data: name.endswith("robots.txt"))]


def _page_seeds() -> list[bytes]:
    pages = seeds.contents(lambda name, data: name.endswith(".html"))
    made = (
        b"<!doctype html><html><head>"
        + b"\n".join(word for word in words.HTML if word.startswith((b"<meta", b"<link", b"<script t")))
        + b"<title>x</title></head><body><p>x</p></body></html>"
    )
    wrong = [b"@%s\n" % name + made for name in (b"utf-16le", b"latin-1", b"utf-7", b"\xff")]
    return [made, made.replace(b'"', b"'"), *wrong, *pages]


def hosting_seeds() -> list[bytes]:
    """Each begins with the name of its file."""
    home = _HOME.encode()
    vercel = {
        "trailingSlash": True,
        "cleanUrls": True,
        "redirects": [{"source": "/a/:b*", "destination": "/c/:b", "permanent": False, "has": [{"type": "host"}]}],
        "rewrites": [{"source": "/(.*)", "destination": "/$1"}],
        "headers": [{"source": "/a", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}],
    }
    azure = {
        "trailingSlash": "never",
        "routes": [{"route": "/a/*", "redirect": "/b", "statusCode": 301, "methods": ["GET"], "headers": {"x": "y"}}],
        "navigationFallback": {"rewrite": "/index.html", "exclude": ["/x/*", "*.{css}"]},
        "responseOverrides": {"404": {"rewrite": "/404.html", "statusCode": 200}},
        "globalHeaders": {"X-Robots-Tag": "noindex"},
    }
    toml = (
        b'[[redirects]]\nfrom = "/a/*"\nto = "/b/:splat"\nstatus = 301\nforce = true\n[redirects.query]\nid = ":id"\n'
    )
    toml += b'[[headers]]\nfor = "/*"\n[headers.values]\nX-Robots-Tag = "noindex"\n'
    made = [
        b"_redirects\n# from to\n/a /b 301!\n/blog/:year/* /news/:year/:splat 200\n%sx a=:b /y Country=de\n" % home,
        b"_headers\n/*\n  X-Robots-Tag: noindex\n/a/:b\n  ! X-Robots-Tag\n%s*\n  X-Robots-Tag: none\n" % home,
        b"netlify.toml\n" + toml,
        b"vercel.json\n" + json.dumps(vercel, indent=1).encode(),
        b"staticwebapp.config.json\n" + json.dumps(azure, indent=1).encode(),
    ]
    return made + [name.encode() + b"\n" + data for name, data in seeds.files() if name in _HOSTING]


def _config_seeds() -> list[bytes]:
    settings = [word for word in words.TOML if b" = " in word]
    return [
        *settings,
        b"".join(settings[:5]),
        b'target = ["public", "https://www.acme.example"]\nseverity = ["loc-missing=off"]\n',
    ]


TARGETS = (
    Target("robots", _robots_seeds, words.ROBOTS + words.TEXT + words.URLS + words.ORDERS, run_robots),
    Target("head", _page_seeds, words.HTML + words.TEXT + words.MARKUP + words.URLS + words.VALUES, run_head),
    Target("links", _page_seeds, words.HTML + words.TEXT + words.URLS + words.MARKUP, run_links),
    Target(
        "hosting", hosting_seeds, words.HOSTING + words.TEXT + words.URLS + words.VALUES + words.ORDERS, run_hosting
    ),
    Target("config", _config_seeds, words.TOML + words.TEXT + words.VALUES + words.URLS + words.ORDERS, run_config),
)
