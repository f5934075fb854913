"""The command: targets, options, environment, config file, exit codes."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Run, Write, index, urlset

GOOD = urlset("https://www.acme.example/")
RELATIVE = urlset("https://www.acme.example/", "/about")
FRAGMENT = urlset("https://www.acme.example/#top")


def test_a_good_file_passes_with_code_0(run: Run, write: Write) -> None:
    write("sitemap.xml", GOOD)
    outcome = run("sitemap.xml")
    assert outcome.exit_code == 0
    assert outcome.report["verdict"] == "pass"
    assert outcome.report["score"] == 1.0


def test_an_error_fails_with_code_1(run: Run, write: Write) -> None:
    write("sitemap.xml", RELATIVE)
    outcome = run("sitemap.xml")
    assert outcome.exit_code == 1
    assert outcome.rules("error") == ["loc-not-absolute"]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--fail-on", "warning"], 1),
        (["--fail-on", "never"], 0),
        (["--min-score", "0.99"], 1),
        (["--min-score", "0.9"], 0),
        (["--fail-on", "never", "--min-score", "1"], 0),
        (["--severity", "loc-has-fragment=error"], 1),
        (["--fail-on", "warning", "--severity", "loc-has-fragment=notice"], 0),
        (["--fail-on", "warning", "--severity", "loc-has-fragment=off"], 0),
        (["--fail-on", "warning", "--ignore", "loc-has-fragment"], 0),
        (["--fail-on", "warning", "--select", "loc-missing"], 0),
        (["--fail-on", "warning", "--ignore-url", "*#top"], 0),
    ],
)
def test_the_gate_follows_the_options(run: Run, write: Write, options: list[str], code: int) -> None:
    write("sitemap.xml", FRAGMENT)
    assert run(*options, "sitemap.xml").exit_code == code


def test_ignored_urls_are_counted(run: Run, write: Write) -> None:
    write("sitemap.xml", FRAGMENT)
    counts = run("--ignore-url", "https://www.acme.example/*", "sitemap.xml").report["counts"]
    assert counts == {"error": 0, "warning": 0, "notice": 0, "ignored": 1}


def test_a_grade_switches_on_a_rule_that_is_off_by_default(run: Run, write: Write) -> None:
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="https://www.acme.example/{code}"/>'
        for code in ("en", "de")
    )
    entries = [f"<url><loc>https://www.acme.example/{code}</loc>{links}</url>" for code in ("en", "de")]
    write("sitemap.xml", urlset(*entries, attributes=' xmlns:xhtml="http://www.w3.org/1999/xhtml"'))
    assert run("sitemap.xml").rules() == []
    graded = run("--severity", "hreflang-x-default-missing=warning", "sitemap.xml")
    assert graded.rules("warning") == ["hreflang-x-default-missing"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.xml"], "missing.xml"),
        (["--ignore", "loc-mising", "."], "Did you mean 'loc-missing'?"),
        (["--severity", "loc-missing=fatal", "."], "error, warning, notice, off"),
        (["--severity", "loc-missing", "."], "RULE=SEVERITY"),
        (["--site-url", "www.acme.example", "."], "no scheme"),
        (["--site-url", "https://www.acme.example/?a=1", "."], "scheme, host and path only"),
        (["--allow-host", "https://x", "."], "not a host name"),
        (["--output", "pdf=x", "."], "FORMAT=PATH"),
        (["--min-score", "2", "."], "2"),
        (["--min-score", "nan", "."], "nan"),
        (["--max-findings", "-1", "."], "-1"),
        (["--max-bytes", str(2**63 - 1), "."], "--max-bytes"),
        (["--fail-on", "sometimes", "."], "sometimes"),
        (["--fromat", "json"], "--format"),
        (["https://www.acme.example", "."], "cannot be checked in one run"),
        (["https://user:secret@www.acme.example"], "--header"),
        (["https://"], "has no host"),
        (["http://[::1"], "no IPv6 address"),
        (["http://[::1:8000/"], "no IPv6 address"),
        (["www.acme.example"], "For a live site, write https://www.acme.example"),
        (["--header", "no colon", "https://www.acme.example"], "'Name: value'"),
        (["--header", "X-Key: a\nb", "https://www.acme.example"], "'Name: value'"),
        (["--timeout", "nan", "https://www.acme.example"], "seconds"),
        (["--timeout", "0", "https://www.acme.example"], "seconds"),
        (["--concurrency", "0", "https://www.acme.example"], "--concurrency"),
        (["--user-agent", "\x1b[31m", "https://www.acme.example"], "printable"),
        (["--config", "missing.toml", "."], "missing.toml"),
    ],
)
def test_a_request_that_makes_no_sense_ends_with_code_2_and_one_clear_line(
    run: Run, arguments: list[str], words: str
) -> None:
    outcome = run(*arguments)
    assert outcome.exit_code == 2
    assert outcome.stdout == ""
    last = outcome.stderr.strip().splitlines()[-1]
    assert last.startswith("Error: ")
    assert words in last


@pytest.mark.parametrize(
    "option", ["--max-bytes=1099511627776", f"--max-findings={10**30}", f"--max-sitemaps={10**30}"]
)
def test_a_limit_may_be_as_large_as_its_range(run: Run, write: Write, option: str) -> None:
    write("public/sitemap.xml", FRAGMENT)
    write("public/sitemap-a.xml.gz", gzip.compress(FRAGMENT.encode()))
    outcome = run(option, "public")
    assert len([rule for rule in outcome.rules() if rule == "loc-has-fragment"]) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows allows no such file names")
def test_only_a_sitemap_that_exists_is_taken_for_a_file_in_spite_of_its_dashes(run: Run, write: Write) -> None:
    for name in ("--sitemap.xml", "--fail-on=never", "-q", "sitemap.xml"):
        write(name, RELATIVE)
    assert run("--fail-on=never", "sitemap.xml").exit_code == 0
    assert run("-q", "--fail-on=error", "sitemap.xml").report["target"]["values"] == ["sitemap.xml"]
    assert run("--sitemap.xml", "--", "-q").report["target"]["values"] == ["--sitemap.xml", "-q"]
    assert run("-sitemap.xml").exit_code == run("--output=jsn=sitemap-a.xml", "--sitemap-b.xml").exit_code == 2


def test_a_directory_without_a_sitemap_is_never_green(run: Run, tmp_path: Path) -> None:
    outcome = run(".")
    assert outcome.rules() == ["sitemap-missing"]
    assert outcome.exit_code == 1
    assert [step["status"] for step in outcome.report["steps"]] == ["fail", "skip", "skip", "skip", "skip"]
    assert outcome.report["score"] == 0
    ignored = run("--ignore", "sitemap-missing", ".")
    assert (ignored.exit_code, ignored.report["verdict"]) == (1, "fail")
    assert run("--fail-on", "never", ".").exit_code == 0


def test_without_a_target_an_empty_run_names_the_folders_that_were_tried(run: Run, tmp_path: Path) -> None:
    (tmp_path / "public").mkdir()
    message = run().finding("sitemap-missing")["message"]
    assert message.startswith("No sitemap was found in public, dist, _site, build, out, site, docs or the working dir")
    assert message.endswith("; was the site built before this step?")
    assert run("public").finding("sitemap-missing")["message"] == "No sitemap was found in `public`."


def test_without_a_target_the_first_usual_folder_with_a_sitemap_is_checked(run: Run, write: Write) -> None:
    write("docs/sitemap.xml", GOOD)
    write("dist/index.html", "<!doctype html>")
    write("_site/sitemap.xml", RELATIVE)
    outcome = run()
    assert outcome.report["target"]["values"] == ["_site"]
    assert outcome.report["documents"][0]["location"] == "_site/sitemap.xml"


def test_without_a_target_the_current_folder_is_the_last_resort(run: Run, write: Write) -> None:
    write("deep/inside/sitemap.xml", GOOD)
    assert run().report["documents"][0]["location"] == "deep/inside/sitemap.xml"


def test_the_environment_gives_defaults_that_options_override(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("maps/list.xml", FRAGMENT)
    monkeypatch.setenv("SITEMAP_ACTION_FAIL_ON", "warning")
    monkeypatch.setenv("SITEMAP_ACTION_TARGET", "maps/list.xml\n")
    monkeypatch.setenv("SITEMAP_ACTION_FORMAT", "")
    assert run().exit_code == 1
    assert run("--fail-on", "error").exit_code == 0
    monkeypatch.setenv("SITEMAP_ACTION_IGNORE", "loc-missing\n\n loc-has-fragment \n")
    assert run().exit_code == 0
    monkeypatch.setenv("SITEMAP_ACTION_IGNORE", "no-such-rule")
    assert run().exit_code == 2


@pytest.mark.parametrize(("value", "is_text"), [("true", False), ("false", True)])
def test_a_flag_in_the_environment_takes_true_and_false(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, value: str, is_text: bool
) -> None:
    write("sitemap.xml", GOOD)
    monkeypatch.setenv("SITEMAP_ACTION_URLS", value)
    outcome = run("sitemap.xml", format="text")
    assert ("PASS" in outcome.stdout) is is_text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".sitemap-action.toml", 'fail-on = "warning"\n'),
        ("pyproject.toml", '[tool.sitemap-action]\nfail-on = "warning"\n'),
        ("pyproject.toml", '[tool."sitemap\\u002daction"]\nfail-on = "warning"\n'),
        (".sitemap-action.toml", 'select = ["loc-has-fragment"]\nmin-score = 1.0\n'),
    ],
)
def test_a_config_file_is_found_from_the_current_directory_upwards(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    write("site/public/sitemap.xml", FRAGMENT)
    write(name, text)
    monkeypatch.chdir("site")
    assert run("public").exit_code == 1
    monkeypatch.setenv("SITEMAP_ACTION_FAIL_ON", "never")
    assert run("public").exit_code == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fail-onn = 'error'\n", "Did you mean `fail-on`?"),
        ("ignore = 'loc-missing'\n", "takes an array"),
        ("fail-on = ['error']\n", "takes a single value"),
        ("fail-on = {a = 1}\n", "takes a single value"),
        ("ignore = [['x']]\n", "takes an array"),
        ("fail-on = ", "Cannot read the config file"),
        ("fail-on = 'often'\n", "often"),
        ('output = ["json=a\\u0000b"]', "FORMAT=PATH"),
        ("fail-on = " + "[" * 5_000, "it is nested too deeply"),
        ("fail-on = " + "{b=" * 5_000, "it is nested too deeply"),
        ("x = {0" + ".0" * 100_000 + "=1}", "it has a line with thousands of dots"),
        ("max-findings = " + "9" * 5_000, "it has a number with too many digits"),
        ("max-findings = 0x" + "f" * 5_000, "`max-findings` is a number with too many digits"),
    ],
)
def test_a_bad_config_file_is_a_usage_error(run: Run, write: Write, text: str, words: str) -> None:
    write("sitemap.xml", GOOD)
    write(".sitemap-action.toml", text)
    outcome = run("sitemap.xml")
    assert outcome.exit_code == 2
    assert words in outcome.stderr.splitlines()[-1]


def test_two_config_files_in_one_folder_are_a_usage_error(run: Run, write: Write) -> None:
    write(".sitemap-action.toml", "")
    write("pyproject.toml", "[tool.sitemap-action]\n")
    outcome = run(".")
    assert outcome.exit_code == 2
    assert "keep one of them" in outcome.stderr


@pytest.mark.parametrize(
    "text", ["[[[", "a = " + "[" * 5_000, "a = " + "{b=" * 5_000, "a = " + "9" * 5_000, "a = {b" + ".b" * 100_000]
)
def test_a_foreign_broken_pyproject_is_none_of_our_business_unless_named(run: Run, write: Write, text: str) -> None:
    write("sitemap.xml", GOOD)
    write("pyproject.toml", text)
    assert run("sitemap.xml").exit_code == 0
    assert run("--config", "pyproject.toml", "sitemap.xml").exit_code == 2
    write("pyproject.toml", "[tool]\nsitemap-action = 3\n")
    assert run("sitemap.xml").exit_code == 2


def test_a_named_config_file_is_used(run: Run, write: Write) -> None:
    write("sitemap.xml", FRAGMENT)
    write("ci/settings.toml", 'fail-on = "warning"\nquiet = true\n')
    assert run("--config", "ci/settings.toml", "sitemap.xml").exit_code == 1
    write("ci/pyproject.toml", '[tool.sitemap-action]\nfail-on = "warning"\n')
    assert run("--config", "ci/pyproject.toml", "sitemap.xml").exit_code == 1


def test_urls_prints_each_page_once_in_document_order_and_nothing_else(run: Run, write: Write) -> None:
    write("public/sitemap.xml", index("https://www.acme.example/b.xml", "https://www.acme.example/a.xml"))
    write("public/b.xml", urlset("https://www.acme.example/2", "https://www.acme.example/1"))
    write("public/a.xml", urlset("https://www.acme.example/1", "https://www.acme.example/3", "&#9;x&#xa0;&#x202e;y"))
    outcome = run("--urls", "public", format=None)
    assert outcome.stdout.splitlines() == [
        "https://www.acme.example/2",
        "https://www.acme.example/1",
        "https://www.acme.example/3",
        "x\xa0\\u202ey",
    ]
    assert outcome.exit_code == 1


def test_output_writes_further_formats_to_files(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", GOOD)
    outcome = run("--output", "json=out/report.json", "--output", "text=out/report.txt", "sitemap.xml", format="text")
    assert json.loads((tmp_path / "out/report.json").read_text())["verdict"] == "pass"
    assert (tmp_path / "out/report.txt").read_text() == outcome.stdout
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["report.json", "report.txt"]


@pytest.mark.skipif(sys.platform == "win32", reason="no links and devices")
def test_an_output_may_be_a_link_or_a_device(run: Run, write: Write, tmp_path: Path) -> None:
    write("sitemap.xml", GOOD)
    write("real.json", "")
    (tmp_path / "link.json").symlink_to("real.json")
    assert run("--output", "json=link.json", "--output", "text=/dev/null", "sitemap.xml").exit_code == 0
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text())["verdict"] == "pass"
    assert not Path("/dev/null").is_file()


def test_a_target_in_a_config_file_is_relative_to_it(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("public/sitemap.xml", GOOD)
    write(".sitemap-action.toml", 'target = ["public"]\n')
    write("deep/down/x", "")
    monkeypatch.chdir("deep/down")
    assert run().exit_code == 0


def test_an_output_that_cannot_be_written_is_said(run: Run, write: Write) -> None:
    write("sitemap.xml", GOOD)
    write("file", "")
    outcome = run("--output", "json=file/report.json", "--output", "text=other.txt", "sitemap.xml")
    assert outcome.exit_code == 2
    assert "Cannot write" in outcome.stderr
    assert outcome.report["verdict"] == "pass"
    assert Path("other.txt").stat().st_size


def test_explain_prints_a_page_and_list_rules_all_rules(run: Run) -> None:
    page = run("--explain", "loc-not-absolute", format=None)
    assert page.exit_code == 0
    assert page.stdout.startswith("loc-not-absolute: ")
    assert "Fix:" in page.stdout
    assert "<loc>/about</loc>" in page.stdout
    rules = run("--list-rules", format=None).stdout.splitlines()
    assert any(line.startswith("hreflang-no-return-link ") for line in rules)
    assert run("--explain", "loc-not-absolut", format=None).exit_code == 2


def test_the_module_and_the_version_work_as_people_expect(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sitemap_action", "--version"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    assert shown.stdout.startswith("sitemap-action, version ")


def test_a_file_takes_one_report(run: Run, write: Write) -> None:
    write("sitemap.xml", GOOD)
    outcome = run("sitemap.xml", "--output", "json=r", "--output", "text=other", "--output", "sarif=./r")
    assert outcome.exit_code == 2
    assert "r cannot hold both json and sarif." in outcome.stderr
    assert run("sitemap.xml", "--output", "json=r", "--output", "json=r").exit_code == 0
    assert run("sitemap.xml", "--output", f"json={os.devnull}", "--output", f"text={os.devnull}").exit_code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
def test_a_config_file_is_a_file(run: Run, write: Write) -> None:
    write("sitemap.xml", GOOD)
    os.mkfifo("pipe.toml")
    for path in ("pipe.toml", "/dev/zero"):
        outcome = run("sitemap.xml", "--config", path)
        assert outcome.exit_code == 2
        assert f"Cannot read the config file {path}: it is no file." in outcome.stderr
