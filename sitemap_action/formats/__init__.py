"""Each format is a function from a report to text; this mapping also feeds the command's choices."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from sitemap_action.formats.style import Style
from sitemap_action.report import Report

FORMATS = ("text", "json", "sarif", "markdown", "github")


def render(format: str, report: Report, style: Style) -> str:
    """The report in one of FORMATS, with a newline at its end; only the module needed is imported."""
    module = import_module(f"sitemap_action.formats.{format}_format")
    return cast(Callable[[Report, Style], str], module.render)(report, style)
