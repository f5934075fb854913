"""The hooks keep their promises in a real pre-commit."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import yaml
from acting import OFFLINE, commit, copy, git, need_wheels
from conftest import urlset

from scripts.environment import ROOT

HOOKS: dict[str, dict[str, Any]] = {
    hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}
PACKAGE = (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE", "THIRD_PARTY.md", "sitemap_action")
GOOD = urlset("https://www.acme.example/")
BROKEN = GOOD.replace("</urlset>", "<url>\n</urlset>")
LOOP = GOOD.replace("<url>", "{% for page in site.pages %}<url>").replace("</url>", "</url>{% endfor %}")
TEMPLATE = f"---\nlayout: null\n---\n{LOOP}"


@dataclass
class Repository:
    """Somebody's repository with both hooks; the first run of all installs them."""

    folder: Path
    shared: Path

    def run(self, hook: str, files: dict[str, str]) -> tuple[int, str]:
        """Commit nothing: the files are staged, and the hook is run as a commit would."""
        for name, text in files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8", newline="\n")
        git(self.folder, "add", "-A")
        theirs = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SITEMAP_ACTION_"))}
        variables = {
            **theirs,
            **OFFLINE,
            "PRE_COMMIT_HOME": str(self.shared / "home"),
            "VIRTUALENV_OVERRIDE_APP_DATA": str(self.shared / "app-data"),
            "PYTHONUTF8": "1",
        }
        command = [sys.executable, "-m", "pre_commit", "run", "--verbose", "--color", "never", hook]
        answer = subprocess.run(
            command, cwd=self.folder, env=variables, capture_output=True, text=True, encoding="utf-8", check=False
        )
        return answer.returncode, answer.stdout + answer.stderr


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    need_wheels()
    shared = tmp_path_factory.mktemp("pre-commit")
    copy(PACKAGE, shared / "package")
    return shared, commit(shared / "package")


@pytest.fixture
def repository(tmp_path: Path, published: tuple[Path, str]) -> Repository:
    shared, revision = published
    hooks = [{"id": "sitemap-check"}, {"id": "sitemap-check-site", "args": ["public"]}]
    config = {"repos": [{"repo": str(shared / "package"), "rev": revision, "hooks": hooks}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(json.dumps(config), encoding="utf-8")
    commit(tmp_path)
    return Repository(tmp_path, shared)


@pytest.mark.timeout(300)
def test_a_good_sitemap_passes_and_a_broken_one_fails_with_file_and_line(repository: Repository) -> None:
    code, text = repository.run("sitemap-check", {"public/sitemap.xml": GOOD, "other.xml": "<", "sitemap.md": "<"})
    assert code == 0, text
    assert "Passed" in text
    code, text = repository.run("sitemap-check", {"public/sitemap-blog.xml": BROKEN})
    assert code == 1, text
    assert re.search(r"public/sitemap-blog\.xml:\d+:\d+", text.replace("\\", "/")), text
    assert "other.xml" not in text


@pytest.mark.timeout(300)
def test_only_changed_sitemaps_are_checked(repository: Repository) -> None:
    (repository.folder / "sitemap-old.xml").write_text(BROKEN, encoding="utf-8")
    git(repository.folder, "add", "-A")
    git(repository.folder, "commit", "-q", "--no-verify", "-m", "old")
    code, text = repository.run("sitemap-check", {"sitemap.txt": "https://www.acme.example/\n"})
    assert (code, "sitemap-old" in text) == (0, False), text
    assert "sitemap.txt" in text


NAMES_LIKE_OPTIONS = ["--output=sarif=x.sitemap.xml", "-sitemap.xml", "--fail-on=never/sitemap.txt", "--sitemap.xml"]


@pytest.mark.timeout(300)
@pytest.mark.skipif(os.name == "nt", reason="git on Windows may refuse such names")
@pytest.mark.parametrize("name", NAMES_LIKE_OPTIONS)
def test_a_file_that_is_named_like_an_option_is_a_file(repository: Repository, name: str) -> None:
    config = repository.folder / ".pre-commit-config.yaml"
    given = json.loads(config.read_text(encoding="utf-8"))
    given["repos"][0]["hooks"][0]["args"] = ["--max-findings", "3"]
    config.write_text(json.dumps(given), encoding="utf-8")
    code, text = repository.run("sitemap-check", {name: BROKEN if name.endswith("xml") else "no URL\n"})
    assert code == 1, text
    assert re.search(rf"(?m)^\s*{re.escape(name)}:\d+", text), text
    assert not (repository.folder / "x.sitemap.xml").exists()


@pytest.mark.timeout(300)
def test_other_files_do_not_start_the_hook(repository: Repository) -> None:
    code, text = repository.run("sitemap-check", {"feed.xml": "<", "notes.txt": "x", "sitemap.py": "x"})
    assert code == 0
    assert "no files to check" in text


@pytest.mark.timeout(300)
def test_a_template_is_not_taken_for_broken_xml(repository: Repository) -> None:
    code, text = repository.run("sitemap-check", {"sitemap.xml": TEMPLATE})
    assert code == 0, text
    assert "template-unrendered" in text
    assert "xml-not-well-formed" not in text


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", ["robots.txt", "index.html", "_redirects", "_headers"])
def test_the_whole_site_is_checked_when_something_changes_that_sitemaps_depend_on(
    repository: Repository, name: str
) -> None:
    (repository.folder / "public").mkdir()
    (repository.folder / "public" / "sitemap.xml").write_text(BROKEN, encoding="utf-8")
    git(repository.folder, "add", "-A")
    git(repository.folder, "commit", "-q", "--no-verify", "-m", "old")
    code, text = repository.run("sitemap-check-site", {f"public/{name}": "# x\n"})
    assert code == 1, text
    assert "public/sitemap.xml" in text.replace("\\", "/")


_SITEMAPS = "sitemap.xml Sitemap.XML a/b/sitemap-1.xml sitemap_index.xml news-sitemap.xml.gz sitemap.txt sitemap.txt.gz post-sitemap2.xml"
_AROUND = "robots.txt public/robots.txt index.html a/b.htm _redirects _headers CNAME"
_NEITHER = "sitemap.py sitemap.md sitemap.xsl feed.xml sitemap/other.xml sitemap.xml.bak notes.txt a_redirects html"


def test_the_patterns_take_what_they_should() -> None:
    check, site = (re.compile(HOOKS[id]["files"]) for id in ("sitemap-check", "sitemap-check-site"))
    for name in _SITEMAPS.split():
        assert check.search(name), name
        assert site.search(name), name
    for name in _AROUND.split():
        assert not check.search(name), name
        assert site.search(name), name
    for name in _NEITHER.split():
        assert not check.search(name), name
        assert not site.search(name), name


def test_each_hook_runs_a_command_of_the_package() -> None:
    scripts = {
        entry.name for entry in entry_points(group="console_scripts") if entry.value.startswith("sitemap_action.")
    }
    assert HOOKS
    for hook in HOOKS.values():
        assert hook["entry"].split()[0] in scripts
        assert hook["types"] == ["file"]
