"""Sites of real generators: nothing to complain of as they are built, and each planted defect is found at its line."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Outcome, Run
from generators import GENERATORS, is_installed

SITE = "https://www.acme.example"
# What they do on purpose, and we advise against.
ADVICE = {"sphinx": ["loc-index-html"], "pelican": ["priority-all-equal"]}


@dataclass(frozen=True)
class Built:
    """A built site, the listed URL of one of its pages, and the file of that page."""

    folder: Path
    url: str
    file: Path

    def line(self) -> int:
        """Where the sitemap lists the page."""
        lines = (self.folder / "sitemap.xml").read_text(encoding="utf-8").split("\n")
        return next(number for number, line in enumerate(lines, start=1) if f"<loc>{self.url}</loc>" in line)

    def edit(self, change: Callable[[str], str]) -> None:
        self.file.write_text(change(self.file.read_text(encoding="utf-8")), encoding="utf-8")


@pytest.fixture(scope="module", params=GENERATORS)
def original(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    name: str = request.param
    if not is_installed(name):
        pytest.skip(f"{name} has no package for this system")
    folder = tmp_path_factory.mktemp(name)
    GENERATORS[name](folder / "source", folder / "public", SITE)
    return name, folder / "public"


@pytest.fixture
def built(original: tuple[str, Path], tmp_path: Path) -> Built:
    folder = tmp_path / "public"
    shutil.copytree(original[1], folder)
    listed = re.findall(r"<loc>([^<]+)</loc>", (folder / "sitemap.xml").read_text(encoding="utf-8"))
    url = next(url for url in listed if re.search(r"[a-z/-]3(\.html|/)?$", url))
    name = url.removeprefix(SITE + "/")
    return Built(folder, url, folder / (f"{name}index.html" if name.endswith("/") else name))


def advice(original: tuple[str, Path]) -> list[str]:
    return ADVICE.get(original[0], [])


def assert_found(outcome: Outcome, built: Built, rule: str, original: tuple[str, Path]) -> None:
    """This finding at its line, and no other."""
    assert sorted(outcome.rules()) == sorted([rule, *advice(original)])
    finding = outcome.finding(rule)
    assert (finding["url"], finding["document"], finding["count"]) == (built.url, "public/sitemap.xml", 1)
    assert finding["line"] == built.line()


def test_a_site_is_clean_as_it_is_built(run: Run, built: Built, original: tuple[str, Path]) -> None:
    outcome = run(built.folder)
    assert outcome.rules() == advice(original)
    assert outcome.report["pages"]["checked"] == outcome.report["pages"]["listed"] >= 6


def test_a_deleted_page_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    built.file.unlink()
    assert_found(run(built.folder), built, "page-missing", original)


def test_a_page_with_noindex_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    built.edit(lambda text: text.replace("</head>", '<meta name="robots" content="noindex"></head>'))
    assert_found(run(built.folder), built, "page-noindex", original)


def test_a_canonical_that_names_another_page_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    def change(text: str) -> str:
        without = re.sub(r'<link [^>]*rel="canonical"[^>]*>', "", text)
        return without.replace("</head>", f'<link rel="canonical" href="{SITE}/"></head>')

    built.edit(change)
    assert_found(run(built.folder), built, "page-canonical-elsewhere", original)


def test_a_page_that_became_a_redirect_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    built.edit(lambda text: f'<!doctype html><title>Moved</title><meta http-equiv="refresh" content="0; url={SITE}/">')
    assert_found(run(built.folder), built, "page-redirects", original)


def test_a_disallowed_page_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    path = built.url.removeprefix(SITE)
    robots = f"User-agent: *\nDisallow: {path}\nSitemap: {SITE}/sitemap.xml\n"
    (built.folder / "robots.txt").write_text(robots, encoding="utf-8")
    assert_found(run(built.folder), built, "page-blocked-by-robots", original)


def test_a_page_that_is_not_listed_is_found(run: Run, built: Built, original: tuple[str, Path]) -> None:
    other = built.folder / "forgotten.html"
    text = built.file.read_text(encoding="utf-8")
    other.write_text(re.sub(r'<link [^>]*rel="canonical"[^>]*>', "", text), encoding="utf-8")
    outcome = run(built.folder)
    assert sorted(outcome.rules()) == sorted(["page-not-listed", *advice(original)])
    assert outcome.finding("page-not-listed")["url"] == f"{SITE}/forgotten.html"
