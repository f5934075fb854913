"""Built sites and origins in a few words, for the tests of the listed pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from conftest import Outcome, urlset
from origins import Origin

SITE = "https://www.acme.example"
HTML = "text/html; charset=utf-8"


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


def serve(origin: Origin, *paths: str, robots: str = "") -> None:
    """An origin whose sitemap lists these paths, or entries; what a test says nothing of is an ordinary page."""
    origin.put("/robots.txt", f"{robots}\nSitemap: {{origin}}/sitemap.xml\n", type="text/plain")
    origin.put("/sitemap.xml", urlset(*(path if path.startswith("<") else origin.url + path for path in paths)))
    for path in paths:
        if path.startswith("/"):
            origin.put(path, page(), type=HTML)


def about_pages(outcome: Outcome, site: str = SITE) -> list[tuple[str, str]]:
    """Rule and path of each finding about a page."""
    return [
        (finding["rule"].removeprefix("page-"), (finding["url"] or "").removeprefix(site))
        for finding in outcome.report["findings"]
        if finding["rule"].startswith("page-")
    ]


def scope_evidence(outcome: Outcome) -> str:
    steps = outcome.report["steps"]
    return "; ".join(next(step["evidence"] for step in steps if step["id"] == "scope"))
