"""The configuration of static hosts (Netlify, Cloudflare Pages, Vercel, Azure), read as far as pages need it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from sitemap_action.model import Fault
from sitemap_action.pages.head import header_says_noindex
from sitemap_action.pages.pattern import Pattern, begins_with, exactly, netlify, vercel
from sitemap_action.pages.routes import Hosting, RobotsHeader, Route, Settings
from sitemap_action.sources import is_file, read_file

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MOST_BYTES = 2_000_000
_OK = 200
_STATUS = re.compile(r"[1-5][0-9]{2}!?", re.ASCII)
_ROBOTS_TAG = "x-robots-tag"


def read_hosting(root: Path, working: Path) -> Hosting:
    """What lies in the build itself counts; what configures the project may lie in the working directory instead."""
    found = []
    for name, reader, is_of_build in _FILES:
        for folder in dict.fromkeys([root] if is_of_build else [root, working]):
            if not is_file(folder / name):
                continue
            data = read_file(folder / name, _MOST_BYTES)
            if isinstance(data, Fault):
                found.append(Settings(notes=[f"{name} could not be read: {data.facts[0]}"]))
                break
            text = data.decode("utf-8-sig", "replace")
            try:
                found.append(reader(text))
            except (ValueError, RecursionError) as error:
                found.append(Settings(notes=[f"{name} could not be read: {str(error)[:200]}"]))
            break
    return Hosting(found)


# _redirects and _headers


def _redirects(text: str) -> Settings:
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


def _headers(text: str) -> Settings:
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
        if not path or name.strip().lower() != _ROBOTS_TAG:
            continue
        value = "" if content.startswith("!") else value.strip()
        if not value or header_says_noindex(value):
            told_by = f"`_headers` line {number}"
            settings.headers.append(RobotsHeader(netlify(path), told_by, value, host, ignores_slash=True))
    return settings


# netlify.toml


def _netlify_toml(text: str) -> Settings:
    data = tomllib.loads(text)
    settings = Settings()
    lines = _Lines("netlify.toml", text, "[[redirects]]")
    for rule in _tables(data.get("redirects")):
        source, target, status = rule.get("from"), rule.get("to", ""), rule.get("status", 301)
        if isinstance(source, str) and isinstance(target, str) and isinstance(status, int):
            host, path = _host_and_path(source)
            is_sure = not rule.get("query") and not rule.get("conditions")
            told_by = lines.of(source)
            settings.routes.append(
                Route(netlify(path), told_by, status, target, rule.get("force") is True, is_sure, host, True)
            )
    lines = _Lines("netlify.toml", text, "[[headers]]")
    for rule in _tables(data.get("headers")):
        source, values = rule.get("for"), rule.get("values")
        if isinstance(source, str):
            host, path = _host_and_path(source)
            told_by = lines.of(source)
            tags = _robots_tags(values)
            settings.headers += [RobotsHeader(netlify(path), told_by, tag, host, ignores_slash=True) for tag in tags]
    return settings


# vercel.json


def _vercel_json(text: str) -> Settings:
    data = _object(text)
    slash = data.get("trailingSlash")
    settings = Settings(
        trailing_slash=slash if isinstance(slash, bool) else None,
        hides_html=data.get("cleanUrls") is True,
        told_by=_Lines("vercel.json", text).of("trailingSlash" if isinstance(slash, bool) else "cleanUrls"),
    )
    lines = _Lines("vercel.json", text, '"redirects"')
    for rule in _tables(data.get("redirects")):
        status = rule.get("statusCode", 307 if rule.get("permanent") is False else 308)
        settings.routes += _vercel_rule(rule, lines, status, beats_files=True)
    lines = _Lines("vercel.json", text, '"rewrites"')
    for rule in _tables(data.get("rewrites")):
        settings.routes += _vercel_rule(rule, lines, 200, beats_files=False)
    lines = _Lines("vercel.json", text, '"headers"')
    for rule in _tables(data.get("headers")):
        settings.headers += _vercel_headers(rule, lines)
    if _tables(data.get("routes")):  # the older way, by regular expressions: nobody can tell what they answer
        settings.routes.append(Route(begins_with(""), _Lines("vercel.json", text).of("routes"), 200, "?"))
    return settings


def _vercel_headers(rule: dict[str, Any], lines: _Lines) -> Iterator[RobotsHeader]:
    source = rule.get("source")
    if not isinstance(source, str):
        return
    told_by = lines.of(source)
    pairs = {pair.get("key"): pair.get("value") for pair in _tables(rule.get("headers"))}
    pattern = vercel(source)
    if not _conditions(rule) and pattern.is_sure:
        yield from (RobotsHeader(pattern, told_by, tag) for tag in _robots_tags(pairs))


def _vercel_rule(rule: dict[str, Any], lines: _Lines, status: object, *, beats_files: bool) -> Iterator[Route]:
    source, target = rule.get("source"), rule.get("destination", "")
    if isinstance(source, str) and isinstance(target, str) and isinstance(status, int):
        yield Route(vercel(source), lines.of(source), status, target, beats_files, is_sure=not _conditions(rule))


def _conditions(rule: dict[str, Any]) -> bool:
    return bool(rule.get("has") or rule.get("missing"))


# staticwebapp.config.json


def _azure_json(text: str) -> Settings:
    data = _object(text)
    lines = _Lines("staticwebapp.config.json", text)
    form = {"always": True, "never": False}.get(str(data.get("trailingSlash")))
    settings = Settings(trailing_slash=form, told_by=lines.of("trailingSlash"))
    for rule in _tables(data.get("routes")):
        path = rule.get("route")
        if isinstance(path, str) and _is_for_get(rule):
            told_by, pattern = lines.of(path), _azure_pattern(path)
            settings.routes.append(_azure_route(rule, pattern, told_by))
            settings.headers += [RobotsHeader(pattern, told_by, tag) for tag in _robots_tags(rule.get("headers"))]
    everywhere = _robots_tags(data.get("globalHeaders"))
    lines = _Lines("staticwebapp.config.json", text)
    settings.headers += [RobotsHeader(netlify("/*"), lines.of("globalHeaders"), tag) for tag in everywhere]
    settings.routes += _azure_fallbacks(data, text)
    return settings


def _is_for_get(rule: dict[str, Any]) -> bool:
    methods = rule.get("methods")
    return not isinstance(methods, list) or not methods or "GET" in methods


def _azure_route(rule: dict[str, Any], pattern: Pattern, told_by: str) -> Route:
    """The first route that fits ends the search, also if it says nothing of where to go."""
    redirect, rewrite, status = rule.get("redirect"), rule.get("rewrite"), rule.get("statusCode")
    if isinstance(redirect, str):
        return Route(pattern, told_by, status if isinstance(status, int) else 302, redirect, beats_files=True)
    if isinstance(rewrite, str):
        return Route(pattern, told_by, 200, rewrite, beats_files=True)
    is_gone = isinstance(status, int) and status >= 400
    return Route(pattern, told_by, 410 if is_gone else 200, beats_files=is_gone)


def _azure_fallbacks(data: dict[str, Any], text: str) -> Iterator[Route]:
    """What answers where there is no file."""
    lines = _Lines("staticwebapp.config.json", text)
    fallback = data.get("navigationFallback")
    if isinstance(fallback, dict) and isinstance(fallback.get("rewrite"), str):
        excluded = fallback.get("exclude")
        for path in excluded if isinstance(excluded, list) else ():
            if isinstance(path, str) and "{" not in path:
                yield Route(_azure_pattern(path), lines.of("navigationFallback"), 200)
        yield Route(netlify("/*"), lines.of("navigationFallback"), 200, fallback["rewrite"])
    overrides = data.get("responseOverrides")
    missing = overrides.get("404") if isinstance(overrides, dict) else None
    if isinstance(missing, dict) and isinstance(missing.get("rewrite"), str) and missing.get("statusCode") == _OK:
        yield Route(netlify("/*"), lines.of("responseOverrides"), 200, missing["rewrite"])


def _azure_pattern(path: str) -> Pattern:
    """`*` stands at the end; `*.{css,js}` is about files that are no pages."""
    if "{" in path or "*" in path[:-1]:
        return begins_with(path)
    return netlify(path) if path.endswith("*") else exactly(path)


# What they share


class _Lines:
    """Where in a section of a file something is said, in words: asked in the order in which it stands there."""

    def __init__(self, name: str, text: str, section: str = "") -> None:
        self._name = name
        self._text = text
        self._place = max(text.find(section), 0)
        self._line = text.count("\n", 0, self._place) + 1

    def of(self, value: str) -> str:
        places = [self._text.find(f"{quote}{value}{quote}", self._place) for quote in ('"', "'")]
        found = min((place for place in places if place >= 0), default=-1)
        if found < 0:
            return f"`{self._name}`"
        self._line += self._text.count("\n", self._place, found)
        self._place = found + 1
        return f"`{self._name}` line {self._line}"


def _object(text: str) -> dict[str, Any]:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("it holds no object")
    return data


def _tables(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _robots_tags(headers: object) -> list[str]:
    """The values of X-Robots-Tag among headers that keep pages out of an index."""
    pairs = headers.items() if isinstance(headers, dict) else ()
    return [
        value
        for name, value in pairs
        if isinstance(value, str) and str(name).lower() == _ROBOTS_TAG and header_says_noindex(value)
    ]


_FILES: tuple[tuple[str, Callable[[str], Settings], bool], ...] = (
    ("_redirects", _redirects, True),
    ("_headers", _headers, True),
    ("netlify.toml", _netlify_toml, False),
    ("vercel.json", _vercel_json, False),
    ("staticwebapp.config.json", _azure_json, False),
)
