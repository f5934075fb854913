"""Alternates of a page in other languages: `<xhtml:link rel="alternate" hreflang="…" href="…"/>`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import compress
from operator import eq

from sitemap_action.model import Document, Severity, Step
from sitemap_action.model.alternates import Alternates, alternates_of
from sitemap_action.rules.base import GOOGLE_HREFLANG, Found, Rule, shown
from sitemap_action.values import urls
from sitemap_action.values.codes import LANGUAGES, LANGUAGES_3, REGIONS, SCRIPTS, X_DEFAULT, likely_meant


class LinksRule(Rule):
    """What the rules about alternates share."""

    severity = Severity.WARNING
    step = Step.QUALITY
    spec = GOOGLE_HREFLANG

    def links(self, document: Document) -> Alternates:
        return alternates_of(document)

    def with_value(self, document: Document, values: Sequence[str], verdicts: dict[str, str]) -> Iterator[Found]:
        """A finding for each link that has one of the faulty values."""
        links = self.links(document)
        if verdicts:
            for entry, element, value in zip(links.entries, links.elements, values, strict=True):
                if value in verdicts:
                    yield self.found(verdicts[value], document, entry, element)


class HreflangAttributeMissing(LinksRule):
    """An alternate link lacks one of its attributes.

    Search engines read a link only if it has `rel="alternate"`, the language in `hreflang` and
    the URL in `href`. A link for another medium has `media` in place of `hreflang`; one into an app
    (android-app:) needs no language.

    Fix: write all three: <xhtml:link rel="alternate" hreflang="de" href="https://…"/>.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" href="https://www.acme.example/"/></url>
    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link hreflang="en" href="https://www.acme.example/"/></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.acme.example/"/></url>
    """

    id = "hreflang-attribute-missing"

    def document(self, document: Document) -> Iterator[Found]:
        for (entry, element), names in self.links(document).incomplete.items():
            what = " and no ".join(f"`{name}`" for name in names)
            why = '; only links with rel="alternate" are read' if "rel" in names else ""
            yield self.found(f"The link has no {what}{why}.", document, entry, element)


class HreflangNotAbsolute(LinksRule):
    """The URL of an alternate is not a full http or https URL.

    Alternates are matched by their full URLs, with scheme and host; nothing is resolved against
    the page. Another host is fine.

    Fix: write the alternate's URL in full, as its own <loc> has it.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="de" href="/de/"/></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme-garten.example/"/></url>
    """

    id = "hreflang-not-absolute"

    def document(self, document: Document) -> Iterator[Found]:
        links = self.links(document)
        return self.with_value(document, links.hrefs, {href: _href_fault(href) for href in links.faulty})


def _href_fault(href: str) -> str:
    fault = urls.examine(href)
    return f"href {shown(href)} {fault.reason}." if isinstance(fault, urls.UrlFault) else ""


class HreflangCodeInvalid(LinksRule):
    """A `hreflang` is neither a language that Google knows nor `x-default`.

    The form is language, language-REGION, language-Script or language-Script-REGION, with two
    letters for the language (ISO 639-1) and for the region (ISO 3166-1). Case does not matter.
    A link with any other code is ignored.

    Fix: write codes such as en, en-GB or zh-Hant; a region never stands alone.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en-UK" href="https://www.acme.example/"/></url>
    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="es-419" href="https://www.acme.example/"/></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en-GB" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="x-default" href="https://www.acme.example/"/></url>
    """

    id = "hreflang-code-invalid"

    def document(self, document: Document) -> Iterator[Found]:
        codes = self.links(document).codes
        return self.with_value(document, codes, {code: words for code in set(codes) if (words := code_fault(code))})


def code_fault(code: str) -> str | None:
    """What is wrong with a language code, and what was probably meant; None for a good one."""
    reason = _reason(code)
    if reason is None:
        return None
    meant = next((guess for guess in likely_meant(code) if _reason(guess) is None), None)
    return f"hreflang {shown(code)} {reason}.{f' Did you mean `{meant}`?' if meant else ''}"


def _reason(code: str) -> str | None:
    if code.lower() == X_DEFAULT:
        return None
    if "_" in code:
        return "has an underscore; its parts are joined by hyphens"
    language, *rest = code.split("-")
    if not all((language, *rest)):
        return "has a hyphen with nothing before or behind it"
    if language.lower() not in LANGUAGES:
        what = "a region, " if language.upper() in REGIONS else ""
        kind = "two-letter language" if language.lower() in LANGUAGES_3 else "language"
        return f"{f'begins with {shown(language)}, which is' if rest else 'is'} {what}no {kind} of ISO 639-1"
    if rest and rest[0].title() in SCRIPTS:
        rest = rest[1:]
    if not rest or (len(rest) == 1 and rest[0].upper() in REGIONS):
        return None
    if rest[0].isdigit():
        return f"has the area {shown(rest[0])}; only the two-letter regions of ISO 3166-1 are known"
    kind = "script of ISO 15924" if len(rest[0]) == len("Latn") else "region of ISO 3166-1"
    if len(rest) > 1 and rest[0].upper() in REGIONS:
        return f"has more behind the region: {shown('-'.join(rest[1:]))}"
    return f"has {shown(rest[0])}, which is no {kind}"


class HreflangCodeRepeated(LinksRule):
    """An entry names two URLs for one language.

    Search engines cannot tell which of them is meant, and may drop both.

    Fix: leave one URL for each code, or tell the two apart by region, such as en-GB and en-US.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="EN" href="https://www.acme-garden.example/"/></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en-GB" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="en-US" href="https://www.acme-garden.example/"/></url>
    """

    id = "hreflang-code-repeated"

    def document(self, document: Document) -> Iterator[Found]:
        links = self.links(document)
        rows = links.by_entry(links.codes)
        if rows is not None and all(len({code.lower() for code in row}) == len(row) for row in set(rows)):
            return  # few different rows, and none names a language twice
        lower = {code: code.lower() for code in set(links.codes)}
        number = {code: i for i, code in enumerate(set(lower.values()))}
        number_of = {code: number[lower[code]] for code in lower}
        keys = [entry * len(number) + number_of[code] for entry, code in zip(links.entries, links.codes, strict=True)]
        if len(set(keys)) == len(keys):
            return
        first: dict[int, str] = {}
        for i, (key, page) in enumerate(zip(keys, links.pages, strict=True)):
            if page is not None and first.setdefault(key, page) != page:
                message = f"`{links.codes[i]}` stands for {shown(first[key])} already, here for {shown(page)}."
                yield self.found(message, document, links.entries[i], links.elements[i])


class HreflangSelfMissing(LinksRule):
    """The alternates of an entry do not include the entry itself.

    Every version of a page must list all versions, its own URL too; else the group may be ignored.

    Fix: add a link with the entry's own language and its URL, spelled exactly as in <loc>.

    Bad:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme-garten.example/"/></url>
    Good:
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme-garten.example/"/></url>
    """

    id = "hreflang-self-missing"

    def document(self, document: Document) -> Iterator[Found]:
        links = self.links(document)
        if not links.entries or links.ends.are_groups:
            return
        own = document.pages
        named = set(compress(links.entries, map(eq, links.pages, map(own.__getitem__, links.entries))))
        missing = set(links.entries) - named - links.unclear
        pages: dict[int, list[str]] = {entry: [] for entry in sorted(missing) if own[entry]}
        for entry, page in zip(links.entries, links.pages, strict=True) if pages else ():
            if entry in pages and page:
                pages[entry].append(page)
        for entry, others in pages.items():
            if (own[entry] or "").rstrip("/") not in {other.rstrip("/") for other in others}:
                yield self.found(partial(_self_missing, own[entry] or "", others), document, entry)


def _self_missing(own: str, others: list[str]) -> str:
    near = next((other for other in others if urls.variant(other) == urls.variant(own)), None)
    return f"None of the entry's alternates is its own URL{f'; {shown(near)} is spelled differently' if near else ''}."


class HreflangXDefaultMissing(LinksRule):
    """Entries with alternates have none for everybody else, `x-default`.

    It is optional: it names the page for visitors whose language is not among the others.

    Fix: add a link with hreflang="x-default", for instance to the page that lets visitors choose.

    Bad:
        $ --severity hreflang-x-default-missing=notice
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="de" href="https://www.acme-garten.example/"/></url>
    Good:
        $ --severity hreflang-x-default-missing=notice
        <url><loc>https://www.acme.example/</loc>
        <xhtml:link rel="alternate" hreflang="en" href="https://www.acme.example/"/>
        <xhtml:link rel="alternate" hreflang="x-default" href="https://www.acme.example/"/></url>
    """

    id = "hreflang-x-default-missing"
    severity = Severity.NOTICE
    off_by_default = True

    def document(self, document: Document) -> Iterator[Found]:
        links = self.links(document)
        pairs = zip(links.entries, links.codes, strict=True)
        with_default = {entry for entry, code in pairs if code.lower() == X_DEFAULT}
        without = [entry for entry, count in Counter(links.entries).items() if count > 1 and entry not in with_default]
        if without:
            count = f"{len(without):,} entries have" if len(without) > 1 else "One entry has"
            yield self.found(
                f"{count} alternates but no `x-default` among them.", document, place=document.locate(without[0], 0)
            )
