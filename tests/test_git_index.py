"""The index of a checkout is read as git writes it, and nothing that a stranger's checkout asks for is run."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Run, Write, urlset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_action.git_index import tracked

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
NAMES = ["a", "a.b", "sitemap.xml", "public/sitemap.xml", "public/sitemap-1.xml", "d/e/f/g.xml", "x" * 200, "é/ü ß.xml"]


def git(folder: Path, *arguments: str) -> str:
    who = ["-c", "user.name=x", "-c", "user.email=x@x.example", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, write: Write) -> Path:
    for name in NAMES:
        write(f"repository/{name}", "x")
    root = tmp_path / "repository"
    git(root, "init", "--quiet")
    git(root, "add", ".")
    return root


@pytest.mark.parametrize("version", [2, 3, 4])
def test_every_version_of_the_index_is_read(repository: Path, version: int) -> None:
    (repository / "new.xml").write_text("x", encoding="utf-8")
    git(repository, "update-index", "--index-version", str(version))
    assert tracked(repository) == set(NAMES)
    git(repository, "add", "--intent-to-add", "new.xml")  # has more flags, which version 2 has no room for
    assert tracked(repository) == {*NAMES, "new.xml"}
    assert (repository / ".git" / "index").read_bytes()[7] == max(version, 3)


def test_names_of_any_length_end_where_they_end(repository: Path) -> None:
    names = {"y" * length for length in range(1, 40)}
    for name in names:
        (repository / name).write_text("x", encoding="utf-8")
    git(repository, "add", ".")
    assert tracked(repository) == names | set(NAMES)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_that_are_no_text_are_those_of_the_file_system(repository: Path) -> None:
    name = os.fsdecode(b"\xff\xe9.xml")
    (repository / name).write_text("x", encoding="utf-8")
    git(repository, "add", ".")
    assert name in tracked(repository)


def test_a_worktree_has_its_index_elsewhere(repository: Path) -> None:
    git(repository, "commit", "-qm", "x")
    git(repository, "worktree", "add", "-q", "../other")
    assert tracked(repository.parent / "other") == set(NAMES)


def test_what_is_no_checkout_has_no_names(tmp_path: Path) -> None:
    assert tracked(tmp_path) == set()
    (tmp_path / ".git").write_text("gitdir: nowhere\n", encoding="utf-8")
    assert tracked(tmp_path) == set()
    (tmp_path / ".git").write_bytes(b"\xff\x00")
    assert tracked(tmp_path) == set()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.binary(max_size=300), version=st.integers(0, 5), count=st.integers(0, 2**32 - 1))
def test_whatever_the_index_is_it_is_read_or_left(tmp_path: Path, data: bytes, version: int, count: int) -> None:
    (tmp_path / ".git").mkdir(exist_ok=True)
    for head in (b"", b"DIRC" + version.to_bytes(4, "big") + count.to_bytes(4, "big")):
        (tmp_path / ".git" / "index").write_bytes(head + data)
        assert isinstance(tracked(tmp_path), frozenset)


@pytest.mark.parametrize("cut", range(1, 400, 7))
def test_a_part_of_an_index_is_no_index(repository: Path, cut: int) -> None:
    path = repository / ".git" / "index"
    path.write_bytes(path.read_bytes()[:cut])
    assert tracked(repository) <= set(NAMES)


@pytest.mark.skipif(os.name == "nt", reason="the trap is a command for a shell")
def test_a_checkout_that_is_a_trap_does_not_snap(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of the index that must be fetched first, by a command of the repository's own choice."""
    root = write("site/sitemap.xml", urlset("None/x")).parent
    write("site/d/e/f", "x")
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    git(root, "sparse-checkout", "init", "--cone", "--sparse-index")
    tree = git(root, "rev-parse", "HEAD:d").strip()
    (root / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.url": "ssh://x.example/y",
        "remote.evil.promisor": "true",
        "core.sshCommand": f"touch {tmp_path / 'snapped'}; false",
    }
    for name, value in settings.items():
        git(root, "config", name, value)
    for name, value in {"ACTIONS": "true", "REPOSITORY": "acme/site", "SHA": "a" * 40, "WORKSPACE": str(root)}.items():
        monkeypatch.setenv(f"GITHUB_{name}", value)
    assert f"/blob/{'a' * 40}/sitemap.xml#L3" in run("site", format="markdown").stdout
    assert not (tmp_path / "snapped").exists()
    subprocess.run(["git", "ls-files"], cwd=root, check=False, capture_output=True)
    assert (tmp_path / "snapped").exists()  # so it was one
