"""The virtual environment that the other scripts share: made once, filled again when pyproject.toml changes."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".venv"
_OLDEST_PYTHON = (3, 10)
_STAMP = FOLDER / "installed-by-scripts"
_SUFFIX = ".exe" if os.name == "nt" else ""
# `--group` is as old as this; older ones cannot install the dev group, nor some of them an editable project.
_PIP = "pip>=25.1"


def program(name: str) -> Path:
    """A command of the environment."""
    return FOLDER / ("Scripts" if os.name == "nt" else "bin") / f"{name}{_SUFFIX}"


def prepare(*, dev: bool = False) -> None:
    """Make the environment and install the project, unless that was done for this pyproject.toml already."""
    if sys.version_info[:2] < _OLDEST_PYTHON:
        sys.exit("sitemap-action needs Python 3.10 or newer; this is {}.{}.".format(*sys.version_info[:2]))
    if not _is_usable():
        say("Making .venv")
        _STAMP.unlink(missing_ok=True)
        if _run(sys.executable, "-I", "-m", "venv", "--clear", FOLDER):
            sys.exit("Could not make .venv. On Debian and Ubuntu, `apt install python3-venv` may be what is missing.")
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if not _is_installed(digest, dev):
        _install(digest, dev)


def plain_variables() -> dict[str, str]:
    """The environment without our own settings: what is shown should be the same on every machine."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith("SITEMAP_ACTION_")}
    return {**ours, "PYTHONUTF8": "1"}


def say(text: str) -> None:
    """A line of ours, set apart from what the tools print, and before it."""
    print(f"== {text}", flush=True)


def _is_usable() -> bool:
    """Is there an environment that runs, made by the same version of Python?"""
    question = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run([program("python"), "-I", "-c", question], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return answer.stdout.split() == [str(number) for number in sys.version_info[:2]]


def _is_installed(digest: str, dev: bool) -> bool:
    """What serves the tests serves the demonstration as well."""
    try:
        found, _, group = _STAMP.read_text(encoding="utf-8").strip().partition(" ")
    except OSError:
        return False
    return found == digest and (group == "dev" or not dev)


def _install(digest: str, dev: bool) -> None:
    say("Installing sitemap-action" + (" and the tools of its tests" if dev else ""))
    _STAMP.unlink(missing_ok=True)
    _pip("--upgrade", _PIP)
    _pip(*(["--group", "dev"] if dev else []), "--editable", ".")
    # As for a package that is not editable: many a container has PYTHONDONTWRITEBYTECODE set, and each start would
    # then compile all of it anew, which takes longer than to check a small site.
    _run(program("python"), "-I", "-m", "compileall", "-q", ROOT / "sitemap_action")
    _STAMP.write_text(f"{digest} {'dev' if dev else ''}\n", encoding="utf-8")


def _pip(*arguments: str) -> None:
    command = ["-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    code = _run(program("python"), *command, *arguments)
    if code:
        sys.exit(f"pip could not install ({' '.join(arguments)}): exit code {code}.")


def _run(*command: str | Path) -> int:
    return subprocess.run(command, cwd=ROOT, check=False).returncode
