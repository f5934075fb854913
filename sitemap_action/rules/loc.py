"""What is listed: is each `<loc>` a URL that a crawler can ask for, spelled as it should be?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Document, Element, Severity, Step
from sitemap_action.rules.base import FAQ, PROTOCOL, RFC_3986, Found, Rule, Verdict, shown
from sitemap_action.values import urls

_LIMIT = 2048
# Names that are reported as unknown elements, and were meant to be the <loc>.
_MEANT_LOC = {"loc", "location", "locs", "url", "link", "href"}
_ESCAPED_TWICE = lazy.pattern(r"%25[0-9A-Fa-f]{2}|&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);")


class _Syntax(Rule):
    """The rules that say why a value is no URL; `kind` is theirs of what urls.examine answers."""

    kind: ClassVar[str]
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#locdef"
    fields = ("loc",)
    odd_urls_only = True

    def value(self, value: str, field: str) -> Verdict:
        fault = urls.examine(value.strip(XML_SPACE))
        if isinstance(fault, urls.UrlFault) and fault.kind == self.kind:
            return f"{shown(value)} {fault.reason}."
        return None


class LocMissing(Rule):
    """An entry has no `<loc>`, or an empty one.

    The URL is the one thing that an entry must say.

    Fix: give the entry the URL of its page, or remove the entry.

    Bad:
        <url><lastmod>2026-05-06</lastmod></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "loc-missing"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#locdef"

    def document(self, document: Document) -> Iterator[Found]:
        if document.format not in ("urlset", "sitemapindex"):
            return
        for shape in document.shapes:
            locs = shape.named("loc")
            misspelled = any(child.name.lower() in _MEANT_LOC and child.name != "loc" for child in shape.children)
            if not misspelled and not any(loc.text is not None or _holds_core_element(loc) for loc in locs):
                message = "<loc> is empty." if locs else "<loc> is missing."
                yield self.found_at(document.entries_of(shape), message, document, locs[0].ordinal if locs else 0)


def _holds_core_element(loc: Element) -> bool:
    """`<loc><url>…` is reported as the element that does not belong there."""
    return any(":" not in child.name and not child.name.startswith("{") for child in loc.children)


class LocNotAbsolute(_Syntax):
    """A listed URL has no scheme and host.

    A sitemap has no base that a path could be resolved against: crawlers drop `/about`,
    `//host/about` and `None/about` alike. The last is what a generator writes that was not
    told the site's URL.

    Fix: configure the site's base URL in the generator, so that full URLs are written.

    Bad:
        <url><loc>/about</loc></url>
    Good:
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-not-absolute"
    kind = "not-absolute"


class LocSchemeUnsupported(_Syntax):
    """A listed URL has a scheme other than http or https.

    Crawlers fetch http and https only.

    Fix: list only pages that are served over http or https.

    Bad:
        <url><loc>ftp://files.acme.example/</loc></url>
    Good:
        <url><loc>https://files.acme.example/</loc></url>
    """

    id = "loc-scheme-unsupported"
    kind = "scheme-unsupported"


class LocInvalid(_Syntax):
    """A listed value cannot be read as a URL.

    Spaces, control characters, braces, a `%` without two hex digits, or a host or port that
    cannot be: no server can be asked for it as it stands.

    Fix: percent-encode the characters that a URL may not hold, and correct the host.

    Bad:
        <url><loc>https://www.acme.example/spring sale</loc></url>
    Bad:
        <url><loc>https://www.acme.example/100%zz</loc></url>
    Good:
        <url><loc>https://www.acme.example/spring%20sale</loc></url>
    """

    id = "loc-invalid"
    kind = "invalid"
    spec = RFC_3986


class LocTooLong(Rule):
    """A listed URL has more than 2,048 characters.

    The protocol wants less than 2,048, the schema allows 2,048: exactly that many is a warning.

    Fix: list a shorter URL for the page.

    Bad:
        <url><loc>https://www.acme.example/?q={x*2048}</loc></url>
    Good:
        <url><loc>https://www.acme.example/?q={x*1900}</loc></url>
    """

    id = "loc-too-long"
    severity = Severity.ERROR
    step = Step.PARSE
    spec = PROTOCOL + "#locdef"
    fields = ("loc",)
    odd_urls_only = True

    def value(self, value: str, field: str) -> Verdict:
        length = len(value.strip(XML_SPACE))
        if length < _LIMIT:
            return None
        if length == _LIMIT:
            return f"The URL has {length:,} characters; the protocol wants fewer.", Severity.WARNING
        return f"The URL has {length:,} characters; at most {_LIMIT:,} are allowed."


class SoundUrlRule(Rule):
    """Rules about URLs that are sound: a value with a worse defect is left to that defect's rule."""

    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL + "#locdef"
    fields = ("loc",)
    odd_urls_only = True

    def value(self, value: str, field: str) -> Verdict:
        url = urls.parse(value.strip(XML_SPACE))
        return self.judge(value, url) if url is not None else None

    def judge(self, value: str, url: urls.Url) -> Verdict:
        """Say what is wrong with a sound URL."""


class LocHasCredentials(SoundUrlRule):
    """A listed URL holds a user name or password.

    Everybody can read a sitemap, and crawlers do not log in.

    Fix: remove `user:password@`, and change the password.

    Bad:
        <url><loc>https://admin:secret@www.acme.example/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "loc-has-credentials"
    severity = Severity.ERROR
    step = Step.PARSE
    hint = lazy.pattern("@")

    def judge(self, value: str, url: urls.Url) -> Verdict:
        return f"The URL of {url.host} holds credentials before the host." if url.credentials else None


class LocHasFragment(SoundUrlRule):
    """A listed URL has a fragment.

    What follows `#` is never sent to a server, so this is the same page as without it.

    Fix: list the page once, without the fragment.

    Bad:
        <url><loc>https://www.acme.example/#contact</loc></url>
    Good:
        <url><loc>https://www.acme.example/contact</loc></url>
    """

    id = "loc-has-fragment"
    hint = lazy.pattern("#")

    def judge(self, value: str, url: urls.Url) -> Verdict:
        if not url.fragment or _ESCAPED_TWICE.search(value):  # `&#39;` escaped twice is no fragment
            return None
        return f"The fragment of {shown(value)} is never sent to a server."


class LocNotEscaped(SoundUrlRule):
    """A listed URL holds characters outside of ASCII.

    RFC 3987 allows them and engines read them. The protocol's FAQ asks for escapes, which is
    what servers and logs will show in any case.

    Fix: percent-encode the path as UTF-8, and write the host in punycode.

    Bad:
        <url><loc>https://www.acme.example/café</loc></url>
    Good:
        <url><loc>https://www.acme.example/caf%C3%A9</loc></url>
    """

    id = "loc-not-escaped"
    severity = Severity.NOTICE
    spec = FAQ
    hint = lazy.pattern(r"[^\x00-\x7f]")

    def judge(self, value: str, url: urls.Url) -> Verdict:
        return f"{shown(value)} holds characters that are not percent-encoded."


class LocDoubleEscaped(SoundUrlRule):
    """A listed URL was escaped twice.

    `%2520` is an escaped `%20`, and `&amp;amp;` an escaped `&amp;`: the server is asked for a
    page that does not exist.

    Fix: escape once: the URL when it is made, the `&` when the XML is written.

    Bad:
        <url><loc>https://www.acme.example/spring%2520sale</loc></url>
    Bad:
        <url><loc>https://www.acme.example/?a=1&amp;amp;b=2</loc></url>
    Good:
        <url><loc>https://www.acme.example/spring%20sale?a=1&amp;b=2</loc></url>
    """

    id = "loc-double-escaped"
    hint = _ESCAPED_TWICE

    def judge(self, value: str, url: urls.Url) -> Verdict:
        twice = _ESCAPED_TWICE.search(value)
        return f"{shown(value)} is escaped twice at `{twice[0]}`." if twice else None


class LocSurroundingSpace(Rule):
    """White space stands around a listed URL.

    It is not part of the URL and engines trim it, but not every tool does.

    Fix: write the URL directly between the tags.

    Bad:
        <url><loc> https://www.acme.example/ </loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "loc-surrounding-space"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = PROTOCOL + "#locdef"
    fields = ("loc",)
    odd_urls_only = True

    def value(self, value: str, field: str) -> Verdict:
        if value == value.strip(XML_SPACE):
            return None
        return f"White space stands around {shown(value)}."
