"""SARIF: valid by the schema, complete for GitHub's code scanning, with fingerprints that survive moved lines."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from conftest import Run, Write, urlset
from jsonschema import Draft7Validator
from origins import Origin
from rendering import PAYLOADS
from runner_commands import COMMANDS

from sitemap_action.rules import all_rules
from sitemap_action.rules.base import explanation_of

VENDOR = Path(__file__).parent / "vendor"
EXAMPLE = Path(__file__).parents[1] / "example" / "public"
LEVELS = {"error": "error", "warning": "warning", "notice": "note"}


def sarif(run: Run, *arguments: str | Path) -> dict[str, Any]:
    """The run of a report, after it was found valid."""
    text = run(*arguments, format="sarif").stdout
    data = json.loads(text)
    schema = json.loads((VENDOR / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    assert [error.message for error in Draft7Validator(schema).iter_errors(data)] == []
    [found] = data["runs"]
    result: dict[str, Any] = found
    assert_fit_for_github(result)
    return result


def assert_fit_for_github(found: dict[str, Any]) -> None:
    """What an upload needs; paths from the root of the repository, without a scheme."""
    driver = found["tool"]["driver"]
    assert driver["name"] == "sitemap-action"
    for rule in driver["rules"]:
        assert rule["id"]
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
    for result in found["results"]:
        assert result["message"]["text"]
        assert result["partialFingerprints"]
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        [location] = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri)
        assert not uri.startswith("/")
        assert location["physicalLocation"]["region"]["startLine"] >= 1


def uris(found: dict[str, Any]) -> list[str]:
    return [result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in found["results"]]


def marks(found: dict[str, Any]) -> list[str]:
    return [mark for result in found["results"] for mark in result["partialFingerprints"].values()]


def test_the_schema_is_the_one_that_the_notice_names() -> None:
    stated = re.search(r"sha256  ([0-9a-f]{64})", (VENDOR / "NOTICE.md").read_text(encoding="utf-8"))
    assert stated is not None
    assert hashlib.sha256((VENDOR / "sarif-2.1.0.json").read_bytes()).hexdigest() == stated[1]


def test_every_listed_finding_is_a_result(run: Run, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "public")
    findings = run("public").report["findings"]
    found = sarif(run, "public")
    assert len(found["results"]) == len(findings) > 5
    for result in found["results"]:
        region = result["locations"][0]["physicalLocation"]["region"]
        [finding] = [f for f in findings if f["rule"] == result["ruleId"]]
        assert result["level"] == LEVELS[finding["severity"]]
        assert (region["startLine"], region["startColumn"]) == (finding["line"], finding["column"])
        assert finding["message"].replace("\\", "\\\\") in result["message"]["text"]
    assert uris(found)[0].startswith("public/")


def test_the_rules_are_those_of_the_pages(run: Run, tmp_path: Path) -> None:
    found = sarif(run, EXAMPLE)
    ids = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert sorted(ids) == sorted({result["ruleId"] for result in found["results"]})
    for rule in found["tool"]["driver"]["rules"]:
        known = all_rules()[rule["id"]]
        about = explanation_of(known)
        assert rule["shortDescription"]["text"] == about.summary
        assert rule["fullDescription"]["text"] == about.why
        assert about.fix in rule["help"]["text"]
        assert about.fix in rule["help"]["markdown"]
        assert rule["helpUri"] == known.help()
        assert rule["defaultConfiguration"]["level"] == LEVELS[known.severity.value]


def test_every_rule_can_be_described(run: Run) -> None:
    """GitHub shows no rule without these words."""
    for rule in all_rules().values():
        about = explanation_of(rule)
        assert about.summary
        assert about.why
        assert about.fix


def test_a_clean_run_has_no_results(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("https://www.acme.example/"))
    assert sarif(run, "sitemap.xml")["results"] == []


def test_an_empty_directory_has_a_result_with_a_path(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    found = sarif(run, "empty")
    assert [result["ruleId"] for result in found["results"]] == ["sitemap-missing"]
    assert uris(found) == ["empty"]
    assert uris(sarif(run, ".")) == ["sitemap.xml"]


def test_the_path_of_a_file_outside_of_the_repository_climbs_nowhere(
    run: Run, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write("sitemap.xml", urlset("None/x"))
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path / "site")
    assert uris(sarif(run, "../sitemap.xml")) == ["sitemap.xml"]
    [uri] = uris(sarif(run, str(path)))
    assert uri.endswith(f"{tmp_path.name}/sitemap.xml")
    assert not uri.startswith("/")


def test_the_url_of_a_live_document_becomes_a_path_without_a_scheme(run: Run, origin: Origin) -> None:
    origin.put("/ü/sitemap.xml?a=b:c", urlset("{origin}/", "None/x"))
    origin.put("/sitemap.xml", urlset("{origin}/", "None/x"))
    found = sarif(run, origin.url)
    assert set(uris(found)) == {f"127.0.0.1%3A{origin.port}/sitemap.xml"}
    assert "loc-not-absolute" in {result["ruleId"] for result in found["results"]}
    nothing = sarif(run, f"http://localhost:{origin.port}/missing.xml")
    assert {uri.partition("/")[0] for uri in uris(nothing)} == {f"localhost%3A{origin.port}"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows no such file names")
@pytest.mark.parametrize(
    "name", ["c:a%20b sitemap.xml", "http:x/sitemap.xml", "ü\n#?[]sitemap.xml", "a\\b sitemap.xml"]
)
def test_paths_are_percent_encoded(run: Run, write: Write, name: str) -> None:
    write(f"{name}", urlset("None/x"))
    assert [unquote(uri) for uri in uris(sarif(run, "."))] == [name]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such names")
def test_a_name_that_is_no_text_is_no_obstacle(run: Run, tmp_path: Path) -> None:
    path = bytes(tmp_path) + b"/sitemap-\xff.xml"
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(urlset("None/x"))
    assert len(sarif(run, ".")["results"]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep no such names")
def test_a_folder_that_is_no_text_is_no_obstacle(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "repository" / os.fsdecode(b"d\xff")
    folder.mkdir(parents=True)
    (tmp_path / "repository" / ".git").mkdir()
    (folder / "sitemap.xml").write_text(urlset("None/x"), encoding="utf-8")
    monkeypatch.chdir(folder)
    assert uris(sarif(run, "sitemap.xml")) == ["d%FF/sitemap.xml"]
    annotation = run("sitemap.xml", format="github").stdout.splitlines()[-1]
    assert annotation.startswith("::error file=d\\udcff/sitemap.xml,line=3,")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are Unicode whatever the locale")
@pytest.mark.parametrize("folder", ["public", "elsewhere"])
def test_in_a_locale_of_plain_ascii_names_stay_what_they_are(write: Write, tmp_path: Path, folder: str) -> None:
    write("elsewhere/x", "")
    name = "public/sitemap-\u00e9.xml"
    write(name, urlset("None/x"))
    for command in ("init -q", "add -A"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(EXAMPLE.parents[1])}
    github = {"ACTIONS": "true", "REPOSITORY": "acme/site", "SHA": "aa", "WORKSPACE": str(tmp_path)}
    options = ["--format", "github", "--output", "sarif=s", "--output", "markdown=m"]
    answer = subprocess.run(
        [sys.executable, "-m", "sitemap_action", str(tmp_path / name).encode(), *options],
        cwd=tmp_path / folder,
        env={**plain, **{f"GITHUB_{key}": value for key, value in github.items()}},
        capture_output=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (1, b"")
    assert f"\n::error file={name},line=3," in answer.stdout.decode()
    assert '"uri": "public/sitemap-%C3%A9.xml"' in (tmp_path / folder / "s").read_text(encoding="utf-8")
    assert "/blob/aa/public/sitemap-%C3%A9.xml#L3" in (tmp_path / folder / "m").read_text(encoding="utf-8")


def test_hostile_content_stays_text(run: Run, write: Write) -> None:
    write("sitemap.txt", "\n".join(["https://www.acme.example/", *PAYLOADS, *COMMANDS]))
    write("robots.txt", "\n".join(f"Sitemap: {text}" for text in [*PAYLOADS, *COMMANDS]))
    found = sarif(run, ".", "--max-findings", "0")
    texts = [result["message"]["text"] for result in found["results"]]
    assert any("evil.example" in text for text in texts)
    for text in texts:
        bare = text.replace("\\\\", "")
        assert not re.search(r"(?<!\\)[\[\]]", bare)
        assert not re.search("[\x00-\x1f\x7f-\x9f\u202e\u2066\u200b]", text)


# Fingerprints


def test_fingerprints_stay_when_lines_move(run: Run, write: Write) -> None:
    text = urlset("None/x", "None/y", "https://www.acme.example/#x", "https://www.acme.example/#x")
    write("sitemap.xml", text)
    before = sarif(run, "sitemap.xml")
    assert marks(before) == marks(sarif(run, "sitemap.xml"))
    write("sitemap.xml", text.replace("<url>", "\n\n<!-- new -->\n<url>", 1))
    after = sarif(run, "sitemap.xml")
    assert marks(after) == marks(before)
    assert json.dumps(after) != json.dumps(before)
    write("sitemap.xml", text.replace("None/x", "None/new\n</loc></url><url><loc>None/x", 1))
    assert set(marks(before)) < set(marks(sarif(run, "sitemap.xml")))


def test_fingerprints_of_different_findings_differ(run: Run, write: Write) -> None:
    for folder in ("a", "b"):
        write(f"{folder}/sitemap.xml", urlset(*["None/x"] * 3, "None/y", "http://localhost/"))
    found = sarif(run, ".", "--max-findings", "0")
    assert len(found["results"]) >= 10
    assert len(set(marks(found))) == len(found["results"])


# Limits


def test_the_heaviest_5000_results_are_kept(run: Run, write: Write) -> None:
    fragments = [f"https://www.acme.example/{'ü' * 300}{number}#x" for number in range(3_000)]
    write("sitemap.xml", urlset(*fragments, *(f"None/{'x' * 2_000}{number}" for number in range(4_000))))
    found = sarif(run, "sitemap.xml", "--max-findings", "0")
    levels = [result["level"] for result in found["results"]]
    assert len(levels) == 5_000
    assert levels[:4_000] == ["error"] * 4_000
    assert "error" not in levels[4_000:]
    assert len(gzip.compress(json.dumps(found, indent=2).encode())) < 10_000_000
    assert all(len(result["message"]["text"]) < 1_100 for result in found["results"])


def test_the_counts_have_what_was_ignored(run: Run, write: Write) -> None:
    write("sitemap.xml", urlset("None/x", "None/y"))
    counts = sarif(run, "sitemap.xml", "--ignore-url", "None/x")["properties"]["counts"]
    assert (counts["error"], counts["ignored"]) == (1, 1)


def test_runs_for_several_sites_are_told_apart(run: Run, write: Write) -> None:
    for name in ("a", "b"):
        write(f"{name}/sitemap.xml", urlset("None/x"))
    names = [sarif(run, name)["automationDetails"]["id"] for name in ("a", "b")]
    assert names == ["sitemap-action/a/", "sitemap-action/b/"]
