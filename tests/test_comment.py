"""The comment on a pull request: one for each job and site, only ever our own, and kept up to date in place."""

from __future__ import annotations

import json
import re

import pytest
from conftest import urlset
from github_api import ACTIONS, PERSON, REPOSITORY, Author, Comment
from github_job import GREEN, RED, WORSE, Job, read_as_text, workflow_job
from origins import Answer, Origin

job = pytest.fixture(workflow_job)

LIST = f"/repos/{REPOSITORY}/issues/5/comments"


def test_it_is_made_once_and_says_what_was_found(job: Job) -> None:
    outcome = job.check(RED)
    assert (outcome.exit_code, outcome.stderr) == (1, "")
    assert [(asked.method, asked.path) for asked in job.github.asked()] == [("GET", LIST), ("POST", LIST)]
    text = read_as_text(job.bodies[0])
    assert "### ❌ Sitemaps of sitemap.xml: fail, score 0.75" in text
    assert "1 error, 0 warnings, 0 notices in 1 document with 1 URL." in text
    assert "loc-scheme-unsupported" in text
    assert "sitemap.xml:3:6" in text
    assert f'<a href="https://github.com/{REPOSITORY}/actions/runs/77">' in job.bodies[0]
    assert "No comment" not in job.summary


def test_it_says_who_asks_and_for_which_edition_of_the_api(job: Job) -> None:
    job.check(RED)
    headers = job.github.asked()[0].headers
    assert headers["accept"] == "application/vnd.github+json"
    assert headers["x-github-api-version"] == "2022-11-28"
    assert headers["user-agent"].startswith("sitemap-action/")


def test_it_is_updated_in_place(job: Job) -> None:
    job.check(RED)
    job.github.add(Comment("Thanks!"))
    job.check(WORSE)
    assert [asked.path for asked in job.github.asked("PATCH")] == [f"/repos/{REPOSITORY}/issues/comments/1001"]
    assert len(job.bodies) == 2
    assert "3 errors" in job.bodies[0]


def test_it_is_left_alone_when_only_the_run_and_the_commit_differ(job: Job) -> None:
    job.check(RED)
    job.set(GITHUB_RUN_ID="78", GITHUB_RUN_ATTEMPT="2", GITHUB_SHA="c" * 40)
    before = job.bodies
    job.check(RED)
    assert [asked.method for asked in job.github.asked()] == ["GET", "POST", "GET"]
    assert job.bodies == before


def test_it_is_found_again_after_github_has_changed_the_ends_of_its_lines(job: Job) -> None:
    job.check(RED)
    job.github.comments[0].body = job.bodies[0].replace("\n", "\r\n")
    job.check(RED)
    assert [asked.method for asked in job.github.asked()] == ["GET", "POST", "GET"]


def test_it_is_found_on_the_third_page(job: Job) -> None:
    job.github.add(*(Comment(f"Comment {number}") for number in range(250)))
    job.check(RED)
    job.github.add(*(Comment(f"Comment {number}") for number in range(150)))
    job.check(WORSE)
    assert len(job.github.asked("POST")) == 1
    assert [asked.path for asked in job.github.asked("PATCH")] == [f"/repos/{REPOSITORY}/issues/comments/1251"]
    assert [asked.query["page"] for asked in job.github.asked("GET")] == ["1", "2", "3", "1", "2", "3"]


def marked(job: Job) -> str:
    """The text of a comment of ours, which then is taken away."""
    job.check(RED)
    return job.github.comments.pop().body


def test_a_persons_comment_with_our_exact_mark_is_left_alone_and_a_new_one_is_made(job: Job) -> None:
    forged = marked(job).replace("fail", "pass")
    job.github.add(Comment(forged, PERSON))
    job.check(WORSE)
    job.check(WORSE)
    assert job.github.comments[0].body == forged
    assert [comment.author for comment in job.github.comments] == [PERSON, ACTIONS]
    assert not job.github.asked("PATCH")


def test_with_a_personal_token_the_comment_of_that_person_is_ours(job: Job) -> None:
    job.github.owner = Author("alice")
    job.github.add(Comment(marked(job), PERSON))
    job.check(RED)
    job.check(WORSE)
    assert [comment.author.login for comment in job.github.comments] == ["mallory", "alice"]
    assert "1 error" in job.bodies[0]
    assert "3 errors" in job.bodies[1]
    assert "/user" in [asked.path for asked in job.github.asked("GET")]


@pytest.mark.parametrize("change", ["> {}", "\n{}", "Look: {}", "{}"])
def test_another_bots_comment_without_our_mark_at_its_very_start_is_left_alone(job: Job, change: str) -> None:
    text = change.format(marked(job)) if change != "{}" else "### Sitemaps of sitemap.xml: fail"
    job.github.add(Comment(text, Author("other[bot]", "Bot")))
    job.check(WORSE)
    assert job.bodies[0] == text
    assert len(job.bodies) == 2


def test_a_comment_of_a_deleted_account_is_passed_over(job: Job) -> None:
    text = marked(job)
    ghost = Comment(text).show()
    ghost["user"] = None
    job.github.will(Answer(200, json.dumps([ghost, {**ghost, "body": None}])))
    job.check(RED)
    assert len(job.bodies) == 1


@pytest.mark.parametrize("variable", ["GITHUB_JOB", "GITHUB_WORKFLOW"])
def test_two_jobs_have_a_comment_each(job: Job, variable: str) -> None:
    job.check(RED)
    job.set(**{variable: "another"})
    job.check(RED)
    job.check(WORSE)
    assert ["1 error," in body for body in job.bodies] == [True, False]


def test_two_sites_of_a_job_have_a_comment_each(job: Job) -> None:
    job.check(RED, name="one.xml")
    job.check(WORSE, name="two.xml")
    assert len(job.bodies) == 2
    assert len({re.split(r"[: ]", body)[2] for body in job.bodies}) == 2
    job.check(GREEN, name="one.xml")
    assert ["pass" in body for body in job.bodies] == [True, False]


def test_a_key_cannot_be_shared_by_moving_letters_between_job_and_workflow(job: Job) -> None:
    job.set(GITHUB_WORKFLOW="ab", GITHUB_JOB="c")
    job.check(RED)
    job.set(GITHUB_WORKFLOW="a", GITHUB_JOB="bc")
    job.check(RED)
    assert len(job.bodies) == 2


def test_always_comments_when_all_is_well_too(job: Job) -> None:
    assert job.check(GREEN).exit_code == 0
    assert "pass" in job.bodies[0]
    assert "nothing to mend" in job.bodies[0]


def test_the_link_promises_what_the_run_has(job: Job) -> None:
    def link(*locs: str) -> str:
        job.check(urlset(*locs))
        return job.bodies[0].splitlines()[-1].partition('">')[2].removesuffix("</a></sub>")

    assert link("None/x") == "All findings, with how to mend them, in the run"
    assert link(*(f"None/{number}" for number in range(11))) == "More of them, with how to mend them, in the run"
    assert link("https://www.acme.example/") == "The run"


def test_on_failure_makes_none_when_all_is_well(job: Job) -> None:
    job.check(GREEN, mode="on-failure")
    assert [asked.method for asked in job.github.asked()] == ["GET"]


def test_warnings_that_are_left_are_said_and_shown(job: Job) -> None:
    job.check(RED, mode="on-failure")
    job.check(urlset("https://www.acme.example/", "https://www.acme.example/#x"), mode="on-failure")
    text = read_as_text(job.bodies[0])
    assert (
        "\n### ⚠️ Sitemaps of https://www.acme.example/ (sitemap.xml): no errors any more, 1 warning left, score 0."
        in text
    )
    assert "0 errors, 1 warning, 0 notices in 1 document with 2 URLs." in text
    assert "loc-has-fragment" in text
    assert "all good" not in text


def test_notices_do_not_keep_it_from_being_all_good(job: Job) -> None:
    job.check(RED, mode="on-failure")
    noticed = "<url><loc>https://www.acme.example/</loc><lastmod>2024</lastmod></url>"
    job.check(urlset(noticed), mode="on-failure")
    text = read_as_text(job.bodies[0])
    assert "\n### ✅ Sitemaps of https://www.acme.example/ (sitemap.xml): all good now, score 1.00" in text
    assert "0 errors, 0 warnings, 1 notice in" in text
    assert "lastmod-low-precision" not in text


def test_it_names_the_site_or_else_the_target(job: Job, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/"))
    production = ("--site-url", "https://www.acme.example")
    job.run(origin.url)
    job.run(origin.url, *production)
    (job.folder / "a.xml").write_text(GREEN, encoding="utf-8")
    (job.folder / "b.xml").write_text(GREEN.replace("www", "blog"), encoding="utf-8")
    job.run("a.xml", *production)
    job.run("a.xml", "b.xml")
    headings = [read_as_text(body.splitlines()[1]).partition(": ")[0] for body in job.bodies]
    assert [heading.partition(" of ")[2] for heading in headings] == [
        origin.url,
        "https://www.acme.example/ (preview)",
        "https://www.acme.example/ (a.xml)",
        "a.xml and 1 more",
    ]
    assert read_as_text(job.summary).splitlines()[0].startswith("## ❌ Sitemaps of a.xml and 1 more: ")


def test_on_failure_follows_from_red_to_good_and_back(job: Job) -> None:
    job.check(RED, mode="on-failure")
    assert "fail, score" in job.bodies[0]
    job.check(GREEN, mode="on-failure")
    assert len(job.bodies) == 1
    assert "all good now" in job.bodies[0]
    assert "<table>" not in job.bodies[0]
    job.set(GITHUB_RUN_ID="79")
    job.check(GREEN, mode="on-failure")
    assert len(job.github.asked("PATCH")) == 1
    job.check(RED, mode="on-failure")
    assert "fail, score" in job.bodies[0]
    assert len(job.github.asked("POST")) == 1


def test_errors_are_red_also_for_a_gate_that_never_fails(job: Job) -> None:
    assert job.check(RED, "--fail-on", "never", mode="on-failure").exit_code == 0
    assert "fail, score" in job.bodies[0]


def test_a_gate_that_fails_on_warnings_makes_warnings_red(job: Job) -> None:
    untidy = GREEN.replace("</url>", "<priority>8</priority></url>")
    job.check(untidy, mode="on-failure")
    assert not job.bodies
    assert job.check(untidy, "--fail-on", "warning", mode="on-failure").exit_code == 1
    assert "priority-invalid" in job.bodies[0]


def test_inconclusive_is_red(job: Job, origin: Origin) -> None:
    origin.fallback = Answer(503, "later")
    outcome = job.run(origin.url, "--retries", "0", mode="on-failure")
    assert outcome.exit_code == 3
    assert "inconclusive" in job.bodies[0]
    assert "Not judged: " in job.bodies[0]


def test_never_asks_nothing(job: Job) -> None:
    job.check(RED, mode="never")
    assert not job.github.asked()


def test_the_default_is_never(job: Job) -> None:
    (job.folder / "sitemap.xml").write_text(RED, encoding="utf-8")
    assert job.invoke("sitemap.xml").exit_code == 1
    assert not job.github.asked()


@pytest.mark.parametrize(
    ("variable", "words"),
    [("SITEMAP_ACTION_TOKEN", "there is no token."), ("GITHUB_REPOSITORY", "there is no GITHUB_REPOSITORY.")],
)
def test_without_a_token_or_a_repository_nothing_is_asked(job: Job, variable: str, words: str) -> None:
    job.set(**{variable: ""})
    job.assert_told(job.check(RED), words)
    assert not job.github.asked()


def test_the_token_may_have_blanks_around_it_and_be_named_as_github_names_it(job: Job) -> None:
    job.set(SITEMAP_ACTION_TOKEN="", GITHUB_TOKEN=f" {job.github.token}\n")
    job.check(RED)
    assert len(job.bodies) == 1


def test_links_lead_to_the_server_of_an_enterprise_and_its_api_is_asked(job: Job) -> None:
    job.github.prefix = "/api/v3"
    job.set(GITHUB_API_URL=f"{job.github.root}/api/v3/", GITHUB_SERVER_URL="https://git.acme.example")
    job.set(GITHUB_RUN_ATTEMPT="2")
    job.check(RED)
    job.check(WORSE)
    assert len(job.bodies) == 1
    assert f'href="https://git.acme.example/{REPOSITORY}/actions/runs/77/attempts/2"' in job.bodies[0]
