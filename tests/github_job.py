"""A job on GitHub as the command meets it: the runner's variables, an event, a summary, and the mock API."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Run, urlset
from github_api import REPOSITORY, TOKEN, GitHub
from openapi import hold_to_openapi

from sitemap_action.github import comment

SHA = "a" * 40
GREEN = urlset("https://www.acme.example/a")
RED = urlset("ftp://www.acme.example/a")
WORSE = urlset("ftp://www.acme.example/a", "ftp://www.acme.example/b", "/c")
PULL_REQUEST = {"pull_request": {"number": 5}}


@dataclass
class Job:
    github: GitHub
    folder: Path
    monkeypatch: pytest.MonkeyPatch
    invoke: Run
    pauses: list[float]

    def set(self, **variables: str) -> None:
        for name, value in variables.items():
            self.monkeypatch.setenv(name, value)

    def event(self, payload: Any, name: str = "pull_request") -> None:
        (self.folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        self.set(GITHUB_EVENT_NAME=name)

    def check(self, sitemap: str, *options: str, mode: str = "always", name: str = "sitemap.xml") -> Outcome:
        """One run of the job on a file."""
        (self.folder / name).write_text(sitemap, encoding="utf-8")
        return self.run(name, *options, mode=mode)

    def run(self, *arguments: str, mode: str = "always") -> Outcome:
        self._summary.unlink(missing_ok=True)
        outcome = self.invoke("--comment", mode, *arguments)
        for text in (outcome.stdout, outcome.stderr, self.summary):
            assert TOKEN not in text
            assert "Traceback" not in text
        return outcome

    @property
    def _summary(self) -> Path:
        return self.folder / "summary.md"

    @property
    def summary(self) -> str:
        return self._summary.read_text(encoding="utf-8") if self._summary.exists() else ""

    @property
    def bodies(self) -> list[str]:
        return [comment.body for comment in self.github.comments]

    def assert_told(self, outcome: Outcome, words: str) -> None:
        """Once on standard error and once in the summary, with these words."""
        assert [line for line in outcome.stderr.splitlines() if line.startswith("No comment")] == [outcome.stderr[:-1]]
        lines = [line for line in read_as_text(self.summary).splitlines() if "No comment" in line]
        assert len(lines) == 1
        for text in (*lines, outcome.stderr):
            assert words in text


def read_as_text(markdown: str) -> str:
    return html.unescape(re.sub("</?[a-z]+>", "", markdown))


def workflow_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Iterator[Job]:
    """To be made a fixture by the module that uses it. What was asked, and answered, is held to GitHub's own words."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "RUNNER_TEMP"):
        monkeypatch.delenv(name, raising=False)
    pauses: list[float] = []
    monkeypatch.setattr(comment.keep_up_to_date, "__defaults__", (pauses.append,))
    with GitHub() as github:
        job = Job(github, tmp_path, monkeypatch, run, pauses)
        job.set(
            GITHUB_ACTIONS="true",
            GITHUB_API_URL=github.url,
            GITHUB_EVENT_PATH=str(tmp_path / "event.json"),
            GITHUB_JOB="check",
            GITHUB_REPOSITORY=REPOSITORY,
            GITHUB_RUN_ID="77",
            GITHUB_SERVER_URL="https://github.com",
            GITHUB_SHA=SHA,
            GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"),
            GITHUB_WORKFLOW="Sitemaps",
            GITHUB_WORKSPACE=str(tmp_path),
            SITEMAP_ACTION_TOKEN=TOKEN,
        )
        job.event(PULL_REQUEST)
        yield job
        hold_to_openapi(github.exchanges)
