"""Text from a sitemap or a file name, made harmless for Markdown as GitHub renders it, wherever it is put."""

from __future__ import annotations

import re
from collections.abc import Callable

from markupsafe import Markup

from sitemap_action.formats.escape import clean

# Nothing but these is left as it is: whatever means something to Markdown or HTML becomes an entity.
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9 /,%=?…\u0100-\U0010ffff.-]|(?<=www)\.")
# GitHub looks into the finished text for people (@), issues (#1, GH-1), emoji (:x:), formulas ($x$), commits, e-mail.
# A mark that allows a line to break, and shows nothing, keeps it from seeing a whole one.
_MARKED = re.compile(r"[@#:$]|(?<=[Gg][Hh])-|(?<=[0-9a-f]{4})(?=[0-9a-f]{3})")
# A pair of single backticks; a longer fence is none of ours. Text that is clean has no line but one.
_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_BREAK = "<wbr>"


def words(text: str, most: int = 400) -> Markup:
    """Prose with foreign text in it: no link, no image, no mention, no markup comes of it."""
    return Markup(_pieces(clipped(clean(text), most)))  # noqa: S704 – this is the place that makes it safe


def code(text: str, most: int = 300) -> Markup:
    """Foreign text as a value: the same, in the type of code."""
    return Markup("<code>%s</code>") % words(text, most)


def marked(text: str, most: int = 400) -> Markup:
    """A sentence with code between backticks, as our messages have it; each part is made harmless by itself.

    Foreign text may have backticks too: all that comes of them is more text in the type of code.
    """
    parts = _CODE.split(clipped(clean(text), most))
    return Markup("").join(code(part, most) if odd % 2 else words(part, most) for odd, part in enumerate(parts))


def clipped(text: str, most: int) -> str:
    """The middle is left out: what tells URLs apart stands at their ends."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-(most // 3) :]}"


def _pieces(text: str) -> str:
    pieces: list[str] = []
    end = 0
    for found in _MARKED.finditer(text):
        pieces += [_entities(text[end : found.end()]), _BREAK]
        end = found.end()
    return "".join([*pieces, _entities(text[end:])])


def _entities(text: str) -> str:
    return _NOT_PLAIN.sub(_entity, text)


def _entity(found: re.Match[str]) -> str:
    return f"&#{ord(found[0])};"


FILTERS: dict[str, Callable[..., Markup]] = {"words": words, "code": code, "marked": marked}
