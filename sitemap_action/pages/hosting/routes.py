"""What a static host is told about paths: redirects, rewrites, and pages to keep out of an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Generic, TypeVar, Union

from sitemap_action.pages.hosting.pattern import Pattern, filled

_OK = 200
# With more patterns than these every page would be held against all of them: nobody has so many, unless to harm us.
_MOST_ANYWHERE, _MOST_BELOW = 500, 2_000


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
    ignores_slash: bool = False  # whether `/x` and `/x/` are one path for it


@dataclass(frozen=True)
class RobotsHeader:
    """A rule that sends an X-Robots-Tag for some paths, or, with an empty value, takes it away again."""

    pattern: Pattern
    told_by: str
    value: str
    host: str = ""
    ignores_slash: bool = False


@dataclass
class Settings:
    """What one configuration file says."""

    routes: list[Route] = field(default_factory=list)
    headers: list[RobotsHeader] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    trailing_slash: bool | None = None  # paths without (or with) a slash at their end redirect to the other form
    hides_html: bool = False  # `/x.html` redirects to `/x`
    told_by: str = ""  # for the last two


@dataclass(frozen=True)
class Turn:
    """Where a host sends a request instead of to the file: another URL, another file, or nobody knows."""

    kind: str  # "redirect", "rewrite", "gone", "unknown"
    target: str
    told_by: str
    beats_files: bool = False


Rule = TypeVar("Rule", bound=Union[Route, RobotsHeader])


class _Index(Generic[Rule]):
    """Rules by what their patterns begin with, so that a page is held against few of them."""

    def __init__(self) -> None:
        self._exact: dict[str, list[tuple[int, Rule]]] = {}
        self._below: dict[str, list[tuple[int, Rule]]] = {}
        self._anywhere: list[tuple[int, Rule]] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def is_excessive(self) -> bool:
        return len(self._anywhere) > _MOST_ANYWHERE or max(map(len, self._below.values()), default=0) > _MOST_BELOW

    def add(self, rule: Rule) -> None:
        self._count += 1
        pattern: Pattern = rule.pattern
        literal, segment = pattern.literal, pattern.segment
        if literal is not None:
            self._exact.setdefault(_bare(literal), []).append((self._count, rule))
        elif segment is not None:
            self._below.setdefault(segment, []).append((self._count, rule))
        else:
            self._anywhere.append((self._count, rule))

    def candidates(self, path: str) -> list[Rule]:
        """Those that may match, in the order in which they were added."""
        folder: str = path[1:].partition("/")[0]
        found: list[tuple[int, Rule]] = [
            *self._exact.get(_bare(path), []),
            *self._below.get(folder, []),
            *self._anywhere,
        ]
        found.sort(key=itemgetter(0))
        return [row[1] for row in found]


class Hosting:
    """The configuration files of one build together; the first rule that fits a path counts."""

    def __init__(self, settings: Sequence[Settings]) -> None:
        self.notes = [note for one in settings for note in one.notes]
        self._settings = settings
        self._routes: _Index[Route] = _Index()
        self._headers: _Index[RobotsHeader] = _Index()
        for one in settings:
            for route in one.routes:
                self._routes.add(route)
            for header in one.headers:
                self._headers.add(header)
        if self._routes.is_excessive or self._headers.is_excessive:
            self.notes.append("the host's configuration has too many patterns to hold each page against them")
            self._routes, self._headers = _Index(), _Index()
        # What could not be read may have redirected what seems to be missing.
        self.is_incomplete = bool(self.notes)
        self.has_headers = len(self._headers) > 0
        has_forms = any(one.trailing_slash is not None or one.hides_html for one in settings)
        self.has_turns = has_forms or len(self._routes) > 0

    def turn(self, path: str, host: str) -> Turn | None:
        """What the first rule that fits says; one that depends on more than the path leaves it open."""
        form = self._form(path)
        if form is not None:
            return form
        unsure: Turn | None = None
        for route in self._routes.candidates(path):
            found = _fits(route, path, host)
            target = filled(route.target, found) if found is not None else ""
            if found is None or _is_same(target, path, host):
                continue
            if not route.is_sure or not route.pattern.is_sure:
                unsure = unsure or Turn("unknown", "", route.told_by)
            else:
                kind = _kind(route)
                return Turn(kind, target, route.told_by, route.beats_files) if kind else unsure
        return unsure

    def _form(self, path: str) -> Turn | None:
        """Hosts that insist on one form of a path."""
        for one in self._settings:
            target = path
            if one.hides_html and target.endswith(".html"):
                target = target.removesuffix(".html")
                target = target.removesuffix("index") if target.endswith("/index") else target
            name = target.rpartition("/")[2]
            if one.trailing_slash is True and name and "." not in name:
                target += "/"
            elif one.trailing_slash is False and target.endswith("/"):
                target = target.rstrip("/") or "/"
            if target != path:
                return Turn("redirect", target, one.told_by, beats_files=True)
        return None

    def noindex(self, path: str, host: str) -> RobotsHeader | None:
        """The rule that keeps a page out of an index by a header; a later one may take the header away again."""
        found: RobotsHeader | None = None
        for header in self._headers.candidates(path):
            if _fits(header, path, host) is not None:
                found = (found or header) if header.value else None
        return found


def _fits(rule: Route | RobotsHeader, path: str, host: str) -> Mapping[str, str] | None:
    """What its pattern captures of a path, if it is one for this host."""
    if rule.host not in ("", host):
        return None
    found = rule.pattern.match(path)
    if found is None and rule.ignores_slash:
        found = rule.pattern.match(path[:-1] if path.endswith("/") else path + "/")
    return found


def _is_same(target: str, path: str, host: str) -> bool:
    """A rule that leads to where it was asked is for another scheme, or none at all."""
    return target == path or target.partition("://")[2] == host + path


def _bare(path: str) -> str:
    return path.rstrip("/") or "/"


def _kind(route: Route) -> str:
    if 300 <= route.status < 400:
        return "redirect"
    if route.status == _OK:
        return "rewrite" if route.target else ""  # a rule that says nothing of where to go, and ends the search
    return "gone"
