"""Soak by hand: `python fuzz/soak.py`: 500 runs over hostile origins as processes, and 500 within this one.

Each run has to end in time, with an exit code that fits, no traceback and a whole report; and the runs
within one process leave no descriptors, no threads and no memory behind. `--signals` interrupts
processes at a random moment instead.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import cast
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from origins import Origin

from fuzz import inert
from fuzz.scenarios import MOST_BYTES, Scenario, compose
from sitemap_action.cli import main as command

_RETRIES = 1
_SLACK = 20.0  # seconds for the start of a process on a busy machine
_LONGEST_PAUSE = 1.0  # that a scenario asks for and gets
_END = 2.0  # seconds that an interrupted run has to end
_CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
_TELLING = 80  # so many runs are needed to tell growth from noise
_WARM = 5  # one run in so many is to warm up: caches fill, modules are imported
# Bytes for each run after that. Python's own objects are counted exactly; what the system gives to the process
# also grows with gaps between them, so that only a leak of whole bodies would be seen there.
_MOST_OBJECTS, _MOST_MEMORY = 4_000, 150_000


@dataclass(frozen=True)
class Bounds:
    """How the command is asked to behave, and how long it may take."""

    timeout: float
    concurrency: int

    @property
    def options(self) -> list[str]:
        own = {"--timeout": self.timeout, "--concurrency": self.concurrency}
        given = {**own, "--retries": _RETRIES, "--max-bytes": MOST_BYTES}
        return [word for name, value in given.items() for word in (name, str(value))]

    def longest(self, scenario: Scenario) -> float:
        """All paths one after another as far as they may have to wait for each other, and every try in full."""
        rounds = math.ceil(scenario.paths / self.concurrency) + 4
        return rounds * (_RETRIES + 1) * (self.timeout + _LONGEST_PAUSE) + scenario.paths * _RETRIES + _SLACK


class Broken(AssertionError):
    """A promise that a run did not keep."""


def one(random: Random, *, as_process: bool) -> list[int]:
    """A single run over an origin of its own; the exit code, in a list for the caller to extend."""
    bounds = Bounds(random.choice((0.3, 0.5, 1.0)), random.choice((1, 2, 8)))
    with Origin() as origin:
        scenario = compose(origin, random)
        arguments = [scenario.target, "--format", "json", *bounds.options, *scenario.options]
        start = time.monotonic()
        code, out, err = _process(arguments, bounds.longest(scenario)) if as_process else _inside(arguments)
        spent = time.monotonic() - start
    _hold(spent <= bounds.longest(scenario), f"it took {spent:.1f} s", scenario, err)
    _hold(code in scenario.exit_codes, f"exit code {code}, not of {scenario.exit_codes}", scenario, err)
    _hold("Traceback" not in err, "a traceback", scenario, err)
    inert.hold("json", out, thorough=True)
    _hold(json.loads(out)["gate"]["passed"] == (code == 0), "another exit code than the gate's", scenario, err)
    return [code]


def _process(arguments: list[str], longest: float) -> tuple[int, str, str]:
    words = [sys.executable, "-m", "sitemap_action", *arguments]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=longest + _SLACK, check=False)
    return done.returncode, done.stdout, done.stderr


class _Screen(io.TextIOWrapper):
    """A stream that is used again by every run: click remembers each one it has written to, for ever."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def take(self) -> str:
        self.flush()
        buffer = cast(io.BytesIO, self.buffer)
        text = buffer.getvalue().decode()
        buffer.seek(0)
        buffer.truncate()
        return text


_OUT, _ERR = _Screen(), _Screen()


def _inside(arguments: list[str]) -> tuple[int, str, str]:
    code = -1
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("SITEMAP_ACTION_", "GITHUB_"))}
    with (
        contextlib.redirect_stdout(_OUT),
        contextlib.redirect_stderr(_ERR),
        mock.patch.dict(os.environ, clean, clear=True),
    ):
        try:
            command(arguments)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, _OUT.take(), _ERR.take()


def _hold(kept: bool, what: str, scenario: Scenario, err: str) -> None:
    if not kept:
        raise Broken("\n  ".join([what, scenario.target, *scenario.told, err[-2000:]]))


@dataclass(frozen=True)
class Residue:
    """What this process holds."""

    descriptors: int
    threads: int
    objects: int
    memory: int


def residue(threads: int) -> Residue:
    """After everything that has ended has had the time to go away; zeros where the system does not tell."""
    for module in [module for name, module in sys.modules.items() if name.startswith("sitemap_action")]:
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()  # it is bounded, and each run has URLs of its own
    gc.collect()
    for _ in range(100):
        if threading.active_count() <= threads:
            break
        time.sleep(0.02)
    folder, statm = Path("/proc/self/fd"), Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    memory = pages * os.sysconf("SC_PAGE_SIZE") if pages else 0
    descriptors = len(os.listdir(folder)) if folder.exists() else 0
    return Residue(descriptors, threading.active_count(), tracemalloc.get_traced_memory()[0], memory)


def inside(runs: int, seed: int) -> Iterator[int]:
    """Runs in this process; at the end it holds no more than when it was warm."""
    warm, idle = max(runs // _WARM, 1), threading.active_count()
    tracemalloc.start()
    before = residue(idle)
    for number in range(runs):
        if number == warm:
            before = residue(idle)
        yield from one(Random(f"{seed} inside {number}"), as_process=False)
    after = residue(idle)
    tracemalloc.stop()
    _hold_residue(before, after, runs - warm)


def _hold_residue(before: Residue, after: Residue, runs: int) -> None:
    objects, memory = (after.objects - before.objects) / runs, (after.memory - before.memory) / runs
    print(f"before {before}\nafter  {after}\nfor each run {objects:,.0f} bytes of objects, {memory:,.0f} of memory")
    assert after.descriptors <= before.descriptors, "descriptors were left open"
    assert after.threads <= before.threads, f"threads were left: {threading.enumerate()}"
    assert runs < _TELLING or (objects < _MOST_OBJECTS and memory < _MOST_MEMORY), "memory grows with the runs"


def processes(runs: int, seed: int) -> Iterator[int]:
    for number in range(runs):
        yield from one(Random(f"{seed} process {number}"), as_process=True)


def interrupted(runs: int, seed: int) -> Iterator[int]:
    # A shell lets what it starts with `&` ignore SIGINT, and so would all that is started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in range(runs):
        yield interrupt(Random(f"{seed} signal {number}"))


def interrupt(random: Random) -> int:
    """A run that is told to end at a random moment after its first request: at once, and with nothing half done."""
    number = random.choice(list(_CODES))
    with Origin() as origin, tempfile.TemporaryDirectory() as name:
        scenario = compose(origin, random)
        origin.delay = random.choice((0.0, 0.05, 0.3))
        file = Path(name) / "report.json"
        options = [*Bounds(10.0, 2).options, *scenario.options, "--format", "json", "--output", f"json={file}"]
        words = [sys.executable, "-m", "sitemap_action", scenario.target, *options]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
            while not origin.requests and process.poll() is None:
                time.sleep(0.005)
            time.sleep(random.choice((0.0, random.uniform(0, 0.2), random.uniform(0, 2))))
            process.send_signal(number)
            start = time.monotonic()
            out, err = _ended(process, scenario)
            spent = time.monotonic() - start
        code = process.returncode
        _hold(spent <= _END, f"it went on for {spent:.2f} s after {number.name}", scenario, err)
        _hold(code in {_CODES[number], -number, 0, 1, 3}, f"exit code {code} after {number.name}", scenario, err)
        # Once everything is written, the system ends what is left of the process; before, it has no business to.
        _hold(code != -number or bool(out and file.exists()), f"ended by {number.name}, and no report", scenario, err)
        _hold("Traceback" not in err, "a traceback", scenario, err)
        _hold(not list(Path(name).glob("*.part")) and not list(Path(name).glob(".*")), "half a file", scenario, err)
        for text in [out] if out else []:
            inert.hold("json", text, thorough=True)
        if file.exists():
            inert.hold("json", file.read_text(encoding="utf-8"), thorough=True)
    return code


def _ended(process: subprocess.Popen[str], scenario: Scenario) -> tuple[str, str]:
    try:
        return process.communicate(timeout=_SLACK)
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        raise Broken("\n  ".join(["it did not end", scenario.target, *scenario.told, err[-2000:]])) from None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=("processes", "inside"))
    parser.add_argument("--signals", action="store_true")
    given = parser.parse_args()
    modes = {"processes": processes, "inside": inside}
    chosen = {"signals": interrupted} if given.signals else {n: m for n, m in modes.items() if given.only in (None, n)}
    for name, mode in chosen.items():
        start = time.monotonic()
        codes = list(mode(given.runs, given.seed))
        told = ", ".join(f"{codes.count(code)} × {code}" for code in sorted(set(codes)))
        print(f"{name}: {len(codes)} runs in {time.monotonic() - start:.0f} s, exit codes {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
