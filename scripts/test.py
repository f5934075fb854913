"""Install the project and its tools into .venv and pass all tests: `python scripts/test.py`."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts.environment import ROOT, prepare, program, say

# Each is `python -m …` in the environment; the settings of all of them are in pyproject.toml.
STAGES = (
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "coverage erase",
    "coverage run -m pytest",
    "coverage combine --quiet",
    "coverage report",
)
# Without a network it should give up soon.
APT = "apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=0 -o DPkg::Lock::Timeout=60"
INSTALL = f"{APT} install -y --no-install-recommends nginx-light"


def main() -> int:
    prepare(dev=True)
    install_nginx()
    for stage in STAGES:
        say(stage)
        code = subprocess.run([program("python"), "-m", *stage.split()], cwd=ROOT, check=False).returncode
        if code:
            say(f"Failed: {stage} (exit code {code}).")
            return code
    say("All stages passed.")
    return 0


def install_nginx() -> None:
    """Get the server that some tests need where that is simple: on Debian, as root. Elsewhere they may be skipped."""
    search = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    if sys.platform == "win32" or shutil.which("nginx", path=search):
        return
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    say("Installing nginx")
    with _no_services(Path("/usr/sbin/policy-rc.d")):
        installed = _quietly(INSTALL) or (_quietly(f"{APT} update") and _quietly(INSTALL))
    if not installed:
        say("Could not install nginx: the tests that need it are skipped.")


@contextlib.contextmanager
def _no_services(policy: Path) -> Iterator[None]:
    """Debian starts a server as soon as it is installed, unless such a script forbids it. Containers often have one."""
    if policy.exists():
        yield
        return
    try:
        policy.write_text("#!/bin/sh\nexit 101\n", encoding="utf-8")
        policy.chmod(0o755)
        yield
    finally:
        policy.unlink(missing_ok=True)


def _quietly(command: str) -> bool:
    """Run a command without its output; whether it succeeded."""
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command.split(), env=variables, capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    sys.exit(main())
