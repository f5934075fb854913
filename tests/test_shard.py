"""A run in parts is the run: whatever was checked, the merge of all parts says what a single run says."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from conftest import Run, Write, index, urlset
from examples import read_example
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from origins import Answer, Origin
from sharding import SITE, entangled, entry, merged, parts, write_all

from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule, explanation_of

FORMATS = ("json", "text", "markdown", "sarif", "github")
MUCH = 1_000_000  # bytes: an example about a limit, which takes its time
# These need more than one document, or the end of the set; without them a merge would prove nothing.
ABOUT_THE_SET = {
    "loc-repeated",
    "loc-variant-repeated",
    "hreflang-no-return-link",
    "lastmod-all-identical",
    "loc-host-mismatch",
    "index-child-missing",
    "fetch-failed",
}


def serve(origin: Origin, contents: dict[str, str]) -> None:
    for name, text in contents.items():
        type = "text/plain" if name.endswith(".txt") else "application/xml"
        origin.put(f"/{name}", text.replace(SITE, "{origin}"), type=type)


@pytest.mark.parametrize("count", [2, 3, 7, 20])
def test_parts_of_a_built_site_make_the_report_of_a_single_run(run: Run, write: Write, count: int) -> None:
    target = write_all(write, entangled())
    reports = parts(run, count, target)
    single = run(target)
    assert set(single.rules()) >= ABOUT_THE_SET
    together = merged(run, *reports)
    assert together.stdout == single.stdout
    assert together.exit_code == single.exit_code == 1


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_that_of_a_single_run(run: Run, write: Write, format: str) -> None:
    target = write_all(write, entangled())
    reports = parts(run, 3, target)
    assert merged(run, *reports, format=format).stdout == run(target, format=format).stdout


@pytest.mark.parametrize("count", [2, 3, 7])
def test_parts_of_a_live_origin_are_joined_when_the_origin_is_gone(run: Run, origin: Origin, count: int) -> None:
    serve(origin, entangled())
    single = {format: run(origin.url, format=format).stdout for format in FORMATS}
    reports = parts(run, count, origin.url)
    asked = len(origin.requests)
    origin.close()
    for format in FORMATS:
        assert merged(run, *reports, format=format).stdout == single[format]
    assert len(origin.requests) == asked
    assert "hreflang-no-return-link" in single["json"]


def test_each_document_is_fetched_for_one_part_and_only_indexes_for_all(run: Run, origin: Origin) -> None:
    serve(origin, {"sitemap.xml": index(*(f"{SITE}/s{n}.xml" for n in range(9)))})
    serve(origin, {f"s{n}.xml": urlset(f"{SITE}/{n}") for n in range(9)})
    parts(run, 3, origin.url)
    assert [origin.count(f"/s{n}.xml") for n in range(9)] == [1] * 9
    assert origin.count("/sitemap.xml") == 3


@pytest.mark.parametrize(
    "options",
    [
        ("--ignore", "loc-repeated", "--ignore", "hreflang-no-return-link"),
        ("--select", "loc-repeated"),
        ("--severity", "loc-repeated=error"),
        ("--max-findings", "1"),
        ("--max-findings", "0"),
        ("--ignore-url", "*twice*"),
        ("--site-url", "https://staging.acme.example/"),
        ("--allow-host", "shop.acme.example"),
        ("--max-bytes", "300"),
        ("--no-pages",),
    ],
    ids=" ".join,
)
def test_what_was_decided_about_findings_is_known_to_the_parts(
    run: Run, write: Write, options: tuple[str, ...]
) -> None:
    target = write_all(write, entangled())
    write("public/index.html", "<title>Home</title>")
    reports = parts(run, 3, target, *options)
    assert merged(run, *reports).stdout == run(target, *options).stdout
    assert run("--merge", *reports, *options).stdout == run(target, *options).stdout


@pytest.mark.parametrize("gate", [("--fail-on", "never"), ("--fail-on", "warning"), ("--min-score", "0.99")])
def test_the_gate_is_that_of_the_merge(run: Run, write: Write, gate: tuple[str, ...]) -> None:
    target = write_all(write, {"sitemap.txt": f"{SITE}/a\n", "sitemap-b.txt": f"{SITE}/a\n"})
    single = run(target, *gate)
    together = run("--merge", *parts(run, 2, target), *gate)
    assert (together.stdout, together.exit_code) == (single.stdout, single.exit_code)
    assert single.rules() == ["loc-repeated"]


def test_parts_come_in_any_order_and_as_a_folder(run: Run, write: Write) -> None:
    target = write_all(write, entangled())
    one, two, three = parts(run, 3, target)
    single = run(target).stdout
    assert merged(run, three, one, two).stdout == single
    assert merged(run, "parts").stdout == single
    assert run("--merge", two, "--merge", three, "--merge", one).stdout == single
    assert merged(run, three, "parts/part-1", two).stdout == single


def test_a_file_with_a_name_of_its_own_and_several_sets_are_joined_as_well(run: Run, write: Write) -> None:
    files = [
        write("a.xml", urlset(f"{SITE}/1", f"{SITE}/2")),
        write("b.xml", urlset(f"{SITE}/1")),
        write("shop.xml", urlset("https://shop.example/1")),
        write("index.xml", index(f"{SITE}/b.xml", f"{SITE}/c.xml")),
    ]
    reports = parts(run, 3, *files)
    single = run(*files)
    assert merged(run, *reports).stdout == single.stdout
    assert "loc-repeated" in single.rules()


def test_parts_without_a_target_are_those_of_the_usual_folder(run: Run, write: Write) -> None:
    write_all(write, entangled(), folder="dist")
    reports = parts(run, 2)
    assert merged(run, *reports).stdout == run().stdout == run("dist").stdout


def test_the_number_of_processes_changes_nothing(run: Run, write: Write) -> None:
    target = write_all(write, {f"sitemap-{n}.xml": urlset(*(f"{SITE}/{n}/{m}" for m in range(40_000))) for n in "ab"})
    single = run(target, "--jobs", "1").stdout
    for jobs in ("1", "2"):
        assert merged(run, *parts(run, 2, target, "--jobs", jobs)).stdout == single


def test_pages_are_looked_at_by_the_merge(run: Run, write: Write) -> None:
    target = write_all(write, entangled())
    write("public/index.html", "<title>Home</title>")
    write("public/twice/index.html", '<meta name="robots" content="noindex">')
    write("public/unlisted.html", "<title>Not listed</title>")
    reports = parts(run, 3, target)
    single = run(target)
    assert {"page-noindex", "page-missing"} <= set(single.rules())
    assert merged(run, *reports).stdout == single.stdout


def test_live_pages_are_asked_for_by_the_merge(run: Run, origin: Origin) -> None:
    serve(origin, {"sitemap.xml": index(f"{SITE}/a.xml", f"{SITE}/b.xml"), "a.xml": urlset(f"{SITE}/here")})
    serve(origin, {"b.xml": urlset(f"{SITE}/not-here")})
    origin.put("/here", "<title>Here</title>", type="text/html")
    reports = parts(run, 2, origin.url, "--pages")
    assert origin.count("/here") == 0
    together = merged(run, *reports)
    assert origin.count("/here") == 1
    assert together.stdout == run(origin.url, "--pages").stdout
    assert together.rules() == ["page-missing"]


def test_a_protected_origin_that_keeps_the_parts_out_is_inconclusive_for_the_merge(run: Run, origin: Origin) -> None:
    for path in ("/robots.txt", "/sitemap.xml", "/sitemap.txt", "/sitemap_index.xml", "/sitemap-index.xml", "/"):
        origin.put(path, "no", status=403, type="text/plain")
    single = run(origin.url)
    reports = parts(run, 2, origin.url)
    origin.close()
    together = merged(run, *reports)
    assert (together.stdout, together.exit_code) == (single.stdout, 3)


def test_an_index_that_one_part_could_not_have_is_taken_from_the_others(run: Run, origin: Origin) -> None:
    """What that part has left out, the merge asks for itself."""
    serve(origin, {f"{name}.xml": urlset(f"{SITE}/{name}") for name in "abcd"})
    listed = Answer(200, index(*(f"{{origin}}/{name}.xml" for name in "abcd")))
    for answers in ([listed, Answer(500), listed], [Answer(500), listed, listed]):
        origin.sequence("/sitemap.xml", *answers)
        reports = parts(run, 2, f"{origin.url}/sitemap.xml", "--retries", "0")
        assert merged(run, *reports).stdout == run(f"{origin.url}/sitemap.xml").stdout


def test_dates_are_judged_by_the_clock_of_the_first_part(run: Run, write: Write) -> None:
    target = write_all(write, {"sitemap.xml": urlset(entry("a", "2099-01-01")), "sitemap-b.txt": f"{SITE}/b\n"})
    assert merged(run, *parts(run, 2, target)).rules() == ["lastmod-in-future"]


# What a part says for itself


def test_a_part_says_that_it_is_one(run: Run, write: Write) -> None:
    target = write_all(write, {"sitemap.txt": f"{SITE}/a\n", "sitemap-b.txt": f"{SITE}/a\n"})
    words = "part 2/2 of the set: its own documents alone; the whole is judged where --merge joins"
    report = run(target, "--shard", "2/2").report
    assert any(line.startswith(words) for line in report["steps"][0]["evidence"])
    assert (report["verdict"], report["urls"], report["findings"]) == ("pass", 1, [])
    assert words.removeprefix("part ") in run(target, "--shard", "2/2", format="text").stdout
    assert "This is part 2/2 of the set" in run(target, "--shard", "2/2", format="markdown").stdout
    assert "part" not in run(target, format="markdown").stdout


def test_a_part_fails_for_an_error_of_its_own_and_for_no_other(run: Run, write: Write) -> None:
    target = write_all(write, {"sitemap.txt": "/a\n", "sitemap-b.txt": f"{SITE}/a\n"})
    assert [run(target, "--shard", f"{number}/2").exit_code for number in (1, 2)] == [1, 0]
    assert run(target, "--shard", "1/2", "--fail-on", "never").exit_code == 0


@pytest.mark.parametrize("format", FORMATS)
def test_a_part_that_nothing_falls_to_passes(run: Run, write: Write, format: str) -> None:
    target = write_all(write, {"sitemap.txt": f"{SITE}/a\n", "sitemap-b.txt": f"{SITE}/b\n"})
    outcome = run(target, "--shard", "7/7", format=format)
    assert outcome.exit_code == 0
    if format == "json":
        assert (outcome.report["verdict"], outcome.report["score"], outcome.report["documents"]) == ("pass", 1.0, [])
    if format in ("text", "github"):
        assert "7/7 of the set: none of the documents falls to it" in outcome.stdout


def test_a_live_part_that_nothing_falls_to_passes(run: Run, origin: Origin) -> None:
    serve(origin, {"sitemap.xml": urlset(f"{SITE}/a")})
    outcome = run(origin.url, "--shard", "5/5")
    assert (outcome.exit_code, outcome.report["documents"]) == (0, [])


def test_an_empty_site_is_empty_in_parts_too(run: Run, write: Write) -> None:
    write("public/index.html", "")
    reports = parts(run, 3, "public")
    assert [run("public", "--shard", f"{number}/3").exit_code for number in (1, 2, 3)] == [1, 1, 1]
    assert merged(run, *reports).stdout == run("public").stdout


def test_one_part_of_one_is_the_whole(run: Run, write: Write) -> None:
    target = write_all(write, entangled())
    whole, [part] = run(target), parts(run, 1, target)
    assert {**json.loads(part.read_text(encoding="utf-8")), "shard": None} == {**whole.report, "shard": None}
    assert merged(run, part).stdout == whole.stdout
    assert "shard" not in run(target).report


# All that rules are about, and what nobody has thought of


@pytest.mark.parametrize("rule", all_rules().values(), ids=lambda rule: rule.id)
def test_the_examples_of_a_rule_are_joined_from_parts(
    rule: type[Rule], tmp_path: Path, run: Run, origin: Origin
) -> None:
    for text in explanation_of(rule).bad:
        example = read_example(text)
        if sum(map(len, example.files.values())) > MUCH:
            continue
        shutil.rmtree(tmp_path / "site", ignore_errors=True)
        arguments = example.serve(origin) if example.is_live else example.write(tmp_path / "site")
        single = run(*arguments)
        assert merged(run, *parts(run, 3, *arguments)).stdout == single.stdout


def tangle(chance: random.Random) -> dict[str, str]:
    """Sitemaps and indexes that list each other, at random."""
    names = [f"{chance.choice(['', 'en/'])}sitemap-{number}.xml" for number in range(chance.randrange(1, 7))]
    indexes = [f"sitemap{mark}.xml" for mark in chance.sample(["", "_index", "-index", "-other"], chance.randrange(4))]
    contents = {}
    for name in names:
        pages = [
            entry(f"p{chance.randrange(9)}", chance.choice(["", "2024-05-01", "no date"]), en=f"p{chance.randrange(9)}")
            for _ in range(chance.choice([0, 1, 12]))
        ]
        contents[name] = urlset(*pages, attributes=' xmlns:xhtml="http://www.w3.org/1999/xhtml"')
    for name in indexes:
        listed = chance.choices([*names, *indexes, "gone.xml"], k=chance.randrange(1, 9))
        contents[name] = index(*(f"{SITE}/{child}" for child in listed))
    named = chance.choices([*contents, "gone.xml"], k=chance.randrange(4))
    contents["robots.txt"] = "".join(f"Sitemap: {SITE}/{name}\n" for name in named)
    return contents


_relaxed = settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@_relaxed
@given(seed=st.integers(0, 2**32), count=st.integers(2, 7))
def test_any_tangle_of_files_is_joined_from_parts(run: Run, write: Write, seed: int, count: int) -> None:
    shutil.rmtree("public", ignore_errors=True)
    target = write_all(write, tangle(random.Random(seed)))
    assert merged(run, *parts(run, count, target)).stdout == run(target).stdout


@_relaxed
@given(seed=st.integers(0, 2**32), count=st.integers(2, 7))
def test_any_tangle_of_a_live_origin_is_joined_from_parts(run: Run, seed: int, count: int) -> None:
    chance = random.Random(seed)
    with Origin() as origin:
        contents = tangle(chance)
        serve(origin, contents)
        for name in chance.sample(sorted(contents), min(2, len(contents))):
            if name != "robots.txt" and chance.random() < 0.5:
                origin.redirect(f"/{name}", f"/{chance.choice(sorted(contents))}")
        single = run(origin.url).stdout
        reports = parts(run, count, origin.url)
    assert merged(run, *reports).stdout == single


def test_a_sitemap_that_one_part_meets_as_a_child_and_others_as_a_lead_is_no_hole(run: Run, origin: Origin) -> None:
    """The part that has read it as a child must not count the leads after it in another way."""
    serve(origin, {"robots.txt": f"Sitemap: {SITE}/first.xml\n", "sitemap_index.xml": index(f"{SITE}/a.xml")})
    serve(origin, {"first.xml": index(*[f"{SITE}/none-{n}.xml" for n in range(4)], f"{SITE}/sitemap_index.xml")})
    serve(origin, {"sitemap-index.xml": index(f"{SITE}/b.xml"), "a.xml": urlset(f"{SITE}/a")})
    serve(origin, {"b.xml": urlset(f"{SITE}/b"), "sitemap.txt": f"{SITE}/c\n"})
    single = run(origin.url).stdout
    for count in range(2, 9):
        assert merged(run, *parts(run, count, origin.url)).stdout == single


def test_a_name_that_redirects_to_a_sitemap_of_another_part_is_no_copy_of_it(run: Run, origin: Origin) -> None:
    serve(origin, {"sitemap.xml": index(f"{SITE}/a.xml", f"{SITE}/b.xml"), "a.xml": urlset(f"{SITE}/a")})
    origin.redirect("/b.xml", "/a.xml")
    single = run(origin.url)
    reports = parts(run, 2, origin.url)
    origin.close()
    assert merged(run, *reports).stdout == single.stdout
    assert single.report["urls"] == 1
