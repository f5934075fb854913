"""Finding the sitemaps: is there one at all, and does robots.txt name it?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import Severity, Step
from sitemap_action.rules.base import PROTOCOL, Found, Rule


class SitemapMissing(Rule):
    """No sitemap was found.

    Neither robots.txt nor a link names one, and none lies at a conventional path. Crawlers then
    find only the pages that others link to.

    Fix: let the build write a sitemap.xml to the site's root, and name it in robots.txt.

    Bad:
        --- index.html
        <!doctype html><title>Home</title>
    Good:
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "sitemap-missing"
    severity = Severity.ERROR
    step = Step.DISCOVER
    spec = PROTOCOL + "#informing"

    def whole_site(self) -> Iterator[Found]:
        if self.site.documents or self.site.inconclusive or self.site.unasked or self.site.has_met:
            return
        if self.site.live:
            yield self.found(f"No sitemap was found at {self.site.root}: {self.site.missed}.")
        elif self.site.scope.tried:
            tried = ", ".join(self.site.scope.tried)
            yield self.found(
                f"No sitemap was found in {tried} or the working directory, which are tried where no target is given; "
                "was the site built before this step?"
            )
        else:
            yield self.found(f"No sitemap was found in `{self.site.root or '.'}`.")


class SitemapNotInRobots(Rule):
    """robots.txt names some sitemaps, but not this one.

    It was found by its conventional name only. Naming it makes sure that every crawler sees it.

    Fix: name the sitemap in robots.txt, or remove it if it is a leftover.

    Bad:
        --- robots.txt
        Sitemap: https://www.acme.example/pages.xml
        --- pages.xml
        <url><loc>https://www.acme.example/</loc></url>
        --- sitemap.xml
        <url><loc>https://www.acme.example/about</loc></url>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "sitemap-not-in-robots"
    severity = Severity.NOTICE
    step = Step.DISCOVER
    spec = PROTOCOL + "#submit_robots"

    def whole_site(self) -> Iterator[Found]:
        if self.site.robots is None or not self.site.robots.sitemaps:
            return
        for document in self.site.documents:
            if document.found_by == ["convention"] and document.readable and document.parent is None:
                yield self.found("The sitemap is at a conventional path, but robots.txt names only others.", document)
