"""Install the project and its tools into .venv and pass all tests: `python scripts/test.py`."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts import github_openapi
from scripts.environment import FOLDER, ROOT, prepare, program, say

# Each is `python -m …` in the environment; the settings of all of them are in pyproject.toml.
STAGES = (
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "coverage erase",
    "coverage run -m pytest --numprocesses auto --dist loadfile",
    "coverage combine --quiet",
    "coverage report",
)
# Without a network it should give up soon.
APT = "apt-get -qq -o Acquire::http::Timeout=20 -o Acquire::Retries=0 -o DPkg::Lock::Timeout=60"
# What the tests need besides Python packages: each program, and the Debian packages that bring it.
PROGRAMS = {
    "nginx": "nginx-light",
    "cmark-gfm": "cmark-gfm",
    "chromium": "chromium fonts-dejavu-core fonts-noto-color-emoji",
    "shellcheck": "shellcheck",
    "faketime": "faketime",
}
# The action and the hooks install themselves in the tests: from here, so that a test needs no network.
WHEELHOUSE = FOLDER / "wheelhouse"
LOCK = ROOT / "action" / "requirements.txt"
_STAMP = WHEELHOUSE / "filled"


def main() -> int:
    prepare(dev=True)
    install_programs()
    fill_wheelhouse()
    github_openapi.main()
    for stage in STAGES:
        say(stage)
        code = subprocess.run([program("python"), "-m", *stage.split()], cwd=ROOT, check=False).returncode
        if code:
            say(f"Failed: {stage} (exit code {code}).")
            return code
    say("All stages passed.")
    return 0


def install_programs() -> None:
    """Get what some tests need where that is simple: on Debian, as root. Elsewhere those tests may be skipped."""
    search = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])
    missing = [name for name in PROGRAMS if not shutil.which(name, path=search)]
    if sys.platform == "win32" or not missing or not shutil.which("apt-get") or os.geteuid() != 0:
        return
    say(f"Installing {', '.join(missing)}")
    install = f"{APT} install -y --no-install-recommends {' '.join(PROGRAMS[name] for name in missing)}"
    with _no_services(Path("/usr/sbin/policy-rc.d")):
        installed = _quietly(install) or (_quietly(f"{APT} update") and _quietly(install))
    if not installed:
        say(f"Could not install {', '.join(missing)}: the tests that need them are skipped.")


def fill_wheelhouse() -> None:
    """The locked dependencies, and what builds the package: again whenever the lock changes."""
    if wheelhouse_is_filled():
        return
    say("Filling .venv/wheelhouse")
    shutil.rmtree(WHEELHOUSE, ignore_errors=True)
    locked = ["--require-hashes", "--no-deps", "--requirement", str(LOCK)]
    if _download(*locked) and _download("hatchling"):
        _STAMP.write_text(_digest(), encoding="utf-8")
    else:
        say("Could not download the wheels: the tests that install the action or the hooks are skipped.")


def wheelhouse_is_filled() -> bool:
    return _STAMP.exists() and _STAMP.read_text(encoding="utf-8") == _digest()


def _digest() -> str:
    return hashlib.sha256(LOCK.read_bytes()).hexdigest()


def _download(*what: str) -> bool:
    command = ["-I", "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    where = ["--only-binary", ":all:", "--dest", str(WHEELHOUSE)]
    return subprocess.run([program("python"), *command, *where, *what], cwd=ROOT, check=False).returncode == 0


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
