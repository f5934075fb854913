"""Fetching: what cannot be had, what we refuse to open, and compression."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import LOC, Document, Fault, Severity, Step
from sitemap_action.rules.base import FAQ, PROTOCOL, SEARCH_CONSOLE, Found, Rule, Verdict


class FetchFailed(Rule):
    """A sitemap that is named cannot be read.

    robots.txt or the command line promises a sitemap at this place, and there is none, it cannot be
    opened, or the server cannot be reached, breaks off or redirects for ever. Crawlers that follow
    the promise get nothing.

    Fix: build the file, or mend the server; or correct the line that names it.

    Bad:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap-old.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        --- index.html
        <!doctype html><title>Home</title>
    Good:
        --- robots.txt
        Sitemap: https://www.acme.example/sitemap.xml
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        --- index.html
        <!doctype html><title>Home</title>
    """

    id = "fetch-failed"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"Cannot be read: {fault.facts[0]}."


class FetchRefused(Rule):
    """We refuse to read it: it is too large or too deep, there are too many, or it is where we do not go.

    The protocol ends at 52,428,800 bytes; something far beyond that is no sitemap, nor is what nests
    a thousand elements in each other, or has half a million in one entry. A device or a pipe may
    never end. Of addresses that are not public, only the host that you named is asked.

    Fix: name a regular file, or a public http(s) URL; name a private host of yours with `--allow-host`; for sets that
    are really this large, raise `--max-bytes` or `--max-sitemaps`; let the generator write flat entries.

    Bad:
        $ --max-bytes 100
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        $ --max-bytes 1000
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "fetch-refused"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = PROTOCOL + "#location"

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"Not read: {fault.facts[0]}."

    def whole_site(self) -> Iterator[Found]:
        """What was left out because there was too much of it, once for each index."""
        for document in self.site.documents:
            unasked = [child for child in document.children if child.outcome == "unasked"]
            if unasked:
                words = f"{len(unasked):,} of {len(document.children):,} children were not looked at"
                yield self.found(f"{words}: {unasked[0].reason}.", document, unasked[0].entry, LOC)
        if self.site.unasked:
            words = f"{self.site.unasked:,} of the sitemaps that are named were not looked at"
            yield self.found(f"{words}: --max-sitemaps was reached.")


class GzipCorrupt(Rule):
    """A gzip file cannot be inflated to its end.

    Crawlers report a compression error and read nothing of it.

    Fix: compress the sitemap again; a file cut short is mostly an upload that broke off.

    Bad:
        --- sitemap.xml.gz (hex)
        1f8b0800000000000003b3b1afc8cd51284b2d2a
    Good:
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "gzip-corrupt"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"The gzip data cannot be inflated: {fault.facts[0]}."


class GzipNameMismatch(Rule):
    """The file's name says gzip and its content does not, or the other way round.

    Servers choose the content type by the name, so a mismatch ends in a file that some
    crawlers cannot open.

    Fix: let the name end in .gz exactly when the content is gzip, once.

    Bad:
        --- sitemap.xml.gz
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "gzip-name-mismatch"
    severity = Severity.NOTICE
    step = Step.FETCH
    spec = FAQ

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"Name and content disagree: {fault.facts[0]}."


class CompressionUnsupported(Rule):
    """The sitemap is packed with something other than gzip.

    gzip is the only compression that the protocol allows.

    Fix: compress with gzip, or not at all.

    Bad:
        --- sitemap.xml (hex)
        504b0304140000000000
    Good:
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "compression-unsupported"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = FAQ

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"The content is {fault.facts[0]}; only gzip may compress a sitemap."


class DecompressionLimit(Rule):
    """Inflating the file passes the safety limit.

    A small gzip file can hold gigabytes. Inflating stops at the limit, and crawlers do the
    same far earlier: the protocol ends at 52,428,800 bytes.

    Fix: split the sitemap; to read it all the same, raise `--max-bytes`.

    Bad:
        $ --max-bytes 400
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- sitemap.xml.gz (gzip)
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "decompression-limit"
    severity = Severity.ERROR
    step = Step.FETCH
    spec = PROTOCOL + "#location"

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f"Inflating stopped at {fault.facts[0]} bytes, the safety limit."
