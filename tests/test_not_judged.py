"""A run that could not judge says so first, wherever it is shown, and makes no tally of nothing."""

from __future__ import annotations

import pytest
from conftest import Run, urlset
from github_job import Job, read_as_text, workflow_job
from origins import Answer, Origin
from runner_commands import annotated

job = pytest.fixture(workflow_job)


@pytest.fixture
def walled(origin: Origin) -> Origin:
    origin.fallback = Answer(403, "no")
    return origin


@pytest.mark.parametrize(("options", "level"), [((), "error"), (("--fail-on", "never"), "warning")])
def test_the_reason_is_an_annotation(run: Run, walled: Origin, options: tuple[str, ...], level: str) -> None:
    [told] = annotated(run(walled.url, *options, format="github").stdout)
    assert (told.name, told.properties) == (level, {"title": "inconclusive"})
    assert told.message.startswith(f"{walled.url}/sitemap.xml answered 403")


def test_each_origin_has_an_annotation_and_findings_of_another_one_too(run: Run, walled: Origin) -> None:
    other = f"http://localhost:{walled.port}"
    with Origin() as good:
        good.put("/sitemap.xml", urlset("None/x"))
        outcome = run(walled.url, other, good.url, format="github")
    titles = [given.properties["title"] for given in annotated(outcome.stdout, "error")]
    assert titles == ["inconclusive", "inconclusive", "loc-not-absolute"]
    assert outcome.exit_code == 1


def test_the_ten_annotations_of_a_level_are_shared_with_the_reasons(run: Run, walled: Origin) -> None:
    with Origin() as good:
        good.put("/sitemap.xml", urlset(*(f"None/{number}" for number in range(20))))
        outcome = run(walled.url, good.url, "--max-findings", "0", format="github")
    titles = [given.properties["title"] for given in annotated(outcome.stdout, "error")]
    assert titles == ["inconclusive", *["loc-not-absolute"] * 9]
    assert outcome.stdout.splitlines()[-1].startswith("11 further findings are not shown as annotations")


def test_summary_and_comment_say_it_first_and_without_a_tally_of_nothing(job: Job, walled: Origin) -> None:
    assert job.run(walled.url).exit_code == 3
    for text in (job.bodies[0].partition("-->")[2], job.summary):
        heading, first, *_ = [line for line in read_as_text(text).splitlines() if line.strip("> ")]
        assert "inconclusive" in heading
        assert first == "> [!WARNING]" or first.startswith("Not judged: ")
        assert "0 errors" not in text


def test_what_was_found_besides_is_counted(job: Job, walled: Origin) -> None:
    walled.put("/robots.txt", f"Sitemap: {walled.url}/sitemap.xml\nSitemap: /relative.xml\n")
    job.run(walled.url, "--severity", "robots-sitemap-not-absolute=notice")
    for text in (job.bodies[0], job.summary):
        plain = read_as_text(text)
        assert "robots-sitemap-not-absolute" in plain
        assert plain.index("Not judged: ") < plain.index("0 errors, 0 warnings, 1 notice in ")


def test_quiet_says_it_too(run: Run, walled: Origin) -> None:
    assert annotated(run("--quiet", walled.url, format="github").stdout, "error")
