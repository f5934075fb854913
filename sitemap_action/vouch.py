"""Cross-submission: a sitemap may list another host's pages if that host's robots.txt names it."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor

from sitemap_action import urls
from sitemap_action.hosts import is_local, is_placeholder
from sitemap_action.live import first_bytes, names_sitemap
from sitemap_action.model import Document
from sitemap_action.net.client import Client
from sitemap_action.robots import MAX_ROBOTS_BYTES, Robots, read_robots
from sitemap_action.site import Site, entries_per_origin

# A sitemap with more foreign hosts than this is a list of links.
_MOST_HOSTS = 10


def vouch(site: Site, client: Client, pool: Executor) -> None:
    """Ask the hosts that are listed most, and note whom they vouch for."""
    foreign = _foreign_origins(site)
    answers = dict(zip(foreign, pool.map(lambda origin: _robots(origin, client), foreign), strict=True))
    by_location = {document.location: document for document in site.documents} if answers else {}
    for document in site.documents if answers else ():
        listed = entries_per_origin(document)
        document.vouched_for = frozenset(
            origin
            for origin, robots in answers.items()
            if origin in listed and _names(robots, origin, document, by_location)
        )


def _foreign_origins(site: Site) -> list[str]:
    counts: Counter[str] = Counter()
    for document in site.documents:
        if not document.is_index:
            counts.update(entries_per_origin(document))
    own = site.url.origin if site.url else ""
    hosts = {origin: urls.host(origin) for origin in counts}
    foreign = [
        origin
        for origin, _ in counts.most_common()
        if origin != own
        and hosts[origin] not in site.scope.allow_hosts
        and (hosts[origin] in site.scope.typed_hosts or not (is_local(hosts[origin]) or is_placeholder(hosts[origin])))
    ]
    return foreign[:_MOST_HOSTS]


def _robots(origin: str, client: Client) -> Robots | None:
    """Only a robots.txt of that very origin speaks for it: one that redirects here says what we say ourselves."""
    answer = client.get(origin + "/robots.txt", MAX_ROBOTS_BYTES + 1, partial=True)
    if answer.is_ok and urls.split_origin(answer.final_url)[0] == origin:
        return read_robots(origin + "/robots.txt", first_bytes(answer, MAX_ROBOTS_BYTES + 1))
    answer.discard()
    return None


def _names(robots: Robots | None, origin: str, document: Document, by_location: dict[str, Document]) -> bool:
    """The sitemap itself is named, or an index that leads to it."""
    seen: set[str] = set()
    while robots is not None:
        places = [document.location, *filter(None, [document.final_url, document.fetched_from])]
        if any(names_sitemap(robots, place, origin + "/robots.txt") for place in places):
            return True
        seen.add(document.location)
        parent = by_location.get(document.parent or "")
        if parent is None or parent.location in seen:
            return False
        document = parent
    return False
