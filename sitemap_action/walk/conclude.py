"""What the tries at an origin's sitemaps amount to: found, missing, or not for us to judge."""

from __future__ import annotations

import re

from sitemap_action.model import Document
from sitemap_action.net.answer import Answer
from sitemap_action.site import Site
from sitemap_action.site.live import Lead, LiveSite
from sitemap_action.values import urls
from sitemap_action.values.words import first_few

_MOST_PLACES = 10
_MARKUP = re.compile(rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex|url|sitemap|loc|rss|feed|RDF)[\s/>]")


class Trials:
    """Remembers what became of each lead, so that the end can be told honestly."""

    def __init__(self, live: LiveSite) -> None:
        self._live = live
        self._failed: list[tuple[Lead, Answer, Document]] = []
        self._misses: dict[str, list[str]] = {}  # what happened, and where
        self._missed: set[str] = set()
        self.skipped = 0  # usual places that were not tried

    @property
    def is_hopeless(self) -> bool:
        """The host cannot be connected to: no other path would do better."""
        return self._live.robots_answer.no_connection

    def is_sitemap(self, lead: Lead, answer: Answer, document: Document) -> bool:
        """Whether the document counts; what was only tried may be nothing, or a page that answers for every path."""
        if not answer.is_ok:
            self._failed.append((lead, answer, document))
            self._miss(lead, answer.words())
            return lead.is_promise or document.is_refused  # a limit of ours is never kept quiet about
        if lead.is_promise or not _is_something_else(document):
            return True
        self._miss(lead, "answered with HTML" if _is_html(document) else "answered with something else than a sitemap")
        return False

    def conclude(self, site: Site) -> list[Document]:
        """After the last lead: the evidence, whether the origin could be judged, and what else is to be shown.

        Where nothing was read, that is what failed at the usual places: a sitemap may be there.
        """
        misses = [f"{first_few(places, _MOST_PLACES)} {words}" for words, places in self._misses.items()]
        site.evidence += misses
        site.missed = "; ".join([*self._live.evidence, *misses])
        site.inconclusive = self._walled_children(site)
        if site.inconclusive or any(not document.failed for document in site.documents):
            return []
        if not site.documents:
            site.unasked += self.skipped
        site.inconclusive = "" if site.unasked else self._walled() or self._down()
        if site.inconclusive and site.robots is not None and not site.robots.text:
            site.robots = None  # it could not be had either, and that is said already
        return self._to_be_shown if site.inconclusive or not site.documents else []

    @property
    def _to_be_shown(self) -> list[Document]:
        return [document for lead, answer, document in self._failed if not lead.is_promise and _is_told(answer)]

    def _walled_children(self, site: Site) -> str:
        """Indexes were read, and every sitemap that they lead to is behind a wall: not one page was seen."""
        read = [document for document in site.documents if not document.failed]
        failures = [document.failure for document in site.documents if document.failure is not None]
        walls = [failure.facts[1] if failure.rule == "http-status-not-ok" else "" for failure in failures]
        if not read or not walls or not all(walls) or not all(document.is_index for document in read):
            return ""
        outcomes = {child.outcome for document in read for child in document.children} - {"read", "repeated", "cycle"}
        return f"What {read[0].location} lists {walls[0]}; {self._advice}." if outcomes == {"blocked"} else ""

    def _walled(self) -> str:
        """Everything that matters is behind a wall: all that is promised, or else any of the usual places."""
        promised = [answer for lead, answer, _ in self._failed if lead.is_promise]
        walls = [answer for answer in promised or [answer for _, answer, _ in self._failed] if answer.wall]
        if not walls or len(walls) < len(promised):
            return ""
        return f"{walls[0].final_url} {walls[0].wall}; {self._advice}."

    @property
    def _advice(self) -> str:
        return f"allow the User-Agent `{self._live.user_agent}` there, or pass a header that lets it in (--header)"

    def _down(self) -> str:
        """Nothing answers: neither robots.txt nor what it names, or else none of the usual places."""
        answers = [answer for _, answer, _ in self._failed]
        if any(lead.is_promise for lead, _, _ in self._failed) or not self._failed:
            answers.append(self._live.robots_answer)
        answered = sum(map(len, self._misses.values())) > len(self._failed)  # though not with a sitemap
        if answered or not all(answer.is_down for answer in answers):
            return ""
        advice = "try again when the site is up"
        if "certificate" in answers[0].words():
            advice = "if you trust it, name its authority with REQUESTS_CA_BUNDLE"
        return f"{answers[0].url} {answers[0].words()}; {advice}."

    def was_missed(self, lead: Lead) -> bool:
        """Whether the URL was tried already, in vain."""
        return lead.url in self._missed

    def _miss(self, lead: Lead, words: str) -> None:
        self._missed.add(lead.url)
        origin, path = urls.split_origin(lead.url)
        place = path if origin == self._live.url.origin else lead.url
        self._misses.setdefault(words, []).append(place)


def _is_told(answer: Answer) -> bool:
    """Worth a line in the report: everybody sees what was tried."""
    return bool(answer.wall) or answer.is_down


def _is_html(document: Document) -> bool:
    return any(fault.rule == "content-is-html" for fault in document.faults)


def _is_something_else(document: Document) -> bool:
    """A page or a text that merely answers, as some servers do in place of 404; a broken sitemap is still one."""
    if document.format == "text":
        return not any(document.locs)
    if not document.size:
        return document.path != "/sitemap.xml"
    if document.readable or not document.data:
        return False
    return _is_html(document) or not _MARKUP.search(document.data)
