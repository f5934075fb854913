"""staticwebapp.config.json, of Azure Static Web Apps: routes, headers, and what answers where there is no file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sitemap_action.pages.hosting.configuration import Lines, json_object, robots_tags, tables
from sitemap_action.pages.hosting.pattern import Pattern, begins_with, exactly, netlify
from sitemap_action.pages.hosting.routes import RobotsHeader, Route, Settings

_OK = 200


def azure_json(text: str) -> Settings:
    data = json_object(text)
    lines = Lines("staticwebapp.config.json", text)
    form = {"always": True, "never": False}.get(str(data.get("trailingSlash")))
    settings = Settings(trailing_slash=form, told_by=lines.of("trailingSlash"))
    for rule in tables(data.get("routes")):
        path = rule.get("route")
        if isinstance(path, str) and _is_for_get(rule):
            told_by, pattern = lines.of(path), _azure_pattern(path)
            settings.routes.append(_azure_route(rule, pattern, told_by))
            settings.headers += [RobotsHeader(pattern, told_by, tag) for tag in robots_tags(rule.get("headers"))]
    everywhere = robots_tags(data.get("globalHeaders"))
    lines = Lines("staticwebapp.config.json", text)
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
    lines = Lines("staticwebapp.config.json", text)
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
