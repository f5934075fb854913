"""The benchmark's files are sound sitemaps of the promised size, and its table can be read; nothing is timed here."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks import files, live, pages, run
from benchmarks.measure import Cost, Failed, best, cost
from benchmarks.table import GrowthRow, Harvest, MemoryRow, RateRow, Row, machine, render

URLS = 400


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
    schema = etree.XMLSchema(etree.parse(str(run.lax_schema(tmp_path))))
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
        assert cost(run.ours(tmp_path / "sitemap.xml")).seconds > 0


def test_a_command_that_fails_is_no_measurement() -> None:
    with pytest.raises(Failed, match="exit code 7: no luck"):
        cost([sys.executable, "-c", "import sys; print('no luck', file=sys.stderr); sys.exit(7)"])


def test_the_best_run_is_the_fastest_with_the_highest_peak() -> None:
    assert best([Cost(2.0, 10), Cost(1.0, 30), Cost(3.0, None)]) == Cost(1.0, 30)


def test_the_table_says_what_is_within_what_is_over_and_what_is_missing() -> None:
    rows: list[Row | MemoryRow] = [
        Row("one", "xmllint", Cost(1.5, 50_000_000), Cost(1.0), limit=2.0),
        Row("two", "xmllint", Cost(2.5), Cost(1.0), limit=2.0),
        Row("three", "xmllint", Cost(2.5), limit=2.0, missing="not installed"),
        MemoryRow("four", Cost(1.0, 500_000_000), 400_000_000),
        MemoryRow("five", Cost(1.0), 400_000_000),
    ]
    assert render(rows, ["a note"]) == (
        "| what | sitemap-action | beside it | ratio | limit | |\n"
        "|---|---|---|---|---|---|\n"
        "| one | 1.50 s, 50 MB | xmllint: 1.00 s | 1.50 | 2.0 | within |\n"
        "| two | 2.50 s | xmllint: 1.00 s | 2.50 | 2.0 | **over** |\n"
        "| three | 2.50 s | xmllint: not installed | – | 2.0 | |\n"
        "| four | 500 MB | – | – | 400 MB | **over** |\n"
        "| five | not measured here | – | – | 400 MB | |\n"
        "\n"
        "- a note\n"
    )


def test_rates_are_held_to_a_least_and_growth_to_a_most() -> None:
    ours = Harvest(1000, Cost(2.0, 50_000_000))
    rows: list[Row | MemoryRow | RateRow | GrowthRow] = [
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
    assert cost([*run.ours(tmp_path), "--fail-on", "warning"]).seconds > 0
    assert pages.main(["--pages", "10", "--small-pages", "10"]) == 0
    assert "ordinary pages: 10 of" in capsys.readouterr().out


def test_the_machine_is_described_in_one_line() -> None:
    assert "\n" not in machine()
