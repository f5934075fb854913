"""What arrives from a live origin: an answer becomes a document, and is known by all the names of its URL."""

from __future__ import annotations

from sitemap_action.model import Document, Fault
from sitemap_action.net.answer import Answer, status_words
from sitemap_action.parse import parse, plain, prepare
from sitemap_action.reading import Record, take_stock
from sitemap_action.site.live import LiveSite
from sitemap_action.spool import Spool
from sitemap_action.values import urls


class Register(dict[str, Document]):
    """What was read, by the one name that all spellings of its URL share."""

    def find(self, live: LiveSite, url: str, answer: Answer) -> Document | None:
        """The document that was read at this URL, or where its redirects end."""
        known = self.get(name_of(url))
        if known is None and answer.is_ok:
            known = self.get(name_of(live.location(answer.final_url)))
        return known

    def enter(self, live: LiveSite, url: str, answer: Answer, document: Document) -> None:
        self[name_of(url)] = document
        if document.readable:  # one page may answer for many names, and each is wrong by itself
            self.setdefault(name_of(live.location(answer.final_url)), document)


def name_of(url: str) -> str:
    """One name for all spellings of a URL."""
    return urls.same_page(urls.undotted(url.partition("#")[0]))


def opened(
    live: LiveSite, url: str, answer: Answer, spool: Spool, limit: int, record: Record | None = None
) -> Document:
    """What the answer holds, unless that is known; a failure is kept, to be weighed at the end of the origin."""
    document = Document(live.location(url))
    origin, document.path = urls.split_origin(urls.undotted(document.location))
    document.on_site = origin == live.url.origin
    document.named_by_robots = any(map(live.names, (document.location, live.location(answer.final_url))))
    document.http_status = answer.status
    document.final_url = answer.final_url if answer.hops else None
    asked = live.address(url)
    document.fetched_from = asked if asked != document.location else None
    if answer.is_ok and answer.body is not None:
        document.content_type = answer.content_type
        raw = answer.body.take()
        kept = spool.keep_if_room(raw)
        document.reread = lambda: plain(kept.read(), limit) if kept is not None else None
        if record is None:
            parse(document, raw, limit=limit, encoding=answer.encoding)
            take_stock(document)
        else:
            document.settle(record.facts, spool)
            prepare(document)
        return document
    document.failed = True
    document.failure = answer.failure or Fault(
        "http-status-not-ok", facts=(answer.wall or f"answered {status_words(answer.status or 0)}", answer.wall)
    )
    return document
