"""The markup of an entry as a regular expression that recognises others of its kind."""

from __future__ import annotations

import re

_PIECE = re.compile(r'<(?P<tag>[^<>"\']*(?:"[^"<]*"[^<>"\']*)*)>|(?P<text>[^<>]+)')
_ATTRIBUTE = re.compile(r'([^\s="]+)="([^"<]*)"')
# Attributes with a handful of values become part of the pattern: less to match, nothing to store.
_LITERAL = {"rel", "hreflang", "media", "type"}
_SPACE = r"[ \t\r\n]*"
_TEXT = r"([ \t\n]*[^< \t\n\x00-\x1f][^<\x00-\x08\x0b-\x1f]*)"
_ATTRIBUTE_VALUE = r'([^"<\x00-\x1f]*)'


class Irregular(Exception):
    """Something that only the general reader can judge."""


def generalise(piece: str) -> tuple[re.Pattern[str], list[str | None]]:
    """The pattern of an entry; for each value in order, None if it is a group, else what it always is."""
    pattern: list[str] = []
    raw: list[str | None] = []
    position = 0
    for part in _PIECE.finditer(piece):
        if part.start() != position:
            raise Irregular
        position = part.end()
        if part["tag"] is not None:
            if part["tag"].startswith("?"):  # an instruction may be a template's code
                raise Irregular
            pattern.append(_tag(part["tag"], raw))
        elif part["text"].strip(" \t\r\n"):
            pattern.append(_TEXT)
            raw.append(None)
        else:
            pattern.append(_SPACE)
    if position != len(piece):
        raise Irregular
    return re.compile("".join(pattern)), raw


def _tag(tag: str, raw: list[str | None]) -> str:
    pattern = "<"
    position = 0
    for attribute in _ATTRIBUTE.finditer(tag):
        name, value = attribute.groups()
        pattern += re.escape(tag[position : attribute.start(2)])
        position = attribute.end(2)
        if name.startswith("xmlns") or name in _LITERAL:
            pattern += re.escape(value)
            if not name.startswith("xmlns"):
                raw.append(value)
        else:
            pattern += _ATTRIBUTE_VALUE
            raw.append(None)
    return pattern + re.escape(tag[position:]) + ">"
