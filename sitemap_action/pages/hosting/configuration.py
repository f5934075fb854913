"""What configuration files of hosts share: where something is said in them, and values of any type."""

from __future__ import annotations

import json
from typing import Any

from sitemap_action.pages.head import header_says_noindex

ROBOTS_TAG = "x-robots-tag"


class Lines:
    """Where in a section of a file something is said, in words: asked in the order in which it stands there."""

    def __init__(self, name: str, text: str, section: str = "") -> None:
        self._name = name
        self._text = text
        self._place = max(text.find(section), 0)
        self._line = text.count("\n", 0, self._place) + 1

    def of(self, value: str) -> str:
        places = [self._text.find(f"{quote}{value}{quote}", self._place) for quote in ('"', "'")]
        found = min((place for place in places if place >= 0), default=-1)
        if found < 0:
            return f"`{self._name}`"
        self._line += self._text.count("\n", self._place, found)
        self._place = found + 1
        return f"`{self._name}` line {self._line}"


def json_object(text: str) -> dict[str, Any]:
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("it holds no object")
    return data


def tables(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def robots_tags(headers: object) -> list[str]:
    """The values of X-Robots-Tag among headers that keep pages out of an index."""
    pairs = headers.items() if isinstance(headers, dict) else ()
    return [
        value
        for name, value in pairs
        if isinstance(value, str) and str(name).lower() == ROBOTS_TAG and header_says_noindex(value)
    ]
