"""The index of a checkout is read as git writes it, and nothing that a stranger's checkout asks for is run."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Write, urlset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sitemap_action.repository.git_index import tracked

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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such names")
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


def entries(version: int, *names: bytes, dropped: int = 0) -> bytes:
    """An index with these names; in version 4 each further one repeats that before it, but for some of its end."""
    made = [b"DIRC" + struct.pack(">II", version, len(names))]
    for number, name in enumerate(names):
        prefix = bytes([dropped if number else 0]) if version == 4 else b""
        entry = b"\0" * 62 + prefix + name + b"\0"
        made.append(entry if version == 4 else entry + b"\0" * (-len(entry) % 8))
    return b"".join(made)


BOMBS = {
    "names of megabytes": entries(4, b"x" * 10**6, *[b"y"] * 3_000),
    "names that grow": entries(4, *[b"y"] * 60_000),
    "names that are long": entries(4, b"x" * 4_000, *(b"%06d" % number for number in range(200_000)), dropped=6),
    "a number without end": entries(4, b"x").replace(b"\0x\0", b"\xff" * 3_000_000),
    "a name in an old version": entries(2, b"x" * 4_097),
}


@pytest.mark.skipif(sys.platform == "win32", reason="the limit of memory is one of POSIX systems")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_small_index_does_not_become_large(write: Write, tmp_path: Path, bomb: str) -> None:
    write("site/sitemap.xml", urlset("None/x"))
    write("site/.git/index", BOMBS[bomb])
    assert_harmless(tmp_path)


@pytest.mark.parametrize("count", [1, 40])
def test_names_as_long_as_a_path_may_be_are_read(write: Write, tmp_path: Path, count: int) -> None:
    names = [bytes([65 + number]) * 4_096 for number in range(count)]
    write(".git/index", entries(3, *names))
    assert tracked(tmp_path) == {name.decode() for name in names}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
@pytest.mark.parametrize("place", [".git", ".git/index"])
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero", "/proc/kmsg", "/proc/self/mem"])
def test_what_is_no_regular_file_is_not_read(write: Write, tmp_path: Path, place: str, kind: str) -> None:
    write("site/sitemap.xml", urlset("None/x"))
    path = tmp_path / "site" / place
    path.parent.mkdir(exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(kind)
    assert_harmless(tmp_path)


def assert_harmless(folder: Path) -> None:
    """A job of GitHub checks the site in a process of its own, within a second or two and 400 MB."""
    names = {"ACTIONS": "true", "REPOSITORY": "acme/site", "SHA": "aa", "WORKSPACE": str(folder)}
    variables = {**os.environ, **{f"GITHUB_{name}": value for name, value in names.items()}}
    limited = "import resource, runpy; resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20)); "
    command = limited + "runpy.run_module('sitemap_action', run_name='__main__')"
    answer = subprocess.run(
        [sys.executable, "-c", command, "site", "--format", "markdown"],
        cwd=folder,
        env={**variables, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=10,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (1, "")
    assert "loc-not-absolute" in answer.stdout


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
