"""Tell a template that nobody rendered from broken XML."""

from __future__ import annotations

import re

from sitemap_action import lazy
from sitemap_action.model import Fault
from sitemap_action.parse.lines import Lines

_MARKS = (b"{{", b"{%", b"{#", b"<%", b"<?php", b"<?=", b"${")
# A span is bounded and ends before the next opening, so that a megabyte of braces costs no more than one of text.
_EXPRESSION = rb"\{\{(?:(?!\{\{).){0,500}?\}\}"
_STATEMENT = rb"\{%(?:(?!\{%).){0,500}?%\}|\{#(?:(?!\{#).){0,500}?#\}"
_CODE = rb"<%(?:(?!<%).){0,500}?%>|<\?(?:php\b|=)"
_SYNTAX = rb"(?:" + _EXPRESSION + rb"|" + _STATEMENT + rb"|" + _CODE + rb"|\$\{[^}<]{0,500}\})"
_FRONT_MATTER = lazy.pattern(rb"\A\s*(---|\+\+\+)[ \t]*\r?\n(?:.*\n)*?\1[ \t]*\r?(?:\n|\Z)")
_SITEMAP = lazy.pattern(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|url|sitemap|loc)[\s/>]")
_FEED = lazy.pattern(rb"<(?:rss|feed|rdf:RDF)[\s>]")
_OWN = rb"(?:[A-Za-z_][\w.-]{0,40}:)?(?:urlset|sitemapindex|url|sitemap)\b"
_FIELD = rb"(?:[A-Za-z_][\w.-]{0,40}:)?(?:loc|lastmod|changefreq|priority)\b"
# Between the protocol's own elements, or anywhere inside one of its fields; a title may quote what it likes.
_IN_SITEMAP = lazy.pattern(
    rb"(?:\A|</[^<>]{1,100}>|/>|\?>|<"
    + _OWN
    + rb"[^<>]{0,1000}>|\})\s*(?P<gap>"
    + _EXPRESSION
    + rb"|"
    + _STATEMENT
    + rb")"
    rb"|<" + _OWN + rb"[^<>]{0,1000}?(?P<attribute>" + _EXPRESSION + rb")"
    rb"|<" + _FIELD + rb"[^<>]{0,200}>[^<]{0,2000}?(?P<field>" + _SYNTAX + rb")|(?P<code>" + _CODE + rb")",
    re.DOTALL,
)
_IN_FEED = lazy.pattern(
    rb"<(?:link|guid|pubDate|updated|published|lastBuildDate)\b[^<>]{0,200}>\s*(?P<field>" + _SYNTAX + rb")"
    rb"|</?(?:channel|feed|item|entry)\b[^<>]*>\s*(?P<gap>" + _SYNTAX + rb")"
    rb"|\A\s*(?P<code>" + _SYNTAX + rb")",
    re.DOTALL,
)

_PAGE_TITLE = lazy.pattern(rb"<title>[^<]{0,500}?" + _SYNTAX, re.DOTALL)
_IN_TEXT = lazy.pattern(rb"(?P<gap>" + _EXPRESSION + rb"|" + _STATEMENT + rb"|" + _CODE + rb")", re.DOTALL)


def is_page_template(data: bytes) -> bool:
    """Whether this is the source of a page: front matter, or a title to fill in. A text may quote what it likes."""
    return _FRONT_MATTER.match(data) is not None or _PAGE_TITLE.search(data) is not None


def find(data: bytes) -> Fault | None:
    """The first place that shows template syntax, if this is a template of a sitemap or feed."""
    front = _FRONT_MATTER.match(data)
    if front is not None:
        return Fault("template-unrendered", Lines(data).place(front.start(1)), ("---",))
    if not any(mark in data for mark in _MARKS):
        return None
    visible = _blanked(data, b"<!--", b"-->")
    if _FEED.search(visible):
        found = _IN_FEED.search(_blanked(visible, b"<![CDATA[", b"]]>"))
    elif _SITEMAP.search(visible):
        found = _IN_SITEMAP.search(visible.replace(b"<![CDATA[", b" " * 9).replace(b"]]>", b"   "))
    else:
        found = _IN_TEXT.search(visible)
    if found is None or found.lastgroup is None:
        return None
    shown = found[found.lastgroup][:40].decode("utf-8", "replace")
    return Fault("template-unrendered", Lines(data).place(found.start(found.lastgroup)), (shown,))


def _blanked(data: bytes, opening: bytes, closing: bytes) -> bytes:
    """Such spans blanked out, offsets kept; each search starts where the last one ended."""
    kept = bytearray(data)
    start = data.find(opening)
    while start >= 0:
        end = data.find(closing, start)
        if end < 0:
            break
        kept[start : end + len(closing)] = b" " * (end + len(closing) - start)
        start = data.find(opening, end)
    return bytes(kept)
