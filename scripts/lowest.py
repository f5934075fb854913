"""Pass the tests with the oldest dependencies that pyproject.toml allows: `python scripts/lowest.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_DEPENDENCY = re.compile(r'^  "(?P<name>[\w-]+)>=(?P<version>[\d.]+)(?:; (?P<marker>[^"]+))?",$', re.MULTILINE)


def lowest(project: str) -> list[str]:
    """Each runtime dependency at its lower bound, markers kept."""
    section = project.partition("\ndependencies = [")[2].partition("]")[0]
    return [
        f"{found['name']}=={found['version']}" + (f"; {found['marker']}" if found["marker"] else "")
        for found in _DEPENDENCY.finditer(section)
    ]


def main() -> int:
    pins = lowest((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "Scripts" if os.name == "nt" else "bin", "python"))
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        steps = (
            [*install, "--upgrade", "pip>=25.1"],
            [*install, "--group", "dev", "--editable", ".", *pins],
            [python, "-m", "pytest", "-q", "tests"],
        )
        for step in steps:
            code = subprocess.run(step, cwd=ROOT, check=False).returncode
            if code:
                return code
    print(f"Passed with {', '.join(pins)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
