"""A gate that fails, or that lets something pass, says why wherever the run is shown."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Run, Write, urlset
from github_job import Job, read_as_text, workflow_job
from origins import Answer, Origin
from runner_commands import annotated

job = pytest.fixture(workflow_job)

HOME = "https://www.acme.example"
WARNED = urlset(f"{HOME}/", f"{HOME}/#x", f"{HOME}/#y")
RED = urlset(f"{HOME}/", "None/x")
WARNINGS = "The gate failed: 2 warnings, and --fail-on is warning."
SCORE = "The gate failed: the score 0.95 is below --min-score 0.96."
BOTH = "The gate failed: 2 warnings, and --fail-on is warning; the score 0.95 is below --min-score 0.96."
EMPTY = "The gate failed: no sitemap was judged, and an empty run never passes."
OPEN = "The gate is open (--fail-on never)."
_WARNING, _SCORE, _NEVER = ("--fail-on", "warning"), ("--min-score", "0.96"), ("--fail-on", "never")
CASES = [
    (WARNED, _WARNING, 1, WARNINGS),
    (WARNED, _SCORE, 1, SCORE),
    (WARNED, (*_WARNING, *_SCORE), 1, BOTH),
    (WARNED, (*_NEVER, *_SCORE), 0, OPEN),
    (RED, _NEVER, 0, OPEN),
]


@pytest.mark.parametrize(("sitemap", "options", "code", "said"), CASES)
def test_a_verdict_that_does_not_explain_the_exit_code_is_followed_by_the_reason(
    run: Run, write: Write, sitemap: str, options: tuple[str, ...], code: int, said: str
) -> None:
    write("sitemap.xml", sitemap)
    outcome = run("sitemap.xml", *options, format="text")
    assert outcome.exit_code == code
    assert outcome.stdout.splitlines()[-1] == said
    assert run("sitemap.xml", "--quiet", *options, format="text").stdout.splitlines()[-1] == said
    assert run("sitemap.xml", *options).report["gate"] == {"passed": code == 0, "reason": said}


@pytest.mark.parametrize(
    ("sitemap", "options", "reason"),
    [
        (WARNED, (), None),
        (WARNED, _NEVER, None),
        (urlset(f"{HOME}/"), _WARNING, None),
        (RED, _SCORE, "The gate failed: 1 error; the score 0.75 is below --min-score 0.96."),
    ],
)
def test_a_verdict_that_explains_the_exit_code_stands_alone(
    run: Run, write: Write, sitemap: str, options: tuple[str, ...], reason: str | None
) -> None:
    write("sitemap.xml", sitemap)
    for format in ("text", "markdown", "github"):
        assert "The gate" not in run("sitemap.xml", *options, format=format).stdout
    assert run("sitemap.xml", *options).report["gate"] == {"passed": reason is None, "reason": reason}


def test_an_empty_run_without_a_finding_says_why_it_failed(run: Run, write: Write) -> None:
    write("index.html", "x")
    outcome = run(".", "--ignore", "sitemap-missing", format="text")
    assert (outcome.exit_code, outcome.stdout.splitlines()[-1]) == (1, EMPTY)


def test_what_could_not_be_judged_is_never_called_a_failure(run: Run, origin: Origin) -> None:
    origin.fallback = Answer(403, "no")
    reason = run(origin.url).report["gate"]["reason"]
    assert reason == "The gate is shut, because what matters could not be judged."
    assert "The gate" not in run(origin.url, format="github").stdout
    assert OPEN in run(origin.url, *_NEVER, format="text").stdout


@pytest.mark.parametrize(("sitemap", "options", "code", "said"), CASES)
def test_the_reason_is_an_annotation_if_the_step_fails_without_an_error(
    run: Run, write: Write, sitemap: str, options: tuple[str, ...], code: int, said: str
) -> None:
    write("sitemap.xml", sitemap)
    for more in ((), ("--quiet",)):
        found = annotated(run("sitemap.xml", *more, *options, format="github").stdout, "error")
        told = [given.message for given in found if given.properties == {"title": "gate"}]
        assert told == ([said] if code else [])


@pytest.mark.parametrize(("sitemap", "options", "code", "said"), CASES)
def test_summary_and_comment_say_the_reason(
    job: Job, sitemap: str, options: tuple[str, ...], code: int, said: str
) -> None:
    assert job.check(sitemap, *options).exit_code == code
    for text in (job.bodies[0], job.summary):
        assert said in read_as_text(text)


def test_other_files_have_the_reason_too(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", WARNED)
    run("sitemap.xml", *_WARNING, "--output", "text=a.txt", "--output", "markdown=a.md")
    for name in ("a.txt", "a.md"):
        assert WARNINGS in read_as_text((tmp_path / name).read_text(encoding="utf-8"))
