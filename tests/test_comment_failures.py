"""Whatever GitHub's API does, the gate keeps its verdict: one sentence, no traceback, and the token is never shown."""

from __future__ import annotations

import json
import time

import pytest
from github_api import TOKEN, Comment, Reply
from github_job import RED, WORSE, Job, workflow_job
from origins import Answer, Origin, close, drip, drip_headers, garbage, reset, send, silence

from sitemap_action.github import comment

job = pytest.fixture(workflow_job)

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
READ_ONLY = "the token may not write comments"
NOT_JSON = "GitHub's API answered with something else than JSON."
LIMIT = "GitHub's rate limit is reached"


def refusal(status: int, message: str = "No.", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status, json.dumps({"message": message}), named, "application/json")


def check_told(job: Job, words: str, *replies: Reply, method: str = "") -> None:
    """A run with such answers is like one without a comment, but for one sentence."""
    plain = job.check(RED, mode="never")
    job.github.will(*replies, method=method)
    outcome = job.check(RED)
    assert (outcome.exit_code, outcome.stdout) == (plain.exit_code, plain.stdout)
    job.assert_told(outcome, words)
    assert not job.bodies


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (refusal(401, "Bad credentials"), f"{READ_ONLY} (401)"),
        (refusal(403, "Resource not accessible by integration"), f"{READ_ONLY} (403)"),
        (refusal(404, "Not Found"), f"{READ_ONLY} (404)"),
        (refusal(422, "Validation Failed"), "GitHub's API answered 422: Validation Failed."),
        (refusal(410), "GitHub's API answered 410: No."),
        (refusal(429, retry_after="60"), f"{LIMIT} (429)."),
        (refusal(403, x_ratelimit_remaining="0", x_ratelimit_reset="1"), f"{LIMIT} (403)."),
        (refusal(403, retry_after="3600"), f"{LIMIT} (403)."),
        (Answer(418, "<html>"), "GitHub's API answered 418."),
        (Answer(422, "[" * 100_000), "GitHub's API answered 422."),
    ],
)
def test_a_refusal_is_told_and_not_asked_about_again(job: Job, reply: Answer, words: str, method: str) -> None:
    check_told(job, words, reply, method=method)
    assert len(job.github.asked(method)) == 1
    assert not job.pauses


@pytest.mark.parametrize("status", [500, 502, 503])
def test_what_is_only_read_is_asked_for_again_after_a_server_error(job: Job, status: int) -> None:
    job.github.will(refusal(status), refusal(status))
    assert job.check(RED).stderr == ""
    assert len(job.bodies) == 1
    assert job.pauses == [1, 2]


def test_after_the_third_server_error_it_is_told(job: Job) -> None:
    check_told(job, "GitHub's API answered 502: No.", *[refusal(502)] * 3)
    assert len(job.github.asked()) == 3


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_comment_is_not_made_twice_after_a_server_error(job: Job, status: int) -> None:
    check_told(job, f"GitHub's API answered {status}", refusal(status), method="POST")
    assert len(job.github.asked("POST")) == 1


def test_a_change_is_asked_for_again_after_a_server_error(job: Job) -> None:
    job.check(RED)
    job.github.will(refusal(500), method="PATCH")
    job.check(WORSE)
    assert "3 errors" in job.bodies[0]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [403, 429])
def test_a_short_wait_that_github_asks_for_is_kept(job: Job, status: int, method: str) -> None:
    job.github.will(refusal(status, retry_after="3"), method=method)
    assert job.check(RED).stderr == ""
    assert job.pauses == [3]
    assert len(job.bodies) == 1


def test_a_secondary_limit_is_known_by_its_words(job: Job) -> None:
    check_told(job, f"{LIMIT} (403).", *[refusal(403, "You have exceeded a secondary rate limit.")] * 3)


def test_a_connection_that_is_refused_is_told(job: Job) -> None:
    job.github.close()
    check_told(job, "GitHub's API cannot be reached (ConnectionError).")


@pytest.mark.parametrize(
    "fault", [close(), reset(), garbage(b"SSH-2.0-OpenSSH\r\n"), send(HEAD + b"Content-Length: 9\r\n\r\n[")]
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_connection_that_breaks_is_told(job: Job, fault: Reply, method: str) -> None:
    check_told(job, "GitHub's API cannot be reached (", fault, method=method)


@pytest.mark.parametrize(
    "fault", [silence(), drip_headers(0.05), drip(HEAD + b"Content-Length: 999\r\n\r\n", b"[" * 999, 0.05)]
)
def test_a_server_that_hangs_or_drips_is_not_waited_for(job: Job, fault: Reply) -> None:
    job.monkeypatch.setattr(comment, "_PATIENCE", 0.4)
    start = time.monotonic()
    check_told(job, "GitHub's API did not answer in time.", fault)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<html>Log in</html>", NOT_JSON),
        ("", NOT_JSON),
        ("[" * 100_000, NOT_JSON),
        (b"\xff\xfe\xfa", NOT_JSON),
        ("{}", "GitHub's API answered with something else than a list."),
        ("null", "GitHub's API answered with something else than a list."),
    ],
)
def test_an_answer_that_is_no_list_of_comments_is_told(job: Job, body: str | bytes, words: str) -> None:
    check_told(job, words, Answer(200, body))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_fault_of_our_own_is_not_told_as_one_of_github(job: Job) -> None:
    job.monkeypatch.setattr("sitemap_action.github.pull_request.find", lambda *_: 1 // 0)
    check_told(job, "a fault of sitemap-action, shown in the log.")


@pytest.mark.parametrize("body", ["", "<html>", "[" * 100_000])
def test_a_comment_that_was_made_is_there_whatever_the_answer_says_besides(job: Job, body: str) -> None:
    job.github.will(Answer(201, body), method="POST")
    outcome = job.check(RED)
    assert outcome.stderr == ""
    assert "No comment" not in job.summary


def test_a_page_that_stands_before_the_api_makes_no_comment(job: Job) -> None:
    check_told(job, NOT_JSON, Answer(200, "<html>Log in</html>"), method="POST")


@pytest.mark.parametrize(
    "change", [{"id": None}, {"id": "../../../x"}, {"id": True}, {"user": "x"}, {"body": 5}, {"body": []}]
)
def test_a_comment_of_another_shape_is_not_ours(job: Job, change: dict[str, object]) -> None:
    job.check(RED)
    odd = {**job.github.comments[0].show(), **change}
    job.github.will(Answer(200, json.dumps([1, None, "x", {}, odd])))
    assert job.check(WORSE).stderr == ""
    assert not job.github.asked("PATCH")


@pytest.mark.parametrize("user", ["[]", "null", '{"login": null}', "<html>", '{"login": 5}'])
def test_an_account_of_another_shape_owns_nothing(job: Job, user: str) -> None:
    job.check(RED)
    job.github.comments[0].author = Comment("").author
    job.github.will(Answer(200, json.dumps([job.github.comments[0].show()])), Answer(200, user))
    assert job.check(WORSE).stderr == ""
    assert len(job.bodies) == 2


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_token_is_not_taken_to_another_host(job: Job, origin: Origin, status: int, method: str) -> None:
    away = Answer(status, '{"id": 1}', {"Location": f"{origin.url}/x"}, "application/json")
    check_told(job, f"GitHub's API answered {status}", away, method=method)
    assert not origin.requests


@pytest.mark.parametrize("base", ["{origin}", ""])
def test_a_repository_that_was_renamed_is_followed_on_the_same_host(job: Job, base: str) -> None:
    new = "/repos/acme/site/issues/5/comments"
    job.set(GITHUB_REPOSITORY="acme/old")
    moved = Answer(301, '{"message": "Moved Permanently"}', {"Location": base + new})
    job.github.will(moved, method="GET")
    job.github.will(Answer(307, "{}", {"Location": base + new}), method="POST")
    assert job.check(RED).stderr == ""
    assert [asked.method for asked in job.github.asked()] == ["GET", "GET", "POST", "POST"]
    assert job.github.asked("POST")[1].body == {"body": job.bodies[0]}
    assert job.github.asked("POST")[1].headers["authorization"] == f"Bearer {TOKEN}"


@pytest.mark.parametrize(
    "location", ["{origin}/repos/acme/site/issues/5/comments", "http://[", "file:///etc/passwd", "//x"]
)
def test_a_redirect_that_leads_nowhere_is_told(job: Job, location: str) -> None:
    check_told(job, "GitHub's API ", *[Answer(301, "", {"Location": location})] * 3)
    assert len(job.github.asked()) <= 3


@pytest.mark.parametrize("token", ["tök…n", "a\nb", "a\r\nX-Evil: 1"])
def test_a_token_that_is_none_is_told_and_not_shown(job: Job, token: str) -> None:
    job.set(SITEMAP_ACTION_TOKEN=token)
    check_told(job, "GitHub's API cannot be reached (")
    assert not job.github.asked()
    assert token not in job.summary


@pytest.mark.parametrize("url", ["nonsense", "ftp://x", "http://", "http://[", "http://127.0.0.1:99999"])
def test_an_address_of_the_api_that_is_none_is_told(job: Job, url: str) -> None:
    job.set(GITHUB_API_URL=url)
    check_told(job, "GitHub's API cannot be reached (")


def test_what_the_api_says_is_no_more_trusted_than_a_sitemap(job: Job) -> None:
    evil = "::error::x\r\n##[set-output name=errors]0 @everyone <img src=x>" + "y" * 5_000
    check_told(job, "GitHub's API answered 422: ", refusal(422, evil))
    assert "<img" not in job.summary
    assert "@everyone" not in job.summary
    assert len(job.summary) < 10_000
