"""Sitemap indexes: the children they list, and what came of following them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from sitemap_action.model import LOC, Document, Severity, Step
from sitemap_action.model.children import Child
from sitemap_action.rules.base import GOOGLE_LARGE, PROTOCOL, SEARCH_CONSOLE, XSD, Found, Rule, Verdict
from sitemap_action.rules.document import holds_core_strays
from sitemap_action.site import Site
from sitemap_action.values import dates, urls


class ChildrenRule(Rule):
    """Judges each child of each index, after the whole set has been read."""

    def whole_site(self) -> Iterator[Found]:
        for document in self.site.documents:
            for child in document.children:
                unseen = not (self.site.live or isinstance(self, IndexChildOtherHost))
                if unseen and other_host(self.site, document, child):
                    continue  # of files it is not ours to look for, and that is said once
                verdict = self.judge(document, child)
                if verdict is not None:
                    message, severity = (verdict, None) if isinstance(verdict, str) else verdict
                    yield self.found(message, document, child.entry, LOC, url=child.url, severity=severity)

    def judge(self, index: Document, child: Child) -> Verdict:
        """What is wrong with this line of the index."""


def other_host(site: Site, index: Document, child: Child) -> str | None:
    """In words, if the child is on another host than the site."""
    host, own = urls.host(child.url), site.url.host if site.url else index.host
    # An index on another host, which robots.txt names, may list its neighbours there.
    if not host or not own or host in (own, urls.host(index.location)) or host in site.scope.allow_hosts:
        return None
    return f"The child is on `{host}`, the site is `{own}`."


class IndexEmpty(Rule):
    """The index lists no sitemap.

    The schema wants at least one `<sitemap>`; crawlers find nothing behind this file.

    Fix: list the sitemaps, or publish the one sitemap directly.

    Bad:
        <sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></sitemapindex>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-empty"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = XSD

    def document(self, document: Document) -> Iterator[Found]:
        if document.is_index and not document.entry_count and not holds_core_strays(document):
            place = document.root.place if document.root else None
            yield self.found("The index lists no sitemap.", document, place=place)


class IndexNested(ChildrenRule):
    """A child of the index is itself an index.

    Search engines do not follow an index from an index, so its pages are not found.

    Fix: list the sitemaps themselves in one index, or name both indexes in robots.txt.

    Bad:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-shop.xml</loc></sitemap>
        --- sitemap-shop.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-nested"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = SEARCH_CONSOLE

    def judge(self, index: Document, child: Child) -> Verdict:
        if child.outcome == "too-deep":
            return "The child is an index below several others, and was not followed further."
        if child.outcome == "read" and child.document is not None and child.document.is_index:
            return "The child is itself an index; an index may list sitemaps only."
        return None


class IndexCycle(ChildrenRule):
    """The index lists itself, or an index that leads back to it.

    A crawler that follows it comes back to where it was.

    Fix: list the sitemaps, not the index.

    Bad:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap.xml</loc></sitemap>
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-cycle"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#index"

    def judge(self, index: Document, child: Child) -> Verdict:
        if child.outcome != "cycle":
            return None
        return "The index lists itself." if child.document is index else "The child is an index that leads back here."


class IndexChildRepeated(ChildrenRule):
    """The index lists a sitemap twice.

    Fetching it again finds nothing new.

    Fix: list every sitemap once.

    Bad:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap> × 2
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-child-repeated"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL + "#index"

    def judge(self, index: Document, child: Child) -> Verdict:
        return "The sitemap is listed in this index already." if child.outcome == "repeated" else None


class IndexChildMissing(ChildrenRule):
    """A sitemap that the index lists is not in the build.

    Crawlers will get "not found" for it. An index given as a single file may lie apart from
    its children, so there it is a notice.

    Fix: build the child, or remove its line from the index.

    Bad:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-child-missing"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def judge(self, index: Document, child: Child) -> Verdict:
        if child.outcome == "unseen":
            return "No file for this child was found near the index, so it was not looked at.", Severity.NOTICE
        return "No built file answers to this child." if child.outcome == "missing" else None


class IndexChildOtherHost(ChildrenRule):
    """The index lists a sitemap on another host.

    An index may only list sitemaps of its own site; `www.` makes another host.

    Fix: list this host's sitemaps only; if the other host is yours as well, pass `--allow-host`.

    Bad:
        $ --site-url https://www.acme.example
        <sitemap><loc>https://cdn.acme.example/sitemap-1.xml</loc></sitemap>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-child-other-host"
    severity = Severity.WARNING
    step = Step.SCOPE
    spec = PROTOCOL + "#sitemapXMLExample"

    def judge(self, index: Document, child: Child) -> Verdict:
        # That it cannot be had is said already.
        return None if child.outcome in ("unreachable", "refused") else other_host(self.site, index, child)


class IndexChildOutsidePath(ChildrenRule):
    """The index lists a sitemap that is not in its own folder or below.

    Google only accepts children in the folder of the index or deeper.

    Fix: move the index up to the site's root.

    Bad:
        --- CNAME
        www.acme.example
        --- maps/sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/maps/1.xml</loc></sitemap>
        --- maps/1.xml
        <url><loc>https://www.acme.example/maps/</loc></url>
    """

    id = "index-child-outside-path"
    severity = Severity.NOTICE
    step = Step.SCOPE
    spec = GOOGLE_LARGE

    def judge(self, index: Document, child: Child) -> Verdict:
        origin, path = urls.split_origin(child.url)
        if not origin or path.startswith(index.folder) or not index.on_site:
            return None
        return f"The child is not in the index's own folder, `{index.folder}`, or below."


class IndexLastmodStale(ChildrenRule):
    """The index says that a sitemap is older than its newest entry.

    Crawlers skip a child whose `<lastmod>` has not moved, and so miss the new pages. The two
    dates are compared as precisely as the coarser one is written.

    Fix: let the generator date the child by its newest entry.

    Bad:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc><lastmod>2025-01-01</lastmod></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc><lastmod>2026-03-01</lastmod></url>
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc><lastmod>2026-03-01</lastmod></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc><lastmod>2026-03-01</lastmod></url>
    """

    id = "index-lastmod-stale"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL + "#sitemapXMLExample"

    def judge(self, index: Document, child: Child) -> Verdict:
        if child.outcome != "read" or child.document is None or child.document.is_index:
            return None
        stated, newest = dates.parse(child.lastmod or ""), child.document.summary.newest
        actual = dates.for_format(child.document.format, newest or "")
        if stated is None or actual is None or not dates.is_older(stated, actual):
            return None
        if actual.start > self.site.scope.now + timedelta(days=1):
            return None  # the entry's date is the defect
        return f"The index dates the child {stated.text}, its newest entry is of {newest}."
