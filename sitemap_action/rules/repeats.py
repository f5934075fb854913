"""The same page listed twice, within a file or across the files of the set."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.memory.listing import Listing, Repeat
from sitemap_action.model import LOC, Severity, Step
from sitemap_action.rules.base import FAQ, PROTOCOL, Found, Message, Rule


class _Repeated(Rule):
    """What both rules share: the listing, and the words for where the page stood first."""

    severity = Severity.WARNING
    step = Step.QUALITY
    memories = (Listing,)
    same_spelling: bool

    def whole_site(self) -> Iterator[Found]:
        for repeat in self.site.shared(Listing).repeats():
            if repeat.same_spelling == self.same_spelling:
                yield self.found(self._message(repeat), repeat.document, repeat.entry, LOC)

    def _message(self, repeat: Repeat) -> Message:
        def words() -> str:
            first = repeat.first_document
            line = first.locate(repeat.first_entry, LOC).line
            where = f"{first.location}:{line}" if line else first.location
            if self.same_spelling:
                return f"The URL is listed again; it stands first at {where}."
            other = first.loc_at(repeat.first_entry)
            return f"The same page is listed as {(other or '')[:100]!r} at {where}."

        return words


class LocRepeated(_Repeated):
    """A URL is listed more than once, in one file or in several files of the set.

    Crawlers take it once. Repeats use up the limit and mostly show that a generator visits
    pages twice. Feeds, and image, video and news sitemaps, may name pages again.

    Fix: list every page once, in one file.

    Bad:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/about</loc></url>
    Good:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/contact</loc></url>
    """

    id = "loc-repeated"
    spec = PROTOCOL
    same_spelling = True


class LocVariantRepeated(_Repeated):
    """A page is listed under two spellings of its URL.

    URLs that differ only by http and https, `www.`, a slash at the end, a default port,
    index.html, the host's case or escaping mostly lead to one page. Engines pick one, and
    not always the one you want.

    Fix: list the canonical spelling only.

    Bad:
        <url><loc>https://www.acme.example/about</loc></url>
        <url><loc>https://www.acme.example/about/</loc></url>
    Good:
        <url><loc>https://www.acme.example/about/</loc></url>
    """

    id = "loc-variant-repeated"
    spec = FAQ
    same_spelling = False
