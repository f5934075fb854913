"""The repository around checked files: paths from its root, and links that exist on GitHub."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Write

from sitemap_action.repository.workspace import Workspace

URL = "https://github.com/acme/site/blob/abc"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write) -> Path:
    """A checkout in a subfolder of the workspace, with files that git knows of and one that it does not."""
    if shutil.which("git") is None:
        pytest.skip("needs git")
    root = tmp_path / "workspace" / "checkout"
    for name in ("sitemap.xml", "public/a b#1?é%.xml", "public/sitemap.xml"):
        write(f"workspace/checkout/{name}", "x")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    write("workspace/checkout/public/built.xml", "x")
    write("workspace/outside.xml", "x")
    monkeypatch.chdir(root)
    return root


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


def at(root: Path) -> Workspace:
    return Workspace(root.parent, URL)


def test_paths_are_told_from_the_root_of_the_repository(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert at(repository).relative("public/sitemap.xml") == "public/sitemap.xml"
    monkeypatch.chdir(repository / "public")
    assert at(repository).relative("sitemap.xml") == "public/sitemap.xml"
    assert at(repository).relative("../sitemap.xml") == "sitemap.xml"


def test_paths_are_told_from_the_root_also_when_run_above_it(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository.parent)
    assert at(repository).relative("checkout/public/sitemap.xml") == "public/sitemap.xml"
    assert at(repository).relative(str(repository / "sitemap.xml")) == "sitemap.xml"


def test_a_file_that_is_in_no_repository_is_told_from_the_workspace(repository: Path) -> None:
    assert at(repository).relative("../outside.xml") == "outside.xml"
    assert at(repository).link("../outside.xml", 1) is None


def test_what_lies_outside_and_what_is_no_file_has_no_path(repository: Path, tmp_path: Path) -> None:
    for location in (str(tmp_path / "x.xml"), "https://www.acme.example/sitemap.xml", "../../x.xml"):
        assert at(repository).relative(location) is None
        assert at(repository).link(location, 1) is None


def test_a_repository_above_the_workspace_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    top = tmp_path / "workspace"
    top.mkdir()
    monkeypatch.chdir(top)
    assert Workspace(top).relative("sitemap.xml") == "sitemap.xml"


def test_without_a_workspace_paths_are_told_from_the_repository_or_the_working_directory(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Workspace().relative("public/sitemap.xml") == "public/sitemap.xml"
    monkeypatch.chdir(tmp_path)
    assert Workspace().relative("workspace/outside.xml") == "workspace/outside.xml"
    assert Workspace().relative("../x.xml") is None


def test_a_checkout_below_another_has_its_own_root(repository: Path) -> None:
    (repository / "public" / ".git").write_text("gitdir: ../.git/modules/public\n", encoding="utf-8")
    assert at(repository).relative("public/sitemap.xml") == "sitemap.xml"


def test_where_the_workspace_is_the_checkout_nothing_below_it_is_a_root(repository: Path) -> None:
    (repository / "public" / ".git").mkdir()
    assert Workspace(repository, URL).relative("public/sitemap.xml") == "public/sitemap.xml"
    assert Workspace(repository, URL).link("public/sitemap.xml", 3) == f"{URL}/public/sitemap.xml#L3"


def test_a_link_leads_to_the_line_of_a_file_that_git_knows(repository: Path) -> None:
    place = at(repository)
    assert place.link("public/sitemap.xml", 7) == f"{URL}/public/sitemap.xml#L7"
    assert place.link("public/sitemap.xml", None) == f"{URL}/public/sitemap.xml"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_are_quoted_in_links(repository: Path) -> None:
    assert at(repository).link("public/a b#1?é%.xml", 2) == f"{URL}/public/a%20b%231%3F%C3%A9%25.xml#L2"


def test_a_file_that_only_the_build_has_written_has_a_path_and_no_link(repository: Path) -> None:
    assert at(repository).relative("public/built.xml") == "public/built.xml"
    assert at(repository).link("public/built.xml", 1) is None


def test_without_a_commit_there_are_no_links(repository: Path) -> None:
    assert Workspace(repository.parent).link("sitemap.xml", 1) is None


def test_nothing_of_a_repository_is_run(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(subprocess, "Popen", None)
    assert at(repository).link("sitemap.xml", 1) == f"{URL}/sitemap.xml#L1"


def test_the_index_is_read_once_for_each_repository(repository: Path) -> None:
    place = at(repository)
    assert place.link("sitemap.xml", 1)
    (repository / ".git" / "index").unlink()
    assert place.link("public/sitemap.xml", 1)


@pytest.mark.skipif(os.name == "nt", reason="Links need rights on Windows")
def test_a_workspace_may_be_reached_over_a_link(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(repository.parent)
    place = Workspace(tmp_path / "link", URL)
    assert place.relative("public/sitemap.xml") == "public/sitemap.xml"
    assert place.link("public/sitemap.xml", 1) == f"{URL}/public/sitemap.xml#L1"


@pytest.mark.skipif(os.name == "nt", reason="Links need rights on Windows")
def test_a_checkout_that_is_the_workspace_may_be_reached_over_a_link(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(repository)
    monkeypatch.chdir(repository / "public")
    place = Workspace(tmp_path / "link", URL)
    for _ in range(2):
        assert place.relative("sitemap.xml") == "public/sitemap.xml"
        assert place.link("sitemap.xml", 1) == f"{URL}/public/sitemap.xml#L1"


@pytest.mark.parametrize("is_checkout", [True, False])
def test_a_repository_may_be_as_deep_as_it_likes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_checkout: bool
) -> None:
    if is_checkout:
        (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    path = "d/" * 1_500 + "sitemap.xml"
    assert Workspace().relative(path) == Workspace(tmp_path).relative(path) == path


@pytest.mark.skipif(os.name == "nt", reason="Links need rights on Windows")
def test_a_link_inside_of_a_repository_keeps_its_name(repository: Path) -> None:
    (repository / "current").symlink_to(repository / "public")
    assert at(repository).relative("current/sitemap.xml") == "current/sitemap.xml"
