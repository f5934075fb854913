"""Parts that are joined somewhere else, with other settings around, or when the site has changed."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Write, index, urlset
from origins import Origin
from sharding import SITE, changed, entangled, merged, parts, write_all


def test_a_target_of_the_config_file_is_found_in_another_checkout(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(write, entangled(), "one/public")
    write("one/.sitemap-action.toml", 'target = ["public"]\n')
    monkeypatch.chdir("one")
    whole = run()
    parts(run, 2)
    shutil.move(tmp_path / "one", tmp_path / "two")
    monkeypatch.chdir(tmp_path / "two")
    assert merged(run, "parts").stdout == whole.stdout


@pytest.mark.parametrize("way", ["file", "variable"])
def test_a_configured_target_that_is_not_here_is_no_matter_for_a_merge(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    public = write_all(write, entangled())
    whole = run(public)
    reports = parts(run, 2, public)
    if way == "file":
        write(".sitemap-action.toml", 'target = ["gone"]\n')
    else:
        monkeypatch.setenv("SITEMAP_ACTION_TARGET", "gone")
    assert run(f"--merge={reports[0]}", reports[1]).stdout == whole.stdout
    assert merged(run, *reports).stdout == whole.stdout
    monkeypatch.setenv("SITEMAP_ACTION_MERGE", "parts")
    assert run().stdout == whole.stdout


def test_what_we_call_ourselves_and_how_many_ask_at_once_is_known_to_the_parts(run: Run, origin: Origin) -> None:
    """A wall names the one; the other decides when a server that fails is given up."""
    children = [f"{origin.url}/{number}.xml" for number in range(60)]
    origin.put("/sitemap.xml", index(*children))
    for number in range(0, 60, 20):
        origin.put(f"/{number}.xml", urlset(f"{origin.url}/{number}"))
    options = [origin.url, "--retries", "0", "--user-agent", "acme/1", "--concurrency", "1"]
    whole = run(*options)
    assert merged(run, *parts(run, 2, *options)).stdout == whole.stdout


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are text there")
def test_a_name_that_is_no_text_is_joined_as_well(run: Run, write: Write) -> None:
    write("public/robots.txt", f"Sitemap: {SITE}/sitemap.xml\n")
    write("public/sitemap.xml", index(*(f"{SITE}/sitemap-n{number}.xml" for number in range(3))))
    for number in range(3):
        write(f"public/sitemap-n{number}.xml", index(f"{SITE}/sitemap-leaf{number}.xml", f"{SITE}/sitemap-%FF.xml"))
        write(f"public/sitemap-leaf{number}.xml", urlset(f"{SITE}/{number}"))
    shutil.copy("public/sitemap-leaf0.xml", os.fsdecode(b"public/sitemap-\xff.xml"))
    assert merged(run, *parts(run, 5, "public")).stdout == run("public").stdout


def test_of_a_sitemap_that_changes_between_the_parts_findings_and_places_belong_together(
    run: Run, origin: Origin
) -> None:
    """What is told of a page that is listed twice is read again: in the answer that its part was given."""
    twice = urlset(*[f"{origin.url}/a"] * 2)
    reports = []
    for number, gap in ((1, ""), (2, "\n" * 9)):  # the last of the usual places falls to the second part
        origin.put("/sitemap-index.xml", twice.replace("<url>", f"{gap}<url>", 1))
        whole = run(origin.url)
        reports.append(Path(f"{number}.json"))
        reports[-1].write_text(run(origin.url, "--shard", f"{number}/2").stdout, encoding="utf-8")
    assert whole.finding("loc-repeated")["line"] > 9
    assert merged(run, *reports).stdout == whole.stdout


def claim_entries(report: dict[str, Any]) -> None:
    """A small file that says it had a billion entries."""
    for document in report["shard"]["documents"].values():
        facts = document["facts"]
        facts["size"] = facts["summary"][0] = 1_000_000_000
        facts["origins"] = ["", "http://localhost"]
        facts["origin_of"] = {"same": 1, "length": 1_000_000_000}
        facts["offsets"] = {"range": 1_000_000_001}
    report["shard"]["settings"]["ignore_url"] = ["*zzz*"]


def test_a_part_that_claims_a_billion_entries_is_damaged(run: Run, write: Write) -> None:
    write("public/sitemap.xml", urlset(f"{SITE}/a"))
    outcome = merged(run, *(changed(report, claim_entries) for report in parts(run, 2, "public")))
    assert outcome.exit_code == 2
    assert "What a part has written of public/sitemap.xml is damaged." in outcome.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes in folders")
def test_pipes_and_devices_are_no_reports(run: Run, write: Write) -> None:
    public = write_all(write, entangled())
    parts(run, 2, public)
    os.mkfifo("parts/pipe.json")
    assert merged(run, "parts").stdout == run(public).stdout
    for path in ("parts/pipe.json", "/dev/zero"):
        outcome = merged(run, path)
        assert outcome.exit_code == 2
        assert f"{path} is no file." in outcome.stderr
