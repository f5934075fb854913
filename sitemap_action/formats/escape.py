"""Text from a sitemap or a file name, made harmless for a terminal, a log, or the commands of GitHub's runner."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sitemap_action import lazy

# C0 and C1 controls, line and paragraph separators, bidirectional and invisible marks, surrogates.
_HARMFUL = lazy.pattern("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_COMMAND = lazy.pattern(r"^(\s*)::")


def clean(text: str) -> str:
    """Every character that could move a cursor, start a line or turn text around, as an escape."""
    return _HARMFUL.sub(_escape, text)


def clean_lines(lines: list[str]) -> str:
    """Each text on a line of its own; plain ones, which most lists consist of, are recognised together."""
    together = "".join(lines)
    if not (together.isascii() and together.isprintable()) or "::" in together or "##[" in together:
        lines = [inert(clean(line)) for line in lines]
    return "\n".join([*lines, ""])


def inert(line: str) -> str:
    """GitHub takes `::error::` at the start of a line, blanks or not, and `##[error]` anywhere, for commands."""
    return _COMMAND.sub(r"\1\\x3a:", line).replace("##[", "#\\x23[")


def json_text(text: str) -> str:
    """JSON that a log can hold: `##[` stands in strings alone, where a number sign may be written as an escape."""
    return text.replace("##[", "#\\u0023[")


def runner_command(name: str, properties: Mapping[str, object], message: str) -> str:
    """A line that is a command to GitHub's runner; properties without a value are left out."""
    given = {key: str(value) for key, value in properties.items() if value not in (None, "")}
    told = ",".join(f"{key}={_property(clean(value))}" for key, value in given.items())
    return f"::{name}{' ' if told else ''}{told}::{_data(clean(message))}"


def _data(text: str) -> str:
    return text.replace("##[", "#\\x23[").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}"
