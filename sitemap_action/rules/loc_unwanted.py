"""What is listed and should not be: sitemaps, error pages, index.html, session ids."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sitemap_action import lazy
from sitemap_action.memory.listing import Listing
from sitemap_action.model import LOC, Document, Severity, Step
from sitemap_action.model.error_pages import SIGNS, error_pages
from sitemap_action.rules.base import FAQ, PROTOCOL, Found, Rule, shown
from sitemap_action.site import Site
from sitemap_action.values import urls

if TYPE_CHECKING:
    from sitemap_action.pages.page import Page


_SUSPECTS = ("sitemap", "robots.txt", *SIGNS)
_SITEMAPS = (".xml", ".xml.gz", ".txt")
_PARAMETER = lazy.pattern(
    r"[?&;]((?:php|j|asp)?sess?(?:ion)?_?id|sid|phpsessid|aspsessionid\w*|cfid|cftoken|token|access_token|auth"
    r"|api_?key|key|password|passwd|pwd|utm_\w+|gclid|fbclid|msclkid)=",
    re.IGNORECASE,
)


class LocNotAPage(Rule):
    """The sitemap lists something that is not a page.

    A sitemap, robots.txt or the "not found" page has nothing to do in a search result. Child
    sitemaps belong into a sitemap index, not into a `<urlset>`.

    Fix: exclude the URL in the generator; list child sitemaps in a sitemap index.

    Bad:
        <url><loc>https://www.acme.example/404.html</loc></url>
    Bad:
        <url><loc>https://www.acme.example/sitemap-products.xml</loc></url>
    Good:
        <url><loc>https://www.acme.example/products</loc></url>
    """

    id = "loc-not-a-page"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL

    def document(self, document: Document) -> Iterator[Found]:
        if document.is_index:
            return
        own = (document.path.lower(),) if document.path else ()
        codes = error_pages(document)
        for entry, loc in document.locs_with(*_SUSPECTS, *own):
            what = f"the error page {codes[entry]}" if entry in codes else self._what(loc, document)
            if what:
                yield self.found(f"{shown(loc)} is {what}, not a page.", document, entry, LOC)

    def _what(self, loc: str, document: Document) -> str | None:
        url = urls.parse(loc)
        if url is None:
            return None
        own = urls.parse(document.location)
        if document.path and (url.path, url.query) == (document.path, own.query if own else ""):
            return "this sitemap itself"
        name = url.path.rpartition("/")[2].lower()
        if name == "robots.txt":
            return "robots.txt"
        return "a sitemap" if "sitemap" in name and name.endswith(_SITEMAPS) else None


class LocIndexHtml(Rule):
    """The sitemap lists `index.html` where the folder's URL would do.

    Static hosts serve `/docs/index.html` and `/docs/` alike, and the second is what people
    link to. Two URLs of one page share its signals.

    Fix: let the generator write folder URLs ("pretty URLs"), or strip index.html in the sitemap.

    Bad:
        <url><loc>https://www.acme.example/docs/index.html</loc></url>
    Good:
        <url><loc>https://www.acme.example/docs/</loc></url>
    """

    id = "loc-index-html"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = PROTOCOL
    memories = (Listing,)

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._told: set[tuple[int, int]] = set()  # where the page's canonical says the same

    def note(self, document: Document) -> array[int] | None:
        """The entries; whether the folder is listed as well shows at the end of the set."""
        if document.is_index:
            return None
        entries = [
            entry
            for entry, loc in document.locs_with("/index.htm")
            if loc.endswith(("/index.html", "/index.htm")) and urls.parse(loc)
        ]
        return array("I", entries) if entries else None

    def page(self, page: Page) -> Found | None:
        """What the page says is the better finding: that it wants the folder's URL listed."""
        is_index = page.document is not None and page.url.endswith(("/index.html", "/index.htm"))
        if is_index and page.reply.canonical == page.url[: page.url.rfind("/") + 1]:
            self._told.add((id(page.document), page.entry))
        return None

    def whole_site(self) -> Iterator[Found]:
        told = self.site.shared(Listing).variants | self._told
        for document, entries in self.noted:
            for entry in entries:
                if (id(document), entry) not in told:
                    yield self.found(partial(_as_folder, document, entry), document, entry, LOC)


def _as_folder(document: Document, entry: int) -> str:
    loc = document.loc_at(entry) or ""
    return f"The page is also served as {shown(loc[: loc.rfind('/') + 1])}."


class LocSessionId(Rule):
    """A listed URL carries a session id, a tracking parameter or a secret.

    Such a parameter makes a new URL of the same page for every visitor, and a token or
    password in a public file is open to everybody.

    Fix: list the URL without the parameter.

    Bad:
        <url><loc>https://www.acme.example/?PHPSESSID=3c9f</loc></url>
    Good:
        <url><loc>https://www.acme.example/?page=3</loc></url>
    """

    id = "loc-session-id"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = FAQ

    def document(self, document: Document) -> Iterator[Found]:
        for entry, loc in document.locs_matching(_PARAMETER, "="):
            url = urls.parse(loc)
            found = (_PARAMETER.search(f"?{url.query}") or _PARAMETER.search(url.path)) if url else None
            if found:
                yield self.found(f"{shown(loc)} carries the parameter `{found[1]}`.", document, entry, LOC)
