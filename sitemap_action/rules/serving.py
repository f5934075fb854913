"""How a live server answers: status, redirects, content types, and children of an index that cannot be had."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import Document, Fault, Severity, Step
from sitemap_action.model.children import Child
from sitemap_action.rules.base import FAQ, PROTOCOL, SEARCH_CONSOLE, Found, Rule, Verdict
from sitemap_action.rules.index import ChildrenRule, other_host
from sitemap_action.values import urls

_HTML = ("text/html", "application/xhtml+xml")
_XML = ("application/xml", "text/xml")
_ANYTHING = ("application/octet-stream", "binary/octet-stream")


class HttpStatusNotOk(Rule):
    """A sitemap that is named does not answer with 200.

    robots.txt or the command line names it, and the server has something else to say. Behind a
    login, a rate limit or a challenge for robots it cannot be judged, which is a warning; if
    that holds for everything, the check as a whole is inconclusive.

    Fix: serve the sitemap there or correct the line that names it; if robots are kept out, allow our User-Agent there
    or pass `--header`; with a rate limit, lower `--concurrency`.

    Bad:
        $ live
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        Sitemap: https://www.acme.example/news.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        --- news.xml (404)
    Good:
        $ live
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "http-status-not-ok"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        words, wall = fault.facts
        if wall:
            return f"The sitemap {words}, so it was not judged.", Severity.WARNING
        return f"The sitemap {words}."


class IndexChildUnreachable(ChildrenRule):
    """A sitemap that the index lists cannot be fetched.

    Crawlers get the same answer, and know nothing of the pages in it.

    Fix: serve the child where the index says, or remove its line from the index.

    Bad:
        $ live
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
    Good:
        $ live
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "index-child-unreachable"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def judge(self, index: Document, child: Child) -> Verdict:
        if child.outcome != "unreachable":
            return None
        return " ".join(filter(None, [f"The child {child.reason}.", other_host(self.site, index, child)]))


class SitemapRedirects(Rule):
    """The sitemap is served only after a redirect.

    Crawlers follow it, at the cost of a request each time, and some do not follow one that leaves the
    host: the other host would speak for this one.

    Fix: name the final URL in robots.txt and in the index.

    Bad:
        $ live
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml (301 /maps/pages.xml)
        --- maps/pages.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        $ live
        --- robots.txt
        Sitemap: https://www.acme.example/maps/pages.xml
        --- maps/pages.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "sitemap-redirects"
    severity = Severity.NOTICE
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def whole_site(self) -> Iterator[Found]:
        for document in self.site.documents:
            if document.final_url is None or not document.readable:
                continue
            asked = document.fetched_from or document.location
            if urls.host(asked) == urls.host(document.final_url):
                yield self.found(f"It redirects to {document.final_url}.", document)
            else:
                message = f"It redirects to another host: {document.final_url}."
                yield self.found(message, document, severity=Severity.WARNING)


class ContentTypeHtml(Rule):
    """A good sitemap is served as text/html.

    Crawlers that go by the content type take it for a page, and browsers show a wall of text.

    Fix: serve it as application/xml, a text sitemap as text/plain.

    Bad:
        $ live
        --- sitemap.xml (text/html)
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        $ live
        --- sitemap.xml (application/xml)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "content-type-html"
    severity = Severity.WARNING
    step = Step.FETCH
    spec = PROTOCOL

    def document(self, document: Document) -> Iterator[Found]:
        if document.content_type in _HTML:
            yield self.found(f"The sitemap is served as `{document.content_type}`.", document)


class ContentTypeUnexpected(Rule):
    """A sitemap is served with a content type that does not fit.

    XML is application/xml or text/xml, a feed also application/rss+xml or application/atom+xml, a text
    sitemap text/plain, a gzip file application/gzip.

    Fix: set the content type in the server's configuration.

    Bad:
        $ live
        --- sitemap.xml (application/json)
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        $ live
        --- sitemap.xml (text/xml)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "content-type-unexpected"
    severity = Severity.NOTICE
    step = Step.FETCH
    spec = FAQ

    def document(self, document: Document) -> Iterator[Found]:
        served = document.content_type
        if served is None or served in _HTML or _fits(served, document):
            return
        what = f"as `{served[:80]}`" if served else "without a content type"
        wanted = "text/plain" if document.format == "text" else "application/xml"
        yield self.found(f"The sitemap is served {what}; `{wanted}` is expected.", document)


def _fits(served: str, document: Document) -> bool:
    named_gz = document.location.partition("?")[0].endswith(".gz")
    if "gzip" in served:
        return document.compressed or named_gz  # a plain file of that name is another rule's
    if served in _ANYTHING:  # what servers without an opinion say of a .gz file
        return named_gz
    if document.format == "text":
        return served == "text/plain"
    return served in _XML or served.endswith("+xml")
