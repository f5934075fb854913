"""Runs in several parts, for tests: the parts, their merge, and a set in which everything depends on everything."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
from conftest import Outcome, Run, Write, index, urlset

SITE = "https://www.acme.example"
_SCHEMA = json.loads(files("sitemap_action.schemas").joinpath("report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(_SCHEMA)
_MUCH = 300_000
_XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'


def parts(run: Run, count: int, *arguments: str | Path, folder: str = "parts") -> list[Path]:
    """The reports of all parts, each held to the schema."""
    paths = []
    for number in range(1, count + 1):
        outcome = run(*arguments, "--shard", f"{number}/{count}")
        assert outcome.exit_code in (0, 1, 3), outcome.stderr
        if len(outcome.stdout) < _MUCH:  # the validator takes its time
            VALIDATOR.validate(outcome.report)
        path = Path(folder, f"part-{number}", "report.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outcome.stdout, encoding="utf-8")
        paths.append(path)
    return paths


def merged(run: Run, *reports: str | Path, format: str = "json") -> Outcome:
    return run("--merge", *reports, format=format)


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """The same report, but for what the change does to it."""
    report = json.loads(path.read_text(encoding="utf-8"))
    change(report)
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def entry(page: str, lastmod: str = "", **alternates: str) -> str:
    date = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    links = (
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{SITE}/{target}"/>' for code, target in alternates.items()
    )
    return f"<url><loc>{SITE}/{page}</loc>{date}{''.join(links)}</url>"


def entangled() -> dict[str, str]:
    """An index, seven sitemaps and robots.txt; most of what is wrong shows only if several of them are seen."""
    built = [entry(f"news/{number}", "2024-05-01T10:00:00+00:00") for number in range(12)]
    return {
        "robots.txt": f"User-agent: *\nDisallow: /private/\nSitemap: {SITE}/sitemap.xml\nSitemap: {SITE}/gone.xml\n",
        "sitemap.xml": index(*(f"{SITE}/sitemap-{name}" for name in ("a.xml", "b.xml", "c.txt", "d.xml", "none.xml"))),
        "sitemap-a.xml": urlset(
            entry("", "2023-01-01", en="", de="de/"), entry("twice"), entry("twice"), attributes=_XHTML
        ),
        "sitemap-b.xml": urlset(entry("de/", en="nowhere", de="de/"), entry("twice/"), attributes=_XHTML),
        "sitemap-c.txt": f"{SITE}/twice\n{SITE}/private/x\nhttps://shop.acme.example/y\n",
        "sitemap-d.xml": urlset(*built),
        "en/sitemap-e.xml": urlset(entry("en/a"), entry("outside"), "None/x"),
        "sitemap-f.xml": "<urlset",
    }


def write_all(write: Write, contents: dict[str, str], folder: str = "public") -> str:
    for name, text in contents.items():
        write(f"{folder}/{name}", text)
    return folder
