"""Cross-submission: a sitemap may list another host's pages if that host's robots.txt names it."""

from __future__ import annotations

from collections import Counter

from sitemap_action.model import Document
from sitemap_action.net.client import Client
from sitemap_action.net.crew import Crew
from sitemap_action.site import Site, entries_per_origin
from sitemap_action.site.live import sitemaps_named
from sitemap_action.site.robots import MAX_ROBOTS_BYTES, read_robots
from sitemap_action.values import urls
from sitemap_action.values.hosts import is_local, is_placeholder

# A sitemap with more foreign hosts than this is a list of links.
_MOST_HOSTS = 10


def vouch(site: Site, client: Client, crew: Crew) -> None:
    """Ask the hosts that are listed most, and note whom they vouch for."""
    foreign = _foreign_origins(site)
    named = dict(zip(foreign, crew.map(lambda origin: _named_by(origin, client), foreign), strict=True))
    by_location = {document.location: document for document in site.documents} if any(named.values()) else {}
    for document in by_location.values():
        listed = entries_per_origin(document)
        names = frozenset(map(urls.same_page, _names_of(document, by_location)))
        document.vouched_for = frozenset(
            origin for origin, sitemaps in named.items() if origin in listed and not names.isdisjoint(sitemaps)
        )


def _foreign_origins(site: Site) -> list[str]:
    """Origins that are listed and not the site's own, those with the most entries first."""
    counts: Counter[str] = Counter()
    for document in site.documents:
        if not document.is_index:
            counts.update(entries_per_origin(document))
    return [origin for origin, _ in counts.most_common() if _is_foreign(site, urls.parse(origin))][:_MOST_HOSTS]


def _is_foreign(site: Site, origin: urls.Url | None) -> bool:
    own, scope = site.url, site.scope
    if origin is None or own is None or origin.host in scope.allow_hosts or origin.origin in (own.origin, site.root):
        return False
    # The site's http twin is no other site, and the site behind a preview is not asked at all.
    if origin.host == own.host and (origin.port == own.port or site.is_preview):
        return False
    return origin.host in scope.typed_hosts or not (is_local(origin.host) or is_placeholder(origin.host))


def _named_by(origin: str, client: Client) -> frozenset[str]:
    """Only a robots.txt of that very origin speaks for it: one that redirects here says what we say ourselves."""
    address = origin + "/robots.txt"
    answer = client.get(address, MAX_ROBOTS_BYTES + 1, partial=True, patient=False)
    if answer.is_ok and urls.split_origin(answer.final_url)[0] == origin:
        return sitemaps_named(read_robots(address, answer.first_bytes(MAX_ROBOTS_BYTES + 1)), address)
    answer.discard()
    return frozenset()


def _names_of(document: Document, by_location: dict[str, Document]) -> set[str]:
    """The document's own URLs, and those of the indexes that lead to it."""
    names: set[str] = set()
    while document.location not in names:
        names |= {document.location, *filter(None, [document.final_url, document.fetched_from])}
        document = by_location.get(document.parent or "", document)
    return names
