"""What a run leaves with GitHub: the job summary, the comment, and outputs and reports for the steps that follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sitemap_action.formats import render
from sitemap_action.formats.escape import runner_command
from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.report import Report
from sitemap_action.writing import write_whole

# The files that a step leaves for the next ones, by the names of their outputs.
_FILES = {"report-json": ("json", "report.json"), "sarif-file": ("sarif", "report.sarif")}


class Wishes(NamedTuple):
    """What the user wants of GitHub, and the run that it is about."""

    context: Context = Context()
    comment: str = "never"
    comment_key: tuple[str, ...] = ()
    summary: bool | None = None

    @property
    def has_summary(self) -> bool:
        return self.summary is not False and bool(self.context.get("STEP_SUMMARY"))


class OnGitHub:
    """What GitHub does not get is told to the user; it does not change the verdict."""

    def __init__(self, wishes: Wishes, report: Report, style: Style, tell: Callable[[str], None]) -> None:
        self._wishes = wishes
        self._report = report
        self._style = style
        self._tell = tell

    def summary(self, *notes: str) -> str:
        """Made before anything points to it: there may be no room for it, or no file."""
        if not self._wishes.has_summary:
            return ""
        from sitemap_action.github import files

        with self._telling("the job summary"):
            return files.summary(self._report, self._style, notes, self._wishes.context)
        return ""

    def leave(self, code: int, summary: str, written: Mapping[str, Path]) -> None:
        """The comment, which may have something to add to the summary; then whatever other steps will ask for."""
        notes = [note for note in self._notes(code) if note]
        for note in notes:
            self._tell(note)
        if summary and notes:
            summary = self.summary(*notes)
        if summary:
            from sitemap_action.github.files import write_summary

            with self._telling("the job summary"):
                write_summary(summary, self._wishes.context)
        if self._wishes.context.is_active:
            self._leave_for_other_steps(written)

    def _notes(self, code: int) -> Iterator[str]:
        wishes = self._wishes
        if wishes.comment != "never" and not self._report.interrupted:  # who ends a run does not wait for a server
            from sitemap_action.github.comment import keep_up_to_date

            yield keep_up_to_date(self._report, wishes.comment, code, wishes.comment_key, wishes.context)
        if wishes.summary and not wishes.has_summary:
            yield "No job summary: GITHUB_STEP_SUMMARY names no file. --output markdown=PATH writes one."

    def _leave_for_other_steps(self, written: Mapping[str, Path]) -> None:
        """The outputs name reports that are there, and whole."""
        from sitemap_action.github.files import report_folder, write_outputs

        files = {name: written[format].absolute() for name, (format, _) in _FILES.items() if format in written}
        with self._telling("the reports for other steps"):
            folder = report_folder(self._wishes.context) if len(files) < len(_FILES) else None
            for name, (format, file) in _FILES.items():
                if folder is not None and name not in files:
                    write_whole(folder / file, render(format, self._report, self._style))
                    files[name] = folder / file
        with self._telling("the outputs of the step"):
            write_outputs(self._report, files, self._wishes.context)

    @contextmanager
    def _telling(self, what: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._tell(f"Cannot write {what}: {(error.strerror or str(error)).lower()}.")


def as_annotation(words: str, variables: Mapping[str, str]) -> str:
    """A line with which the runner shows an error beside its log; empty where there is no runner."""
    return runner_command("error", {"title": "sitemap-action"}, words) if Context(variables).is_active else ""
