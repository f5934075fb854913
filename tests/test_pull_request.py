"""Which pull request a run belongs to, for every event that can have one; and the shape of all that is asked."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import openapi
import pytest
from github_api import REPOSITORY, Asked, Author, Comment, Exchange, Pull
from github_job import RED, SHA, WORSE, Job, workflow_job
from jsonschema import ValidationError
from origins import Answer

job = pytest.fixture(workflow_job)

NONE = "No comment: no open pull request belongs to this run."


def fork_run(**more: Any) -> dict[str, Any]:
    """What GitHub sends when a workflow has run for a fork: of the pull request it says nothing."""
    run = {
        "pull_requests": [],
        "head_sha": SHA,
        "head_branch": "topic",
        "head_repository": {"full_name": "bob/site", "owner": {"login": "bob"}},
    }
    return {"workflow_run": {**run, **more}}


def commented(job: Job) -> list[int]:
    """The numbers of the pull requests that have a comment after a run."""
    outcome = job.check(RED)
    assert outcome.exit_code == 1
    numbers = [comment.on for comment in job.github.comments]
    if numbers:
        assert outcome.stderr == ""
    return numbers


@pytest.mark.parametrize("name", ["pull_request", "pull_request_target", "pull_request_review"])
def test_the_event_of_a_pull_request_names_it(job: Job, name: str) -> None:
    job.event({"action": "synchronize", "number": 12, "pull_request": {"number": 12, "state": "open"}}, name)
    assert commented(job) == [12]


def test_a_comment_on_a_pull_request_is_an_event_of_an_issue(job: Job) -> None:
    job.event({"issue": {"number": 13, "pull_request": {"url": "https://api.github.com/x"}}}, "issue_comment")
    assert commented(job) == [13]


def test_an_issue_is_no_pull_request(job: Job) -> None:
    job.event({"issue": {"number": 13}}, "issue_comment")
    assert commented(job) == []
    job.assert_told(job.check(RED), NONE)


def test_a_run_after_a_workflow_takes_the_pull_request_that_it_names(job: Job) -> None:
    job.event(fork_run(pull_requests=[{"number": 14, "head": {"sha": SHA}}]), "workflow_run")
    assert commented(job) == [14]


def test_a_run_after_a_workflow_for_a_fork_is_found_by_owner_branch_and_commit(job: Job) -> None:
    job.github.pulls = [
        Pull(20, sha="d" * 40, owner="bob"),
        Pull(21, owner="carol"),
        Pull(22, owner="bob"),
    ]
    job.event(fork_run(), "workflow_run")
    assert commented(job) == [22]
    asked = job.github.asked()[0]
    assert (asked.path, asked.query["head"], asked.query["state"]) == (
        f"/repos/{REPOSITORY}/pulls",
        "bob:topic",
        "open",
    )


def test_a_fork_that_has_got_a_newer_commit_meanwhile_is_found_by_its_branch(job: Job) -> None:
    job.github.pulls = [Pull(23, sha="d" * 40, owner="bob")]
    job.event(fork_run(), "workflow_run")
    assert commented(job) == [23]


def test_a_fork_that_was_deleted_is_found_by_the_commit(job: Job) -> None:
    job.github.pulls = [Pull(24, owner="bob")]
    job.event(fork_run(head_repository=None), "workflow_run")
    assert commented(job) == [24]


def test_a_fork_without_a_pull_request_has_none(job: Job) -> None:
    job.github.pulls = [Pull(25, owner="bob", state="closed"), Pull(26, sha="d" * 40, owner="carol")]
    job.event(fork_run(), "workflow_run")
    job.assert_told(job.check(RED), NONE)


def test_a_run_after_a_workflow_in_a_fork_of_ours_does_not_take_a_number_of_another_repository(job: Job) -> None:
    upstream = {"number": 5, "base": {"repo": {"url": "https://api.github.com/repos/upstream/site"}}}
    ours = {"number": 14, "base": {"repo": {"url": f"https://api.github.com/repos/{REPOSITORY}"}}}
    job.event(fork_run(pull_requests=[upstream, ours]), "workflow_run")
    assert commented(job) == [14]


def test_a_push_finds_the_open_pull_request_of_its_commit(job: Job) -> None:
    job.github.pulls = [Pull(30, state="closed"), Pull(31)]
    job.event({"ref": "refs/heads/topic", "after": SHA}, "push")
    assert commented(job) == [31]


def test_a_push_prefers_the_pull_request_whose_head_it_is(job: Job) -> None:
    job.github.pulls = [Pull(32, sha="d" * 40, commits=(SHA,), branch="stacked"), Pull(33)]
    job.event({"ref": "refs/heads/topic"}, "push")
    assert commented(job) == [33]


def test_a_push_that_was_overtaken_is_found_by_its_branch(job: Job) -> None:
    job.github.pulls = [Pull(34, sha="d" * 40, commits=(SHA,), branch="stacked"), Pull(35, "e" * 40, commits=(SHA,))]
    job.event({"ref": "refs/heads/topic"}, "push")
    job.set(GITHUB_REF_NAME="topic")
    assert commented(job) == [35]


@pytest.mark.parametrize("sha", [SHA, "d" * 40])
def test_a_push_does_not_take_the_branch_of_a_fork_for_its_own(job: Job, sha: str) -> None:
    job.github.pulls = [Pull(40, sha, owner="bob", commits=(SHA,)), Pull(41, "e" * 40, owner="ACME", commits=(SHA,))]
    job.event({"ref": "refs/heads/topic"}, "push")
    job.set(GITHUB_REF_NAME="topic", GITHUB_REF_TYPE="branch")
    assert commented(job) == [41]
    job.github.pulls.pop()
    job.assert_told(job.check(WORSE), NONE)


def test_a_deployment_of_a_forks_commit_belongs_to_its_pull_request_and_not_to_a_branch_of_that_name(job: Job) -> None:
    job.github.pulls = [Pull(47, "d" * 40, owner="carol", commits=(SHA,)), Pull(48, owner="bob", branch="x")]
    job.event({"deployment_status": {}}, "deployment_status")
    job.set(GITHUB_REF_NAME="topic")
    assert commented(job) == [48]
    job.github.pulls.pop()
    job.assert_told(job.check(WORSE), NONE)


@pytest.mark.parametrize("sha", [SHA, "d" * 40])
@pytest.mark.parametrize("name", ["push", "release"])
def test_a_tag_belongs_to_no_pull_request(job: Job, sha: str, name: str) -> None:
    job.github.pulls = [Pull(42, sha, commits=(SHA,))]
    job.event({"ref": "refs/tags/topic"}, name)
    job.set(GITHUB_REF_NAME="topic", GITHUB_REF_TYPE="tag")
    job.assert_told(job.check(RED), NONE)
    assert not job.github.asked()


def test_a_fork_does_not_get_what_a_run_for_another_one_found(job: Job) -> None:
    job.github.pulls = [Pull(43, sha="d" * 40, owner="carol", commits=(SHA,)), Pull(44, owner="carol")]
    job.event(fork_run(), "workflow_run")
    job.assert_told(job.check(RED), NONE)


def test_of_a_fork_that_was_deleted_the_branch_says_nothing(job: Job) -> None:
    job.github.pulls = [Pull(45, sha="d" * 40, owner="carol", commits=(SHA,))]
    job.event(fork_run(head_repository=None), "workflow_run")
    job.assert_told(job.check(RED), NONE)


def test_in_a_fork_of_ours_a_push_does_not_take_a_number_of_another_repository(job: Job) -> None:
    upstream = Pull(46).show()
    upstream["base"]["repo"]["url"] = "https://api.github.com/repos/upstream/site"
    job.event({"ref": "refs/heads/topic"}, "push")
    job.github.will(Answer(200, json.dumps([upstream])))
    job.assert_told(job.check(RED), NONE)


@pytest.mark.parametrize("pulls", [[], [Pull(36, state="closed")], [Pull(37, sha="d" * 40, branch="other")]])
@pytest.mark.parametrize("name", ["push", "schedule", "workflow_dispatch"])
def test_without_an_open_pull_request_that_is_said(job: Job, name: str, pulls: list[Pull]) -> None:
    job.github.pulls = pulls
    job.set(GITHUB_REF_NAME="main")
    job.event({"schedule": "0 3 * * 1"}, name)
    job.assert_told(job.check(RED), NONE)
    assert not job.github.asked("POST")


BROKEN: list[Any] = [
    None,
    [],
    {"pull_request": None},
    {"pull_request": {"number": "5"}},
    {"pull_request": {"number": -5}},
    {"pull_request": {"number": True}},
    {"pull_request": []},
    {"issue": {"pull_request": {}, "number": 5}},
    {"workflow_run": {"pull_requests": 5, "head_repository": "x", "head_branch": 7}},
    {"workflow_run": {"pull_requests": {"number": 5}, "head_repository": {"owner": "x"}}},
    {"workflow_run": []},
    {"workflow_run": {"head_sha": "\ud800", "head_branch": "x"}},
    {"workflow_run": {"head_sha": "../../../x", "head_branch": "x"}},
    {"workflow_run": {"head_sha": "A" * 41, "head_branch": "x"}},
]


@pytest.mark.parametrize("payload", BROKEN)
def test_an_event_of_another_shape_names_no_pull_request(job: Job, payload: Any) -> None:
    job.event(payload)
    job.assert_told(job.check(RED), NONE)
    assert {asked.path for asked in job.github.asked()} <= {f"/repos/{REPOSITORY}/commits/{SHA}/pulls"}


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, None])
def test_an_event_file_that_is_broken_or_missing_names_no_pull_request(job: Job, content: bytes | None) -> None:
    if content is None:
        (job.folder / "event.json").unlink()
    else:
        (job.folder / "event.json").write_bytes(content)
    job.assert_told(job.check(RED), NONE)


def test_a_commit_of_a_repository_with_longer_hashes_is_one(job: Job) -> None:
    job.github.pulls = [Pull(38, sha="c" * 64)]
    job.event({}, "push")
    job.set(GITHUB_SHA="c" * 64)
    assert commented(job) == [38]


def test_without_a_commit_nothing_is_asked(job: Job) -> None:
    job.event({}, "schedule")
    job.set(GITHUB_SHA="", GITHUB_EVENT_PATH="")
    job.assert_told(job.check(RED), NONE)
    assert not job.github.asked()


@pytest.mark.parametrize(
    "body", ["{}", "[1, null]", '[{"head": 3}]', f'[{{"number": "x", "head": {{"sha": "{SHA}"}}}}]']
)
def test_pull_requests_of_another_shape_are_none(job: Job, body: str) -> None:
    job.event({}, "push")
    job.github.will(Answer(200, body))
    job.assert_told(job.check(RED), NONE)


needs_description = pytest.mark.skipif(not openapi.is_here(), reason=openapi.MISSING)


@needs_description
def test_all_that_we_ask_and_all_that_the_mock_answers_is_as_github_describes_it(job: Job) -> None:
    """The fixture holds every other test to it as well, at its end."""
    job.github.owner = Author("alice")
    job.github.pulls = [Pull(22, owner="bob")]
    job.event(fork_run(), "workflow_run")
    job.github.add(*(Comment("x", on=22) for _ in range(120)))
    job.check(RED)
    job.check(WORSE)
    job.event({}, "push")
    job.check(RED)
    assert {asked.method for asked in job.github.asked()} == {"GET", "POST", "PATCH"}
    assert len({asked.path for asked in job.github.asked()}) == len(openapi.excerpt()["paths"])
    for exchange in job.github.exchanges:
        assert exchange.status in (200, 201)
        openapi.hold(exchange)


POST = Asked("POST", f"/repos/{REPOSITORY}/issues/5/comments", {}, {}, {"body": "x"})
WRONG = [
    dataclasses.replace(POST, path=f"/repos/{REPOSITORY}/issue/5/comments"),
    dataclasses.replace(POST, method="PUT"),
    dataclasses.replace(POST, body={"body": 5}),
    dataclasses.replace(POST, body={}),
    dataclasses.replace(POST, body={"body": "x", "text": "y"}),
    dataclasses.replace(POST, method="GET", body=None, query={"perpage": "100"}),
    dataclasses.replace(POST, method="GET"),
]


@needs_description
@pytest.mark.parametrize("asked", WRONG)
def test_a_request_that_github_does_not_describe_is_noticed(asked: Asked) -> None:
    with pytest.raises((AssertionError, ValidationError)):
        openapi.hold(Exchange(asked, is_scripted=True))


@needs_description
@pytest.mark.parametrize("name", ["id", "user", "html_url"])
def test_an_answer_of_the_mock_that_github_does_not_describe_is_noticed(name: str) -> None:
    good = Comment("x").show()
    openapi.hold(Exchange(POST, 201, good))
    with pytest.raises(ValidationError):
        openapi.hold(Exchange(POST, 201, {**good, name: 1.5}))
