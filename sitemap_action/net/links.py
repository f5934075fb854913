"""The `Link` header, as RFC 8288 has it: which URL does an answer call the real one of its page?"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TARGET = re.compile(r"[\s,]*<([^>]*)>")
_PARAMETER = re.compile(r'\s*;\s*([\w!#$%&*+.^`|~-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]*)))?')
_LONGEST = 20_000


def canonical_links(header: str) -> Iterator[str]:
    """The targets of links whose relation is `canonical`; a link with an anchor is about another page."""
    text, place = header[:_LONGEST], 0
    while (link := _TARGET.match(text, place)) is not None:
        place = link.end()
        parameters: dict[str, str] = {}
        while (found := _PARAMETER.match(text, place)) is not None:
            place = found.end()
            name, quoted, plain = found.groups()
            parameters.setdefault(name.lower(), quoted if quoted is not None else plain or "")
        if "canonical" in parameters.get("rel", "").lower().split() and "anchor" not in parameters:
            yield link[1].strip()
