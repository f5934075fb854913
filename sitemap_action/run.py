"""From a request to an exit code: walk, check, report, write. The straight line of the program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitemap_action.check import Checker, judges_pages
from sitemap_action.command.progress import Progress
from sitemap_action.command.publish import to_stdout
from sitemap_action.command.request import Request, as_typed
from sitemap_action.formats.escape import clean, clean_lines, inert
from sitemap_action.interrupt import Interrupted, Interrupts
from sitemap_action.reading import Assignment, Reader
from sitemap_action.reading.pool import Pool, available
from sitemap_action.report import Report
from sitemap_action.site import Site
from sitemap_action.sources import display, is_file, is_folder, sitemap_files
from sitemap_action.spool import Seen
from sitemap_action.walk import Walk
from sitemap_action.walk.built import BuiltWalk

if TYPE_CHECKING:
    from sitemap_action.net.client import Client
    from sitemap_action.parts.part import Part

_USUAL_FOLDERS = ("public", "dist", "_site", "build", "out", "site", "docs", ".")


def check(request: Request) -> int:
    """Judge the targets, write what was asked for, return the exit code."""
    walk, report = _begin(request)
    part = report.part = _part(request, walk)
    progress = _progress(request)
    reader = _reader(request, walk.keeps_roll)
    interrupts = Interrupts()
    try:
        with interrupts.listening():
            try:
                with _believed(request):
                    _read_all(walk, reader, request, report, progress, part)
                code = report.gate(request.fail_on, request.min_score)
            except BaseException:
                if interrupts.signal is None:
                    raise
                # It is Interrupted, or something that could not go on after it.
                interrupts.heard()
                code = report.end_early(interrupts.name, interrupts.code, walk.sites)
            interrupts.telling()
            progress.clear()
            request.publishing.write(report, code, prints=not request.urls_only)
            code = interrupts.code or code
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


def _begin(request: Request) -> tuple[Walk, Report]:
    """How the targets are walked, and the empty report; what the network needs is imported for it alone."""
    if not request.origins:
        targets = request.targets or (_usual_folder(),)
        scope = request.scope if request.targets else replace(request.scope, tried=_USUAL_FOLDERS[:-1])
        report = Report([display(target) for target in targets], request.policy)
        limit = request.manners.max_bytes
        return BuiltWalk(targets, scope, limit, request.pages, request.pages_limit, request.share), report
    from sitemap_action.walk.live import LiveWalk

    report = Report([as_typed(target) for target in request.origins], request.policy, "origin")
    wanted = (request.max_sitemaps, request.pages, request.pages_limit, request.share)
    return LiveWalk(request.origins, request.scope, _client(request), *wanted), report


def _part(request: Request, walk: Walk) -> Part | None:
    """What this run will leave behind for a merge."""
    if not request.is_part:
        return None
    from sitemap_action.parts.part import Part

    return Part(request.share, request.settings, request.scope.now.isoformat(), walk.answers)


def _client(request: Request) -> Client:
    """Who asks the servers; a part remembers what they say, and where all parts are there it has been said."""
    from sitemap_action.net.client import Client

    own = frozenset(target.origin for target in request.origins)
    asked = (request.manners, own, request.scope.typed_hosts)
    if not request.is_part and not request.parts:
        return Client(*asked)
    from sitemap_action.parts.replay import Recording, Replaying

    if request.parts:
        return Replaying(*asked, parts=request.parts)
    return Recording(*asked)


def _believed(request: Request) -> AbstractContextManager[None]:
    if not request.parts:
        return nullcontext()
    from sitemap_action.parts.replay import held_to_the_parts

    return held_to_the_parts()


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
        is_single=len(request.targets) == 1 and is_file(request.targets[0]),
        is_shared=bool(request.parts) or request.is_part,
        is_part=request.is_part,
    )
    if request.parts:
        from sitemap_action.parts.replay import Recorded

        return Recorded(assignment, request.parts)
    jobs = available() if request.jobs is None else request.jobs
    return Reader(assignment) if request.origins or jobs == 1 else Pool(assignment, jobs)


def _read_all(
    walk: Walk, reader: Reader, request: Request, report: Report, progress: Progress, part: Part | None
) -> None:
    """Every document, then what only the whole sets show; of a part that is not to be seen."""
    listed = Seen()
    checkers: dict[int, Checker] = {}

    def checker_of(site: Site) -> Checker:
        if id(site) not in checkers:
            checkers[id(site)] = Checker(site, request.rules, walk.pages_of(site), progress.show_page)
        return checkers[id(site)]

    walk.watch = progress.show
    for site, document, record in walk.documents(reader):
        progress.known = walk.known
        progress.show(document.location)
        report.documents.append(document)
        report.take(record.sifted)
        if part is not None:
            part.keep(record)
        if request.share.is_whole:
            checker_of(site).remember(document, record.notes)
        if request.urls_only:
            _print_urls(record.locs, listed)
        progress.done += 1
        progress.urls += 0 if document.is_index else document.summary.entries
    reader.finish()
    report.elsewhere = walk.elsewhere
    for site in walk.sites if request.share.is_whole else ():
        report.add(checker_of(site).finish())
    report.sites = walk.sites


def _usual_folder() -> Path:
    for name in _USUAL_FOLDERS[:-1]:
        folder = Path(name)
        if is_folder(folder) and next(sitemap_files(folder), None) is not None:
            return folder
    return Path(_USUAL_FOLDERS[-1])


def _print_urls(locs: Sequence[str], listed: Seen) -> None:
    to_stdout(clean_lines([loc for loc in locs if listed.add(hash(loc))]))
