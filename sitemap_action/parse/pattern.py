"""The markup of an entry as a regular expression that recognises others of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sitemap_action import lazy

_PIECE = lazy.pattern(r'<(?P<tag>[^<>"\']*(?:"[^"<]*"[^<>"\']*)*)>|(?P<text>[^<>]+)')
# A name begins behind white space: to try every letter of a long word would take for ever.
_ATTRIBUTE = lazy.pattern(r'(?<=\s)([^\s="]+)="([^"<]*)"')
# Attributes with a handful of values become part of the pattern: less to match, nothing to store.
_LITERAL = {"rel", "hreflang", "media", "type"}
_SPACE = r"[ \t\r\n]*"
_TEXT = r"([ \t\n]*[^< \t\n\x00-\x1f][^<\x00-\x08\x0b-\x1f]*)"
_ATTRIBUTE_VALUE = r'([^"<\x00-\x1f]*)'
# A page with a thousand images has as many; more of them make a pattern that takes long to build.
_MOST_VALUES = 2_500
_CONTROLS = [chr(code) for code in range(32) if chr(code) not in "\t\n"]
# Simpler, and so faster: what they let pass beyond the two above is sorted out by `are_clean` and `are_texts`.
# In an attribute a tab or newline means a space, so only the general reader may read it.
_ANY_TEXT, _ANY_ATTRIBUTE_VALUE = r"([^<]+)", r'([^"<\t\n]*)'


class Irregular(Exception):
    """Something that only the general reader can judge."""


def generalise(piece: str, *, exact: bool = False) -> tuple[re.Pattern[str], list[str | None]]:
    """The pattern of an entry; for each value in order, None if it is a group, else what it always is.

    An exact pattern takes white space between elements as it stands. With values that are clean, and
    texts, it matches nothing that the other one would match differently.
    """
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
            pattern.append(_tag(part["tag"], raw, _ANY_ATTRIBUTE_VALUE if exact else _ATTRIBUTE_VALUE))
        elif part["text"].strip(" \t\r\n"):
            pattern.append(_ANY_TEXT if exact else _TEXT)
            raw.append(None)
        else:
            pattern.append(re.escape(part["text"]) if exact else _SPACE)
        if len(raw) > _MOST_VALUES:
            raise Irregular
    if position != len(piece):
        raise Irregular
    return re.compile("".join(pattern)), raw


def are_clean(values: Iterable[str]) -> bool:
    """Whether there is no control character but tab and newline: then an exact pattern was right to match."""
    together = "".join(values)
    return not any(control in together for control in _CONTROLS)


def literal_length(regex: re.Pattern[str], piece: str) -> int:
    """How many characters of an entry are its markup; of an exact pattern that is the same for all."""
    found = regex.fullmatch(piece)
    return len(piece) - sum(map(len, found.groups())) if found is not None else -1


def are_texts(values: Sequence[str], together: str) -> bool:
    """Whether the values that an exact pattern has found are more than white space."""
    return not any(space in together for space in " \t\n") or all(map(str.strip, values))


def _tag(tag: str, raw: list[str | None], value_pattern: str) -> str:
    pattern = ["<"]
    position = 0
    for attribute in _ATTRIBUTE.finditer(tag):
        name, value = attribute.groups()
        pattern.append(re.escape(tag[position : attribute.start(2)]))
        position = attribute.end(2)
        if name.startswith("xmlns") or name in _LITERAL:
            pattern.append(re.escape(value))
            if not name.startswith("xmlns"):
                raw.append(value)
        else:
            pattern.append(value_pattern)
            raw.append(None)
    return "".join([*pattern, re.escape(tag[position:]), ">"])
