"""`_redirects` and `_headers`, as Netlify and Cloudflare Pages read them, and netlify.toml."""

from __future__ import annotations

import re
import sys
from urllib.parse import unquote

from sitemap_action.pages.head import header_says_noindex
from sitemap_action.pages.hosting.configuration import ROBOTS_TAG, Lines, robots_tags, tables
from sitemap_action.pages.hosting.pattern import netlify
from sitemap_action.pages.hosting.routes import RobotsHeader, Route, Settings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_STATUS = re.compile(r"[1-5][0-9]{2}!?", re.ASCII)


def redirects(text: str) -> Settings:
    settings = Settings()
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition(" #")[0].split()
        if not words or words[0].startswith("#"):
            continue
        route = _redirect_line(words, f"`_redirects` line {number}")
        if route is not None:
            settings.routes.append(route)
    return settings


def _redirect_line(words: list[str], told_by: str) -> Route | None:
    """From, parameters of a query, to, status, conditions."""
    source, *rest = words
    places = [index for index, word in enumerate(rest) if word.startswith(("/", "http://", "https://"))]
    if not places:
        return None
    parameters, target, rest = rest[: places[0]], rest[places[0]], rest[places[0] + 1 :]
    status, conditions = "301", rest
    if rest and _STATUS.fullmatch(rest[0]):
        status, conditions = rest[0], rest[1:]
    host, path = _host_and_path(source)
    return Route(
        netlify(path),
        told_by,
        int(status.rstrip("!")),
        target,
        beats_files=status.endswith("!"),
        is_sure=not parameters and not conditions,
        host=host,
        ignores_slash=True,
    )


def _host_and_path(source: str) -> tuple[str, str]:
    """A rule may be for one host; one with a placeholder in its host, or for plain http, is for none that we ask."""
    if source.startswith("/"):
        return "", unquote(source)
    scheme, _, rest = source.partition("://")
    host, slash, path = rest.partition("/")
    return host.lower() if scheme == "https" and host else "?", slash + unquote(path) or "/"


def headers(text: str) -> Settings:
    settings = Settings()
    host, path = "", ""
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.strip()
        if not content or content.startswith("#"):
            continue
        if not line[0].isspace():
            host, path = _host_and_path(content)
            continue
        name, _, value = content.removeprefix("!").partition(":")
        if not path or name.strip().lower() != ROBOTS_TAG:
            continue
        value = "" if content.startswith("!") else value.strip()
        if not value or header_says_noindex(value):
            told_by = f"`_headers` line {number}"
            settings.headers.append(RobotsHeader(netlify(path), told_by, value, host, ignores_slash=True))
    return settings


def netlify_toml(text: str) -> Settings:
    data = tomllib.loads(text)
    settings = Settings()
    lines = Lines("netlify.toml", text, "[[redirects]]")
    for rule in tables(data.get("redirects")):
        source, target, status = rule.get("from"), rule.get("to", ""), rule.get("status", 301)
        if isinstance(source, str) and isinstance(target, str) and isinstance(status, int):
            host, path = _host_and_path(source)
            is_sure = not rule.get("query") and not rule.get("conditions")
            told_by = lines.of(source)
            settings.routes.append(
                Route(netlify(path), told_by, status, target, rule.get("force") is True, is_sure, host, True)
            )
    lines = Lines("netlify.toml", text, "[[headers]]")
    for rule in tables(data.get("headers")):
        source, values = rule.get("for"), rule.get("values")
        if isinstance(source, str):
            host, path = _host_and_path(source)
            told_by = lines.of(source)
            tags = robots_tags(values)
            settings.headers += [RobotsHeader(netlify(path), told_by, tag, host, ignores_slash=True) for tag in tags]
    return settings
