"""robots.txt as far as sitemaps are concerned: who is named, at which line, and who is shut out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from sitemap_action import lazy

if TYPE_CHECKING:
    from protego import Protego

_MOST_WILDCARDS = 5_000
_LONGEST_DELAY = 1e6
MAX_ROBOTS_BYTES = 500 * 1024
# The directive, then a colon or, by mistake, only white space; what follows may be long and is not searched.
_DIRECTIVE = lazy.pattern(r"([A-Za-z](?:[A-Za-z_-]| (?! )){0,30}?) {0,9}(:| (?=\S))")
_NEWLINE = lazy.pattern(r"\r\n|\r|\n")
_URLISH = lazy.pattern(r"/|\.xml|\.txt|sitemap", re.IGNORECASE)
_DIRECTIVES = {"user-agent", "allow", "disallow", "crawl-delay", "host", "clean-param", "noindex", "request-rate"}


class RobotsLine(NamedTuple):
    """A line that names a sitemap: the value, where it stands, and the directive as written."""

    value: str
    line: int
    directive: str = "Sitemap"


@dataclass(eq=False, repr=False)
class Robots:
    """A robots.txt, and what is wrong with it as a whole."""

    location: str
    text: str = ""
    sitemaps: list[RobotsLine] = field(default_factory=list)
    misspelled: list[RobotsLine] = field(default_factory=list)
    problem: str = ""

    def allows(self, url: str) -> bool:
        """Whether every crawler may fetch the URL; asked of a maintained parser, not of ours."""
        return self._rules is None or bool(self._rules.can_fetch(url, "*"))

    @cached_property
    def is_excessive(self) -> bool:
        """Whether it has so many patterns that no page should be held against all of them."""
        return self.text.count("*") > _MOST_WILDCARDS

    def blocked_by(self, url: str) -> RobotsLine | None:
        """The line that shuts all crawlers out of the URL: the longest of those that fit, as RFC 9309 has it."""
        if self.allows(url):
            return None
        fitting = [line for line, rule in self._disallowing if not rule.can_fetch(url, "*")]
        return max(fitting, key=lambda line: len(line.value), default=None)

    @property
    def crawl_delay(self) -> float:
        """The seconds that it asks every crawler to leave between two requests; 0 for none."""
        if "crawl-delay" not in self.text.lower():
            return 0.0
        from protego import Protego

        delay = float(Protego.parse(self.text).crawl_delay("*") or 0.0)
        return delay if 0 < delay < _LONGEST_DELAY else 0.0  # also for what is no number

    @cached_property
    def _rules(self) -> Protego | None:
        if "disallow" not in self.text.lower():
            return None
        from protego import Protego

        return Protego.parse(self.text)

    @cached_property
    def _disallowing(self) -> list[tuple[RobotsLine, Protego]]:
        """The `Disallow:` lines of the groups for everybody, each as rules of its own."""
        from protego import Protego

        lines = _lines_for_all(self.text)
        return [(line, Protego.parse(f"User-agent: *\nDisallow: {line.value}")) for line in lines]


def read_robots(location: str, data: bytes) -> Robots:
    """Find the sitemaps; a byte order mark, CRLF, comments, case and place do not matter."""
    robots = Robots(location)
    if len(data) > MAX_ROBOTS_BYTES:
        robots.problem = f"it is longer than the {MAX_ROBOTS_BYTES:,} bytes that crawlers read"
        data = data[:MAX_ROBOTS_BYTES].rpartition(b"\n")[0]  # half a line is none
    robots.text = data.decode("utf-8-sig", "replace")
    if robots.text.lstrip().startswith("<"):
        robots.problem = "it is an HTML page"
        robots.text = ""
    for number, line in enumerate(_NEWLINE.split(robots.text), start=1):
        text = line.partition("#")[0].replace("\t", " ").strip()
        found = _DIRECTIVE.match(text)
        value = text[found.end() :].strip() if found else ""
        if found is None or not value:
            continue
        directive, colon = found.groups()
        if directive.lower() == "sitemap" and colon == ":":
            robots.sitemaps.append(RobotsLine(value, number))
        elif _misspelled(directive, colon) and _is_urlish(value):
            robots.misspelled.append(
                RobotsLine(value, number, directive if colon == ":" else f"{directive} (no colon)")
            )
    return robots


def _lines_for_all(text: str) -> Iterator[RobotsLine]:
    """Where the groups that begin with `User-agent: *` shut somebody out."""
    agents: list[str] = []
    in_rules = False
    for number, line in enumerate(_NEWLINE.split(text), start=1):
        name, _, value = line.partition("#")[0].partition(":")
        name, value = name.strip().lower(), value.strip()
        if name == "user-agent":
            agents = [value] if in_rules else [*agents, value]
            in_rules = False
        elif name in ("allow", "disallow"):
            in_rules = True
            if name == "disallow" and value and "*" in agents:
                yield RobotsLine(value, number, "Disallow")


def _is_urlish(value: str) -> bool:
    """One word that may be a URL; looked for in two steps, because one pattern for both would try them together."""
    return len(value.split(maxsplit=1)) == 1 and _URLISH.search(value) is not None


def _misspelled(directive: str, colon: str) -> bool:
    name = directive.lower()
    if name in _DIRECTIVES:
        return False
    if name == "sitemap":
        return colon != ":"
    import difflib

    letters = re.sub(r"[^a-z]", "", name)
    return letters.startswith("sitemap") or difflib.SequenceMatcher(None, letters, "sitemap").ratio() > 0.8
