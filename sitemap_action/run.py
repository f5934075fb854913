"""From a request to an exit code: walk, check, report, write. The straight line of the program."""

from __future__ import annotations

import errno
import gc
import io
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from sitemap_action.check import Checker
from sitemap_action.formats import render
from sitemap_action.formats.escape import clean
from sitemap_action.formats.style import Style
from sitemap_action.model import Document, Severity
from sitemap_action.report import Policy, Report
from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule
from sitemap_action.site import Scope, Site
from sitemap_action.sources import display, sitemap_files
from sitemap_action.walk import Walk

_USUAL_FOLDERS = ("public", "dist", "_site", "build", "out", "site", "docs", ".")


@dataclass(frozen=True)
class Request:
    """What the user asked for, checked and typed."""

    targets: tuple[Path, ...] = ()
    scope: Scope = field(default_factory=Scope)
    policy: Policy = field(default_factory=Policy)
    rules: tuple[type[Rule], ...] = ()
    fail_on: str = "error"
    min_score: float | None = None
    format: str = "text"
    outputs: tuple[tuple[str, Path], ...] = ()
    max_bytes: int = 200_000_000
    urls_only: bool = False
    style: Style = field(default_factory=Style)

    @classmethod
    def from_options(cls, **values: Any) -> Request:
        grades: dict[str, str] = dict(values["severity"])
        return cls(
            targets=tuple(values["targets"]),
            scope=Scope(values["site_url"], frozenset(values["allow_host"])),
            policy=Policy(
                {rule: Severity(grade) for rule, grade in grades.items() if grade != "off"},
                values["ignore_url"],
                values["max_findings"],
            ),
            rules=_chosen(grades, set(values["select"]), set(values["ignore"])),
            fail_on=values["fail_on"],
            min_score=values["min_score"],
            format=values["format_"],
            outputs=tuple(values["output"]),
            max_bytes=values["max_bytes"],
            urls_only=values["urls"],
            style=_style(values["color"], values["quiet"], values["verbose"]),
        )


def _chosen(grades: dict[str, str], selected: set[str], ignored: set[str]) -> tuple[type[Rule], ...]:
    """`--select` keeps only those; a grade switches a rule on that is off by default, `off` switches it off."""
    return tuple(
        rule
        for rule in all_rules().values()
        if (rule.id in selected if selected else not rule.off_by_default or rule.id in grades)
        and rule.id not in ignored
        and grades.get(rule.id) != "off"
    )


def _style(color: bool | None, quiet: bool, verbose: bool) -> Style:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    if color is None:
        color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if is_terminal else None
    return Style(color=color, width=width, quiet=quiet, verbose=verbose)


def check(request: Request) -> int:
    """Judge the targets, write what was asked for, return the exit code."""
    _let_output_hold_any_character()
    gc.disable()  # columns are let go one by one; hunting for cycles among millions of strings finds none
    targets = request.targets or (_usual_folder(),)
    report = Report([display(target) for target in targets], request.policy)
    listed: set[str] = set()
    for document in _checked(Walk(targets, request.scope, request.max_bytes), request, report):
        if request.urls_only:
            _print_urls(document, listed)
    for format, path in request.outputs:
        _write(path, render(format, report, Style()))
    if not request.urls_only:
        _print(render(request.format, report, request.style), request.style.color)
    return report.gate(request.fail_on, request.min_score)


def _print(text: str, color: bool = False) -> None:
    """To standard output; a full disk is said, a reader that has gone away is click's to handle."""
    try:
        click.echo(text, nl=False, color=color)
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        raise click.UsageError(f"Cannot write to standard output: {(error.strerror or str(error)).lower()}.") from None


def _let_output_hold_any_character() -> None:
    """A pipe on Windows speaks an old code page unless told otherwise; an encoding that was chosen stays."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        chosen = sys.stdout.isatty() or bool(os.environ.get("PYTHONIOENCODING"))
        sys.stdout.reconfigure(encoding=None if chosen else "utf-8", errors="backslashreplace")


def _checked(walk: Walk, request: Request, report: Report) -> Iterator[Document]:
    """Every document, after its findings have been taken and before its values go."""
    checkers: dict[int, Checker] = {}

    def checker_of(site: Site) -> Checker:
        if id(site) not in checkers:
            checkers[id(site)] = Checker(site, request.rules)
        return checkers[id(site)]

    for site, document in walk.documents():
        report.documents.append(document)
        report.add(checker_of(site).check(document))
        yield document
        document.release(walk.spool)
    for site in walk.sites:
        report.add(checker_of(site).finish())
    report.sites = walk.sites


def _usual_folder() -> Path:
    for name in _USUAL_FOLDERS[:-1]:
        folder = Path(name)
        if folder.is_dir() and next(sitemap_files(folder), None) is not None:
            return folder
    return Path(_USUAL_FOLDERS[-1])


def _print_urls(document: Document, listed: set[str]) -> None:
    if document.is_index:
        return
    fresh = [loc for loc in document.locs if loc and loc not in listed]
    _print("".join(f"{clean(loc)}\n" for loc in dict.fromkeys(fresh)))
    listed.update(fresh)


def _write(path: Path, text: str) -> None:
    """Beside the place first, then moved into it: nobody reads half a report. Devices and pipes are written to."""
    try:
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        if target.exists() and not target.is_file():
            with target.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.part")
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(target)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {(error.strerror or str(error)).lower()}.") from None
