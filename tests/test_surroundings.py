"""The same report wherever it is made: without locale, home and docstrings, in any time zone, by any clock."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest
from conftest import Run, Write, urlset
from front_door import ROOT, clock_of, knock, needs_faketime, shell, surroundings
from origins import Origin

from sitemap_action import clock

EXAMPLE = ROOT / "example"
FORMATS = ("text", "json", "sarif", "markdown", "github")
NO_LOCALE = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.fixture(scope="module")
def usual() -> str:
    return knock("public", cwd=EXAMPLE).stdout


@pytest.mark.parametrize(
    "variables",
    [
        {"LC_ALL": "C", **NO_LOCALE},
        {"LC_ALL": "POSIX", **NO_LOCALE},
        {"LC_ALL": "xx_YY.nonsense", **NO_LOCALE},
        {"HOME": "/nowhere/at/all"},
        {"TMPDIR": "/nowhere/at/all"},
        {"TERM": "dumb"},
        {"COLUMNS": "1"},
        {"TZ": "Pacific/Kiritimati"},
        {"TZ": "Etc/GMT+12"},
        {"TZ": "no/such:zone"},
        {"PYTHONOPTIMIZE": "2"},
    ],
    ids=str,
)
def test_the_report_is_the_same_everywhere(usual: str, variables: dict[str, str]) -> None:
    ran = knock("public", cwd=EXAMPLE, env=surroundings(**variables))
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, usual, "")


def test_without_any_variable_the_report_is_the_same(usual: str) -> None:
    bare = {"PYTHONPATH": str(ROOT), **({"SYSTEMROOT": os.environ["SYSTEMROOT"]} if sys.platform == "win32" else {})}
    assert knock("public", cwd=EXAMPLE, env=bare).stdout == usual


@pytest.mark.parametrize("what", [*(f"--format {name} public" for name in FORMATS), "--explain loc-missing", "--help"])
def test_rules_have_their_pages_where_python_leaves_docstrings_out(what: str) -> None:
    plain, bare = knock(*what.split(), cwd=EXAMPLE), knock(*what.split(), cwd=EXAMPLE, python=("-OO",))
    assert (bare.returncode, bare.stdout) == (plain.returncode, plain.stdout)


def test_without_docstrings_and_sources_the_pages_are_said_to_be_left_out(tmp_path: Path) -> None:
    command = [sys.executable, "-OO", "-m", "compileall", "-q", "-b", "-d", "", "sitemap_action"]
    copy = tmp_path / "sitemap_action"
    subprocess.run(["cp", "-r", str(ROOT / "sitemap_action"), str(copy)], check=True)
    subprocess.run(command, cwd=tmp_path, check=True)
    for source in copy.rglob("*.py"):
        source.unlink()
    ran = knock("--explain", "loc-missing", python=("-OO",), cwd=tmp_path, env=surroundings(PYTHONPATH=str(tmp_path)))
    assert ran.returncode == 0
    assert "The page of this rule was left out with Python's -OO." in ran.stdout


@pytest.mark.parametrize(("encoding", "shown"), [("ascii", "\\u2026"), ("latin-1", "\\u2026"), ("utf-8", "…")])
def test_an_encoding_that_was_chosen_is_kept_and_what_it_lacks_is_escaped(encoding: str, shown: str) -> None:
    for what in ("public", "--explain doctype-present"):
        ran = knock(*what.split(), cwd=EXAMPLE, env=surroundings(PYTHONIOENCODING=encoding))
        assert shown in ran.stdout
        assert ran.stderr == ""


@pytest.mark.parametrize("target", ["public", "origin"])
def test_python_in_its_strictest_mode_has_nothing_to_complain_of(origin: Origin, target: str) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/"))
    chosen = origin.url if target == "origin" else target
    ran = knock("--format", "github", chosen, cwd=EXAMPLE, python=("-X", "dev", "-W", "error"))
    assert (ran.stderr, ran.returncode in (0, 1)) == ("", True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not let it be removed")
@pytest.mark.parametrize("target", ["", ".", str(EXAMPLE), "http://127.0.0.1:9/"])
def test_a_working_directory_that_is_gone_is_said(tmp_path: Path, target: str) -> None:
    (tmp_path / "gone").mkdir()
    ran = shell(f'cd gone && rmdir "$PWD" && $CHECK {target}', cwd=tmp_path)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1] == "Error: The current directory does not exist any more."


# The clock


@needs_faketime
@pytest.mark.parametrize("year", [1970, 1980, 2025, 2100, 2200])
def test_a_clock_that_is_wrong_is_said_and_accuses_no_date(write: Write, tmp_path: Path, year: int) -> None:
    write("sitemap.xml", urlset("<url><loc>https://www.acme.example/</loc><lastmod>2026-05-01</lastmod></url>"))
    ran = knock("sitemap.xml", cwd=tmp_path, env=surroundings(**clock_of(year)))
    assert (ran.returncode, "PASS" in ran.stdout) == (0, True)
    assert ran.stderr.startswith(f"The clock of this machine is wrong: it shows {year}-01-01 00:00 UTC. ")
    assert len(ran.stderr.splitlines()) == 1


def test_with_a_wrong_clock_no_rule_compares_a_date_with_it(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    origin.put("/sitemap.xml", urlset("<url><loc>{origin}/</loc><lastmod>2020-05-01T10:00:00</lastmod></url>"))
    assert sorted(run(origin.url).rules()) == ["lastmod-stale", "lastmod-zone-missing"]
    monkeypatch.setattr(clock, "_read", lambda: datetime(1970, 1, 1, tzinfo=timezone.utc))
    outcome = run(origin.url)
    assert outcome.rules() == ["lastmod-zone-missing"]
    assert outcome.stderr.startswith("The clock of this machine is wrong: it shows 1970-01-01 00:00 UTC. ")
