"""What every written report promises, whatever it quotes: it parses, adds up, and steers nothing that shows it."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator
from runner_commands import OUR_OWN, commands

_ROOT = Path(__file__).resolve().parent.parent
_OWN_COLOR = re.compile(r"\x1b\[[0-9]+m")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
# The elements of our own templates; whatever else looks like one is somebody else's.
_HREF = r' href="https://github\.com/[^"<>]*"'
_TAG = re.compile(
    r"</?(?:table|tr|td|th|details|summary|code|b|p|br|wbr|sub|ul|li)>|<details open>|<t[dh] align=\"right\">"
    rf"|<a{_HREF}>|</a>"
)
_ALERT = re.compile(r"^> \[!(?:WARNING|NOTE|CAUTION)\]$", re.MULTILINE)
_MARKDOWN = re.compile(r"[<>@`*_~\\\[\]!]|www\.|://")
_MOST_ANNOTATIONS = 31
_STEPS = {"discover": 0.2, "fetch": 0.25, "parse": 0.25, "field-quality": 0.1, "scope": 0.2}
_WORTH = {"pass": 1.0, "warn": 0.5, "fail": 0.0, "skip": 0.0}


@cache
def _validator(name: str) -> Any:
    path = _ROOT / name
    schema = json.loads(path.read_text(encoding="utf-8"))
    kind = Draft202012Validator if "2020-12" in schema.get("$schema", "") else Draft7Validator
    return kind(schema)


def hold(format: str, text: str, *, thorough: bool) -> None:
    """One report as it was printed; `thorough` holds it to its schema as well, which takes longer."""
    steers_nothing(text)
    if format == "json":
        hold_json(json.loads(text), thorough=thorough)
    elif format == "sarif":
        hold_sarif(json.loads(text), thorough=thorough)
    elif format == "markdown":
        hold_markdown(text)
    given = commands(text)
    assert format == "github" or not given, f"a command: {given[:1]}"
    assert all(command.name in OUR_OWN for command in given), "a command that we never give"
    assert all("title" in command.properties for command in given), "an annotation that is not ours"
    assert len(given) <= _MOST_ANNOTATIONS, "more annotations than are shown"


def steers_nothing(text: str) -> None:
    """No control character but newlines and our own colours, no order to a runner in the middle of a line."""
    found = _CONTROL.search(_OWN_COLOR.sub("", text))
    assert found is None, f"the raw character U+{ord(found[0]):04X}"
    assert "##[" not in text, "the old form of a command"
    assert not text or text.endswith("\n"), "a last line without its end"


def hold_json(report: dict[str, Any], *, thorough: bool) -> None:
    if thorough:
        error = next(_validator("sitemap_action/schemas/report.schema.json").iter_errors(report), None)
        assert error is None, f"not by the schema: {error.message[:200]}"
    assert {step["id"]: step["weight"] for step in report["steps"]} == _STEPS, "other steps"
    score = sum(step["weight"] * step["score"] for step in report["steps"])
    assert abs(score - report["score"]) < 1e-3, "the score is not that of the steps"
    assert all(step["score"] == _WORTH[step["status"]] for step in report["steps"]), "a step that earned something else"
    documents = [document for document in report["documents"] if document["format"] != "sitemapindex"]
    assert report["urls"] == sum(document["entries"] for document in documents), "URLs do not add up"
    _add_up(report)


def _add_up(report: dict[str, Any]) -> None:
    """The first finding of a rule, document and severity tells how many there are; the counts are their sum."""
    told: dict[tuple[str, str | None, str], list[int]] = {}
    for finding in report["findings"]:
        told.setdefault((finding["rule"], finding["document"], finding["severity"]), []).append(finding["count"])
        assert finding["message"].strip(), "a finding without words"
    for severity in ("error", "warning", "notice"):
        least = sum(max(counts) for key, counts in told.items() if key[2] == severity)
        most = sum(sum(counts) for key, counts in told.items() if key[2] == severity)
        assert least <= report["counts"][severity] <= most, f"{severity}s do not add up"
    if report["verdict"] != "inconclusive":
        worst = "fail" if report["counts"]["error"] else "warn" if report["counts"]["warning"] else "pass"
        assert report["verdict"] == worst, "a verdict that the counts do not give"


def hold_sarif(report: dict[str, Any], *, thorough: bool) -> None:
    if thorough:
        error = next(_validator("tests/vendor/sarif-2.1.0.json").iter_errors(report), None)
        assert error is None, f"not by the schema of SARIF: {error.message[:200]}"
    [run] = report["runs"]
    marks = [tuple(result["partialFingerprints"].items()) for result in run["results"]]
    assert len(marks) == len(set(marks)), "two results with one fingerprint"
    for result in run["results"]:
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii(), "a URI with other characters"
        assert uri, "a result without a place"
        assert ".." not in uri.split("/"), "a path that leads out"
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"], "another rule"


def hold_markdown(text: str) -> None:
    """Nothing is left of markup once our own is taken out: everything else is an entity."""
    rest = _TAG.sub("", _ALERT.sub("", text))
    rest = re.sub(r"^##+ .*$|&(?:#\d+|nbsp|emsp);|^> ", " ", rest, flags=re.MULTILINE)
    found = _MARKDOWN.search(rest)
    assert found is None, f"markup that is not ours: {rest[max(found.start() - 40, 0) : found.end() + 40]!r}"
