"""Namespaces: the protocol's own, those of the extensions, and where extension records may stand."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import SITEMAP_NS, Document, Fault, Place, Severity, Step
from sitemap_action.parse.lines import Lines
from sitemap_action.parse.names import URI_OF
from sitemap_action.rules.base import GOOGLE_COMBINE, PROTOCOL, SEARCH_CONSOLE, XSD, Found, Rule, Verdict

# So many namespaces are looked for in the whole text.
_MOST_PLACES = 100


class NamespaceMissing(Rule):
    """The elements are in no namespace.

    Without `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"` the file is some XML, and
    Search Console rejects it as an incorrect namespace.

    Fix: add xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" to the root element.

    Bad:
        <urlset><url><loc>https://www.acme.example/</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "namespace-missing"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f'<{fault.facts[0]}> is in no namespace; it needs xmlns="{SITEMAP_NS}".'


class NamespaceWrong(Rule):
    """The root's namespace is not the protocol's.

    A namespace is compared letter by letter: https instead of http, a slash at the end or
    another version makes it a different one, and nothing below it is recognised.

    Fix: write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" exactly.

    Bad:
        <urlset xmlns="https://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://www.acme.example/</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "namespace-wrong"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = SEARCH_CONSOLE

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f'The namespace is "{fault.facts[0][:200]}"; it must be "{SITEMAP_NS}".'


class NamespaceLegacy(Rule):
    """The namespace is Google's old one, 0.84.

    It was replaced by the protocol's own in 2006. Google still reads it, others may not.

    Fix: write xmlns="http://www.sitemaps.org/schemas/sitemap/0.9".

    Bad:
        <urlset xmlns="http://www.google.com/schemas/sitemap/0.84">
        <url><loc>https://www.acme.example/</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "namespace-legacy"
    severity = Severity.WARNING
    step = Step.PARSE
    spec = XSD

    def fault(self, fault: Fault, document: Document) -> Verdict:
        return f'The namespace is Google\'s of 2005, "{fault.facts[0]}"; today it is "{SITEMAP_NS}".'


class ExtensionNamespaceWrong(Rule):
    """The namespace of an extension is nearly right.

    A namespace is compared letter by letter, so engines do not see the images, videos, news or
    alternates at all.

    Fix: copy the namespace from the message.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
                xmlns:image="https://www.google.com/schemas/sitemap-image/1.1">
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url>
    """

    id = "extension-namespace-wrong"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = GOOGLE_COMBINE

    def document(self, document: Document) -> Iterator[Found]:
        declarations = _Declarations(document)
        for uri, meant in document.other_namespaces.items():
            if meant:
                message = f'The namespace "{uri[:200]}" should be "{URI_OF[meant]}".'
                yield self.found(message, document, place=declarations.of(uri))


class ExtensionNamespaceUnknown(Rule):
    """Elements of another namespace stand in the sitemap.

    The protocol allows that. Search engines ignore namespaces that they do not know, among
    them retired ones such as mobile or PageMap.

    Fix: nothing has to be done; remove the elements if nobody reads them.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:shop="https://www.acme.example/ns">
        <url><loc>https://www.acme.example/</loc><shop:stock>7</shop:stock></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "extension-namespace-unknown"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = PROTOCOL + "#extending"

    def document(self, document: Document) -> Iterator[Found]:
        declarations = _Declarations(document)
        for uri, meant in document.other_namespaces.items():
            if not meant:
                message = f'Elements of the namespace "{uri[:200]}" are in use; search engines do not know it.'
                yield self.found(message, document, place=declarations.of(uri))


class _Declarations:
    """Where namespaces are written, asked for in the order of their use: a file may have one for every entry, so of
    many only what comes behind the last one is looked through."""

    def __init__(self, document: Document) -> None:
        self._data = document.data or b""
        self._lines = Lines(self._data)
        self._place = document.root.place if document.root else Place()
        self._asked = self._end = 0

    def of(self, uri: str) -> Place:
        self._asked += 1
        is_one_of_many = self._asked > _MOST_PLACES
        offset = self._data.find(uri.encode(), self._end if is_one_of_many else 0)
        if offset >= 0:
            place = self._lines.place(offset)
            self._end = max(self._end, offset)
            self._place = place if is_one_of_many else self._place
            return place
        if is_one_of_many:
            self._end = len(self._data)
        return self._place  # escaped characters hide it


class ExtensionMisplaced(Rule):
    """An image, video, news or alternate record stands outside of `<url>`.

    It belongs to a page, so engines ignore it anywhere else.

    Fix: move the record into the <url> of its page.

    Bad:
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
                xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image>
        <url><loc>https://www.acme.example/</loc></url></urlset>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <image:image><image:loc>https://www.acme.example/a.jpg</image:loc></image:image></url>
    """

    id = "extension-misplaced"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = GOOGLE_COMBINE

    def document(self, document: Document) -> Iterator[Found]:
        for stray in document.strays:
            if _is_extension(stray.name):
                yield self.found(f"<{stray.name}> stands outside of <url>.", document, place=stray.place)
        if document.is_index:
            for shape in document.shapes:
                for child in shape.children:
                    if _is_extension(child.name):
                        message = f"<{child.name}> stands in a sitemap index."
                        yield self.found_at(document.entries_of(shape), message, document, child.ordinal)


def _is_extension(name: str) -> bool:
    return name.partition(":")[0] in URI_OF and ":" in name and not name.startswith("{")
