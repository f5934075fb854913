"""A live origin as a crawler meets it: its robots.txt, the paths worth a try, and how its URLs are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sitemap_action.net.client import Client
from sitemap_action.site import Scope, Site
from sitemap_action.site.built import CONVENTIONS, sitemap_links
from sitemap_action.site.robots import MAX_ROBOTS_BYTES, Robots, read_robots
from sitemap_action.values import urls
from sitemap_action.values.words import plural

_HOME_BYTES = 1_000_000


@dataclass(frozen=True)
class Lead:
    """A URL where a sitemap may be, and how we came to think so."""

    url: str
    found_by: tuple[str, ...]

    @property
    def is_promise(self) -> bool:
        """Somebody said that there is a sitemap, so that a failure is one; the others are only tried."""
        return "robots.txt" in self.found_by or "argument" in self.found_by

    def also(self, other: Lead) -> Lead:
        return Lead(self.url, (*self.found_by, *(how for how in other.found_by if how not in self.found_by)))


class LiveSite:
    """An origin, and the site that it serves: itself, unless it is a preview of `--site-url`."""

    def __init__(self, target: urls.Url, scope: Scope, client: Client) -> None:
        self._client = client
        self.origin = target._replace(path="/", query="", fragment="")
        self.evidence: list[str] = []
        self.robots: Robots | None = None
        self.robots_answer = client.get(self.origin.origin + "/robots.txt", MAX_ROBOTS_BYTES + 1, partial=True)
        if scope.site_url is None:
            self._take_over_redirect(target)
        self.url = scope.site_url or self.origin
        self.url_from = "option" if scope.site_url else "target"
        self._read_robots()

    def join(self, site: Site) -> Site:
        """Tell the set what is known of its origin."""
        site.url, site.url_from, site.robots = self.url, self.url_from, self.robots
        site.root = self.origin.origin
        if self.is_preview:
            site.evidence.append(f"documents of {self.url.origin} are fetched from {self.origin.origin}")
        site.evidence += self.evidence
        return site

    @property
    def user_agent(self) -> str:
        return self._client.manners.user_agent

    @property
    def is_preview(self) -> bool:
        return self.url.origin != self.origin.origin

    def address(self, url: str) -> str:
        """Where a URL of the site, http or https, is fetched: on the preview, if that is what we look at."""
        parts = urls.parse(url) if self.is_preview else None
        if parts is None or (parts.host, parts.port) != (self.url.host, self.url.port):
            return url
        return _moved(parts, self.origin)

    def location(self, url: str) -> str:
        """The name of a document in the report: the site's own URL, also when a preview names itself."""
        parts = urls.parse(url) if self.is_preview else None
        return url if parts is None or parts.origin != self.origin.origin else _moved(parts, self.url)

    # robots.txt

    def _take_over_redirect(self, target: urls.Url) -> None:
        """`http://acme.example` that sends everybody to `https://www.acme.example` means the latter."""
        final = urls.parse(self.robots_answer.final_url)
        if final is None or final.path != "/robots.txt" or final.origin == self.origin.origin:
            return
        same_host = final.host.removeprefix("www.") == target.host.removeprefix("www.")
        if same_host and final.port == target.port and (final.scheme, target.scheme) != ("http", "https"):
            self.origin = final._replace(path="/", query="", fragment="")
            self.evidence.append(f"{target.origin} redirects to {final.origin}, which is taken for the site")

    def _read_robots(self) -> None:
        answer = self.robots_answer
        location = self.location(self.origin.origin + "/robots.txt")
        if answer.is_ok:
            self.robots = read_robots(location, answer.first_bytes(MAX_ROBOTS_BYTES + 1))
            named = len(self.robots.sitemaps)
            words = f"names {plural(named, 'sitemap') if named else 'no sitemap'}"
            problem = f" ({self.robots.problem})" if self.robots.problem else ""
            self.evidence.append(f"robots.txt {words}{problem}")
            return
        if answer.failure is not None or answer.is_down:
            self.robots = Robots(location)
            self.robots.problem = f"it {answer.words()}"
        self.evidence.append(f"robots.txt {answer.words()}")

    # Where sitemaps may be

    def leads(self) -> Iterator[Lead]:
        """What robots.txt names, then the conventional paths."""
        base = self.url.origin + "/robots.txt"
        for line in self.robots.sitemaps if self.robots else ():
            url = urls.join(base, line.value.replace(" ", "%20"))
            found = urls.examine(url)
            # What nobody can ask for is refused; of what is no URL at all a rule about robots.txt speaks.
            if isinstance(found, urls.Url) or found.kind == "scheme-unsupported":
                yield Lead(self.location(url), ("robots.txt",))
        yield from (Lead(f"{self.url.origin}/{name}", ("convention",)) for name in CONVENTIONS)

    def home_leads(self) -> list[Lead]:
        """What `<link rel="sitemap">` of the home page names."""
        answer = self._client.get(self.origin.origin + "/", _HOME_BYTES, partial=True)
        if not answer.is_ok:
            return []
        links = sitemap_links(answer.first_bytes(_HOME_BYTES), answer.final_url)
        return [Lead(self.location(url), ("link",)) for url in dict.fromkeys(links) if urls.is_sound(url)]

    def names(self, url: str) -> bool:
        """Whether robots.txt names this sitemap."""
        return urls.same_page(url) in self._named

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(map(self.location, sitemaps_named(self.robots, self.url.origin + "/robots.txt")))


def sitemaps_named(robots: Robots | None, base: str) -> frozenset[str]:
    """The sitemaps that a robots.txt names, in the spelling that equivalent URLs share."""
    return frozenset(urls.same_page(urls.join(base, line.value)) for line in (robots.sitemaps if robots else ()))


def _moved(url: urls.Url, there: urls.Url) -> str:
    return url._replace(scheme=there.scheme, host=there.host, port=there.port).text
