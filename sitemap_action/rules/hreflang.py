"""Alternates of a page in other languages: `<xhtml:link rel="alternate" hreflang="…" href="…"/>`."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, partial
from itertools import compress
from typing import Union

from sitemap_action import urls
from sitemap_action.codes import LANGUAGES, LANGUAGES_3, REGIONS, SCRIPTS
from sitemap_action.model import XML_SPACE, Document, Severity, Step
from sitemap_action.rules.base import GOOGLE_HREFLANG, Found, Rule
from sitemap_action.rules.image import shown
from sitemap_action.site import Site

_LINK = "xhtml:link"
_REQUIRED = ("rel", "hreflang", "href")
_DEFAULT = "x-default"
_APPS = ("android-app:", "ios-app:")
# What is written for a language, and what was meant: regions, English names, three letters.
_MEANT = dict(
    re.findall(
        r"(\S+):(\S+)",
        """
    us:en-US gb:en-GB au:en-AU nz:en-NZ jp:ja cn:zh gr:el dk:da cz:cs vn:vi ua:uk rs:sr iw:he ji:yi mx:es-MX
    at:de-AT hk:zh-HK eng:en ger:de deu:de fre:fr fra:fr spa:es ita:it por:pt rus:ru dut:nl nld:nl pol:pl chi:zh zho:zh
    jpn:ja kor:ko ara:ar tur:tr swe:sv english:en german:de deutsch:de french:fr spanish:es italian:it portuguese:pt
    russian:ru dutch:nl polish:pl chinese:zh japanese:ja korean:ko default:x-default xdefault:x-default
    """,
    )
)


class Alternates:
    """The hreflang links of a document as columns; made for one document at a time, for all rules."""

    def __init__(self, site: Site) -> None:
        self._document: Document | None = None

    def of(self, document: Document) -> Alternates:
        if self._document is not document:
            self._document = document
            self._read(document)
        return self

    def _read(self, document: Document) -> None:
        foreign = _foreign(document)
        self.incomplete = _incomplete(document, foreign)
        self.entries: list[int] = []
        self.elements: list[int] = []
        self.codes: list[str] = []
        self.hrefs: list[str] = []
        for entry, element, code, href in document.links():
            if code and href and (not foreign or (entry, element) not in foreign):
                self.entries.append(entry)
                self.elements.append(element)
                self.codes.append(code)
                self.hrefs.append(href)
        known = _Pages(zip(document.locs, document.pages, strict=True) if self.hrefs else ())
        self.pages = [known[href] for href in self.hrefs]
        self.faulty: set[str] = set()
        # Entries of which a link cannot be read: what seems to be missing may be what it meant.
        self.unclear = {entry for entry, _ in self.incomplete}
        if None in self.pages:
            self.faulty = {href for href in self.hrefs if known[href] is None}
            self.unclear.update(entry for entry, page in zip(self.entries, self.pages, strict=True) if page is None)


class _Pages(dict[Union[str, None], Union[str, None]]):
    """As urls.same_page, but None for a faulty URL; each distinct URL is looked at once."""

    def __missing__(self, href: str) -> str | None:
        page: str | None = href
        if not urls.is_ordinary(href) or href.find("/", 8) < 0:
            page = urls.same_page(href) if urls.parse(href) else None
        self[href] = page
        return page


def _foreign(document: Document) -> set[tuple[int, int]]:
    """Links that are for something else: rel=amphtml, canonical and so on."""
    column = document.columns.get(f"{_LINK}@rel")
    if column is None:
        return set()
    others = {rel for rel in set(column.values) if rel.strip(XML_SPACE) and "alternate" not in rel.lower().split()}
    if not others:
        return set()
    places = zip(column.entries, column.elements, column.values, strict=True)
    return {(entry, element) for entry, element, rel in places if rel in others}


def _incomplete(document: Document, foreign: set[tuple[int, int]]) -> dict[tuple[int, int], list[str]]:
    """Links without an attribute that they need, and which."""
    lacking: dict[tuple[int, int], list[str]] = {}
    of_shape = [
        [(link.ordinal, name) for link in shape.named(_LINK) for name in _REQUIRED if name not in link.attributes]
        for shape in document.shapes
    ]
    if any(of_shape):
        for entry, number in enumerate(document.shape_of):
            for element, name in of_shape[number]:
                lacking.setdefault((entry, element), []).append(name)
    for name in _REQUIRED:
        column = document.columns.get(f"{_LINK}@{name}")
        if column is not None and not all(map(str.strip, column.values)):
            for entry, element, value in zip(column.entries, column.elements, column.values, strict=True):
                if not value.strip(XML_SPACE):
                    lacking.setdefault((entry, element), []).append(name)
    for place in _without_language(document, lacking):
        lacking[place] = [name for name in lacking[place] if name != "hreflang"]
    return {place: names for place, names in sorted(lacking.items()) if names and place not in foreign}


def _without_language(document: Document, places: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of the links that need no language: they are for a medium, or lead into an app."""
    found = {
        (entry, element)
        for entry, element in places
        if "media" in document.shapes[document.shape_of[entry]].elements[element].attributes
    }
    column = document.columns.get(f"{_LINK}@href")
    if places and column is not None:
        rows = zip(column.entries, column.elements, column.values, strict=True)
        apps = {(entry, element) for entry, element, href in rows if href.lstrip(XML_SPACE).startswith(_APPS)}
        found.update(apps.intersection(places))
    return found


class _Links(Rule):
    """What the rules about alternates share."""

    severity = Severity.WARNING
    step = Step.QUALITY
    spec = GOOGLE_HREFLANG

    def links(self, document: Document) -> Alternates:
        return self.site.shared(Alternates).of(document)

    def with_value(self, document: Document, values: list[str], verdicts: dict[str, str]) -> Iterator[Found]:
        """A finding for each link that has one of the faulty values."""
        links = self.links(document)
        if verdicts:
            for entry, element, value in zip(links.entries, links.elements, values, strict=True):
                if value in verdicts:
                    yield self.found(verdicts[value], document, entry, element)


class HreflangAttributeMissing(_Links):
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


class HreflangNotAbsolute(_Links):
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


class HreflangCodeInvalid(_Links):
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
    meant = next((guess for guess in _guesses(code) if _reason(guess) is None), None)
    return f"hreflang {shown(code)} {reason}.{f' Did you mean `{meant}`?' if meant else ''}"


def _reason(code: str) -> str | None:
    if code.lower() == _DEFAULT:
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


def _guesses(code: str) -> Iterator[str]:
    """Repairs to try, the likeliest first."""
    language, *rest = [part for part in re.split("[-_]", code.lower()) if part] or [""]
    yield _spelled(language, rest)
    if rest and (rest[0] == language or rest[0].isdigit()):
        yield language
    yield _spelled(language, ["gb" if part == "uk" else part for part in rest])
    yield _spelled(language, rest[::-1])
    if len(rest) == 1:
        yield _spelled(rest[0], [language])
        yield _spelled(language, [{"chs": "hans", "cht": "hant"}.get(rest[0], "")])
    meant = _MEANT.get(language, "")
    yield _spelled(meant[:2], rest) if rest else meant


def _spelled(language: str, rest: list[str]) -> str:
    """The usual case of each part: language, Script, REGION."""
    code = "-".join([language, *(part.title() if len(part) == len("Latn") else part.upper() for part in rest)])
    return _DEFAULT if code.lower() == _DEFAULT else code


class HreflangCodeRepeated(_Links):
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


class HreflangSelfMissing(_Links):
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
        own = document.pages
        named = {entry for entry, page in zip(links.entries, links.pages, strict=True) if page == own[entry]}
        missing = set(links.entries) - named - links.unclear
        pages: dict[int, list[str]] = {entry: [] for entry in sorted(missing) if own[entry]}
        for entry, page in zip(links.entries, links.pages, strict=True) if pages else ():
            if entry in pages and page:
                pages[entry].append(page)
        for entry, others in pages.items():
            yield self.found(partial(_self_missing, own[entry] or "", others), document, entry)


def _self_missing(own: str, others: list[str]) -> str:
    near = next((other for other in others if urls.variant(other) == urls.variant(own)), None)
    return f"None of the entry's alternates is its own URL{f'; {shown(near)} is spelled differently' if near else ''}."


class HreflangXDefaultMissing(_Links):
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
        with_default = {entry for entry, code in pairs if code.lower() == _DEFAULT}
        without = [entry for entry, count in Counter(links.entries).items() if count > 1 and entry not in with_default]
        if without:
            count = f"{len(without):,} entries have" if len(without) > 1 else "One entry has"
            yield self.found(f"{count} alternates but no `x-default` among them.", document, without[0])


class _Open:
    """Links of a document that nothing in it answers, as hashes; kept until the whole set is known."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.entries: array[int] = array("I")
        self.elements: array[int] = array("I")
        self.targets: array[int] = array("q")
        self.back: array[int] = array("q")  # the link that would answer it
        self.origins: array[int] = array("I")


class Mesh:
    """Which page links to which over the whole set; shared by the two rules below."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._done: Document | None = None
        self._listed: array[int] = array("q")  # pages of sitemaps, which can have alternates
        self._mentioned: array[int] = array("q")  # pages of text files and feeds, which cannot
        self._links: array[int] = array("q")
        self._unclear: set[int] = set()
        self._origins: dict[str, int] = {"": 0}  # 0 is the linking document's own
        self._open: list[_Open] = []

    def add(self, document: Document, links: Alternates) -> None:
        """Remember the document's pages and links; those that are answered within it are settled."""
        if self._done is document or document.is_index:
            return
        self._done = document
        own = [hash(page) if page else 0 for page in document.pages]
        (self._listed if document.format == "urlset" else self._mentioned).extend(filter(None, own))
        self._unclear.update(own[entry] for entry in links.unclear)
        sources = [own[entry] for entry in links.entries]
        targets = [hash(page) if page else 0 for page in links.pages]
        outward = [source != target and source != 0 != target for source, target in zip(sources, targets, strict=True)]
        forth = array("q", map(hash, compress(zip(sources, targets, strict=True), outward)))
        back = list(map(hash, zip(targets, sources, strict=True)))
        self._links.extend(forth)
        answers = set(forth)
        unanswered = [out and way not in answers for out, way in zip(outward, back, strict=True)]
        if any(unanswered):
            self._open.append(self._kept(document, links, targets, back, unanswered))

    def _kept(
        self, document: Document, links: Alternates, targets: list[int], back: list[int], chosen: list[bool]
    ) -> _Open:
        kept = _Open(document)
        kept.entries.extend(compress(links.entries, chosen))
        kept.elements.extend(compress(links.elements, chosen))
        kept.targets.extend(compress(targets, chosen))
        kept.back.extend(compress(back, chosen))
        near = tuple(f"{origin}/" for origin in document.origins[1:9])
        pages = compress(links.pages, chosen)
        kept.origins.extend([0 if not page or page.startswith(near) else self._number(page) for page in pages])
        return kept

    def _number(self, page: str) -> int:
        return self._origins.setdefault(page[: page.find("/", 8)], len(self._origins))

    @cached_property
    def _all_listed(self) -> set[int]:
        return set[int]().union(*(part.targets for part in self._open)).intersection(self._listed)

    def unanswered(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a listed page that has none back."""
        listed = self._all_listed - self._unclear
        asked = (zip(part.back, part.targets, strict=True) for part in self._open) if listed else ()
        answered = {back for pairs in asked for back, target in pairs if target in listed}.intersection(self._links)
        for part in self._open if listed else ():
            rows = zip(part.entries, part.elements, part.targets, part.back, strict=True)
            for entry, element, target, back in rows:
                if target in listed and back not in answered:
                    yield part.document, entry, element

    def unlisted(self) -> Iterator[tuple[Document, int, int]]:
        """Document, entry and element of each link to a page that is not listed, though its host is."""
        listed = self._all_listed.union(self._mentioned)
        documents = [document for document in self._site.documents if not document.is_index]
        hosts = {urls.host(origin) for document in documents for origin in document.origins}
        known = [number == 0 or urls.host(origin) in hosts for origin, number in self._origins.items()]
        for part in self._open:
            rows = zip(part.entries, part.elements, part.targets, part.origins, strict=True)
            for entry, element, target, origin in rows:
                if known[origin] and target not in listed:
                    yield part.document, entry, element


class _Targets(_Links):
    """The rules about what the targets of alternates say themselves."""

    def document(self, document: Document) -> Iterator[Found]:
        self.site.shared(Mesh).add(document, self.links(document))
        return iter(())


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
            message = "The alternate is listed, but its entry does not link back to this one."
            yield self.found(message, document, entry, element)


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
                yield self.found("The alternate is listed in no sitemap of the set.", document, entry, element)

    def _all_was_read(self) -> bool:
        """Whether the set is more than files somebody picked, and none of it failed: a target might be in the rest."""
        documents = self.site.documents
        outcomes = {child.outcome for document in documents for child in document.children}
        is_set = self.site.is_directory or self.site.live or any(document.parent for document in documents)
        return is_set and outcomes <= {"read", "cycle", "repeated"} and all(document.readable for document in documents)
