"""The wheel: the same bytes wherever it is built, only what belongs in it, and all that it needs."""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from acting import OFFLINE, need_wheels
from front_door import ROOT, surroundings

from scripts import sbom
from sitemap_action import __version__

PACKAGE = ROOT / "sitemap_action"
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "__pycache__", "*.egg-info", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", "dist"
)
_BUILD = """
import sys
from hatchling import build
print(getattr(build, "build_" + sys.argv[1])(sys.argv[2]))
"""


class Workshop:
    """A folder with hatchling in it, from the wheelhouse."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pip("install", "--target", folder / "tools", "hatchling")

    def _pip(self, *arguments: str | Path) -> None:
        command = [sys.executable, "-I", "-m", "pip", *map(str, arguments), "--quiet"]
        subprocess.run(command, env={**os.environ, **OFFLINE}, check=True)

    def build(self, kind: str, source: Path, umask: int = 0o022) -> Path:
        """The file that a build of this folder makes."""
        where = self.folder / f"{kind}-of-{source.name}"
        command = [sys.executable, "-c", _BUILD, kind, str(where)]
        variables = surroundings(PYTHONPATH=str(self.folder / "tools"))
        variables.pop("SOURCE_DATE_EPOCH", None)
        where.mkdir(exist_ok=True)
        mask = umask if sys.platform != "win32" else -1
        answer = subprocess.run(
            command, cwd=source, env=variables, umask=mask, capture_output=True, text=True, check=True
        )
        return where / answer.stdout.split()[-1]

    def install(self, wheel: Path) -> Path:
        library = self.folder / "library"
        self._pip("install", "--only-binary", ":all:", "--target", library, wheel)
        return library


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    need_wheels()
    return Workshop(tmp_path_factory.mktemp("workshop"))


@pytest.fixture(scope="module")
def checkout(workshop: Workshop) -> Path:
    return Path(shutil.copytree(ROOT, workshop.folder / "checkout", ignore=_LEFT_OUT))


@pytest.fixture(scope="module")
def wheel(workshop: Workshop, checkout: Path) -> Path:
    return workshop.build("wheel", checkout)


@pytest.fixture(scope="module")
def archive(workshop: Workshop, checkout: Path) -> Path:
    return workshop.build("sdist", checkout)


def test_another_folder_time_and_umask_make_the_same_bytes(
    workshop: Workshop, checkout: Path, wheel: Path, archive: Path
) -> None:
    other = Path(shutil.copytree(checkout, workshop.folder / "elsewhere", copy_function=shutil.copyfile))
    for path in other.rglob("*"):
        os.utime(path, (1, 1_000_000_000))
        if path.is_file():
            path.chmod(0o755 if os.access(checkout / path.relative_to(other), os.X_OK) else 0o600)
    assert workshop.build("wheel", other, 0o077).read_bytes() == wheel.read_bytes()
    assert workshop.build("sdist", other, 0o077).read_bytes() == archive.read_bytes()


def test_the_wheel_holds_the_package_and_its_licences_and_nothing_else(wheel: Path) -> None:
    about = f"sitemap_action-{__version__}.dist-info/"
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
    sources = {
        path.relative_to(ROOT).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {name for name in names if not name.startswith(about)} == sources
    assert {"sitemap_action/py.typed", "sitemap_action/schemas/sitemap.xsd", "sitemap_action/templates/comment.md.jinja"} <= sources  # fmt: skip
    licences = ("LICENSE", "THIRD_PARTY.md", "sitemap_action/schemas/LICENSE-CC-BY-SA-2.5.txt")
    known = {"METADATA", "RECORD", "WHEEL", "entry_points.txt", *(f"licenses/{name}" for name in licences)}
    assert {name.removeprefix(about) for name in names if name.startswith(about)} == known


def test_the_metadata_say_what_is_needed_and_by_which_licence(wheel: Path) -> None:
    assert wheel.name == f"sitemap_action-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as file:
        text = file.read(f"sitemap_action-{__version__}.dist-info/METADATA").decode()
    metadata = email.message_from_string(text)
    assert (metadata["Name"], metadata["Version"], metadata["Requires-Python"]) == (
        "sitemap-action",
        __version__,
        ">=3.10",
    )
    assert metadata["License-Expression"] == "MIT"
    assert metadata.get_all("Provides-Extra") is None
    assert len(metadata.get_all("License-File") or []) == 3
    names = {re.match(r"[\w-]+", line)[0] for line in metadata.get_all("Requires-Dist") or []}  # type: ignore[index]
    assert names == {"click", "jinja2", "lxml", "markupsafe", "protego", "requests", "tomli", "urllib3", "xmlschema"}


def test_the_source_archive_makes_the_same_wheel_and_has_the_tests(
    workshop: Workshop, wheel: Path, archive: Path
) -> None:
    with tarfile.open(archive) as file:
        members = file.getmembers()
        if sys.version_info >= (3, 12):
            file.extractall(workshop.folder / "unpacked", filter="data")
        else:
            file.extractall(workshop.folder / "unpacked")
    (source,) = (workshop.folder / "unpacked").iterdir()
    assert workshop.build("wheel", source).read_bytes() == wheel.read_bytes()
    for name in ("tests", "scripts", "action", ".github", "example", "docs", "benchmarks"):
        there = {path.relative_to(ROOT) for path in (ROOT / name).rglob("*") if path.is_file()}
        there = {path for path in there if "__pycache__" not in path.parts}
        assert not {path for path in there if not (source / path).is_file()}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}


def test_the_installed_wheel_checks_the_example_with_its_own_files_alone(
    workshop: Workshop, wheel: Path, tmp_path: Path
) -> None:
    library = workshop.install(wheel)
    command = [sys.executable, "-S", "-P" if sys.version_info >= (3, 11) else "-s", "-m", "sitemap_action"]
    variables = surroundings(PYTHONPATH=str(library), PYTHONUTF8="1")
    shutil.copytree(ROOT / "example", tmp_path / "example")
    for options in (("--summary",), ("--format", "markdown"), ("--format", "sarif")):
        ran = subprocess.run(
            [*command, *options, "example/public"],
            cwd=tmp_path,
            env={**variables, "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md")},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert (ran.returncode, ran.stderr) == (1, "")
        assert "loc-not-absolute" in ran.stdout
    assert (tmp_path / "summary.md").stat().st_size


# The bill of materials


def test_the_bill_of_materials_is_that_of_the_lock() -> None:
    assert sbom.SBOM.read_text(encoding="utf-8") == sbom.text(), "run `python scripts/write_docs.py`"


def test_the_bill_of_materials_names_each_locked_package_with_all_its_hashes() -> None:
    lock = sbom.LOCK.read_text(encoding="utf-8")
    bill = json.loads(sbom.SBOM.read_text(encoding="utf-8"))
    named = {f"{component['name']}=={component['version']}" for component in bill["components"]}
    assert named == set(re.findall(r"^\S+==\S+", lock, re.MULTILINE))
    hashes = [
        value["content"]
        for component in bill["components"]
        for reference in component["externalReferences"]
        for value in reference["hashes"]
    ]
    assert sorted(hashes) == sorted(re.findall(r"sha256:([0-9a-f]{64})", lock))
    assert not {"serialNumber", "timestamp"} & {*bill, *bill["metadata"]}
    (direct,) = bill["dependencies"]
    assert set(direct["dependsOn"]) <= {component["bom-ref"] for component in bill["components"]}
    assert len(direct["dependsOn"]) == 9
