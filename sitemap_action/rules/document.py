"""The document as a whole: is it a sitemap at all, in the right encoding and within the limits?"""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import (
    MAX_DOCUMENT_BYTES,
    MAX_ENTRIES,
    Document,
    Fault,
    Place,
    Severity,
    Step,
)
from sitemap_action.parse.names import URI_OF, is_core
from sitemap_action.rules.base import GOOGLE_NEWS, PROTOCOL, SEARCH_CONSOLE, Found, Rule, Verdict


class DocumentEmpty(Rule):
    """The file is empty, or holds only white space.

    A build step that failed often leaves an empty file behind, and crawlers then drop what
    they knew from it.

    Fix: let the build fail when it cannot write the sitemap; build it again.

    Bad:
        --- sitemap.xml
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "document-empty"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return "The file is empty." if not document.size else "The file holds only white space."


class ContentIsHtml(Rule):
    """An HTML page stands where the sitemap should be.

    A single-page application that answers every path with its start page, a "not found"
    page with status 200 or a login form looks like this.

    Fix: write a real sitemap to this place, and keep the catch-all route away from it.

    Bad:
        <!DOCTYPE html>
        <html><head><title>Acme</title></head><body><div id="root"></div></body></html>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "content-is-html"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        if self.site.live and "argument" in document.found_by:
            return "This is an HTML page, not a sitemap; a target with a path is taken for the URL of a sitemap."
        return "This is an HTML page, not a sitemap."


class TemplateUnrendered(Rule):
    """The file is a template that no generator has rendered.

    Front matter, `{{ … }}`, `{% … %}` or `<% … %>` belong in the source of a site. In a built
    site it is an error; a file named on the command line may well be the template itself, so
    there it is a notice.

    Fix: check the built file instead of its source, or let the generator process it.

    Bad:
        ---
        layout: null
        ---
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        {% for post in site.posts %}<url><loc>{{ post.url }}</loc></url>{% endfor %}
        </urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "template-unrendered"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        what = "front matter" if fault.facts[0] == "---" else f"template syntax, `{fault.facts[0]}`"
        message = f"The file still has {what}: it is a template, not the sitemap made from it."
        return (message, Severity.NOTICE) if document.is_argument else message


class MergeConflictMarkers(Rule):
    """The file holds the markers of a merge conflict.

    Both sides of the conflict are in the file, and no parser reads it.

    Fix: resolve the conflict, or build the file again.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <<<<<<< HEAD
        <url><loc>https://www.acme.example/a</loc></url>
        =======
        <url><loc>https://www.acme.example/b</loc></url>
        >>>>>>> feature
        </urlset>
    Good:
        <url><loc>https://www.acme.example/a</loc></url>
        <url><loc>https://www.acme.example/b</loc></url>
    """

    id = "merge-conflict-markers"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return "The file holds an unresolved merge conflict."


def holds_core_strays(document: Document) -> bool:
    """Whether unknown elements stand where the entries should be, which is reported as that."""
    names = [stray.name.removeprefix("{}") for stray in document.strays if stray.name]
    return any(map(is_core, names))


class UrlsetEmpty(Rule):
    """The sitemap lists no page.

    The schema wants at least one `<url>`. An empty news sitemap is normal between two
    articles, so there it is a notice.

    Fix: list the pages, or do not publish the file.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "urlset-empty"
    severity = Severity.WARNING
    step = Step.PARSE
    spec = GOOGLE_NEWS

    def document(self, document: Document) -> Iterator[Found]:
        if document.is_index or document.entry_count or holds_core_strays(document):
            return
        root = document.root
        is_news = root is not None and URI_OF["news"] in root.declared.values()
        what = "feed" if document.format in ("rss", "atom") else "sitemap"
        yield self.found(
            f"The {what} lists no page.",
            document,
            place=root.place if root else Place(),
            severity=Severity.NOTICE if is_news else None,
        )


class UrlsTooMany(Rule):
    """The sitemap lists more than 50,000 pages.

    Crawlers reject the file, or read the first 50,000 and forget the rest.

    Fix: split the sitemap into several files and list them in a sitemap index.

    Bad:
        <url><loc>https://www.acme.example/{n}</loc></url> × 50001
    Good:
        <url><loc>https://www.acme.example/{n}</loc></url> × 40000
    """

    id = "urls-too-many"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#index"

    def document(self, document: Document) -> Iterator[Found]:
        if not document.is_index and document.entry_count > MAX_ENTRIES:
            message = f"{document.entry_count:,} URLs; a sitemap may list {MAX_ENTRIES:,}."
            yield self.found(message, document, place=document.locate(MAX_ENTRIES, 0))


class SitemapsTooMany(Rule):
    """The index lists more than 50,000 sitemaps.

    Crawlers reject the file, or read only its first 50,000 lines.

    Fix: make larger sitemaps, or use several indexes and name each in robots.txt.

    Bad:
        <sitemap><loc>https://www.acme.example/sitemap-{n}.xml</loc></sitemap> × 50001
    Good:
        --- sitemap.xml
        <sitemap><loc>https://www.acme.example/sitemap-1.xml</loc></sitemap>
        --- sitemap-1.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "sitemaps-too-many"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#index"

    def document(self, document: Document) -> Iterator[Found]:
        if document.is_index and document.entry_count > MAX_ENTRIES:
            message = f"{document.entry_count:,} sitemaps; an index may list {MAX_ENTRIES:,}."
            yield self.found(message, document, place=document.locate(MAX_ENTRIES, 0))


class DocumentTooLarge(Rule):
    """The sitemap is larger than 52,428,800 bytes uncompressed.

    The limit counts the inflated size, so gzip does not help.

    Fix: split the sitemap into several files and list them in a sitemap index.

    Bad:
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/{n}?q={x*1900}</loc></url> × 28000
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "document-too-large"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#location"

    def document(self, document: Document) -> Iterator[Found]:
        if document.size > MAX_DOCUMENT_BYTES:
            message = f"{document.size:,} bytes uncompressed; the limit is {MAX_DOCUMENT_BYTES:,}."
            yield self.found(message, document)


class DocumentNearLimit(Rule):
    """The sitemap is close to a limit of the protocol.

    At more than 80 % of 50,000 entries or 52,428,800 bytes the next import may pass it, and
    then crawlers drop pages without a word.

    Fix: split the sitemap before it grows past the limit.

    Bad:
        <url><loc>https://www.acme.example/{n}</loc></url> × 40001
    Good:
        <url><loc>https://www.acme.example/{n}</loc></url> × 40000
    """

    id = "document-near-limit"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = PROTOCOL + "#index"

    def document(self, document: Document) -> Iterator[Found]:
        for amount, limit, what in (
            (document.entry_count, MAX_ENTRIES, "entries"),
            (document.size, MAX_DOCUMENT_BYTES, "bytes"),
        ):
            if 0.8 * limit < amount <= limit:
                yield self.found(f"{amount:,} of at most {limit:,} {what}.", document)


class RootUnknown(Rule):
    """The root element is none that a sitemap or feed can have.

    A sitemap starts with `<urlset>`, an index with `<sitemapindex>`, a feed with `<rss>` or
    `<feed>`; names are case-sensitive.

    Fix: use one of these root elements.

    Bad:
        <URLSET xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></URLSET>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "root-unknown"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"The root element is <{fault.facts[0][:80]}>; expected <urlset>, <sitemapindex>, <rss> or <feed>."
