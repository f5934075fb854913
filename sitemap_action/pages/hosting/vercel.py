"""vercel.json: redirects, rewrites, headers, and the form that paths must have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sitemap_action.pages.hosting.configuration import Lines, json_object, robots_tags, tables
from sitemap_action.pages.hosting.pattern import begins_with, vercel
from sitemap_action.pages.hosting.routes import RobotsHeader, Route, Settings


def vercel_json(text: str) -> Settings:
    data = json_object(text)
    slash = data.get("trailingSlash")
    settings = Settings(
        trailing_slash=slash if isinstance(slash, bool) else None,
        hides_html=data.get("cleanUrls") is True,
        told_by=Lines("vercel.json", text).of("trailingSlash" if isinstance(slash, bool) else "cleanUrls"),
    )
    lines = Lines("vercel.json", text, '"redirects"')
    for rule in tables(data.get("redirects")):
        status = rule.get("statusCode", 307 if rule.get("permanent") is False else 308)
        settings.routes += _vercel_rule(rule, lines, status, beats_files=True)
    lines = Lines("vercel.json", text, '"rewrites"')
    for rule in tables(data.get("rewrites")):
        settings.routes += _vercel_rule(rule, lines, 200, beats_files=False)
    lines = Lines("vercel.json", text, '"headers"')
    for rule in tables(data.get("headers")):
        settings.headers += _vercel_headers(rule, lines)
    if tables(data.get("routes")):  # the older way, by regular expressions: nobody can tell what they answer
        settings.routes.append(Route(begins_with(""), Lines("vercel.json", text).of("routes"), 200, "?"))
    return settings


def _vercel_headers(rule: dict[str, Any], lines: Lines) -> Iterator[RobotsHeader]:
    source = rule.get("source")
    if not isinstance(source, str):
        return
    told_by = lines.of(source)
    pairs = {str(pair.get("key")): pair.get("value") for pair in tables(rule.get("headers"))}
    pattern = vercel(source)
    if not _conditions(rule) and pattern.is_sure:
        yield from (RobotsHeader(pattern, told_by, tag) for tag in robots_tags(pairs))


def _vercel_rule(rule: dict[str, Any], lines: Lines, status: object, *, beats_files: bool) -> Iterator[Route]:
    source, target = rule.get("source"), rule.get("destination", "")
    if isinstance(source, str) and isinstance(target, str) and isinstance(status, int):
        yield Route(vercel(source), lines.of(source), status, target, beats_files, is_sure=not _conditions(rule))


def _conditions(rule: dict[str, Any]) -> bool:
    return bool(rule.get("has") or rule.get("missing"))
