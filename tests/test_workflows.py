"""The workflows, the action and the shell scripts pass the linters of their trade."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from acting import ACTION, Act, commit, copy, need_act

from scripts.environment import ROOT, program

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SCRIPTS = [*sorted((ROOT / "action").glob("*.sh")), ROOT / ".ci" / "run"]


def run(*command: str | Path) -> None:
    """The linter is content; otherwise the test shows what it says."""
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def scripts() -> list[tuple[str, str]]:
    """Each `run:` with where it is."""
    jobs = [(path.name, job["steps"]) for path in WORKFLOWS for job in read(path)["jobs"].values()]
    jobs.append(("action.yml", read(ROOT / "action.yml")["runs"]["steps"]))
    return [
        (f"{name}-{number}", step["run"]) for name, steps in jobs for number, step in enumerate(steps) if "run" in step
    ]


def test_zizmor_finds_no_weakness() -> None:
    run(
        program("zizmor"),
        "--offline",
        "--no-progress",
        "--persona",
        "pedantic",
        ".github",
        "action.yml",
        ".pre-commit-hooks.yaml",
    )


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_follow_githubs_schema(path: Path) -> None:
    run(program("check-jsonschema"), "--builtin-schema", "vendor.github-workflows", path)


def test_the_action_follows_githubs_schema() -> None:
    run(program("check-jsonschema"), "--builtin-schema", "vendor.github-actions", ROOT / "action.yml")


def test_shell_scripts_pass_shellcheck() -> None:
    run(shutil.which("shellcheck") or pytest.skip("shellcheck is not installed"), *SCRIPTS)


@pytest.mark.parametrize(("name", "script"), scripts(), ids=[name for name, _ in scripts()])
def test_each_script_within_a_workflow_passes_shellcheck(tmp_path: Path, name: str, script: str) -> None:
    shellcheck = shutil.which("shellcheck") or pytest.skip("shellcheck is not installed")
    assert "${{" not in script
    (tmp_path / name).write_text(script, encoding="utf-8", newline="\n")
    run(shellcheck, "--shell", "bash", tmp_path / name)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_begin_with_no_permission_and_read_at_most(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert job["permissions"] == {"contents": "read"}


def test_the_tests_run_on_every_python_that_the_package_names() -> None:
    matrix = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["test"]["strategy"]["matrix"]
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [version for version in matrix["python"] if f"Python :: {version}" not in project] == []
    assert project.count("Python :: 3.") == len(matrix["python"])


def test_the_self_test_passes_on_a_runner(tmp_path: Path) -> None:
    need_act()
    runner = Act.make(tmp_path / "runner")
    consumer = tmp_path / "job" / "consumer"
    copy((*ACTION, "example", ".github"), consumer)
    commit(consumer)
    job = runner.job(consumer, "-W", ".github/workflows/self-test.yml", "--matrix", "system:ubuntu-latest")
    assert job.exit_code == 0, [event["msg"] for event in job.events if event.get("level") == "error"]
    results = {
        str(event["step"]): event["stepResult"]
        for event in job.events
        if event.get("stage") == "Main" and "stepResult" in event
    }
    assert results["The broken example fails with five errors"] == "success"
    assert results["The same passes when nothing is to fail"] == "success"
