"""Targets that go all the way: a document to a report in every format, and whole sites through the command."""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from click.testing import CliRunner, Result
from judging import judged as judged_document

from fuzz import inert, seeds, words
from fuzz.engine import Outcome, Target
from fuzz.sites import hosting_seeds
from sitemap_action.cli import main
from sitemap_action.formats import FORMATS, render
from sitemap_action.formats.style import Style
from sitemap_action.model import Document
from sitemap_action.parse import parse
from sitemap_action.report import Report
from sitemap_action.report.sieve import Policy
from sitemap_action.rules import all_rules
from sitemap_action.site import Scope, Site
from sitemap_action.site.robots import read_robots

_RULES = tuple(all_rules().values())
_LIMIT = 5_000_000
_NAMES = (
    "public/sitemap.xml",
    "sitemap.txt",
    "a/::error::forged ##[error]x.xml",
    "https://www.acme.example/sitemap.xml.gz",
    "",
)
_STYLES = (Style(), Style(color=True, width=40, verbose=True), Style(quiet=True), Style(verbose=True, has_summary=True))
# One in so many is held to the schemas, which takes longer than all the rest.
_THOROUGH = 8
_SHORT = 4_000


def judged(data: bytes, name: str, robots: bytes) -> Report:
    """A document through reader, rules and report, without the file system."""
    site = Site(Scope())
    site.robots = read_robots("robots.txt", robots) if robots else None
    document = parse(Document(name), data, limit=_LIMIT)
    document.found_by.append("argument")
    # Without a limit all findings are listed, which takes as long as there are many.
    most = len(data) % 12 if len(data) < _SHORT else 5
    report = judged_document(document, site, _RULES, Policy(max_findings=most), _LIMIT)
    report.gate("error", None)
    return report


def run_report(data: bytes) -> Outcome:
    """The document, its name and a robots.txt are all in the hands of a stranger."""
    choice = zlib.crc32(data)
    sitemap, _, robots = data.partition(b"\n--- robots.txt\n")
    name = _NAMES[choice % len(_NAMES)] or (robots or sitemap)[:80].decode("utf-8", "replace")
    report = judged(sitemap, name, robots)
    written = {}
    for number, format in enumerate(FORMATS):
        written[format] = render(format, report, _STYLES[(choice >> number) % len(_STYLES)])
        inert.hold(format, written[format], thorough=choice % _THOROUGH == 0)
    rules = sorted({(finding.rule.id, finding.severity.value) for finding in report.findings()})
    return Outcome((report.documents[0].format, rules), list(written.values()))


def run_command(data: bytes) -> Outcome:
    """The files of a stranger's site, and options that fit; in any case a clean end."""
    random = Random(zlib.crc32(data))
    with _folder() as folder:
        for name, content in seeds.parted(data).items():
            _write(folder / "site" / name, content)
        format = random.choice(FORMATS)
        options = _options(random)
        variables = _on_github(folder) if random.random() < 0.3 else {}
        result = invoked(["--format", format, *options, "site"], variables)
        hold_run(result, format, options)
        for told in ("summary.md", "outputs"):
            if (folder / told).exists():
                _hold_step_file(told, (folder / told).read_text(encoding="utf-8"))
    kind: object = (format, result.exit_code)
    if format == "json" and "--urls" not in options:
        found = json.loads(result.stdout)
        kind = sorted({finding["rule"] for finding in found["findings"]})
    return Outcome((kind, [option for option in options if option.startswith("--")]), (result.exit_code, result.stdout))


def hold_run(result: Result, format: str, options: list[str]) -> None:
    """What a run of the command promises, whatever it was run on."""
    assert result.exit_code in (0, 1), f"exit code {result.exit_code}: {result.output[:300]}"
    assert "Traceback" not in result.stderr, "a traceback"
    inert.steers_nothing(result.stderr)
    if "--urls" in options:
        inert.steers_nothing(result.stdout)
        return
    inert.hold(format, result.stdout, thorough=len(result.stdout) % _THOROUGH == 0)
    if format == "json":
        report = json.loads(result.stdout)
        assert report["gate"]["passed"] == (result.exit_code == 0), "another exit code than the gate's"


def _hold_step_file(name: str, text: str) -> None:
    if name == "summary.md":
        inert.hold("markdown", text, thorough=False)
        return
    names = [line.partition("=")[0] for line in text.splitlines()]
    assert names == ["verdict", "score", "errors", "warnings", "urls", "report-json", "sarif-file"], "forged outputs"


def _options(random: Random) -> list[str]:
    menu = (
        ["--verbose"],
        ["--quiet"],
        ["--color"],
        ["--urls"],
        ["--no-pages"],
        ["--max-findings", random.choice("0123")],
        ["--pages-limit", random.choice("123")],
        ["--fail-on", random.choice(("never", "warning"))],
        ["--site-url", random.choice(("https://www.acme.example/", "http://b.example/repo/"))],
        ["--allow-host", "b.example"],
        ["--ignore-url", random.choice(("*", "*a*", "https://?*"))],
        ["--max-bytes", random.choice(("10", "1000"))],
        ["--min-score", "0.5"],
    )
    return [word for words_of in menu if random.random() < 0.12 for word in words_of]


def _on_github(folder: Path) -> dict[str, str]:
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(folder),
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
        "GITHUB_OUTPUT": str(folder / "outputs"),
        "RUNNER_TEMP": str(folder),
    }


def invoked(arguments: list[str], variables: dict[str, str]) -> Result:
    """The command in this process; what it raises goes on."""
    separate: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SITEMAP_ACTION_", "GITHUB_"))}
    with mock.patch.dict(os.environ, {**clean, **variables}, clear=True):
        result = CliRunner(**separate).invoke(main, arguments)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """A working directory that goes away again; always of the same name, because reports quote it."""
    folder = Path(tempfile.gettempdir()) / f"fuzz-command-{os.getpid()}"
    before = Path.cwd()
    (folder / "site").mkdir(parents=True)
    os.chdir(folder)
    try:
        yield folder
    finally:
        os.chdir(before)
        shutil.rmtree(folder)


def _write(path: Path, content: bytes) -> None:
    """A name that this file system does not take, or that is a folder already, is left out."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


_DICTIONARY = words.MARKUP + words.TEXT + words.URLS + words.VALUES + words.ORDERS + words.ORDERS
_STRANGE = (
    b"robots.txt", b"index.html", b"_redirects", b"_headers", b"vercel.json", b"netlify.toml", b"CNAME", b"a.html",
    b"staticwebapp.config.json", b"::error::sitemap.xml", b"a\xffsitemap.xml", b"sitemap ##[error].txt",
    b"sitemap.xml.gz", b"\xe2\x80\xaesitemap.xml", b"a\rsitemap.xml", b"%2e%2e/sitemap.xml", b"sitemap_index.xml",
)  # fmt: skip
_FILES = tuple(b"\n--- %s\n" % name for name in _STRANGE)
_BESIDE = (*_FILES, *words.ROBOTS, *words.HTML, *words.HOSTING)


def _documents() -> list[bytes]:
    return seeds.contents(
        lambda name, data: "sitemap" in name or b"<loc" in data or b"<rss" in data or b"<feed" in data
    )


def _sites() -> list[bytes]:
    home = b"<url><loc>https://www.acme.example/%s</loc></url>"
    listed = b"".join(home % path for path in (b"", b"a/", b"a/b.html", b"x"))
    sitemap = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">%s</urlset>' % listed
    page = b"<!doctype html><title>x</title><p>x"
    bare = seeds.joined({"sitemap.xml": sitemap, "index.html": page, "a/index.html": page})
    return seeds.sites() + [bare + b"\n--- " + configuration for configuration in hosting_seeds()]


TARGETS = (
    Target("report", _documents, (*_DICTIONARY, b"\n--- robots.txt\n", *words.ROBOTS), run_report),
    Target("command", _sites, (*_DICTIONARY, *_BESIDE, *_BESIDE), run_command),
)
