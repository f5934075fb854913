"""What a static host is told about paths: redirects, rewrites, and pages to keep out of an index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sitemap_action.pages.pattern import Pattern, filled

_OK = 200


@dataclass(frozen=True)
class Route:
    """One rule of a host's configuration file."""

    pattern: Pattern
    told_by: str  # file and line, in words
    status: int = 301
    target: str = ""
    beats_files: bool = False
    is_sure: bool = True  # False if it depends on something else than the path: a country, a cookie, a query
    host: str = ""  # only for this host


@dataclass(frozen=True)
class RobotsHeader:
    """A rule that sends an X-Robots-Tag for some paths."""

    pattern: Pattern
    told_by: str
    value: str
    host: str = ""


@dataclass
class Settings:
    """What one configuration file says."""

    routes: list[Route] = field(default_factory=list)
    headers: list[RobotsHeader] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    trailing_slash: bool | None = None  # paths without (or with) a slash at their end redirect to the other form
    hides_html: bool = False  # `/x.html` redirects to `/x`
    told_by: str = ""  # for the last two
    ignores_slash: bool = False  # whether `/x` and `/x/` are one path for its rules


@dataclass(frozen=True)
class Turn:
    """Where a host sends a request instead of to the file: another URL, another file, or nobody knows."""

    kind: str  # "redirect", "rewrite", "gone", "unknown"
    target: str
    told_by: str
    beats_files: bool = False


class Hosting:
    """The configuration files of one build together; the first rule that fits a path counts."""

    def __init__(self, settings: Sequence[Settings]) -> None:
        self.notes = [note for one in settings for note in one.notes]
        self._settings = settings
        self._exact: dict[str, list[tuple[int, Route]]] = {}
        self._patterns: list[tuple[int, Route, bool]] = []
        number = 0
        for one in settings:
            for route in one.routes:
                number += 1
                literal = route.pattern.literal
                if literal is not None:
                    self._exact.setdefault(_bare(literal) if one.ignores_slash else literal, []).append((number, route))
                else:
                    self._patterns.append((number, route, one.ignores_slash))
        self.has_headers = any(one.headers for one in settings)
        has_forms = any(one.trailing_slash is not None or one.hides_html for one in settings)
        self.has_turns = has_forms or bool(self._exact or self._patterns)

    def turn(self, path: str, host: str) -> Turn | None:
        """What the first rule that fits says; one that depends on more than the path leaves it open."""
        form = self._form(path)
        if form is not None:
            return form
        unsure: Turn | None = None
        for route, target in self._fitting(path, host):
            if not route.is_sure or not route.pattern.is_sure:
                unsure = unsure or Turn("unknown", "", route.told_by)
            elif target is not None:
                return Turn(_kind(route), target, route.told_by, route.beats_files)
        return unsure

    def _fitting(self, path: str, host: str) -> list[tuple[Route, str | None]]:
        keys = {path, _bare(path)}
        found = [(number, route, route.target) for key in keys for number, route in self._exact.get(key, ())]
        for number, route, ignores_slash in self._patterns:
            groups = route.pattern.match(path)
            if groups is None and ignores_slash:
                groups = route.pattern.match(path[:-1] if path.endswith("/") else path + "/")
            if groups is not None:
                found.append((number, route, filled(route.target, groups)))
        found.sort(key=lambda row: row[0])
        return [(route, target) for _, route, target in found if route.host in ("", host)]

    def _form(self, path: str) -> Turn | None:
        """Hosts that insist on one form of a path."""
        for one in self._settings:
            target = path
            if one.hides_html and target.endswith(".html"):
                target = target.removesuffix(".html").removesuffix("index") or "/"
            name = target.rpartition("/")[2]
            if one.trailing_slash is True and name and "." not in name:
                target += "/"
            elif one.trailing_slash is False and target.endswith("/"):
                target = target.rstrip("/") or "/"
            if target != path:
                return Turn("redirect", target, one.told_by, beats_files=True)
        return None

    def noindex(self, path: str, host: str) -> RobotsHeader | None:
        """The rule that keeps a page out of an index by a header."""
        for one in self._settings:
            for header in one.headers:
                forms = {path, _bare(path), path + "/"} if one.ignores_slash else {path}
                if header.host in ("", host) and any(header.pattern.match(form) is not None for form in forms):
                    return header
        return None


def _bare(path: str) -> str:
    return path.rstrip("/") or "/"


def _kind(route: Route) -> str:
    if 300 <= route.status < 400:
        return "redirect"
    return "rewrite" if route.status == _OK else "gone"
