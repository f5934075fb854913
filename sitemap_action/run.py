"""From a request to an exit code: walk, check, report, write. The straight line of the program."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sitemap_action.check import Checker, judges_pages
from sitemap_action.formats.escape import clean, clean_lines, inert
from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.interrupt import Interrupted, Interrupts
from sitemap_action.model import Severity
from sitemap_action.net.manners import Manners
from sitemap_action.pool import Pool, available
from sitemap_action.progress import Progress
from sitemap_action.publish import Publishing, let_output_hold_any_character, to_stdout
from sitemap_action.reading import Assignment, Reader
from sitemap_action.report import Report
from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule
from sitemap_action.sieve import Policy
from sitemap_action.site import Scope, Site
from sitemap_action.sources import display, sitemap_files
from sitemap_action.spool import Seen
from sitemap_action.urls import Url
from sitemap_action.walk import Walk

if TYPE_CHECKING:
    from sitemap_action.crawl import Crawl

_LIVE_PAGES = 1_000
_USUAL_FOLDERS = ("public", "dist", "_site", "build", "out", "site", "docs", ".")


@dataclass(frozen=True)
class Request:
    """What the user asked for, checked and typed."""

    targets: tuple[Path, ...] = ()
    origins: tuple[Url, ...] = ()
    scope: Scope = field(default_factory=Scope)
    policy: Policy = field(default_factory=Policy)
    rules: tuple[type[Rule], ...] = ()
    fail_on: str = "error"
    min_score: float | None = None
    publishing: Publishing = field(default_factory=Publishing)
    manners: Manners = field(default_factory=Manners)
    max_sitemaps: int = 50_000
    pages: bool = True
    pages_limit: int | None = None
    urls_only: bool = False
    jobs: int | None = None

    @classmethod
    def from_options(cls, **values: Any) -> Request:
        grades: dict[str, str] = dict(values["severity"])
        files = tuple(target for target in values["targets"] if isinstance(target, Path))
        origins = tuple(target for target in values["targets"] if isinstance(target, Url))
        if files and origins:
            raise click.UsageError("Files and live origins cannot be checked in one run; run the command twice.")
        return cls(
            targets=files,
            origins=origins,
            scope=Scope(
                values["site_url"], frozenset(values["allow_host"]), frozenset(target.host for target in origins)
            ),
            policy=Policy(
                {rule: Severity(grade) for rule, grade in grades.items() if grade != "off"},
                values["ignore_url"],
                values["max_findings"],
            ),
            rules=_chosen(grades, set(values["select"]), set(values["ignore"])),
            fail_on=values["fail_on"],
            min_score=values["min_score"],
            publishing=_publishing(
                values, [str(target) for target in files] or [_as_typed(target) for target in origins]
            ),
            manners=_manners(values) if origins else Manners(max_bytes=values["max_bytes"]),
            max_sitemaps=values["max_sitemaps"],
            pages=not origins if values["pages"] is None else values["pages"],
            pages_limit=values["pages_limit"] or (_LIVE_PAGES if origins else None),
            urls_only=values["urls"],
            jobs=values["jobs"],
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


def _manners(values: dict[str, Any]) -> Manners:
    authorities = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("SSL_CERT_FILE") or None
    if authorities is not None and not os.path.exists(authorities):
        raise click.UsageError(
            f"There are no certificates at {authorities}, which REQUESTS_CA_BUNDLE or SSL_CERT_FILE names."
        )
    return Manners(
        timeout=values["timeout"],
        concurrency=values["concurrency"],
        retries=values["retries"],
        user_agent=values["user_agent"],
        headers=tuple(values["header"]),
        max_bytes=values["max_bytes"],
        authorities=authorities,
    )


def _publishing(values: dict[str, Any], targets: list[str]) -> Publishing:
    """Several comments of a job are told apart by what they are about: the site, or else what was typed."""
    context = Context(dict(os.environ))
    site = values["site_url"]
    return Publishing(
        format=values["format_"] or ("github" if context.is_active else "text"),
        outputs=tuple(values["output"]),
        style=_style(values["color"], values["quiet"], values["verbose"]),
        comment=values["comment"],
        comment_key=(site.text,) if site is not None and targets and "://" in targets[0] else tuple(targets),
        summary=values["summary"],
        context=context,
    )


def _style(color: bool | None, quiet: bool, verbose: bool) -> Style:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    if color is None:
        color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if is_terminal else None
    return Style(color=color, width=width, quiet=quiet, verbose=verbose)


def check(request: Request) -> int:
    """Judge the targets, write what was asked for, return the exit code."""
    let_output_hold_any_character()
    gc.disable()  # columns are let go one by one; hunting for cycles among millions of strings finds none
    walk, report = _begin(request)
    progress = _progress(request)
    reader = _reader(request, walk.keeps_roll)
    interrupts = Interrupts()
    try:
        with interrupts.listening():
            try:
                _read_all(walk, reader, request, report, progress)
                code = report.gate(request.fail_on, request.min_score)
            except Interrupted:
                interrupts.heard()
                code = report.end_early(interrupts.name, interrupts.code, walk.sites)
            progress.clear()
            request.publishing.write(report, code, prints=not request.urls_only)
    except Interrupted:  # while it was written: files are there or not, but never half
        code = interrupts.code
    finally:
        progress.clear()
        reader.close()
        walk.close()
    if request.urls_only:
        click.echo(
            "".join(f"Not judged: {inert(clean(reason))}\n" for reason in report.inconclusive), nl=False, err=True
        )
    return code


def _begin(request: Request) -> tuple[Walk | Crawl, Report]:
    """How the targets are walked, and the empty report; what the network needs is imported for it alone."""
    if not request.origins:
        targets = request.targets or (_usual_folder(),)
        scope = request.scope if request.targets else replace(request.scope, tried=_USUAL_FOLDERS[:-1])
        report = Report([display(target) for target in targets], request.policy)
        walk = Walk(targets, scope, request.manners.max_bytes, request.pages, request.pages_limit)
        return walk, report
    from sitemap_action.crawl import Crawl
    from sitemap_action.net.client import Client

    own = frozenset(target.origin for target in request.origins)
    client = Client(request.manners, own, request.scope.typed_hosts)
    report = Report([_as_typed(target) for target in request.origins], request.policy, "origin")
    most = request.pages_limit if request.pages else None
    return Crawl(request.origins, request.scope, client, request.max_sitemaps, most), report


def _as_typed(target: Url) -> str:
    return target.origin + target.path + (f"?{target.query}" if target.query else "")


def _progress(request: Request) -> Progress:
    """Not while URLs are printed on the same terminal."""
    mixed = request.urls_only and sys.stdout is not None and sys.stdout.isatty()
    return Progress(sys.stderr, wanted=not request.publishing.style.quiet and not mixed)


def _reader(request: Request, keeps_roll: bool) -> Reader:
    """Files are read by as many processes as are wanted; what a server sends is read as it comes."""
    assignment = Assignment(
        request.scope,
        request.rules,
        request.policy,
        request.manners.max_bytes,
        live=bool(request.origins),
        keeps_roll=keeps_roll and judges_pages(request.rules),
        keeps_locs=request.urls_only,
    )
    jobs = available() if request.jobs is None else request.jobs
    return Reader(assignment) if request.origins or jobs == 1 else Pool(assignment, jobs)


def _read_all(walk: Walk | Crawl, reader: Reader, request: Request, report: Report, progress: Progress) -> None:
    """Every document, then what only the whole sets show."""
    listed = Seen()
    checkers: dict[int, Checker] = {}

    def checker_of(site: Site) -> Checker:
        if id(site) not in checkers:
            checkers[id(site)] = Checker(site, request.rules, walk.pages_of(site))
            checkers[id(site)].watch = progress.show_page
        return checkers[id(site)]

    walk.watch = progress.show
    for site, document, record in walk.documents(reader):
        progress.known = walk.known
        progress.show(document.location)
        report.documents.append(document)
        report.take(record.sifted)
        checker_of(site).remember(document, record.notes)
        if request.urls_only:
            _print_urls(record.locs, listed)
        progress.done += 1
        progress.urls += 0 if document.is_index else document.summary.entries
    for site in walk.sites:
        report.add(checker_of(site).finish())
    report.sites = walk.sites


def _usual_folder() -> Path:
    for name in _USUAL_FOLDERS[:-1]:
        folder = Path(name)
        if folder.is_dir() and next(sitemap_files(folder), None) is not None:
            return folder
    return Path(_USUAL_FOLDERS[-1])


def _print_urls(locs: Sequence[str], listed: Seen) -> None:
    to_stdout(clean_lines([loc for loc in locs if listed.add(hash(loc))]))
