"""Annotations on GitHub: the most useful ten of a level, where the lines are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import Run, Write, urlset
from origins import Origin
from runner_commands import annotated, commands, log

from sitemap_action.formats import markdown_format

EXAMPLE = Path(__file__).parents[1] / "example"
LEVELS = ("error", "warning", "notice")
# Names with such characters are possible on some systems only.
has_free_names = pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names")


@pytest.fixture
def on_github(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))


def crowded() -> str:
    """Three kinds of errors and three of warnings, each many times."""
    locs = [loc for n in range(12) for loc in (f"None/{n}", f"http://localhost/{n}", f"https://www.acme.example/{n}#x")]
    dates = [f"<url><loc>https://www.acme.example/d{n}</loc><lastmod>{n} May</lastmod></url>" for n in range(12)]
    return urlset(*locs, *dates)


# Which, and how many

LEFT = "28 further findings are not shown as annotations; "


@pytest.mark.usefixtures("on_github")
def test_ten_annotations_of_a_level_are_shown_and_the_others_counted(run: Run, write: Write) -> None:
    write("sitemap.xml", crowded())
    counts = run("sitemap.xml", "--max-findings", "0").report["counts"]
    outcome = run("sitemap.xml", "--max-findings", "0", format="github")
    shown = {level: len(annotated(outcome.stdout, level)) for level in LEVELS}
    assert shown == {level: min(counts[level], 10) for level in LEVELS}
    assert shown["error"] == shown["warning"] == 10
    left = sum(counts[level] for level in LEVELS) - sum(shown.values())
    last = outcome.stdout.splitlines()[-1]
    hint = "the report above has more of them, the JSON report has all"
    assert last == f"{left} further findings are not shown as annotations; {hint}."
    last = run("sitemap.xml", "--max-findings", "0", "--verbose", format="github").stdout.splitlines()[-1]
    assert last == f"{left} further findings are not shown as annotations; see the report above."


@pytest.mark.usefixtures("on_github")
def test_each_rule_is_annotated_once_before_any_is_annotated_twice(run: Run, write: Write) -> None:
    write("sitemap.xml", crowded())
    findings = run("sitemap.xml").report["findings"]
    outcome = run("sitemap.xml", format="github")
    for level in LEVELS:
        rules = {finding["rule"] for finding in findings if finding["severity"] == level}
        titles = [given.properties["title"] for given in annotated(outcome.stdout, level)]
        assert set(titles[: len(rules)]) == rules


@pytest.mark.usefixtures("on_github")
def test_rules_of_heavier_steps_are_annotated_first(run: Run, write: Write) -> None:
    write("sitemap.xml", crowded())
    report = run("sitemap.xml").report
    weights = {step["id"]: step["weight"] for step in report["steps"]}
    of_rule = {finding["rule"]: weights[finding["step"]] for finding in report["findings"]}
    outcome = run("sitemap.xml", format="github")
    for level in ("error", "warning"):
        titles = [given.properties["title"] for given in annotated(outcome.stdout, level)]
        order = [of_rule[title] for title in dict.fromkeys(titles)]
        assert level != "error" or len(set(order)) > 1
        assert order == sorted(order, reverse=True)


@pytest.mark.usefixtures("on_github")
def test_the_last_line_points_to_the_job_summary_unless_there_is_none(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("sitemap.xml", crowded())
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    everything = ("sitemap.xml", "--max-findings", "0")
    assert run(*everything, format=None).stdout.splitlines()[-1] == LEFT + "see the job summary."
    last = run(*everything, "--no-summary", format=None).stdout.splitlines()[-1]
    assert last == LEFT + "the report above has more of them, the JSON report has all."


@pytest.mark.usefixtures("on_github")
def test_the_last_line_says_where_all_are_if_no_place_at_hand_has_them(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    write("sitemap.xml", crowded())
    last = run("sitemap.xml", "--max-findings", "5", format="github").stdout.splitlines()[-1]
    assert last.endswith("; the job summary has more of them, the JSON report has all with max-findings: 0.")
    write("sitemap.xml", urlset(*(f"None/{number}" for number in range(60))))
    last = run("sitemap.xml", "--max-findings", "0", format="github").stdout.splitlines()[-1]
    assert last.endswith("; the job summary has more of them, the JSON report has all.")


@pytest.mark.usefixtures("on_github")
def test_a_summary_that_had_to_be_shortened_is_not_said_to_have_all(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    monkeypatch.setattr(markdown_format, "ROOM", 25_000)
    write("sitemap.xml", crowded())
    last = run("sitemap.xml", "--max-findings", "0", format="github").stdout.splitlines()[-1]
    assert last.endswith("; the job summary has more of them, the JSON report has all.")


@pytest.mark.usefixtures("on_github")
def test_each_document_is_annotated_once_before_any_is_annotated_twice(run: Run, write: Write) -> None:
    for name in "abc":
        locs = [loc for n in range(12) for loc in (f"None/{name}{n}", f"http://localhost/{name}{n}")]
        write(f"site/sitemap-{name}.xml", urlset(*locs, "https://www.acme.example/"))
    found = annotated(run("site", format="github").stdout, "error")
    places = [(given.properties["title"], given.properties["file"][-5]) for given in found]
    assert len({title for title, _ in places}) == 2
    assert len(set(places[:6])) == 6
    assert [name for _, name in places] == [name for name in "abcab" for _ in range(2)]
    assert "36 findings of this kind in 3 documents." in found[0].message


@pytest.mark.usefixtures("on_github")
def test_quiet_annotates_no_notices_and_says_nothing_when_all_is_well(run: Run, write: Write) -> None:
    noticed = "<url><loc>https://www.acme.example/</loc><lastmod>2024</lastmod></url>"
    write("sitemap.xml", urlset(noticed))
    assert [given.properties["title"] for given in annotated(run("sitemap.xml", format="github").stdout, "notice")]
    assert run("sitemap.xml", "--quiet", format="github").stdout == ""
    write("sitemap.xml", urlset(noticed, "None/x"))
    outcome = run("sitemap.xml", "--quiet", format="github").stdout
    assert [len(annotated(outcome, level)) for level in LEVELS] == [1, 0, 0]
    assert "further" not in outcome


@pytest.mark.usefixtures("on_github")
def test_nothing_is_counted_when_everything_is_annotated(run: Run) -> None:
    outcome = run(EXAMPLE / "public", format=None)
    assert commands(outcome.stdout.splitlines()[-1])
    assert len(annotated(outcome.stdout)) == sum(run(EXAMPLE / "public").report["counts"].values())


# What they say, and where


@pytest.mark.usefixtures("on_github")
def test_an_annotation_says_what_is_wrong_where_and_how_to_mend_it(run: Run, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "public", tmp_path / "public")
    findings = {f["rule"]: f for f in run("public").report["findings"]}
    for given in annotated(run("public", format=None).stdout):
        finding = findings[given.properties["title"]]
        place = {"file": finding["document"], "line": str(finding["line"]), "col": str(finding["column"])}
        assert given.name == finding["severity"]
        assert {key: given.properties[key] for key in place} == place
        assert finding["message"] in given.message
        assert finding["url"] is None or finding["url"] in given.message
        assert " Fix: " in given.message


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize("letter", ["a", "ä", "%", "\U0001f600"])
def test_a_message_stays_within_4096_characters_for_any_url(run: Run, write: Write, letter: str) -> None:
    write("sitemap.xml", urlset(f"https://www.acme.example/{letter * 100_000}", f"None/{letter * 100_000}"))
    outcome = run("sitemap.xml", format=None)
    assert annotated(outcome.stdout)
    assert all(len(given.message) < 4096 for given in commands(outcome.stdout))
    assert all(" Fix: " in given.message for given in commands(outcome.stdout))


@pytest.mark.usefixtures("on_github")
def test_a_live_origin_is_annotated_without_a_file(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/", "None/x"))
    found = annotated(run(origin.url, format=None).stdout, "error")
    assert [given.properties for given in found] == [{"title": "loc-not-absolute"}]
    assert found[0].message.startswith(f"{origin.url}/sitemap.xml line 4: 'None/x' has no scheme")


@pytest.mark.usefixtures("on_github")
def test_a_finding_about_the_whole_target_is_annotated_without_a_file(run: Run) -> None:
    found = annotated(run(".", format=None).stdout)
    assert [given.properties for given in found] == [{"title": "sitemap-missing"}]


@pytest.mark.usefixtures("on_github")
@pytest.mark.parametrize("has_git", [True, False])
def test_paths_are_relative_to_the_root_of_the_repository(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_git: bool
) -> None:
    write("site/public/sitemap.xml", urlset("None/x"))
    if has_git:
        (tmp_path / ".git").mkdir()
        monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path / "site")
    found = annotated(run("public", format=None).stdout, "error")
    assert [given.properties["file"] for given in found] == ["site/public/sitemap.xml"]
    monkeypatch.chdir(tmp_path / "site" / "public")
    found = annotated(run(tmp_path / "site", format=None).stdout, "error")
    assert [given.properties["file"] for given in found] == ["site/public/sitemap.xml"]


@has_free_names
@pytest.mark.usefixtures("on_github")
def test_a_file_with_the_marks_of_a_property_in_its_name_is_named_whole(run: Run, write: Write) -> None:
    write("a,b:c%.xml", urlset("None/x"))
    outcome = run("a,b:c%.xml", format=None)
    assert "::error file=a%2Cb%3Ac%25.xml,line=3," in outcome.stdout
    assert annotated(outcome.stdout, "error")[0].properties["file"] == "a,b:c%.xml"


# When


def test_the_default_format_has_annotations_in_github_actions_alone(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sitemap.xml", urlset("None/x"))
    text = run("sitemap.xml", format=None).stdout
    assert text == run("sitemap.xml", format="text").stdout
    assert not commands(text)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    shown = run("sitemap.xml", format=None).stdout
    assert shown == run("sitemap.xml", format="github").stdout
    assert shown.startswith(text)
    assert annotated(shown)
    assert not commands(run("sitemap.xml", format="text").stdout)


def test_an_impossible_request_is_annotated_on_stderr_in_github_actions_alone(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = run("missing.xml", format=None)
    assert outcome.exit_code == 2
    assert not commands(log(outcome))
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    outcome = run("missing.xml", format=None)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    [told] = commands(outcome.stderr)
    assert (told.name, told.properties) == ("error", {"title": "sitemap-action"})
    assert "missing.xml" in told.message
    assert "\nError: " in outcome.stderr


@pytest.mark.usefixtures("on_github")
def test_urls_are_printed_without_annotations(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("https://www.acme.example/", "None/x"))
    outcome = run("sitemap.xml", "--urls", format=None)
    assert outcome.stdout == "https://www.acme.example/\nNone/x\n"
    assert outcome.stderr == ""
