"""robots.txt: what it says about sitemaps, and whether it can be used at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sitemap_action.model import Document, Place, Severity, Step
from sitemap_action.rules.base import GOOGLE_BUILD, PROTOCOL, RFC_9309, SEARCH_CONSOLE, Found, Rule
from sitemap_action.values import urls

if TYPE_CHECKING:
    from sitemap_action.site.robots import RobotsLine


class _Robots(Rule):
    """Rules about robots.txt report at its own lines."""

    severity = Severity.WARNING
    step = Step.DISCOVER
    spec = PROTOCOL + "#submit_robots"

    def at(self, message: str, line: int | None, url: str | None = None) -> Found:
        robots = self.site.robots
        assert robots is not None  # asked only where there is one
        return self.found(message, Document(robots.location), place=Place(line, 1 if line else None), url=url)

    def lines(self) -> list[RobotsLine]:
        return self.site.robots.sitemaps if self.site.robots else []


class RobotsSitemapNotAbsolute(_Robots):
    """A `Sitemap:` line of robots.txt does not hold a full URL.

    The protocol wants a full URL here, and most crawlers ignore a path.

    Fix: write the whole URL, scheme and host included.

    Bad:
        --- robots.txt
        Sitemap: /sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "robots-sitemap-not-absolute"

    def whole_site(self) -> Iterator[Found]:
        for line in self.lines():
            fault = urls.examine(line.value)
            if isinstance(fault, urls.UrlFault) and not (self.site.live and fault.kind == "scheme-unsupported"):
                yield self.at(f"The value {line.value[:100]!r} {fault.reason}.", line.line, line.value)


class RobotsSitemapMisspelled(_Robots):
    """robots.txt names a sitemap with a misspelled directive.

    Crawlers know `Sitemap:` in any case, and skip `Site-map:`, `Sitemaps:` and the like.

    Fix: write `Sitemap:`.

    Bad:
        --- robots.txt
        Sitemaps: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "robots-sitemap-misspelled"
    spec = RFC_9309

    def whole_site(self) -> Iterator[Found]:
        for line in self.site.robots.misspelled if self.site.robots else ():
            yield self.at(f"`{line.directive}` is not a directive; `Sitemap:` was meant.", line.line, line.value)


class RobotsSitemapOtherHost(_Robots):
    """robots.txt names a sitemap on another host.

    That is allowed: by naming it here, this host vouches for it (cross-submission).

    Fix: nothing, if it is meant; otherwise name this host's sitemap. For a preview, pass the site as `--site-url`.

    Bad:
        $ --site-url https://www.acme.example
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        Sitemap: https://cdn.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "robots-sitemap-other-host"
    severity = Severity.NOTICE
    spec = GOOGLE_BUILD

    def whole_site(self) -> Iterator[Found]:
        for line in self.lines():
            host = urls.host(line.value)
            if host and self.site.url is not None and host != self.site.url.host:
                what_then = "by naming it, the site vouches for it" if self.site.live else "it was not looked at"
                message = f"The sitemap is on `{host}`, the site is `{self.site.url.host}`; {what_then}."
                yield self.at(message, line.line, line.value)


class RobotsNoSitemap(_Robots):
    """robots.txt names no sitemap.

    Every crawler reads robots.txt first, so a `Sitemap:` line is the surest way to be found.

    Fix: add `Sitemap: https://…/sitemap.xml` with the full URL.

    Bad:
        --- robots.txt
        User-agent: *
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "robots-no-sitemap"
    severity = Severity.NOTICE

    def whole_site(self) -> Iterator[Found]:
        robots = self.site.robots
        if robots and not (robots.sitemaps or robots.misspelled or robots.problem):
            yield self.at("robots.txt names no sitemap.", None)


class RobotsUnreadable(_Robots):
    """robots.txt cannot be used as it is.

    Crawlers read the first 500 KiB, and no HTML; while it answers with a server error, some do not
    crawl the site at all.

    Fix: answer with a plain text file of at most 500 KiB, or with 404 if there is none.

    Bad:
        --- robots.txt
        <!doctype html><title>Not found</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "robots-unreadable"
    severity = Severity.NOTICE
    spec = RFC_9309

    def whole_site(self) -> Iterator[Found]:
        if self.site.robots and self.site.robots.problem:
            yield self.at(f"robots.txt is not usable as it is: {self.site.robots.problem}.", None)


class RobotsNotAtRoot(_Robots):
    """The build is served below a path, and carries a robots.txt.

    Crawlers read only `/robots.txt` of the host; one below a path is never asked for.

    Fix: put the rules and the `Sitemap:` line into the robots.txt at the host's root.

    Bad:
        $ --site-url https://acme.example/docs/
        --- robots.txt
        Sitemap: https://acme.example/docs/sitemap.xml
        --- sitemap.xml
        <url><loc>https://acme.example/docs/</loc></url>
    Good:
        $ --site-url https://acme.example/docs/
        --- sitemap.xml
        <url><loc>https://acme.example/docs/</loc></url>
    """

    id = "robots-not-at-root"
    severity = Severity.NOTICE
    spec = RFC_9309

    def whole_site(self) -> Iterator[Found]:
        if self.site.robots and self.site.url and self.site.url.directory != "/" and not self.site.live:
            yield self.at(f"The build is served below `{self.site.url.directory}`, where no crawler asks for it.", None)


class SitemapBlockedByRobots(Rule):
    """robots.txt shuts crawlers out of the sitemap itself.

    A disallowed sitemap is not fetched, even if the same robots.txt names it.

    Fix: allow the sitemap's path in robots.txt.

    Bad:
        --- robots.txt
        User-agent: *
        Disallow: /sitemap.xml
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- robots.txt
        User-agent: *
        Disallow: /admin/
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "sitemap-blocked-by-robots"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def whole_site(self) -> Iterator[Found]:
        robots = self.site.robots
        elsewhere = self.site.url is not None and self.site.url.directory != "/" and not self.site.live
        if robots is None or elsewhere:
            return
        if self.site.is_preview and not robots.allows(f"{self.site.root}/"):
            return  # a preview keeps all crawlers out; the site itself will not
        blocked: set[str] = set()
        for document in self.site.documents:
            path = document.path
            url = document.location if self.site.live else "https://site.invalid" + path
            if path and document.on_site and document.readable and not robots.allows(url):
                blocked.add(document.location)
                if document.parent not in blocked:  # what shuts out an index mostly shuts out its children
                    yield self.found(f"robots.txt disallows `{path}` for all crawlers.", document)
