"""Text from a sitemap or a file name, made harmless for a terminal or a log."""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, bidirectional and invisible marks, surrogates.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def clean(text: str) -> str:
    """Every character that could move a cursor, start a line or turn text around, as an escape."""
    return _HARMFUL.sub(_escape, text)


def clean_lines(lines: list[str]) -> str:
    """Each text on a line of its own; plain ones, which most lists consist of, are recognised together."""
    together = "".join(lines)
    if not (together.isascii() and together.isprintable()) or "::" in together or "##[" in together:
        lines = [_without_command(clean(line)) for line in lines]
    return "\n".join([*lines, ""])


def _without_command(line: str) -> str:
    """GitHub takes `::error::` at the start of a line, and `##[error]` anywhere, for commands to itself."""
    return ("\\x3a" + line[1:] if line.startswith("::") else line).replace("##[", "#%23[")


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x100:
        return {9: "\\t", 10: "\\n", 13: "\\r"}.get(code, f"\\x{code:02x}")
    return f"\\u{code:04x}"
