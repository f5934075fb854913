"""The benchmarks' files are sound sitemaps of the promised size, and their tables can be read; no time is judged here."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks import compare, files, live, many, measure, pages, peers, run
from benchmarks.measure import Cost, Failed, best, cost
from benchmarks.peers import OURS, START, XMLLINT, Sample, Tool
from benchmarks.table import GrowthRow, Harvest, Limit, RateRow, Row, machine, render, render_limits

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
URLS = 400


def check(path: Path) -> list[str]:
    return peers.ours(Sample("one", path, URLS, path))


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture
def no_peers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for somebody who has not asked for them."""
    monkeypatch.setattr(peers, "FOLDER", tmp_path / "peers")


def results(costs: dict[tuple[str, str], Cost], tmp_path: Path) -> compare.Results:
    samples = {name: Sample(name, tmp_path, URLS, tmp_path) for name in ("plain", "rich", "small")}
    return compare.Results(samples, list(dict.fromkeys(tool for tool, _ in costs)), costs, [])


@pytest.mark.parametrize(("write", "least", "most"), [(files.write_plain, 200, 240), (files.write_rich, 650, 750)])
def test_a_file_has_the_promised_bytes_per_url(
    tmp_path: Path, write: Callable[[Path, int], None], least: int, most: int
) -> None:
    path = tmp_path / "sitemap.xml"
    write(path, URLS)
    assert least <= path.stat().st_size / URLS <= most


@pytest.mark.parametrize("write", [files.write_plain, files.write_rich])
def test_a_file_is_valid_and_lists_each_page_once(tmp_path: Path, write: Callable[[Path, int], None]) -> None:
    path = tmp_path / "sitemap.xml"
    write(path, URLS)
    tree = etree.parse(str(path))
    schema = etree.XMLSchema(etree.parse(str(compare.lax_schema(tmp_path))))
    schema.assertValid(tree)
    pages = [loc.text for loc in tree.iter("{*}loc") if loc.tag.startswith("{http://www.sitemaps.org/")]
    assert len(pages) == len(set(pages)) == URLS


@pytest.mark.parametrize("urls", [1, 2, 3, 5, 8])
def test_alternates_of_a_rich_file_are_all_listed_and_link_back(tmp_path: Path, urls: int) -> None:
    path = tmp_path / "sitemap.xml"
    files.write_rich(path, urls)
    entries = etree.parse(str(path)).getroot()
    links = {entry[0].text: {link.get("href") for link in entry.iter("{*}link")} for entry in entries}
    assert all(page in links[other] for page, others in links.items() for other in others if other)


def test_a_file_is_the_same_on_every_run(tmp_path: Path) -> None:
    for name in ("one.xml", "two.xml"):
        files.write_rich(tmp_path / name, URLS)
    assert (tmp_path / "one.xml").read_bytes() == (tmp_path / "two.xml").read_bytes()


def test_the_program_has_no_error_to_report_in_the_files(tmp_path: Path) -> None:
    for write in (files.write_plain, files.write_rich):
        write(tmp_path / "sitemap.xml", URLS)
        assert cost(check(tmp_path / "sitemap.xml")).seconds > 0


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(Failed, match="exit code 7: no luck"):
        cost(python("import sys; print('no luck', file=sys.stderr); sys.exit(7)"))


def test_a_command_that_says_something_else_is_no_measurement() -> None:
    assert cost(python("print('valid')"), says="valid").seconds > 0
    with pytest.raises(Failed, match="did not say “valid” but “no luck”"):
        cost(python("print('no luck')"), says="valid")


def test_a_command_runs_in_an_empty_directory_and_may_keep_its_bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHONDONTWRITEBYTECODE", "SITEMAP_ACTION_FORMAT", "GITHUB_ACTIONS", "COVERAGE_PROCESS_START"):
        monkeypatch.setenv(name, "1")
        assert name not in measure.surroundings()
    cost(python("import os, sys; sys.exit(len(os.listdir()) + sys.dont_write_bytecode)"))


# From a small process: a child counts the memory of the one that it was split off, and that of pytest is large.
_PEAKS = """
import sys
from benchmarks.measure import cost, cost_together
command = [sys.executable, "-c", sys.argv[1]]
print(cost_together(command).memory, cost(command).memory)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what processes share")
def test_memory_of_all_processes_together_is_more_than_that_of_the_largest() -> None:
    held = "held = bytearray(b'x') * 60_000_000"
    child = f"import time; {held}; time.sleep(1)"
    both = f"import subprocess, sys; {held}; subprocess.run([sys.executable, '-c', {child!r}])"
    done = subprocess.run([*python(_PEAKS), both], capture_output=True, text=True, cwd=ROOT, check=True)
    together, largest = map(int, done.stdout.split())
    assert largest < 110_000_000 < together


def test_the_best_run_is_the_fastest_with_the_highest_peak() -> None:
    assert best([Cost(2.0, 10), Cost(1.0, 30), Cost(3.0, None)]) == Cost(1.0, 30)


def test_the_table_has_ratios_to_xmllint_and_to_a_bare_start(tmp_path: Path) -> None:
    costs = {
        (OURS, "plain"): Cost(1.0, 50), (OURS, "plain, half"): Cost(0.5, 40), (OURS, "small"): Cost(0.3),
        (XMLLINT, "plain"): Cost(2.0, 100), (START, "small"): Cost(0.2), ("peer", "plain"): Cost(20.0, 300),
    }  # fmt: skip
    assert compare.table(results(costs, tmp_path)).splitlines()[2:] == [
        "| **sitemap-action** | 0.50 | 0.50 | 2.0, 1.2 | – | – | – | 1.50 |",
        "| xmllint --schema | 1.00 | 1.00 | – | – | – | – | – |",
        f"| {START} | – | – | – | – | – | – | 1.00 |",
        "| peer | 10.00 | 3.00 | – | – | – | – | – |",
    ]


def test_limits_are_held_to_the_figures_and_what_is_not_measured_is_not_kept(tmp_path: Path) -> None:
    costs = {(OURS, "plain"): Cost(1.1, 50), (XMLLINT, "plain"): Cost(1.0, 100)}
    costs |= {(OURS, "rich"): Cost(1.4, 300_000_000), (XMLLINT, "rich"): Cost(1.0)}
    plain, rich, small, growth, memory = compare.limits(results(costs, tmp_path))
    assert [limit.is_kept for limit in (plain, rich, small, growth, memory)] == [False, True, False, False, True]
    assert (plain.most, rich.most, small.most) == (1.0, 1.5, 2.5)


def test_without_xmllint_the_others_are_compared_with_ourselves(tmp_path: Path) -> None:
    costs = {(OURS, "plain"): Cost(1.0, 50), ("peer", "plain"): Cost(20.0, 300)}
    assert "| peer | 20.00 | 6.00 |" in compare.table(results(costs, tmp_path))
    assert not compare.limits(results(costs, tmp_path))[0].is_kept


def test_a_limit_is_within_over_or_not_measured() -> None:
    limits = [Limit("one", 0.95, 1.0), Limit("two", 1.1, 1.0), Limit("three", None, 400.0, "MB"), Limit("four", 0, 0)]
    assert render_limits(limits).splitlines()[2:] == [
        "| one | 0.95 | 1.00 | within |",
        "| two | 1.10 | 1.00 | **over** |",
        "| three | not measured here | 400 MB | **not kept** |",
        "| four | 0 | 0 | within |",
    ]


def test_what_is_slow_runs_once_and_what_fails_is_out_with_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []

    def slow(sample: Sample) -> list[str]:
        started.append(sample.name)
        return python("")

    monkeypatch.setattr(compare, "_SLOW", 0.0)
    tools = [
        Tool("slow", slow),
        Tool("broken", lambda sample: python("import sys; sys.exit('no luck')")),
        Tool("absent", slow, missing="`--peers` gets it"),
    ]
    found = compare.measure({"one": Sample("one", tmp_path, 1, tmp_path)}, tools, rounds=3)
    assert started == ["one"]
    assert list(found.costs) == [("slow", "one")]
    assert found.tools == ["slow", "broken"]
    assert found.notes[0] == "Left out: absent; `--peers` gets it."
    assert found.notes[1].startswith("No figure for broken, one: python")
    assert "no luck" in found.notes[1]


@pytest.mark.usefixtures("no_peers")
def test_one_command_prints_all_tables_and_says_who_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    # So few URLs take no longer than a start of Python: limits may well be exceeded, and nobody is timed here.
    assert run.main(["--urls", str(URLS), "--files", "3", "--rounds", "1"]) in (0, 1)
    printed = capsys.readouterr().out
    rows = {
        line.split(" | ")[0].strip("| *"): line.split(" | ")[1:] for line in printed.splitlines() if line[:1] == "|"
    }
    assert rows[OURS][2] != "–"
    assert float(rows["xmlschema, whole file"][0]) > 0
    assert rows["--jobs 1"][0].startswith("1.00 (")
    assert rows["JSON reports that differ, set"][0] == "0"
    assert f"| 3 files, {3 * URLS:,} URLs, 0 MB |" in printed
    for name in ("sitemap-verify", "ultimate-sitemap-parser", "sitemap --validate (npm)"):
        assert f"- Left out: {name}; " in printed


def test_the_set_is_sound_and_no_page_of_it_is_listed_twice(tmp_path: Path) -> None:
    many.fill(tmp_path / "set", 3, URLS)
    # Neither error nor warning.
    assert cost([*check(tmp_path / "set"), "--no-pages", "--fail-on", "warning"]).seconds > 0


def test_the_readme_shows_the_tables_as_they_are_printed_today(tmp_path: Path) -> None:
    tables = README.partition("<!-- benchmarks -->")[2].partition("<!-- /benchmarks -->")[0]
    empty = results({}, tmp_path)
    assert compare.table(empty) in tables
    assert [limit.what for limit in compare.limits(empty) if f"| {limit.what} | " not in tables] == []
    assert [name for name in (OURS, XMLLINT, START, "sitemap-verify", peers.USP, "npm") if name not in tables] == []


def test_new_tables_take_the_place_of_those_that_the_readme_shows() -> None:
    before, after = README.partition("<!-- benchmarks -->")[0], README.partition("<!-- /benchmarks -->")[2]
    assert run.shown(README, "| new |") == f"{before}<!-- benchmarks -->\n| new |\n<!-- /benchmarks -->{after}"


def test_the_table_says_what_is_within_what_is_over_and_what_is_missing() -> None:
    rows = [
        Row("one", "reading", Cost(1.5, 50_000_000), Cost(1.0), limit=2.0),
        Row("two", "reading", Cost(2.5), Cost(1.0), limit=2.0),
        Row("three", "reading", Cost(2.5), limit=2.0, missing="not installed"),
    ]
    assert render(rows, ["a note"]) == (
        "| what | sitemap-action | beside it | ratio | limit | |\n"
        "|---|---|---|---|---|---|\n"
        "| one | 1.50 s, 50 MB | reading: 1.00 s | 1.50 | 2.0 | within |\n"
        "| two | 2.50 s | reading: 1.00 s | 2.50 | 2.0 | **over** |\n"
        "| three | 2.50 s | reading: not installed | – | 2.0 | |\n"
        "\n"
        "- a note\n"
    )


def test_rates_are_held_to_a_least_and_growth_to_a_most() -> None:
    ours = Harvest(1000, Cost(2.0, 50_000_000))
    rows: list[Row | RateRow | GrowthRow] = [
        RateRow("one", "peer", ours, Harvest(100, Cost(1.0)), 5.0),
        RateRow("two", "peer", ours, Harvest(100, Cost(0.5)), 5.0),
        RateRow("three", "peer", ours, None, 5.0, "not installed"),
        GrowthRow("four", "less", Cost(1.0, 50_000_000), Cost(1.0, 40_000_000), 1.25),
        GrowthRow("five", "less", Cost(1.0), Cost(1.0), 1.25),
    ]
    lines = render(rows).splitlines()[2:]
    assert [line.split(" | ")[-1].strip(" |") or line.split(" | ")[-2] for line in lines[:5]] == [
        "within",
        "**under**",
        "at least 5.0",
        "within",
        "1.25",
    ]
    assert "500 URLs/s (1,000 URLs: 2.00 s, 50 MB)" in lines[0]


def test_the_live_benchmark_walks_an_origin_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        live.main(["--children", "3", "--urls", "40", "--peer-children", "1", "--peer-python", "/no/such/python"]) == 0
    )
    table = capsys.readouterr().out
    assert "(120 URLs: " in table
    assert "ultimate-sitemap-parser: not installed" in table


def test_the_benchmark_of_the_pages_builds_sound_sites(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert pages.write_site(tmp_path, 30, 110) > 10_000
    # Neither error nor warning, nor a page that is not found.
    assert cost([*check(tmp_path), "--fail-on", "warning"]).seconds > 0
    assert pages.main(["--pages", "10", "--small-pages", "10"]) == 0
    assert "ordinary pages: 10 of" in capsys.readouterr().out


def test_the_machine_is_described_in_one_line() -> None:
    assert "\n" not in machine()
