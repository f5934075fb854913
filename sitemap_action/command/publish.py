"""Where a report goes: standard output, files, and what GitHub keeps of a run."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import click

from sitemap_action.formats import render
from sitemap_action.formats.escape import clean, command, inert
from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.report import Report

# The files that a step on GitHub leaves for the next ones, by the names of their outputs.
_STEP_FILES = {"report-json": ("json", "report.json"), "sarif-file": ("sarif", "report.sarif")}
# Lines of a summary that had room for no more, with what parts it from the text before.
_MERE_VERDICT = 3
_SIGPIPE = 13


class Publishing(NamedTuple):
    """What is to be written, and where."""

    format: str = "text"
    outputs: tuple[tuple[str, Path], ...] = ()
    style: Style = Style()
    comment: str = "never"
    comment_key: tuple[str, ...] = ()
    summary: bool | None = None
    context: Context = Context()

    @property
    def has_summary(self) -> bool:
        return self.summary is not False and bool(self.context.get("STEP_SUMMARY"))

    def write(self, report: Report, code: int, *, prints: bool) -> None:
        """To every place that there is: what one of them cannot take, the others have; then it is an error."""
        plain = Style(workspace=self.context.workspace)
        style = self.style._replace(workspace=plain.workspace)
        summary = self._summary(report, plain)
        if summary.count("\n") > _MERE_VERDICT:
            style = style._replace(has_summary=True)
        failures: list[str] = []
        written: dict[str, Path] = {}
        for format, path in self.outputs:
            with _keeping(failures):
                to_file(path, render(format, report, plain))
                written.setdefault(format, path)
        if prints:
            with _keeping(failures), suppress(ReaderGone):
                to_stdout(render(self.format, report, style), style.color)
        self._tell_github(report, code, plain, summary, written)
        if failures:
            raise click.UsageError(" ".join(failures))

    def _summary(self, report: Report, style: Style, *notes: str) -> str:
        """Made before anything points to it: there may be no room for it, or no file."""
        if not self.has_summary:
            return ""
        from sitemap_action.github import files

        with _telling("the job summary"):
            return files.summary(report, style, notes, self.context)
        return ""

    def _tell_github(self, report: Report, code: int, style: Style, summary: str, written: dict[str, Path]) -> None:
        notes = []
        if self.comment != "never" and not report.interrupted:  # who ends a run does not wait for a server
            from sitemap_action.github.comment import keep_up_to_date

            notes.append(keep_up_to_date(report, self.comment, code, self.comment_key, self.context))
        if self.summary and not self.has_summary:
            notes.append("No job summary: GITHUB_STEP_SUMMARY names no file. --output markdown=PATH writes one.")
        notes = [note for note in notes if note]
        for note in notes:
            tell(note)
        if summary and notes:
            summary = self._summary(report, style, *notes)
        if summary:
            from sitemap_action.github.files import write_summary

            with _telling("the job summary"):
                write_summary(summary, self.context)
        if self.context.is_active:
            self._leave_for_other_steps(report, style, written)

    def _leave_for_other_steps(self, report: Report, style: Style, written: dict[str, Path]) -> None:
        """The outputs name reports that are there, and whole."""
        from sitemap_action.github.files import report_folder, write_outputs

        files = {name: written[format].absolute() for name, (format, _) in _STEP_FILES.items() if format in written}
        with _telling("the reports for other steps"):
            folder = report_folder(self.context) if len(files) < len(_STEP_FILES) else None
            for name, (format, file) in _STEP_FILES.items():
                if folder is not None and name not in files:
                    _write_whole(folder / file, render(format, report, style))
                    files[name] = folder / file
        with _telling("the outputs of the step"):
            write_outputs(report, files, self.context)


@contextmanager
def _keeping(failures: list[str]) -> Iterator[None]:
    try:
        yield
    except click.UsageError as failure:
        failures.append(failure.message)


@contextmanager
def _telling(what: str) -> Iterator[None]:
    """What GitHub does not get is said; it does not change the verdict."""
    try:
        yield
    except OSError as error:
        tell(f"Cannot write {what}: {(error.strerror or str(error)).lower()}.")


def tell(note: str) -> None:
    click.echo(inert(clean(note)), err=True)


@contextmanager
def harmless_messages() -> Iterator[None]:
    """An impossible request is told in words that a log can hold, and on GitHub as an annotation as well."""
    try:
        yield
    except click.UsageError as error:
        words = inert(clean(error.format_message()))
        if Context(os.environ).is_active:
            click.echo(command("error", {"title": "sitemap-action"}, words), err=True)
        raise click.UsageError(words, error.ctx) from None


class ReaderGone(click.exceptions.Exit):
    """Nobody reads standard output any more; where that ends the run, it does so as for other programs in a pipe."""

    def __init__(self) -> None:
        super().__init__(128 + _SIGPIPE)


def to_stdout(text: str, color: bool = False) -> None:
    """To standard output, in its own encoding if it has been given one."""
    with said_if_full():
        click.echo(text, file=sys.stdout, nl=False, color=color)
        if sys.stdout is not None:
            sys.stdout.flush()


@contextmanager
def said_if_full() -> Iterator[None]:
    """A full disk is said, and that a reader has gone away is known by its own name."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        _turn_away_from_stdout()
        if error.errno == errno.EPIPE:
            raise ReaderGone from None
        raise click.UsageError(f"Cannot write to standard output: {(error.strerror or str(error)).lower()}.") from None


def _turn_away_from_stdout() -> None:
    """Python would try once more at the end what could not be written, and complain."""
    with suppress(OSError, ValueError):  # what stands in for it in tests has no number
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def let_output_hold_any_character() -> None:
    """A pipe on Windows speaks an old code page unless told otherwise; an encoding that was chosen stays."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        chosen = sys.stdout.isatty() or bool(os.environ.get("PYTHONIOENCODING"))
        sys.stdout.reconfigure(encoding=None if chosen else "utf-8", errors="backslashreplace")


def to_file(path: Path, text: str) -> None:
    """A file of one's choice."""
    try:
        _write_whole(path, text)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {(error.strerror or str(error)).lower()}.") from None


def _write_whole(path: Path, text: str) -> None:
    """Beside the place first, then moved into it: nobody reads half a report. Devices and pipes are written to."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    import secrets

    # A name that nobody can have made a link of, and of a file that is made here or not at all.
    part = target.with_name(f".sitemap-action-{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
