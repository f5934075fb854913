"""Alternates over the whole set: are they listed, and do they link back?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from sitemap_action.memory.listing import Listing
from sitemap_action.memory.mesh import Mesh
from sitemap_action.model import Document, Severity
from sitemap_action.rules.base import Found, shown
from sitemap_action.rules.hreflang import LinksRule


class _Targets(LinksRule):
    """The rules about what the targets of alternates say themselves."""

    memories = (Listing, Mesh)


def _naming(words: str, document: Document, entry: int, element: int) -> str:
    """The set keeps hashes only, so the link is read again for the findings that are shown."""
    href = document.find_attribute(entry, element, "href")
    return words.format(shown(href) if href else "of this link")


class HreflangNoReturnLink(_Targets):
    """An alternate is listed, but its own entry does not link back.

    Search engines believe that two pages are versions of each other only if both say so. All
    files of the set are looked at.

    Fix: give every version of the page the same complete group of links.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
        <url><loc>https://www.acme.example/de/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
        <url><loc>https://www.acme.example/de/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
    """

    id = "hreflang-no-return-link"

    def whole_site(self) -> Iterator[Found]:
        for document, entry, element in self.site.shared(Mesh).unanswered():
            words = "The alternate {} is listed, but its entry does not link back to this one."
            yield self.found(partial(_naming, words, document, entry, element), document, entry, element)


class HreflangTargetNotListed(_Targets):
    """An alternate is listed in no sitemap of the set.

    Its own links cannot be seen, so nothing confirms that the two pages belong together. Only
    reported where the whole set was read, and only for hosts that have pages in it.

    Fix: list the alternate with its own links, or remove the link if the page is gone.

    Bad:
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme.example/de/"/></url>
    Good:
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme-garten.example/"/></url>
    """

    id = "hreflang-target-not-listed"
    severity = Severity.NOTICE

    def whole_site(self) -> Iterator[Found]:
        if not self._all_was_read():
            return
        for document, entry, element in self.site.shared(Mesh).unlisted():
            if self.site.is_directory or self.site.live or document.parent is not None:
                words = "The alternate {} is listed in no sitemap of the set."
                yield self.found(partial(_naming, words, document, entry, element), document, entry, element)

    def _all_was_read(self) -> bool:
        """Whether the set is more than files somebody picked, and none of it failed: a target might be in the rest."""
        documents = self.site.documents
        outcomes = {child.outcome for document in documents for child in document.children}
        is_set = self.site.is_directory or self.site.live or any(document.parent for document in documents)
        return is_set and outcomes <= {"read", "cycle", "repeated"} and all(document.readable for document in documents)
