"""The sitemaps of live origins: fetched side by side, handed on in a stable order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from sitemap_action.model import Document
from sitemap_action.model.children import MAX_NESTING, Child, add_ways, children_of, meet_again
from sitemap_action.model.share import WHOLE, Share
from sitemap_action.net.abreast import abreast
from sitemap_action.net.answer import Answer
from sitemap_action.net.client import Client
from sitemap_action.net.crew import Crew, wait_for
from sitemap_action.pages.live import LivePages
from sitemap_action.reading import Reader, Record
from sitemap_action.site import Scope, Site
from sitemap_action.site.live import Lead, LiveSite
from sitemap_action.spool import Spool
from sitemap_action.values import urls
from sitemap_action.walk import Visit
from sitemap_action.walk.arrival import Register, name_of, opened
from sitemap_action.walk.conclude import Trials
from sitemap_action.walk.vouch import vouch

# A server that has failed so often in a row is not asked for thousands more.
_MOST_FAILURES = 25
_GIVEN_UP = f"the {_MOST_FAILURES} before them failed one after another"
T = TypeVar("T")


class LiveWalk:
    """A `Walk` over what origins offer: what robots.txt names, the usual places, and what indexes lead to."""

    def __init__(
        self,
        targets: Sequence[urls.Url],
        scope: Scope,
        client: Client,
        max_sitemaps: int,
        pages: bool = False,
        pages_limit: int | None = None,
        share: Share = WHOLE,
    ) -> None:
        self.spool = Spool()
        self._share = share
        self._leads = 0  # what no index has led to is numbered as it is offered: each part asks for all of it
        self._wants_pages, self._pages_limit = pages, pages_limit
        self._live_of: dict[int, LiveSite] = {}
        self.elsewhere = 0  # documents that other parts tell of
        self.sites: list[Site] = []
        self.known = 0  # documents that are read or will be, as far as we know
        self.watch: Callable[[str], None] = lambda location: None  # is told what we wait for
        self._targets = targets
        self._scope = scope
        self._client = client
        self._room = max_sitemaps
        self._failures = 0  # children in a row that the server could not, or would not, give us
        self._read = Register()
        self._reader: Reader
        self._crew = Crew(client.manners.concurrency)

    @property
    def answers(self) -> dict[str, Any]:
        """What servers have said, where somebody wants to know."""
        return self._client.answers

    @property
    def keeps_roll(self) -> bool:
        return self._wants_pages

    def documents(self, reader: Reader) -> Iterator[Visit]:
        self._reader = reader
        origins: dict[str, list[urls.Url]] = {}
        for target in self._targets:
            origins.setdefault(target.origin, []).append(target)
        for targets in origins.values():
            yield from self._origin(targets)

    def close(self) -> None:
        """Cut what is under way."""
        self._client.close()
        self._crew.close()
        self.spool.close()

    def pages_of(self, site: Site) -> LivePages | None:
        """How the pages of an origin are asked for, if they are wanted."""
        if not self._wants_pages:
            return None
        return LivePages(self._live_of[id(site)], self._client, self._crew, self._pages_limit)

    # An origin

    def _origin(self, targets: list[urls.Url]) -> Iterator[Visit]:
        self.watch(targets[0].origin + "/robots.txt")
        live = self._crew.call(LiveSite, targets[0], self._scope, self._client)
        site = live.join(Site(self._scope, self.spool, live=True))
        self.sites.append(site)
        self._live_of[id(site)] = live
        trials = Trials(live)
        if not trials.is_hopeless:
            named = [Lead(live.location(target.text), ("argument",)) for target in targets if not _is_root(target)]
            leads = named if len(named) == len(targets) else [*named, *live.leads()]
            home = self._crew.submit(live.home_leads) if len(named) < len(targets) else None
            yield from self._follow_leads(live, site, leads, trials)
            if home is not None:
                leads = wait_for(home)
                yield from self._follow_leads(live, site, leads, trials)
        for document in trials.conclude(site):
            site.add(document)
            record = self._inspected(document)
            if self._share.owns(0):
                yield site, document, record
        vouch(site, self._client, self._crew)

    def _follow_leads(self, live: LiveSite, site: Site, leads: Iterable[Lead], trials: Trials) -> Iterator[Visit]:
        untried = self._untried(site, leads, trials)
        for (lead, number), answer in self._side_by_side(untried, lambda one: live.address(one[0].url)):
            known = self._read.find(live, lead.url, answer)
            if known is not None:
                add_ways(known, [*lead.found_by])
                site.has_met |= known not in site.documents
                yield from self._other_name(live, site, lead.url, answer, known, [*lead.found_by])
                continue
            if not lead.is_promise and self._room <= 0 and answer.is_ok:
                answer.discard()
                site.unasked += 1
                continue
            document = opened(live, lead.url, answer, self.spool, self._client.manners.max_bytes)
            add_ways(document, [*lead.found_by])
            if "argument" in lead.found_by and live.names(lead.url):
                add_ways(document, ["robots.txt"])
            if trials.is_sitemap(lead, answer, document):
                self._room -= not lead.is_promise  # the others were counted when they were asked for
                self._read.enter(live, lead.url, answer, document)
                yield from self._follow(live, site, document, self._inspected(document), (), number)

    def _untried(self, site: Site, leads: Iterable[Lead], trials: Trials) -> Iterator[tuple[Lead, int]]:
        """Each URL once, with all the ways that lead to it; what was read already only learns of one more way.

        The number does not depend on what was read, which is something else in each part.
        """
        merged: dict[str, Lead] = {}
        for lead in leads:
            key = name_of(lead.url)
            merged[key] = merged[key].also(lead) if key in merged else lead
        first, self._leads = self._leads, self._leads + len(merged)
        for number, (key, lead) in enumerate(merged.items(), first):
            if trials.was_missed(lead):
                continue
            if key in self._read:
                add_ways(self._read[key], [*lead.found_by])
                site.has_met |= self._read[key] not in site.documents
            elif self._room > 0:
                self._room -= lead.is_promise
                yield lead, number
            elif lead.found_by == ("convention",):
                trials.skipped += 1
            else:
                site.unasked += 1

    # An index

    def _follow(
        self,
        live: LiveSite,
        site: Site,
        document: Document,
        record: Record,
        ancestors: tuple[Document, ...],
        number: int,
    ) -> Iterator[Visit]:
        """The document itself, then the children it lists if it is an index."""
        self.known += 1
        site.add(document)
        if len(ancestors) <= MAX_NESTING:
            document.children = children_of(document)
        if ancestors or self._share.owns(number):  # what was met on a way that nobody else goes is ours
            yield site, document, record
        else:
            self.elsewhere += 1
        self.known += len(document.children)
        wanted = self._wanted(document, ancestors, number)
        for child, answer in self._side_by_side(wanted, lambda child: live.address(child.url)):
            self.known -= 1  # it counts as itself from here on
            yield from self._child(live, site, document, child, answer, ancestors)

    def _wanted(self, index: Document, ancestors: tuple[Document, ...], number: int) -> Iterator[Child]:
        for own_number, child in enumerate(index.children, number + 1):
            known = self._read.get(name_of(child.url))
            if known is not None and not child.outcome:
                meet_again(child, known, index, ancestors)
            elif not child.outcome and (self._room <= 0 or self._failures >= _MOST_FAILURES):
                child.outcome = "unasked"
                child.reason = "--max-sitemaps was reached" if self._room <= 0 else _GIVEN_UP
            elif not child.outcome and not ancestors and not self._share.owns(own_number):
                child.outcome = "elsewhere"
                self.elsewhere += 1
            if child.outcome:
                self.known -= 1
                continue
            self._room -= 1
            yield child

    def _child(
        self, live: LiveSite, site: Site, index: Document, child: Child, answer: Answer, ancestors: tuple[Document, ...]
    ) -> Iterator[Visit]:
        self._failures = self._failures + 1 if answer.is_down or answer.wall else 0
        known = self._read.find(live, child.url, answer)
        if known is not None:
            self._room += 1
            meet_again(child, known, index, ancestors)
            if child.outcome != "cycle":
                yield from self._other_name(live, site, child.url, answer, known, ["index"], index.location)
            answer.discard()
            return
        record = self._reader.recall(live.location(child.url))
        limit = self._client.manners.max_bytes
        document = child.document = opened(live, child.url, answer, self.spool, limit, record)
        document.parent = index.location
        add_ways(document, ["index"])
        document.named_by_robots |= index.named_by_robots
        self._read.enter(live, child.url, answer, document)
        child.outcome = answer.outcome
        if child.outcome == "unreachable":  # said once, at the line that lists it
            child.reason, document.failure = answer.words(), None
        elif document.is_index and len(ancestors) >= MAX_NESTING:
            child.outcome = "too-deep"
        yield from self._follow(live, site, document, record or self._inspected(document), (*ancestors, index), 0)

    def _other_name(
        self,
        live: LiveSite,
        site: Site,
        url: str,
        answer: Answer,
        known: Document,
        found_by: list[str],
        parent: str | None = None,
    ) -> Iterator[Visit]:
        """A URL whose redirects end at a document that was read before: it has a row, and its redirect is told."""
        answer.discard()
        if name_of(url) in self._read or not {"robots.txt", "argument", "index"}.intersection(found_by):
            return  # what was only tried is evidence
        document = Document(live.location(url))
        document.http_status, document.final_url = answer.status, answer.final_url
        document.parent = parent
        add_ways(document, found_by)
        self._read[name_of(url)] = known
        site.add(document)
        document.data = None  # not even an empty one: what a part has read by this name is the other's contents
        record = self._inspected(document)
        record.key = ""
        if parent or self._share.owns(0):
            yield site, document, record
        document.format = known.format  # from here on: its contents are the other's, and were checked there

    # A document

    def _inspected(self, document: Document) -> Record:
        record = self._reader.inspect(document)
        document.settle(record.facts, self.spool)
        return record

    # Fetching

    def _side_by_side(self, items: Iterable[T], address: Callable[[T], str]) -> Iterator[tuple[T, Answer]]:
        """Items with their answers, in the order of the items."""
        most = self._client.manners.concurrency
        for item, future in abreast(
            items, lambda item: self._crew.submit(self._client.get, address(item)), most, _let_go_later
        ):
            self.watch(address(item))
            yield item, wait_for(future)


def _let_go_later(future: Future[Answer]) -> None:
    """Somebody else has failed: what arrives late is let go."""
    future.add_done_callback(_let_go)


def _let_go(future: Future[Answer]) -> None:
    if not future.cancelled() and future.exception() is None:
        future.result().discard()


def _is_root(target: urls.Url) -> bool:
    return target.path in ("", "/") and not target.query
