"""What cannot be joined is said in one clear line: parts that are missing, damaged, forged, or of another run."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Run, Write, index, urlset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from origins import Origin
from sharding import SITE, changed, entangled, merged, parts, write_all

from sitemap_action.memory import fingerprint


@pytest.fixture
def reports(run: Run, write: Write) -> list[Path]:
    """Three parts of a built site."""
    return parts(run, 3, write_all(write, entangled()))


def refused(outcome: Outcome, words: str) -> None:
    """A usage error: one line with these words, and nothing on standard output."""
    assert outcome.exit_code == 2, outcome.stdout
    assert outcome.stdout == ""
    [line] = [line for line in outcome.stderr.splitlines() if line.startswith("Error: ")]
    assert words in line
    assert line.endswith((".", "?"))


@pytest.mark.parametrize(
    "value", ["0/3", "4/3", "x/y", "1/0", "-1/2", "1000000000000/2", "2/1000000000000", "1/10000", "", "/", "1", "1/2/3",
              "1.0/2", "²/3", "1/", "0/0", "9" * 5000 + "/2"]
)  # fmt: skip
def test_a_share_is_one_of_so_many(run: Run, write: Write, value: str) -> None:
    write("sitemap.txt", f"{SITE}/\n")
    refused(run("sitemap.txt", "--shard", value), "is not I/N, such as 2/3 for the second of three parts.")


def test_the_most_parts_are_9999(run: Run, write: Write) -> None:
    write("sitemap.txt", f"{SITE}/\n")
    assert run("sitemap.txt", "--shard", " 9999 / 9999 ").exit_code == 0


def test_missing_parts_are_named(run: Run, reports: list[Path]) -> None:
    refused(merged(run, reports[1]), "Not all parts are there; what is missing: 1/3, 3/3.")


def test_of_many_missing_parts_some_are_named(run: Run, write: Write) -> None:
    write("sitemap.txt", f"{SITE}/\n")
    Path("part.json").write_text(run("sitemap.txt", "--shard", "1/9999").stdout, encoding="utf-8")
    refused(merged(run, "part.json"), "2/9999, 3/9999, 4/9999, 5/9999, 6/9999, 7/9999, 8/9999, 9/9999, 10/9999, ")
    refused(merged(run, "part.json"), "11/9999 and 9,988 more.")


def test_a_part_that_is_there_twice_is_named(run: Run, reports: list[Path]) -> None:
    refused(merged(run, *reports, reports[0]), f"Part 1/3 is there twice: {reports[0]} and {reports[0]}.")


def test_parts_of_two_runs_are_not_joined(run: Run, reports: list[Path]) -> None:
    other = parts(run, 3, "public", "--ignore", "loc-repeated", folder="other")
    refused(merged(run, reports[0], other[1], reports[2]), f"{other[1]} is a part of another run than {reports[0]}.")
    halves = parts(run, 2, "public", folder="halves")
    refused(merged(run, *reports, halves[0]), f"{halves[0]} is a part of another run than {reports[0]}.")


@pytest.mark.parametrize("kept", [0, 1, 0.5, 0.999])
def test_a_part_that_is_cut_short_is_no_report(run: Run, reports: list[Path], kept: float) -> None:
    data = reports[1].read_bytes()
    reports[1].write_bytes(data[: int(kept if isinstance(kept, int) else len(data) * kept)])
    refused(merged(run, *reports), f"{reports[1]} is no JSON report.")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\0", b"[" * 100_000, b'{"a":' * 100_000, b"9" * 10_000])
def test_what_is_no_json_is_no_report(run: Run, reports: list[Path], content: bytes) -> None:
    reports[1].write_bytes(content)
    refused(merged(run, *reports), f"{reports[1]} is no JSON report.")


@pytest.mark.parametrize("content", ["[]", "null", "1", "{}", '{"shard": null}', '{"shard": []}', '"x"'])
def test_other_json_is_no_part(run: Run, reports: list[Path], content: str) -> None:
    reports[1].write_text(content, encoding="utf-8")
    refused(merged(run, *reports), f"{reports[1]} is no report of a run with --shard.")


def test_an_ordinary_report_is_no_part(run: Run, reports: list[Path]) -> None:
    Path("whole.json").write_text(run("public").stdout, encoding="utf-8")
    refused(merged(run, *reports, "whole.json"), "whole.json is no report of a run with --shard.")


def test_what_is_not_there_cannot_be_read(run: Run, reports: list[Path]) -> None:
    refused(merged(run, "gone.json"), "Cannot read gone.json: no such file or directory.")
    Path("empty").mkdir()
    refused(merged(run, "empty"), "There is no JSON report in empty.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda report: report["tool"].update(version="9.9.9"), "was written by version 9.9.9, this is"),
        (lambda report: report["shard"].update(fingerprints="big-00"), "by another version of Python than this"),
        (lambda report: report["shard"].update(began="yesterday"), "is damaged: its date cannot be read."),
        (lambda report: report["shard"].update(began="2026-01-01T00:00:00"), "is damaged: its date cannot be read."),
        (lambda report: report["shard"].update(index=0), "or it is damaged."),
        (lambda report: report["shard"].update(index=4), "or it is damaged."),
        (lambda report: report["shard"].update(index="1"), "or it is damaged."),
        (lambda report: report["shard"].update(index=True), "or it is damaged."),
        (lambda report: report["shard"].update(count=10**12), "or it is damaged."),
        (lambda report: report["shard"].update(documents=[]), "or it is damaged."),
        (lambda report: report["shard"].pop("answers"), "or it is damaged."),
        (lambda report: report.pop("tool"), "or it is damaged."),
    ],
)  # fmt: skip
def test_a_part_that_does_not_fit_is_named(
    run: Run, reports: list[Path], change: Callable[[dict[str, Any]], object], words: str
) -> None:
    changed(reports[0], change)
    refused(merged(run, *reports), words)
    assert str(reports[0]) in merged(run, *reports).stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("targets", ["gone"], "'gone': no such file or directory."),
        ("targets", [1], "is damaged: its targets cannot be read."),
        ("site_url", "ftp://x", "'ftp://x'"),
        ("severity", ["x"], "'x' is not RULE=SEVERITY"),
        ("select", ["nothing"], "there is no rule 'nothing'. Did you mean"),
        ("max_findings", "many", "is damaged: its max findings cannot be read."),
        ("max_findings", {}, "is damaged: its max findings cannot be read."),
        ("allow_host", None, "is damaged: its allow host cannot be read."),
        ("ignore", "loc-repeated", "is damaged: its ignore cannot be read."),
        ("max_findings", -1, "is damaged: its max findings cannot be read."),
        ("max_bytes", 10**30, "is damaged: its max bytes cannot be read."),
        ("max_bytes", None, "is damaged: its max bytes cannot be read."),
        ("pages", "yes", "is damaged: its pages cannot be read."),
        ("site_url", ["https://x.example"], "is damaged: its site url cannot be read."),
    ],
)
def test_settings_of_a_part_are_held_to_what_the_command_line_is_held_to(
    run: Run, reports: list[Path], name: str, value: object, words: str
) -> None:
    for report in reports:
        changed(report, lambda data: data["shard"]["settings"].update({name: value}))
    refused(merged(run, *reports), words)


# What does not go together


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--shard", "1/3"], "--shard and --merge cannot be used together."),
        (["--urls"], "--urls and --merge cannot be used together."),
        (["https://www.acme.example"], "What is merged are reports, not sites"),
        (["--ignore", "loc-repeated"], "--ignore was decided when the parts were checked, and cannot be changed."),
        (["--max-findings", "3"], "--max-findings was decided when the parts were checked, and cannot be changed."),
        (["--site-url", "https://x.example"], "--site-url was decided when"),
        (["--pages"], "--pages was decided when"),
        (["--severity", "loc-repeated=error"], "--severity was decided when"),
    ],
)
def test_a_merge_decides_nothing_about_findings(run: Run, reports: list[Path], options: list[str], words: str) -> None:
    refused(run("--merge", *reports, *options), words)


def test_an_input_of_the_action_is_no_less_than_an_option(
    run: Run, reports: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    single = run("public").stdout
    monkeypatch.setenv("SITEMAP_ACTION_MERGE", "\n".join(map(str, reports)))
    monkeypatch.setenv("SITEMAP_ACTION_TARGET", "public")
    monkeypatch.setenv("SITEMAP_ACTION_MAX_FINDINGS", "10")
    assert run().stdout == single
    monkeypatch.setenv("SITEMAP_ACTION_MAX_FINDINGS", "3")
    refused(run(), "--max-findings was decided when the parts were checked, and cannot be changed.")


def test_a_config_file_stands_behind_what_the_parts_have_decided(run: Run, reports: list[Path], write: Write) -> None:
    single = run("public").stdout
    write(".sitemap-action.toml", 'ignore = ["loc-repeated"]\nmax-findings = 1\n')
    assert merged(run, *reports).stdout == single


# Another place


def test_a_file_that_is_gone_is_named(run: Run, reports: list[Path]) -> None:
    Path("public/sitemap-c.txt").unlink()
    words = "join the parts where the files are that they have read."
    refused(merged(run, *reports), f"A part has read public/sitemap-c.txt, which is not here; {words}")


@pytest.mark.parametrize("content", ["longer than it was, by far, and no XML\n", None])
def test_a_file_that_has_changed_is_named(run: Run, reports: list[Path], content: str | None) -> None:
    """Also if it has as many bytes as before: a build that writes its own date, for example."""
    path = Path("public/sitemap-d.xml")
    before = path.read_text(encoding="utf-8")
    path.write_text(content or before.replace("2024-05-01", "2024-06-02"), encoding="utf-8")
    refused(merged(run, *reports), "public/sitemap-d.xml has changed since a part has read it; join the parts where")


def test_parts_are_joined_in_another_copy_of_the_same_files(run: Run, reports: list[Path]) -> None:
    single = run("public").stdout
    for path in Path("public").rglob("*.xml"):
        os.utime(path, (1, 1))
    assert merged(run, *reports).stdout == single


# Forged parts

BAD: list[Any] = [
    None, True, -1, 0, 2**40 + 1, 10**300, 1.5, float("inf"), float("nan"), "", "x", "\0", "\ud800", [], [[]], {},
    {"x": 1}, {"array": "q", "data": "eJwDAAAAAAE="}, {"array": "u", "data": ""}, {"array": "q", "data": 1},
    {"array": "q", "data": "eJxjZGQEAAAVAAU="}, {"range": 10**30}, {"range": -1}, {"same": 1, "length": 10**18},
    {"same": "x", "length": 1}, {"closings": ["</url>", 0, 10**12]}, {"closings": [1]}, {"bytes": "?"}, "2024-99",
    "[", "[1]", '["\\u0000", 1, 2]', "https://[", 9_999_999_999,
]  # fmt: skip


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where something could be forged: the first few of each list, every name of each object."""
    found = [way] if way else []
    if isinstance(value, dict):
        found += [place for name, item in value.items() for place in places(item, (*way, name))]
    elif isinstance(value, list):
        found += [place for number, item in enumerate(value[:3]) for place in places(item, (*way, number))]
    return found


def forge(value: Any, way: tuple[Any, ...], lie: object, how: str) -> None:
    for step in way[:-1]:
        value = value[step]
    last = way[-1]
    if how == "replace":
        value[last] = lie
    elif how == "remove":
        del value[last]
    elif isinstance(value, dict):
        value[str(lie)] = value.pop(last)
    else:
        value.append(lie)


def answer_to_forgery(run: Run, reports: list[Path], draw: st.DataObject, format: str) -> None:
    """A report, or a clear word; soon, and whatever was forged."""
    originals = [report.read_bytes() for report in reports]
    forged = json.loads(originals[0])
    way = draw.draw(st.sampled_from(places(forged["shard"])))
    forge(forged["shard"], way, draw.draw(st.sampled_from(BAD)), draw.draw(st.sampled_from(["replace", "remove", "x"])))
    reports[0].write_text(json.dumps(forged), encoding="utf-8")
    started = time.monotonic()
    outcome = run("--merge", *reports, "--retries", "0", "--timeout", "1", "--verbose", format=format)
    reports[0].write_bytes(originals[0])
    assert outcome.exit_code in (0, 1, 2, 3)
    assert outcome.exit_code != 2 or "Error: " in outcome.stderr
    assert time.monotonic() - started < 20


_relaxed = settings(
    deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
_formats = st.sampled_from(["json", "text", "markdown", "sarif", "github"])


@_relaxed
@given(draw=st.data(), format=_formats)
def test_a_forged_part_of_a_built_site_ends_in_words(
    run: Run, reports: list[Path], draw: st.DataObject, format: str
) -> None:
    answer_to_forgery(run, reports, draw, format)


@pytest.fixture
def live_reports(run: Run, origin: Origin) -> list[Path]:
    """Two parts of a live origin that is gone."""
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml", "{origin}/gone.xml"))
    origin.put("/a.xml", urlset("{origin}/1", "None/x", "{origin}/1"))
    origin.put("/b.xml", urlset("{origin}/1"))
    reports = parts(run, 2, origin.url)
    origin.close()
    return reports


@_relaxed
@given(draw=st.data(), format=_formats)
def test_a_forged_part_of_a_live_origin_ends_in_words(
    run: Run, live_reports: list[Path], draw: st.DataObject, format: str
) -> None:
    answer_to_forgery(run, live_reports, draw, format)


@pytest.mark.parametrize("lie", [{"array": "q", "data": ""}, [[[]]], "x", 7, {"same": 1, "length": 3}])
def test_notes_that_are_none_are_a_contradiction(run: Run, reports: list[Path], lie: object) -> None:
    def forged(report: dict[str, Any]) -> None:
        for document in report["shard"]["documents"].values():
            document["notes"] = dict.fromkeys(document["notes"], lie)

    changed(reports[1], forged)
    refused(merged(run, *reports), "damaged")


def test_the_depth_of_a_part_is_no_trap(run: Run, reports: list[Path]) -> None:
    deep: list[Any] = []
    for _ in range(600):
        deep = [deep]
    changed(reports[1], lambda report: [d.update(notes={"Mesh": deep}) for d in report["shard"]["documents"].values()])
    refused(merged(run, *reports), "damaged")


def test_fingerprints_are_those_of_this_python() -> None:
    assert fingerprint.KIND.count("-") == 1
