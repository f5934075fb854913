"""Built sites in a few words, for the tests of the listed pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conftest import Outcome, urlset

SITE = "https://www.acme.example"


def page(head: str = "", title: str = "Acme") -> str:
    return f"<!DOCTYPE html>\n<html><head><title>{title}</title>{head}</head><body><p>Text.</p></body></html>\n"


def build(folder: Path, files: Mapping[str, str | bytes], listed: list[str], *, site: str = SITE) -> Path:
    """Write a built site; a listed path gets the site's URL in front, other entries stay as they are."""
    entries = [site + entry if entry.startswith("/") else entry for entry in listed]
    for name, content in {"sitemap.xml": urlset(*entries), **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def about_pages(outcome: Outcome) -> list[tuple[str, str]]:
    """Rule and path of each finding about a page."""
    return [
        (finding["rule"].removeprefix("page-"), (finding["url"] or "").removeprefix(SITE))
        for finding in outcome.report["findings"]
        if finding["rule"].startswith("page-")
    ]


def scope_evidence(outcome: Outcome) -> str:
    steps = outcome.report["steps"]
    return "; ".join(next(step["evidence"] for step in steps if step["id"] == "scope"))
