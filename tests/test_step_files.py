"""What a step leaves behind on GitHub: a summary that is never too long, outputs, and the reports they name."""

from __future__ import annotations

import contextlib
import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Run, Write, urlset

from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.github.files import summary as summary_text
from sitemap_action.github.files import write_summary
from sitemap_action.report import Report
from sitemap_action.rules import all_rules

ROOM = 1_048_576


@pytest.fixture
def summary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A step of a workflow; the file for its summary."""
    (tmp_path / "temp").mkdir()
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("RUNNER_TEMP", str(tmp_path / "temp"))
    monkeypatch.setenv("GITHUB_OUTPUT", str(tmp_path / "outputs"))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    return tmp_path / "summary.md"


def outputs(tmp_path: Path) -> dict[str, str]:
    lines = (tmp_path / "outputs").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines)


# The summary


def test_the_summary_is_the_markdown_report(run: Run, write: Write, summary: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", format=None)
    assert summary.read_text(encoding="utf-8") == run("sitemap.xml", "--no-summary", format="markdown").stdout
    assert b"\r" not in summary.read_bytes()


@pytest.mark.parametrize("before", ["# Mine\n", "<table><tr><td>without an end of line</td></tr></table>"])
def test_the_summary_comes_behind_what_is_there_already(run: Run, write: Write, summary: Path, before: str) -> None:
    write("sitemap.xml", urlset("None/x"))
    summary.write_text(before, encoding="utf-8")
    run("sitemap.xml", format=None)
    text = summary.read_text(encoding="utf-8")
    assert text.startswith(before)
    assert text.removeprefix(before).startswith("\n\n## ❌ Sitemaps of ")


@pytest.fixture
def vast(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Thousands of documents, each with findings about URLs of many bytes."""
    for number in range(2_000):
        long = "\U0001f600ü&lt;" * 300
        entries = [f"None/{number}/{n}/{long}" for n in range(4)]
        write(f"vast/{number:04}/sitemap.xml", urlset(*entries, f"https://www.acme.example/{number}#x"))
    reports: list[Report] = []
    with monkeypatch.context() as patch:
        patch.setattr(Report, "gate", lambda report, *_: reports.append(report))
        run("vast", "--max-findings", "0", format="text")
    return reports[0]


def write_to_room(report: Report) -> None:
    context = Context(dict(os.environ))
    write_summary(summary_text(report, Style(), (), context), context)


def test_a_summary_is_shortened_until_there_is_room_for_it(vast: Report, summary: Path) -> None:
    sizes = []
    for used in (0, ROOM - 100_000, ROOM - 20_000, ROOM - 200, ROOM - 10, ROOM, ROOM + 5):
        summary.write_bytes(b"x" * used)
        with contextlib.suppress(OSError):
            write_to_room(vast)
        added = summary.read_bytes()[used:].decode().lstrip("\n")
        assert summary.stat().st_size <= max(ROOM, used)
        assert re.match("## ❌ Sitemaps of .*: fail, score ", added) or used > ROOM - 100
        sizes.append(len(added.encode()))
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 100_000 > sizes[1] > sizes[2] > 1_000
    assert 0 < sizes[3] <= 200
    assert sizes[4:] == [0, 0, 0]


def test_a_summary_of_every_rule_and_thousands_of_documents_fits(vast: Report, summary: Path) -> None:
    """As many kinds of findings as there are, each in many places."""
    first = vast.findings()[0]
    for rule in all_rules().values():
        vast._kept += [replace(first, rule=rule, message="ü\U0001f600<" * 999) for _ in range(60)]
    write_to_room(vast)
    assert 100_000 < summary.stat().st_size <= ROOM


@pytest.mark.parametrize(
    ("used", "where", "said"),
    [
        (0, "the job summary", ""),
        (ROOM - 20_000, "the job summary", ""),
        (ROOM - 120, "the report above", ""),
        (ROOM, "the report above", "Cannot write the job summary: it has 1,048,576 bytes already, and "),
        (None, "the report above", "Cannot write the job summary: "),
    ],
)
def test_only_a_summary_that_is_written_is_pointed_to(
    run: Run, write: Write, summary: Path, monkeypatch: pytest.MonkeyPatch, used: int | None, where: str, said: str
) -> None:
    write("sitemap.xml", urlset(*(f"None/{number}" for number in range(15))))
    if used is None:
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", "nope/summary.md")
    else:
        summary.write_bytes(b"x" * used)
    outcome = run("sitemap.xml", "--max-findings", "0", format=None)
    assert f"; see {where}." in (last := outcome.stdout.splitlines()[-1]) or f"; {where} has more of them" in last
    assert outcome.stderr.startswith(said)
    assert len(outcome.stderr.splitlines()) == bool(said)
    assert used is None or (summary.stat().st_size > used) is not bool(said)


def test_no_summary_is_written_if_none_is_wanted(run: Run, write: Write, summary: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", "--no-summary", format=None)
    assert not summary.exists()


def test_a_summary_is_written_outside_of_github_actions_if_a_file_is_named(
    run: Run, write: Write, summary: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS")
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", format=None)
    assert summary.exists()
    assert not (tmp_path / "outputs").exists()


def test_a_summary_that_has_no_file_is_said_to_be_missing(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("https://www.acme.example/"))
    assert run("sitemap.xml", format=None).stderr == ""
    outcome = run("sitemap.xml", "--summary", format=None)
    assert outcome.exit_code == 0
    assert outcome.stderr.startswith("No job summary: GITHUB_STEP_SUMMARY names no file.")


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("GITHUB_STEP_SUMMARY", "Cannot write the job summary: "),
        ("GITHUB_OUTPUT", "Cannot write the outputs of the step: "),
        ("RUNNER_TEMP", "Cannot write the reports for other steps: "),
    ],
)
@pytest.mark.parametrize("place", ["missing/folder/file", "file/below-a-file"])
@pytest.mark.parametrize(("loc", "code"), [("None/x", 1), ("https://www.acme.example/", 0)])
@pytest.mark.usefixtures("summary")
def test_what_cannot_be_written_is_said_and_leaves_the_exit_code_alone(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, variable: str, said: str, place: str, loc: str, code: int
) -> None:
    write("sitemap.xml", urlset(loc))
    write("file", "")
    monkeypatch.setenv(variable, os.path.join(os.getcwd(), place))
    outcome = run("sitemap.xml", format=None)
    assert outcome.exit_code == code
    assert outcome.stderr.startswith(said)
    assert len(outcome.stderr.splitlines()) == 1


@pytest.mark.usefixtures("summary")
def test_a_folder_in_place_of_a_file_is_said(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("sitemap.xml", urlset("None/x"))
    write("folder/file", "")
    for variable in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.setenv(variable, os.path.join(os.getcwd(), "folder"))
    outcome = run("sitemap.xml", format=None)
    assert outcome.exit_code == 1
    assert [line.partition(":")[0] for line in outcome.stderr.splitlines()] == [
        "Cannot write the job summary",
        "Cannot write the outputs of the step",
    ]


# Outputs and reports


@pytest.mark.usefixtures("summary")
def test_the_outputs_are_those_of_the_report(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x", "https://www.acme.example/#x"))
    report = run("sitemap.xml").report
    found = outputs(tmp_path)
    assert list(found) == ["verdict", "score", "errors", "warnings", "urls", "report-json", "sarif-file"]
    assert found["verdict"] == report["verdict"] == "fail"
    assert float(found["score"]) == report["score"]
    assert int(found["errors"]) == report["counts"]["error"] == 1
    assert int(found["warnings"]) == report["counts"]["warning"] > 0
    assert int(found["urls"]) == report["urls"] == 2
    assert json.loads(Path(found["report-json"]).read_text(encoding="utf-8")) == report
    assert json.loads(Path(found["sarif-file"]).read_text(encoding="utf-8"))["version"] == "2.1.0"
    for name in ("report-json", "sarif-file"):
        assert Path(found[name]).is_relative_to(tmp_path / "temp")


@pytest.mark.usefixtures("summary")
def test_two_steps_of_a_job_do_not_share_their_reports(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml")
    first = outputs(tmp_path)
    run("sitemap.xml")
    assert not set(first.values()) & {outputs(tmp_path)["report-json"], outputs(tmp_path)["sarif-file"]}


@pytest.mark.usefixtures("summary")
def test_outputs_name_the_files_that_were_asked_for(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", "--output", "json=own/report.json", "--output", "sarif=own.sarif", format=None)
    found = outputs(tmp_path)
    assert (found["report-json"], found["sarif-file"]) == (
        str(tmp_path / "own" / "report.json"),
        str(tmp_path / "own.sarif"),
    )
    assert Path(found["report-json"]).exists()
    assert Path(found["sarif-file"]).exists()
    assert list((tmp_path / "temp").iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names")
@pytest.mark.usefixtures("summary")
def test_no_name_of_a_file_forges_an_output(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", "--output", "json=a\nerrors=0\nEOF\nx", "--output", "sarif=s.sarif", format=None)
    lines = (tmp_path / "outputs").read_text(encoding="utf-8").split("\n")
    start = next(number for number, line in enumerate(lines) if line.startswith("report-json<<"))
    mark = lines[start].partition("<<")[2]
    assert len(mark) >= 32
    assert lines[start + 1 : lines.index(mark)] == [str(tmp_path / "a"), "errors=0", "EOF", "x"]
    assert lines[lines.index(mark) + 1] == f"sarif-file={tmp_path / 's.sarif'}"


def test_markdown_is_written_to_a_file_of_ones_choice(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    run("sitemap.xml", "--output", "markdown=deep/report.md", format=None)
    text = (tmp_path / "deep" / "report.md").read_bytes().decode()
    assert text == run("sitemap.xml", format="markdown").stdout


# Files of one's choice


@pytest.mark.skipif(os.name == "nt", reason="Links need rights on Windows")
def test_nothing_is_written_through_a_link_that_somebody_has_put_there(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", urlset("None/x"))
    precious = write("precious", "mine")
    for name in ("report.json.part", ".report.json.part", "report.json.tmp"):
        (tmp_path / name).symlink_to(precious)
    run("sitemap.xml", "--output", "json=report.json", format="text")
    assert precious.read_text(encoding="utf-8") == "mine"
    assert json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["verdict"] == "fail"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_file_has_the_mode_that_the_umask_leaves(
    run: Run, write: Write, tmp_path: Path, umask: int, mode: int
) -> None:
    write("sitemap.xml", urlset("None/x"))
    old = os.umask(umask)
    try:
        run("sitemap.xml", "--output", "json=report.json", format="text")
    finally:
        os.umask(old)
    assert (tmp_path / "report.json").stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("name", ["r" * 250 + ".json", "r" * 300])
def test_a_file_is_written_whole_or_not_at_all_and_nothing_else_is_left(
    run: Run, write: Write, tmp_path: Path, name: str
) -> None:
    write("sitemap.xml", urlset("None/x"))
    outcome = run("sitemap.xml", "--output", f"json=reports/{name}", format="text")
    is_possible = len(name) < 256
    assert outcome.exit_code == (1 if is_possible else 2)
    assert [path.name for path in (tmp_path / "reports").iterdir()] == [name] * is_possible
