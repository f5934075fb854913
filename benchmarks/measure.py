"""Run a command as it would be run after its installation, and say what it cost: processor time and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

_ERROR_TAIL = 500
_GLANCE = 0.05
_KB = 1024


@dataclass(frozen=True)
class Cost:
    """Processor seconds (user and system), bytes at the peak where the system tells them, and seconds by the clock."""

    seconds: float
    memory: int | None = None
    elapsed: float = 0.0


class Failed(Exception):
    """The command did not do its work."""


def cost(command: Sequence[str], allowed: Sequence[int] = (0,), folder: Path | None = None, says: str = "") -> Cost:
    """One run, in an empty directory unless it needs a certain one; memory is that of its largest process.

    An exit code that is not allowed, or an output that does not begin with what it should, is no measurement.
    """
    with _started(command, allowed, folder, says) as process:
        return _wait(process)


def cost_together(command: Sequence[str]) -> Cost:
    """One run; memory is that of all its processes together, where Linux tells it."""
    with _started(command, (0,), None, "") as process:
        if not Path(f"/proc/{process.pid}/smaps_rollup").exists():
            return replace(_wait(process), memory=None)
        started, peak = time.perf_counter(), 0
        while (spent := _finished(process, started, os.WNOHANG)) is None:
            peak = max(peak, _proportional(process.pid))
            time.sleep(_GLANCE)
    return replace(spent, memory=peak or None)


def best(runs: Sequence[Cost]) -> Cost:
    """The run that was disturbed least, with the highest peak of all."""
    peaks = [run.memory for run in runs if run.memory is not None]
    return replace(min(runs, key=lambda run: run.seconds), memory=max(peaks, default=None))


def surroundings() -> dict[str, str]:
    """The environment without what would make a run another one than a user's.

    PYTHONDONTWRITEBYTECODE doubles the time of a start, for all modules are then compiled each time, and coverage
    slows everything; our own settings and GitHub's change what is done.
    """
    no_users = ("SITEMAP_ACTION_", "GITHUB_", "PYTHONDONTWRITEBYTECODE", "COVERAGE_")
    return {name: value for name, value in os.environ.items() if not name.startswith(no_users)}


@contextmanager
def _started(
    command: Sequence[str], allowed: Sequence[int], folder: Path | None, says: str
) -> Iterator[subprocess.Popen[bytes]]:
    """The process; it must be waited for inside, and is judged afterwards."""
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        where = folder or empty
        with subprocess.Popen(command, cwd=where, env=surroundings(), stdout=output, stderr=errors) as process:
            yield process
        if process.returncode not in allowed:
            name = Path(command[0]).name
            raise Failed(f"{name} ended with exit code {process.returncode}: {_text(errors)[-_ERROR_TAIL:]}")
        if not (said := _text(output)).startswith(says):
            raise Failed(f"it did not say “{says}” but “{said[:_ERROR_TAIL]}”")


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "replace").strip()


def _wait(process: subprocess.Popen[bytes]) -> Cost:
    started = time.perf_counter()
    if sys.platform == "win32":
        process.wait()
        elapsed = time.perf_counter() - started
        return Cost(elapsed, None, elapsed)
    spent = _finished(process, started, 0)
    assert spent is not None
    return spent


def _finished(process: subprocess.Popen[bytes], started: float, options: int) -> Cost | None:
    """What it and the processes that it started have spent; None if it still runs."""
    if sys.platform == "win32":
        raise NotImplementedError
    pid, status, usage = os.wait4(process.pid, options)
    if not pid:
        return None
    elapsed = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else _KB
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit, elapsed)


def _proportional(pid: int) -> int:
    """Bytes of a process and its descendants; a page that several share is shared out among them."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [child for task in tasks for child in (task / "children").read_text(encoding="ascii").split()]
    except OSError:
        return 0  # it has ended meanwhile
    own = sum(int(line.split()[1]) * _KB for line in lines if line.startswith("Pss:"))
    return own + sum(_proportional(int(child)) for child in children)
