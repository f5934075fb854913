"""Install the project and its tools into .venv and pass all tests: `python scripts/test.py`."""

from __future__ import annotations

import subprocess
import sys
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


def main() -> int:
    prepare(dev=True)
    for stage in STAGES:
        say(stage)
        code = subprocess.run([program("python"), "-m", *stage.split()], cwd=ROOT, check=False).returncode
        if code:
            say(f"Failed: {stage} (exit code {code}).")
            return code
    say("All stages passed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
