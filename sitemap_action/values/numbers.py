"""Decimal numbers, as the schemas write them: digits and a point, no exponent, no comma."""

from __future__ import annotations

import re

from sitemap_action import lazy

_DECIMAL = lazy.pattern(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)


def decimal_up_to(most: float, text: str) -> float | None:
    """The number from 0 to `most` that the text states, if it does."""
    number = float(text) if _DECIMAL.fullmatch(text) else None
    return number if number is not None and 0 <= number <= most else None
