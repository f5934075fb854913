"""Where a report goes: standard output, files, and GitHub; and what is told beside it."""

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
from sitemap_action.formats.escape import clean, inert
from sitemap_action.formats.style import Style
from sitemap_action.github.step import OnGitHub, Wishes, as_annotation
from sitemap_action.report import Report
from sitemap_action.writing import write_whole

# Lines of a summary that had room for no more, with what parts it from the text before.
_MERE_VERDICT = 3
_SIGPIPE = 13


class Publishing(NamedTuple):
    """What is to be written, and where."""

    format: str = "text"
    outputs: tuple[tuple[str, Path], ...] = ()
    style: Style = Style()
    wishes: Wishes = Wishes()

    def write(self, report: Report, code: int, *, prints: bool) -> None:
        """To every place that there is: what one of them cannot take, the others have; then it is an error."""
        plain = Style(workspace=self.wishes.context.workspace)
        style = self.style._replace(workspace=plain.workspace)
        on_github = OnGitHub(self.wishes, report, plain, tell)
        summary = on_github.summary()
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
        on_github.leave(code, summary, written)
        if failures:
            raise click.UsageError(" ".join(failures))


@contextmanager
def _keeping(failures: list[str]) -> Iterator[None]:
    try:
        yield
    except click.UsageError as failure:
        failures.append(failure.message)


def tell(note: str) -> None:
    click.echo(inert(clean(note)), err=True)


@contextmanager
def harmless_messages() -> Iterator[None]:
    """An impossible request is told in words that a log can hold, and on GitHub as an annotation as well."""
    try:
        yield
    except click.UsageError as error:
        words = inert(clean(error.format_message()))
        annotation = as_annotation(words, os.environ)
        if annotation:
            click.echo(annotation, err=True)
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
        write_whole(path, text)
    except OSError as error:
        raise click.UsageError(f"Cannot write {path}: {(error.strerror or str(error)).lower()}.") from None
