"""Install the project into .venv and check the example site: `python scripts/demo.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts.environment import ROOT, plain_variables, prepare, program, say

COMMAND = ("sitemap-action", "example/public")
GATE_FAILED = 1
AS_EXPECTED = "Exit code 1: the example fails its gate on purpose, so all is as it should be."


def main() -> int:
    prepare()
    say(" ".join(COMMAND))
    command = [str(program(COMMAND[0])), *COMMAND[1:]]
    code = subprocess.run(command, cwd=ROOT, env=plain_variables(), check=False).returncode
    if code != GATE_FAILED:
        say(f"Exit code {code}, where 1 was expected: the example has errors on purpose.")
        return code or 1
    say(AS_EXPECTED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
