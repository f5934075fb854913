"""What a step leaves behind on GitHub: outputs for other steps, and the job summary."""

from __future__ import annotations

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from sitemap_action.formats.markdown_format import ROOM, within
from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.report import Report


def report_folder(context: Context) -> Path | None:
    """A folder of this run's own, kept until the job ends; several steps of a job do not share one."""
    temporary = context.variables.get("RUNNER_TEMP", "")
    if not context.is_active or not temporary:
        return None
    return Path(tempfile.mkdtemp(prefix="sitemap-action-", dir=temporary))


def write_outputs(report: Report, files: dict[str, Path], context: Context) -> None:
    path = context.get("OUTPUT")
    if not path:
        return
    counts = report.counts
    values = {
        "verdict": report.verdict,
        "score": str(report.score),
        "errors": str(counts["error"]),
        "warnings": str(counts["warning"]),
        "urls": str(report.urls),
        **{name: str(file) for name, file in files.items()},
    }
    _append(path, "".join(_assignment(name, value) for name, value in values.items()))


def _assignment(name: str, value: str) -> str:
    """A value of several lines stands between marks that nobody can guess."""
    if value.isprintable():
        return f"{name}={value}\n"
    mark = f"end_{secrets.token_hex(16)}"
    return f"{name}<<{mark}\n{value}\n{mark}\n"


def summary(report: Report, style: Style, notes: tuple[str, ...], context: Context) -> str:
    """What there is room for behind what the step has written already; an OSError if nothing can be written."""
    path = context.get("STEP_SUMMARY")
    _append(path, "")
    used = os.path.getsize(path)
    text = within(ROOM - used - 2, report, style, notes)
    if not text:
        raise OSError(f"it has {used:,} bytes already, and GitHub shows at most {ROOM:,}")
    return ("\n\n" if used else "") + text


def write_summary(text: str, context: Context) -> None:
    _append(context.get("STEP_SUMMARY"), text)


def _append(path: str, text: str) -> None:
    """All of it or nothing: of a line that is cut short, the runner takes what is there for the whole value."""
    rest = text.encode("utf-8", "backslashreplace")
    with open(path, "ab", buffering=0) as stream:
        size = os.fstat(stream.fileno()).st_size
        try:
            while rest:
                rest = rest[stream.write(rest) :]
        except OSError:
            with suppress(OSError):  # a device cannot be cut
                stream.truncate(size)
            raise
