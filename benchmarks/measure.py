"""Run a command and say what it cost: processor time and peak memory of that process alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

_ERROR_TAIL = 500


@dataclass(frozen=True)
class Cost:
    """Processor seconds (user and system), and bytes at the peak where the system tells them."""

    seconds: float
    memory: int | None = None


class Failed(Exception):
    """The command did not do its work."""


def cost(command: Sequence[str], allowed: Sequence[int] = (0,)) -> Cost:
    """One run; an exit code that is not allowed means that there is nothing to compare."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        errors = process.stderr.read()
        spent = _wait(process, started)
    if process.returncode not in allowed:
        tail = errors.decode("utf-8", "replace").strip()[-_ERROR_TAIL:]
        raise Failed(f"{command[0]} ended with exit code {process.returncode}: {tail}")
    return spent


def _wait(process: subprocess.Popen[bytes], started: float) -> Cost:
    if sys.platform == "win32":
        process.wait()
        return Cost(time.perf_counter() - started)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit)


def best(runs: Sequence[Cost]) -> Cost:
    """The run that was disturbed least, with the highest peak of all."""
    peaks = [run.memory for run in runs if run.memory is not None]
    return Cost(min(run.seconds for run in runs), max(peaks) if peaks else None)


def side_by_side(ours: Sequence[str], theirs: Sequence[str], times: int) -> tuple[Cost, Cost]:
    """Both commands in turn, so that a busy moment of the machine hits both."""
    pairs = [(cost(ours, allowed=(0, 1)), cost(theirs)) for _ in range(times)]
    return best([pair[0] for pair in pairs]), best([pair[1] for pair in pairs])
