"""Tell a template that nobody rendered from broken XML."""

from __future__ import annotations

import re

from sitemap_action.model import Fault
from sitemap_action.parse.lines import Lines

_MARKS = (b"{{", b"{%", b"<%", b"<?php", b"<?=", b"${")
# Spans are bounded so that a megabyte of braces costs no more than a megabyte of text.
_EXPRESSION = rb"\{\{.{0,500}?\}\}"
_STATEMENT = rb"\{%.{0,500}?%\}"
_CODE = rb"<%.{0,500}?%>|<\?(?:php\b|=)"
_SYNTAX = rb"(?:" + _EXPRESSION + rb"|" + _STATEMENT + rb"|" + _CODE + rb"|\$\{[^}<]{0,500}\})"
_FRONT_MATTER = re.compile(rb"\A\s*---[ \t]*\r?\n(?:.*\r?\n)*?---[ \t]*\r?(?:\n|\Z)")
_HIDDEN = {b"<!--": b"-->", b"<![CDATA[": b"]]>"}
_SITEMAP = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?(?:urlset|sitemapindex|url|sitemap|loc)[\s/>]")
_FEED = re.compile(rb"<(?:rss|feed|rdf:RDF)[\s>]")
# Between elements, or anywhere inside one of the protocol's own fields.
_IN_SITEMAP = re.compile(
    rb"(?:\A|>|\})\s*(?P<gap>" + _EXPRESSION + rb"|" + _STATEMENT + rb")\s*(?:<|\{|\Z)"
    rb"|<(?:[A-Za-z_][\w.-]{0,40}:)?(?:loc|lastmod|changefreq|priority)\b[^<>]{0,200}>[^<]{0,2000}?"
    rb"(?P<field>" + _SYNTAX + rb")|(?P<code>" + _CODE + rb")",
    re.DOTALL,
)
_IN_FEED = re.compile(
    rb"<(?:link|guid|pubDate|updated|published|lastBuildDate)\b[^<>]{0,200}>\s*(?P<field>" + _SYNTAX + rb")"
    rb"|</?(?:channel|feed|item|entry)\b[^<>]*>\s*(?P<gap>" + _SYNTAX + rb")"
    rb"|\A\s*(?P<code>" + _SYNTAX + rb")",
    re.DOTALL,
)


def find(data: bytes) -> Fault | None:
    """The first place that shows template syntax, if this is a template of a sitemap or feed."""
    front = _FRONT_MATTER.match(data)
    if front is not None:
        return Fault("template-unrendered", Lines(data).place(len(data) - len(data.lstrip())), ("---",))
    if not any(mark in data for mark in _MARKS):
        return None
    visible = _without_hidden(data)
    if _FEED.search(visible):
        found = _IN_FEED.search(visible)
    elif _SITEMAP.search(visible):
        found = _IN_SITEMAP.search(visible)
    else:
        found = re.match(rb"\s*(?P<gap>" + _SYNTAX + rb")", visible, re.DOTALL)
    if found is None or found.lastgroup is None:
        return None
    shown = found[found.lastgroup][:40].decode("utf-8", "replace")
    return Fault("template-unrendered", Lines(data).place(found.start(found.lastgroup)), (shown,))


def _without_hidden(data: bytes) -> bytes:
    """Comments and CDATA blanked out, offsets kept; each search starts where the last one ended."""
    kept = bytearray(data)
    for opening, closing in _HIDDEN.items():
        start = data.find(opening)
        while start >= 0:
            end = data.find(closing, start)
            if end < 0:
                break
            kept[start : end + len(closing)] = b" " * (end + len(closing) - start)
            start = data.find(opening, end)
    return bytes(kept)
