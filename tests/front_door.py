"""The program as its own process, in surroundings that a test makes: streams, variables, limits, users."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
needs_faketime = pytest.mark.skipif(FAKETIME is None, reason="needs libfaketime")
_NOT_OURS = ("SITEMAP_ACTION_", "GITHUB_", "PYTHON", "LC_", "LANG", "RUNNER_")
# What the program needs to be found, and coverage to see it.
_KEPT = ("PYTHONPATH",)


def surroundings(**variables: str) -> dict[str, str]:
    """The variables of this process without those that change what the program does, and some others."""
    plain = {name: value for name, value in os.environ.items() if name in _KEPT or not name.startswith(_NOT_OURS)}
    paths = [str(ROOT), *filter(None, [plain.get("PYTHONPATH")])]
    return {**plain, "PYTHONPATH": os.pathsep.join(paths), **variables}


def clock_of(year: int) -> dict[str, str]:
    """Variables for a clock that stands at the beginning of that year."""
    start = f"@{year}-01-01 00:00:10"
    return {"LD_PRELOAD": str(FAKETIME), "FAKETIME": start, "FAKETIME_DONT_FAKE_MONOTONIC": "1", "TZ": "UTC"}


def knock(
    *arguments: str | Path, python: tuple[str, ...] = (), before: str = "", **extra: Any
) -> subprocess.CompletedProcess[str]:
    """Run the command; `before` is Python that is run first, when all is imported that each run needs."""
    program = ["-m", "sitemap_action"]
    if before:
        program = ["-c", f"from sitemap_action.cli import main\n{before}\nmain(prog_name='sitemap-action')"]
    settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": surroundings(), **extra}
    return subprocess.run(
        [sys.executable, *python, *program, *map(str, arguments)],
        text=True,
        encoding="utf-8",
        check=False,
        **settings,
    )


def limit(name: str, most: str) -> str:
    """Python that sets a limit, and lifts it at the end, when coverage writes what it has seen."""
    which = f"resource.{name}"
    return (
        f"import atexit, resource; hard = resource.getrlimit({which})[1]; resource.setrlimit({which}, ({most}, hard)); "
        f"atexit.register(resource.setrlimit, {which}, (hard, hard))"
    )


def shell(line: str, **extra: Any) -> subprocess.CompletedProcess[str]:
    """Run a line of shell, in which `$CHECK` is the command."""
    env = surroundings(CHECK=f"{sys.executable} -m sitemap_action", **extra.pop("variables", {}))
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, encoding="utf-8", env=env, check=False, **extra
    )
