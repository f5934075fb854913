"""The tools that are measured: how each is started, which of them are here, and where the others come from."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# A folder of their own, so that what they depend on does not change what we run with.
FOLDER = ROOT / ".venv" / "peers"
OURS = "sitemap-action"
XMLLINT = "xmllint --schema"
START = '`python -c "import lxml.etree, click"`'
USP = "ultimate-sitemap-parser"
_VERIFY = "sitemap-verify"
_FROM_PYPI = (_VERIFY, USP)
_NPM = "sitemap"
_GET = "`--peers` gets it from {}"
_CODE_START = "import lxml.etree, click"
_CODE_NAIVE = "import sys, xmlschema; sys.exit(any(xmlschema.XMLSchema(sys.argv[1]).iter_errors(sys.argv[2])))"
# It keeps what it found in a file: in the empty directory, so that each run is its first.
_CODE_VERIFY = """
import asyncio, sys
from sitemap_verify import validate_target
seen = asyncio.run(validate_target(sys.argv[1], mode="path", check_reachability=False, store_path="seen.sqlite3"))
sys.exit(seen.summary.urls_discovered != int(sys.argv[2]))
"""
_CODE_USP = """
import sys
from usp.tree import sitemap_from_str
with open(sys.argv[1], encoding="utf-8") as file:
    tree = sitemap_from_str(file.read())
sys.exit(sum(1 for page in tree.all_pages()) != int(sys.argv[2]))
"""


@dataclass(frozen=True)
class Sample:
    """A file to measure with, and the schema that a validator is given for it."""

    name: str
    path: Path
    urls: int
    schema: Path


@dataclass(frozen=True)
class Tool:
    """A command for a sample; `says` is how its output begins if it did its work, `missing` how to get it."""

    name: str
    command: Callable[[Sample], Sequence[str]]
    missing: str = ""
    folder: Path | None = None
    says: str = ""
    #: The only sample that it has something to do with.
    only: str = ""


def ours(sample: Sample) -> list[str]:
    return [sys.executable, "-m", "sitemap_action", str(sample.path)]


def tools() -> list[Tool]:
    """All of them, those that are not here with the reason."""
    return [
        Tool(OURS, ours),
        _xmllint(),
        Tool(START, lambda sample: [sys.executable, "-c", _CODE_START], only="small"),
        Tool("xmlschema, whole file", _naive),
        _from_pypi(_VERIFY, ", reachability off", _CODE_VERIFY),
        _from_pypi(USP, ", parser only", _CODE_USP),
        _from_npm(),
    ]


def install() -> None:
    """Get the newest of each into the folder; what cannot be had is said by its installer, and left out."""
    if not peer_python().exists():
        subprocess.run([sys.executable, "-I", "-m", "venv", str(FOLDER / "python")], stdout=sys.stderr, check=False)
    pip = [str(peer_python()), "-I", "-m", "pip", "install", "--quiet", "--upgrade", "--disable-pip-version-check"]
    for package in _FROM_PYPI:
        _try([*pip, package])
    if npm := shutil.which("npm"):
        (FOLDER / "npm").mkdir(parents=True, exist_ok=True)
        _try([npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(FOLDER / "npm"), f"{_NPM}@latest"])


def peer_python() -> Path:
    """The Python of the peers, whether it is there or not."""
    place = ("Scripts", "python.exe") if sys.platform == "win32" else ("bin", "python")
    return FOLDER.joinpath("python", *place)


def version_of(package: str, python: str) -> str | None:
    """The version that this Python has of a package; None if there is none."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    try:
        asked = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return asked.stdout.strip() if asked.returncode == 0 else None


def libxml() -> list[str]:
    """The version of libxml2 that xmllint was built with, if it is there: it says 20914 and means 2.9.14."""
    if shutil.which("xmllint") is None:
        return []
    asked = subprocess.run(["xmllint", "--version"], capture_output=True, text=True, check=False)
    digits = "".join(letter for letter in asked.stderr.partition("\n")[0].rpartition(" ")[2] if letter.isdigit())
    number = int(digits or 0)
    return [f"xmllint {number // 10_000}.{number // 100 % 100}.{number % 100}"]


def _try(command: Sequence[str]) -> None:
    """Whatever an installer prints is no part of the table."""
    subprocess.run(command, stdout=sys.stderr, check=False)


def _xmllint() -> Tool:
    missing = "" if shutil.which("xmllint") else "on Debian and Ubuntu, `apt install libxml2-utils` gets it"
    return Tool(
        XMLLINT, lambda sample: ["xmllint", "--noout", "--schema", str(sample.schema), str(sample.path)], missing
    )


def _naive(sample: Sample) -> list[str]:
    return [sys.executable, "-c", _CODE_NAIVE, str(sample.schema), str(sample.path)]


def _from_pypi(package: str, how: str, code: str) -> Tool:
    python = str(peer_python())
    version = version_of(package, python)
    name = f"{package} {version}{how}" if version else package
    missing = "" if version else _GET.format("PyPI")
    return Tool(name, lambda sample: [python, "-c", code, str(sample.path), str(sample.urls)], missing)


def _from_npm() -> Tool:
    """It ends with exit code 0 whatever it finds, and looks for its schemas from the current directory upwards."""
    package = FOLDER / "npm" / "node_modules" / _NPM
    name, node = "sitemap --validate (npm)", shutil.which("node")
    if node is None or shutil.which("xmllint") is None:
        return Tool(name, ours, "it needs Node.js and xmllint, and " + _GET.format("npm"))
    try:
        facts = json.loads((package / "package.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Tool(name, ours, _GET.format("npm"))
    script = str(package / facts["bin"])
    return Tool(
        f"sitemap {facts['version']} --validate (npm)",
        lambda sample: [node, script, "--validate", str(sample.path)],
        folder=package,
        says="valid",
    )
