"""Bytes that do not become a document: encoding, DOCTYPE, well-formedness, and other formats' lines."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import Document, Fault, Place, Severity, Step
from sitemap_action.rules.base import GOOGLE_BUILD, PROTOCOL, SEARCH_CONSOLE, Found, Rule, Verdict


class XmlNotWellFormed(Rule):
    """The file is not well-formed XML.

    Parsers stop at the first error, so crawlers reject the whole file. The message names the
    likely cause: a raw `&`, an entity that only HTML knows, a tag that is not closed, a prefix
    that is not declared, text behind the root element.

    Fix: mend the named place, and let a library write the XML so that it is escaped.

    Bad:
        <url><loc>https://www.acme.example/?a=1&b=2</loc></url>
    Bad:
        <url><loc>https://www.acme.example/</loc>
    Good:
        <url><loc>https://www.acme.example/?a=1&amp;b=2</loc></url>
    """

    id = "xml-not-well-formed"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"Not well-formed XML: {fault.facts[0]}."


class XmlLeadingContent(Rule):
    """Something stands before the XML declaration.

    `<?xml` must be the very first characters of the file. A blank line from a template or a
    warning printed by the server is enough to make every parser stop.

    Fix: remove what stands before <?xml; in a template, put the declaration on its first line.

    Bad:
        --- sitemap.xml (hex)
        0a3c3f786d6c2076657273696f6e3d22312e30223f3e3c75726c7365742f3e
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "xml-leading-content"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        what = f"the text {fault.facts[0]!r} stands" if fault.facts[0] else "white space stands"
        return f"The XML does not start at the first character: {what} before it."


class EncodingNotUtf8(Rule):
    """The file is not UTF-8.

    The protocol allows UTF-8 only, whatever the XML declaration says.

    Fix: write the file as UTF-8, and declare encoding="UTF-8" or nothing.

    Bad:
        <?xml version="1.0" encoding="ISO-8859-1"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://www.acme.example/</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "encoding-not-utf8"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#escaping"

    def fault(self, fault: Fault, document: Document) -> Verdict:
        name, how = fault.facts
        return f"The encoding is {name}{' by its declaration' if how == 'declared' else ''}; it must be UTF-8."


class EncodingInvalidBytes(Rule):
    """The file holds bytes that are not UTF-8.

    A parser stops at the first such byte. Often the content comes from a database or file in
    Latin-1 that was copied without converting it.

    Fix: write the file as UTF-8.

    Bad:
        --- sitemap.xml (latin-1)
        <url><loc>https://www.acme.example/café</loc></url>
    Good:
        <url><loc>https://www.acme.example/caf%C3%A9</loc></url>
    """

    id = "encoding-invalid-bytes"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#escaping"

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"The byte {fault.facts[0]} is not valid UTF-8."


class DoctypePresent(Rule):
    """The file has a DOCTYPE.

    A sitemap needs none, and entities declared in one are how XML attacks work. Nothing behind
    it is read here, and careful crawlers refuse it as well.

    Fix: remove the <!DOCTYPE …>, and write characters instead of entities.

    Bad:
        <!DOCTYPE urlset [<!ENTITY home "https://www.acme.example/">]>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>&home;</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "doctype-present"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return "The file has a DOCTYPE, which is refused and never expanded."


class TextLineNotUrl(Rule):
    """A line of a text sitemap is not one full URL.

    A text sitemap holds one URL per line and nothing else: no comments, no headings, no
    columns. Blank lines are skipped by crawlers and are only a notice.

    Fix: leave only full URLs in the file, one per line.

    Bad:
        https://www.acme.example/
        Our products: https://www.acme.example/products
    Good:
        https://www.acme.example/
        https://www.acme.example/products
    """

    id = "text-line-not-url"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#otherformats"

    fields = ("line",)

    def value(self, value: str, field: str) -> Verdict:
        return f"The line {value.strip()[:80]!r} is not one full URL."

    def document(self, document: Document) -> Iterator[Found]:
        for number in document.blank_lines:
            yield self.found("The line is blank.", document, place=Place(number), severity=Severity.NOTICE)


class FeedVersionUnsupported(Rule):
    """The feed is of a version that search engines do not read as a sitemap.

    Google reads RSS 2.0 and Atom 1.0. Atom 0.3 is named by the protocol, so it is a notice.

    Fix: write the feed as RSS 2.0 or Atom 1.0.

    Bad:
        <rss version="0.92"><channel><item><link>https://www.acme.example/</link></item></channel></rss>
    Good:
        <rss version="2.0"><channel><item><link>https://www.acme.example/</link></item></channel></rss>
    """

    id = "feed-version-unsupported"
    severity = Severity.WARNING
    step = Step.PARSE
    spec = GOOGLE_BUILD

    def fault(self, fault: Fault, document: Document) -> Verdict:
        message = f"The feed is {fault.facts[0][:80]}; engines read RSS 2.0 and Atom 1.0."
        return (message, Severity.NOTICE) if fault.facts[0] == "Atom 0.3" else message


class FeedLinkMissing(Rule):
    """An item of the feed has no link to a page.

    RSS names the page in `<link>`, or in a `<guid>` that is a permalink; Atom in a `<link>`
    with rel="alternate" or without rel. An item without one lists nothing.

    Fix: give every item a link to its page.

    Bad:
        <rss version="2.0"><channel><item><title>News</title></item></channel></rss>
    Good:
        <rss version="2.0"><channel><item><link>https://www.acme.example/news</link></item></channel></rss>
    """

    id = "feed-link-missing"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#otherformats"

    def document(self, document: Document) -> Iterator[Found]:
        if document.format in ("rss", "atom"):
            for entry, loc in enumerate(document.locs):
                if loc is None:
                    yield self.found("The item has no link to a page.", document, entry)
