"""What a rule is: one class that names a defect, explains it, and sees just enough to find it."""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Union

from sitemap_action import lazy
from sitemap_action.model import XML_SPACE, Document, Element, Fault, Place, Severity, Shape, Step

if TYPE_CHECKING:
    from sitemap_action.memory import Memory
    from sitemap_action.pages.page import Page
    from sitemap_action.site import Site

HOME = "https://github.com/sitemap-action/sitemap-action"
DOCS = HOME + "/blob/main/docs/rules.md"

PROTOCOL = "https://www.sitemaps.org/protocol.html"
FAQ = "https://www.sitemaps.org/faq.html"
W3C_DTF = "https://www.w3.org/TR/NOTE-datetime"
RFC_9309 = "https://www.rfc-editor.org/rfc/rfc9309#section-2.2.4"
RFC_3986 = "https://www.rfc-editor.org/rfc/rfc3986"
GOOGLE_CRAWLING = "https://developers.google.com/search/docs/crawling-indexing/"
_GOOGLE = GOOGLE_CRAWLING + "sitemaps/"
GOOGLE_BUILD = _GOOGLE + "build-sitemap"
GOOGLE_LARGE = _GOOGLE + "large-sitemaps"
GOOGLE_IMAGE = _GOOGLE + "image-sitemaps"
GOOGLE_VIDEO = _GOOGLE + "video-sitemaps"
GOOGLE_NEWS = _GOOGLE + "news-sitemap"
GOOGLE_COMBINE = _GOOGLE + "combine-sitemap-extensions"
GOOGLE_HREFLANG = "https://developers.google.com/search/docs/specialty/international/localized-versions"
SEARCH_CONSOLE = "https://support.google.com/webmasters/answer/7451001"
XSD = "https://www.sitemaps.org/schemas/sitemap/0.9/sitemap.xsd"

# A message that costs something to write is written only if the finding is shown; that of a group is given
# how many it stands for, and the first few URLs.
Message = Union[str, Callable[..., str]]


class Found(NamedTuple):
    """What a rule saw, before the report gives it a line: the entry and element, or a place."""

    rule: Rule
    message: Message
    document: Document | None = None
    entry: int | None = None
    element: int = 0
    place: Place | None = None
    url: str | None = None
    severity: Severity | None = None
    group: str = ""  # findings of one rule and one group are one: they have one cause
    entries: Sequence[int] | None = None  # where the same is true of many, in order: a finding for each

    def each(self, most: int | None = None) -> Iterator[Found]:
        """A finding for each of its entries, or for the first few."""
        if self.entries is None:
            return iter((self,))
        return (self._replace(entry=entry, entries=None) for entry in self.entries[:most])


# What the narrow hooks answer: a message, or a message with another severity than the rule's own.
Verdict = Union[str, tuple[str, Severity], None]
# A defect of an element of a shape: the element it is about, and the message.
ShapeVerdict = tuple[Element, Verdict]


class Rule:
    """Override the narrowest hook that shows enough; what the whole set needs of a document is noted.

    One instance serves one set of documents, from the first document to the end of the set.
    """

    id: ClassVar[str]
    severity: ClassVar[Severity]
    step: ClassVar[Step]
    spec: ClassVar[str]
    off_by_default: ClassVar[bool] = False
    # Left out where the machine's clock is wrong.
    asks_the_clock: ClassVar[bool] = False
    # Paths of the columns whose distinct values `value` is asked about: "lastmod",
    # "image:image/image:loc", "xhtml:link@href"; RSS dates are "pubDate".
    fields: ClassVar[tuple[str, ...]] = ()
    # A value is shown to `value` only if this pattern is found in it; None shows every value.
    hint: ClassVar[re.Pattern[str] | None] = None
    # A value that this pattern matches whole cannot have the defect, and is not shown to `value`.
    plain: re.Pattern[str] | None = None
    # An element of `fields` without content is shown to `value` as an empty string.
    sees_empty: ClassVar[bool] = False
    # For URLs: plain ones (urls.is_ordinary) are not shown, because they cannot have the defect.
    odd_urls_only: ClassVar[bool] = False
    # What `whole_site` asks, through `self.site.shared`: kept for all rules that name it here.
    memories: ClassVar[tuple[type[Memory], ...]] = ()

    def __init__(self, site: Site) -> None:
        self.site = site
        self.noted: list[tuple[Document, Any]] = []

    @classmethod
    def help(cls) -> str:
        """Where the rule's page is."""
        return f"{DOCS}#{cls.id}"

    def fault(self, fault: Fault, document: Document) -> Verdict:
        """Words for a defect that the reader met; called for faults that bear this rule's id."""

    def value(self, value: str, field: str) -> Verdict:
        """Judge a distinct value of one of `fields`, as written (white space around it included)."""

    def shape(self, shape: Shape) -> Iterable[ShapeVerdict]:
        """Judge a distinct shape; what it yields goes for every entry of that shape."""
        return ()

    def document(self, document: Document) -> Iterable[Found]:
        """Judge a whole document."""
        return ()

    def note(self, document: Document) -> Any:
        """What `whole_site` will ask of this document: texts, numbers and columns of them, for its values will be gone.

        Documents may be read in other processes, so nothing is kept on `self` before `remember`.
        """

    def remember(self, document: Document, note: Any) -> None:
        """Take in what was noted; columns of numbers are put aside."""
        self.noted.append((document, self.site.spool.keep_numbers(note) if isinstance(note, array) else note))

    def page(self, page: Page) -> Found | None:
        """Judge a listed page by what answers for it; or, if `page.document` is None, one that is not listed."""

    def whole_site(self) -> Iterable[Found]:
        """Judge the whole set, after its last document."""
        return ()

    def found(
        self,
        message: Message,
        document: Document | None = None,
        entry: int | None = None,
        element: int = 0,
        *,
        place: Place | None = None,
        url: str | None = None,
        severity: Severity | None = None,
        group: str = "",
    ) -> Found:
        """A finding of this rule; id, severity and step are filled in from the class."""
        return Found(self, message, document, entry, element, place, url, severity, group)

    def found_at(
        self, entries: Sequence[int], message: str, document: Document, element: int, severity: Severity | None = None
    ) -> Found:
        """The same finding at each of these entries, which are in order."""
        return Found(self, message, document, None, element, severity=severity, entries=entries)


class Explanation(NamedTuple):
    """A rule's docstring, taken apart."""

    summary: str
    why: str
    fix: str
    bad: tuple[str, ...]
    good: tuple[str, ...]


_SECTION = lazy.pattern(r"^(Fix|Bad|Good):[ ]*", re.MULTILINE)


def explanation_of(rule: type[Rule]) -> Explanation:
    """The parts of the docstring: summary, reasons, how to mend it, and the examples."""
    import inspect  # 5 ms that a run without findings does not need

    text = inspect.cleandoc(rule.__doc__ or _doc_in_source(rule))
    pieces = _SECTION.split(text)
    summary, _, why = pieces[0].partition("\n")
    parts: dict[str, list[str]] = {"Fix": [], "Bad": [], "Good": []}
    for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
        parts[name].append(inspect.cleandoc("\n" + body) if name != "Fix" else " ".join(body.split()))
    fix = parts["Fix"][0] if parts["Fix"] else ""
    return Explanation(summary.strip(), why.strip(), fix, tuple(parts["Bad"]), tuple(parts["Good"]))


@cache
def _docs_in_source(module: str) -> dict[str, str]:
    import ast
    import inspect

    # Not `ast.parse`: from Python 3.14 on, it leaves docstrings out as well.
    source = inspect.getsource(sys.modules[module])
    tree = compile(source, module, "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=0)
    return {node.name: ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _doc_in_source(rule: type[Rule]) -> str:
    """Python leaves docstrings out under -OO."""
    try:
        return _docs_in_source(rule.__module__).get(rule.__name__, "")
    except OSError:  # compiled files alone were installed
        return f"The page of this rule was left out with Python's -OO.\n\nFix: see {rule.help()}"


def elements_named(shape: Shape, *names: str) -> Iterator[Element]:
    """The shape's top-level elements that bear one of the names."""
    return (child for child in shape.children if child.name in names)


def shown(value: str) -> str:
    """A value as a message quotes it: trimmed, on one line, not too long."""
    text = value.strip(XML_SPACE)
    return repr(text if len(text) <= 100 else text[:97] + "…")
