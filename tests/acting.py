"""Runs the action for real: act plays the runner, on this machine, without containers and without a network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from scripts.environment import ROOT, program
from scripts.test import WHEELHOUSE, wheelhouse_is_filled

ACTION = ("action.yml", "action", "sitemap_action", "pyproject.toml")
USES = "acme/sitemap-action@v1"
ANNOTATIONS = ("error", "warning", "notice")
# pip and uv find everything in the wheelhouse, and look nowhere else.
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_FIND_LINKS": str(WHEELHOUSE),
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "UV_OFFLINE": "1",
    "UV_FIND_LINKS": str(WHEELHOUSE),
}
_ACT = "--json -P ubuntu-latest=-self-hosted --container-daemon-socket - --no-cache-server --pull=false"
# The runner's folders are gone after the job, so the last step takes what the tests look at.
_KEEP = """
printf '%s' "$STEPS" > "$KEEP/steps.json"
cp -R . "$KEEP/workspace"
mv "$RUNNER_TEMP" "$KEEP/temp"
"""


def need_wheels() -> None:
    if not wheelhouse_is_filled():
        pytest.skip("the wheelhouse is empty or old; `python scripts/test.py` fills it")


def need_act() -> None:
    if sys.platform != "linux":
        pytest.skip("act runs a job without a container engine on Linux only")
    if not program("act").exists():
        pytest.skip("act is not installed; `python scripts/test.py` does that")
    need_wheels()


def copy(names: tuple[str, ...], folder: Path) -> None:
    """Parts of this repository, without what lies about in it."""
    folder.mkdir(parents=True)
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, folder / name)


def commit(folder: Path) -> str:
    """Make the folder a repository with one commit; its hash."""
    for command in ("init -q", "add -A -f", "commit -q --no-gpg-sign -m all"):
        git(folder, *command.split())
    return git(folder, "rev-parse", "HEAD").strip()


def git(folder: Path, *arguments: str) -> str:
    """Nobody's own settings, nor those of a hook that the tests may run in."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = ("-c", "user.name=Test", "-c", "user.email=test@acme.example", "-c", "core.autocrlf=false")
    command = ["git", *who, *arguments]
    variables = {**plain, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    answer = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, check=True)
    return answer.stdout


def parsed(command: str) -> dict[str, str]:
    """As the runner does it: properties end at the first `::`, where act takes the last one."""
    head, _, text = command.strip().removeprefix("::").partition("::")
    level, _, properties = head.partition(" ")
    pairs = dict(pair.split("=", 1) for pair in properties.split(",") if pair)
    return {"level": level, "text": plain(text), **{name: plain(value) for name, value in pairs.items()}}


def plain(value: str) -> str:
    for code, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        value = value.replace(code, character)
    return value


@dataclass
class Job:
    """What a job left behind."""

    exit_code: int
    events: list[dict[str, Any]]
    kept: Path

    @cached_property
    def steps(self) -> dict[str, Any]:
        steps: dict[str, Any] = json.loads((self.kept / "steps.json").read_text(encoding="utf-8"))
        return steps

    def outputs(self, step: str) -> dict[str, str]:
        outputs: dict[str, str] = self.steps[step]["outputs"]
        return outputs

    def outcome(self, step: str) -> str:
        return str(self.steps[step]["outcome"])

    def commands(self, step: str, part: str = "check") -> list[dict[str, Any]]:
        """The workflow commands that act understood, with those of the environment files."""
        return [event for event in self.events if event.get("stepID") == [step, part] and "command" in event]

    def annotations(self, step: str, part: str = "check") -> list[dict[str, str]]:
        return [parsed(event["raw"]) for event in self.commands(step, part) if event["command"] in ANNOTATIONS]

    def lines(self, step: str, part: str = "check") -> list[str]:
        """The log, without the lines that were commands."""
        raw = [event for event in self.events if event.get("stepID") == [step, part] and event.get("raw_output")]
        return [event["msg"].removesuffix("\n") for event in raw]

    def kept_file(self, path: str) -> Path:
        """Where a file of the runner's temporary folder is now."""
        return self.kept.joinpath("temp", *Path(path).parts[-2:])


@dataclass
class Act:
    """A runner: a copy of the action, a Python with nothing installed in it, a home of its own."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Act:
        copy(ACTION, folder / "action")
        app_data = ["--app-data", str(folder / "app-data"), "--no-periodic-update"]
        command = [sys.executable, "-I", "-m", "virtualenv", "--quiet", *app_data, str(folder / "python")]
        subprocess.run(command, check=True)
        return cls(folder)

    def workflow(
        self,
        name: str,
        files: dict[str, str],
        steps: list[dict[str, Any]],
        tools: Path | None = None,
        variables: dict[str, str] | None = None,
    ) -> Job:
        """Check out a repository with these files, and run the steps, in a job with these variables."""
        consumer = self.folder / name / "consumer"
        keep: dict[str, Any] = {"if": "always()", "env": {"STEPS": "${{ toJSON(steps) }}"}, "run": _KEEP}
        job = {
            "runs-on": "ubuntu-latest",
            "env": variables or {},
            "steps": [{"uses": "actions/checkout@v5"}, *steps, keep],
        }
        workflow = json.dumps({"on": "push", "jobs": {"check": job}})
        for path, text in {**files, ".github/workflows/check.yml": workflow}.items():
            (consumer / path).parent.mkdir(parents=True, exist_ok=True)
            (consumer / path).write_text(text, encoding="utf-8", newline="\n")
        commit(consumer)
        return self.job(consumer, tools=tools)

    def job(self, consumer: Path, *options: str, event: str = "push", tools: Path | None = None) -> Job:
        """Programs in the folder `tools` come before all others."""
        kept = consumer.parent / "kept"
        kept.mkdir()
        path = [str(tools)] if tools else []
        home = {"HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "cache")}
        search = os.pathsep.join([*path, str(self.folder / "python" / "bin"), "/usr/bin", "/bin"])
        given = [
            part for name, value in {**OFFLINE, "KEEP": str(kept)}.items() for part in ("--env", f"{name}={value}")
        ]
        served = ["--local-repository", f"{USES}={self.folder / 'action'}", "-C", str(consumer)]
        answer = subprocess.run(
            [str(program("act")), event, *_ACT.split(), *served, *given, *options],
            env={**home, "PATH": search},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        return Job(answer.returncode, [json.loads(line) for line in answer.stdout.splitlines() if line], kept)
