"""The head of an HTML page, read by a forgiving parser: what the page tells crawlers about itself."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Protocol

from sitemap_action import lazy
from sitemap_action.pages.page import Head

if TYPE_CHECKING:
    from lxml import etree

END_OF_HEAD = lazy.pattern(rb"</head[\s>]|<body[\s>]", re.IGNORECASE)
_CHARSET = lazy.pattern(rb"""charset\s*=\s*["']?\s*([\w:.-]+)""", re.IGNORECASE)
_BOMS = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_BOTS = ("robots", "googlebot")
_NO_INDEX = {"noindex", "none"}
_REFRESH = lazy.pattern(r"""\s*\d[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?(?P<target>[^"']*)""", re.IGNORECASE | re.DOTALL)
_DATE_MODIFIED = lazy.pattern(r'"dateModified"\s*:\s*"([^"]{4,40})"')
_DATES = ("article:modified_time", "og:updated_time")
# Between these, markup is only text.
_RAW = ((b"<script", b"</script"), (b"<style", b"</style"), (b"<!--", b"-->"), (b"<title", b"</title"))
# Heads that leave a parser nothing to decide, which many generators write: usual elements only, attributes in
# quotes, no comment, no `<` in a script. Whatever else there is goes to the parser.
_QUOTED = rb"""(?:[ ]+[a-z][a-z:-]*(?:="[^"<>&\x00-\x1f]*"|='[^'<>&\x00-\x1f]*')?)*"""
# No such attribute tells anything: it may also have a bare value, as minifiers write it.
_BARE = rb"""(?:[ ]+[a-z][\w:.-]*(?:="[^"<>&\x00-\x1f]*"|='[^'<>&\x00-\x1f]*'|=[\w./:?=%,;+~-]+(?=[ >]))?)*"""
# All that there is: if several parts of the pattern could have some of it, to try every way would take for ever.
_ALL_SPACE = rb"[ \n\t]*(?![ \n\t])"
_SIMPLE = lazy.pattern(
    rb"""%(space)b(?:<!(?:doctype|DOCTYPE)\ html>%(space)b)?(?:<html%(bare)b[ ]*>%(space)b)?(?:<head%(bare)b[ ]*>)?
    (?:[ \n\t]
    |<(?:meta|link)%(quoted)b[ ]*/?>
    |<title>[^<]*</title>
    |<script%(bare)b[ ]*>[^<]*</script>
    |<style%(bare)b[ ]*>[^<]*</style>
    )*"""
    % {b"bare": _BARE, b"quoted": _QUOTED, b"space": _ALL_SPACE},
    re.VERBOSE,
)
_SIGNS = (b"bot", b"refresh", b"ed_time", b"canonical", b"alternate")
_ATTRIBUTE = lazy.pattern(rb"""([a-z:-]+)(?:="([^"]*)"|='([^']*)')?""")
_SHORT = 4_096
_LONGEST = 2_000
_MOST_BAITS = 20
_FEW_WORDS = 5
_CONTENT = ("h1", "h2", "h3", "p", "a", "ul", "ol", "table", "form", "article", "section", "pre", "img")


class Attributes(Protocol):
    """Of an element of a tree, or in a dictionary."""

    def get(self, name: str, /) -> str | None: ...


def read_head(data: bytes, charset: str = "") -> Head | None:
    """Parse the page as far as its head goes; None for what is no HTML."""
    data = _utf8(data, charset)
    text, lower = _head_of(data)
    if b"<" not in text or _is_other_xml(text):
        return None
    head = Head(has_title=b"<title" in lower)
    wanted = _telling(lower)
    if wanted and len(text) <= _SHORT and "script" not in wanted and _SIMPLE.fullmatch(text):
        _take_simple(text, lower, head)
    elif wanted:
        tree = _parser()(text)
        may_be_inert = b"<noscript" in lower or b"<template" in lower
        for element in tree.iter(*wanted) if tree is not None else ():
            if not may_be_inert or not _is_inert(element):
                _TAKERS[element.tag](element, head)
    if len(text) < len(data):
        head.modified += _dates_below(data, len(text))
    return head


def _take_simple(text: bytes, lower: bytes, head: Head) -> None:
    """What the parser would find in a head that is simple: its tags are where they seem to be."""
    starts: set[int] = set()
    for sign in _SIGNS:
        place = lower.find(sign)
        while place >= 0:
            starts.add(text.rfind(b"<", 0, place))
            place = lower.find(sign, place + 1)
    for start in sorted(starts):
        name = text[start + 1 : start + 5]
        if name in (b"meta", b"link"):
            inside = text[start + 5 : text.find(b">", start)]
            pairs = [(key.decode(), (one or other).decode()) for key, one, other in _ATTRIBUTE.findall(inside)]
            _TAKERS[name.decode()](dict(reversed(pairs)), head)  # of an attribute that is there twice the first counts


def _telling(lower: bytes) -> list[str]:
    """Elements that may say something, by what stands in the text if one of them does: most pages have few of them."""
    names = []
    if b"bot" in lower or b"refresh" in lower or b"ed_time" in lower:
        names.append("meta")
    if b"canonical" in lower or b"hreflang" in lower:
        names.append("link")
    if b"<base" in lower:
        names.append("base")
    if b"ld+json" in lower:
        names.append("script")
    return names


def _is_other_xml(text: bytes) -> bool:
    """A feed that a site's exporter saved as `rss/index.html` is no page."""
    start = text[:_LONGEST].lstrip()
    return start.startswith(b"<?xml") and b"<html" not in start.lower()


@cache
def _parser() -> Callable[[bytes], etree._Element | None]:
    from lxml import etree  # not needed where no page is looked at

    return partial(etree.fromstring, parser=etree.HTMLParser(encoding="utf-8", remove_comments=True))


def _head_of(data: bytes) -> tuple[bytes, bytes]:
    """The bytes up to the end of the head, or all of them: a sixth of the whole, mostly. Also in lower case."""
    end = data.find(b"</head>")
    head = data[:end] if end >= 0 else data
    lower = head.lower()
    if end < 0 or _is_inside_raw(lower, len(lower)):
        end = end_of_head(data) or len(data)
        head = data[:end]
        lower = head.lower()
    return head, lower


def end_of_head(data: bytes) -> int | None:
    """Where the head ends. The same letters inside of a script or a comment end nothing."""
    lower: bytes | None = None
    for number, found in enumerate(END_OF_HEAD.finditer(data)):
        lower = data.lower() if lower is None else lower
        if not _is_inside_raw(lower, found.start()):
            return found.start()
        if number >= _MOST_BAITS:
            break
    return None


def _is_inside_raw(lower: bytes, place: int) -> bool:
    if lower.rfind(b"<", 0, place) > lower.rfind(b">", 0, place):
        return True  # in the value of an attribute
    for start, stop in _RAW:
        begin = lower.rfind(start, 0, place)
        if begin >= 0 and lower.find(stop, begin, place) < 0:
            return True
    return False


def _dates_below(data: bytes, start: int) -> Iterator[str]:
    """What structured data in the body says; much is written there that only looks like it."""
    while (found := data.find(b'"dateModified"', start)) >= 0:
        script = data.rfind(b"<script", start, found)
        opening = data[script : data.find(b">", script) + 1] if script >= 0 else b""
        start = data.find(b"</script", found)
        start = len(data) if start < 0 else start
        if b"ld+json" in opening.lower():
            yield from _DATE_MODIFIED.findall(data[found:start].decode())


def _utf8(data: bytes, charset: str) -> bytes:
    """The page in one encoding. What is valid UTF-8 is taken for that, whatever it calls itself."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace").encode("utf-8", "replace")
    data = data.removeprefix(codecs.BOM_UTF8)
    if charset.lower().startswith("utf-16") and b"\x00" in data[:100]:
        return data.decode("utf-16-be" if charset.lower().endswith("be") else "utf-16-le", "replace").encode()
    try:
        data.decode("utf-8")
        return data
    except UnicodeDecodeError as error:
        if error.end == len(data):  # cut in the middle of a character
            return data[: error.start]
    declared = _CHARSET.search(data[:2048])
    name = charset or (declared[1].decode("ascii", "replace") if declared else "")
    try:
        return data.decode(name or "cp1252", "replace").encode("utf-8", "replace")
    except (LookupError, ValueError):
        return data.decode("utf-8", "replace").encode()


def _take_base(element: Attributes, head: Head) -> None:
    head.base = head.base or (element.get("href") or "").strip()


def _take_script(element: etree._Element, head: Head) -> None:
    if "ld+json" in (element.get("type") or "").lower():
        head.modified += _DATE_MODIFIED.findall(element.text or "")


def _take_meta(element: Attributes, head: Head) -> None:
    name, about, equivalent = (_plain(element.get(key)) for key in ("name", "property", "http-equiv"))
    content = (element.get("content") or "").strip()[:_LONGEST]
    if equivalent == "refresh":
        found = _REFRESH.match(content)
        head.refresh = head.refresh or (found["target"].strip() if found else "")
    elif name in _DATES or about in _DATES:
        head.modified.append(content)
    elif name in _BOTS and not head.noindex and says_noindex(content):  # `property="robots"` is read by nobody
        head.noindex = f'<meta name="{name}" content="{content}">'


def _plain(value: str | None) -> str:
    return (value or "").strip().lower()


def _take_link(element: Attributes, head: Head) -> None:
    rel = element.get("rel")
    if not rel or rel == "stylesheet":
        return
    kinds = rel.lower().split()
    href = (element.get("href") or "").strip()[: 2 * _LONGEST]
    if href and "canonical" in kinds:
        head.canonicals.append(href)
    elif href and "alternate" in kinds:
        language = (element.get("hreflang") or "").strip()
        if language:
            head.alternates.append((language, href))


def _is_inert(element: etree._Element) -> bool:
    """Within what a browser that runs scripts does not show; Google's does run them."""
    return any(True for _ in element.iterancestors("noscript", "template"))


_TAKERS: dict[Any, Callable[[Any, Head], None]] = {
    "meta": _take_meta,
    "link": _take_link,
    "base": _take_base,
    "script": _take_script,
}


def says_noindex(directives: str) -> bool:
    """Whether a robots meta keeps the page out of an index."""
    parts = [part for part in directives.lower().split(",") if ":" not in part]  # `max-image-preview: none` says else
    return any(not _NO_INDEX.isdisjoint(part.split()) for part in parts)


def header_says_noindex(value: str) -> bool:
    """Whether an X-Robots-Tag does so for everybody or for Google: `otherbot: noindex` is not our concern.

    Of several such headers each is a line of its own.
    """
    said = (pair for line in value.splitlines() for pair in _directives(line))
    return any(bot in ("", *_BOTS) and directive in _NO_INDEX for bot, directive in said)


def _directives(value: str) -> Iterator[tuple[str, str]]:
    """Each directive with the bot it is for; a name counts until the next one, and `max-snippet: 5` names no bot."""
    bot = ""
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and not name.strip().startswith(("max-", "unavailable_after")):
            bot, part = name.strip(), rest
        yield bot, part.strip()


def is_empty_page(data: bytes) -> bool:
    """Whether a page has scripts and hardly a word: they will draw it."""
    from lxml import etree

    tree = etree.fromstring(data, etree.HTMLParser(encoding="utf-8", remove_comments=True)) if b"<" in data else None
    body = tree.find("body") if tree is not None else None
    if tree is None or body is None or tree.find(".//script") is None:
        return False
    etree.strip_elements(body, "script", "style", "noscript", "template", with_tail=False)
    has_content = next(body.iter(*_CONTENT), None) is not None
    return not has_content and len("".join(map(str, body.itertext())).split()) <= _FEW_WORDS
