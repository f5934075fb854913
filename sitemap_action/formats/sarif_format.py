"""SARIF 2.1.0, as GitHub's code scanning takes it: rules from their pages, fingerprints that survive moved lines."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from sitemap_action import __version__
from sitemap_action.formats.escape import clean, json_text
from sitemap_action.formats.groups import groups
from sitemap_action.formats.style import Style
from sitemap_action.model import Severity
from sitemap_action.report import Report
from sitemap_action.report.finding import Finding
from sitemap_action.rules.base import HOME, Rule, explanation_of

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# GitHub takes 25,000 results and keeps 5,000 of them: the heaviest.
_MOST_RESULTS = 5_000
_LONGEST = 1_000
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}
_PROBLEMS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "recommendation"}


def render(report: Report, style: Style) -> str:
    found = groups(report)
    findings = [finding for group in found for finding in group.findings][:_MOST_RESULTS]
    rules = list({finding.rule.id: finding.rule for finding in findings}.values())
    numbers = {rule.id: number for number, rule in enumerate(rules)}
    seen: Counter[str] = Counter()
    counts = {**report.counts, "ignored": report.ignored}
    run = {
        "tool": {
            "driver": {
                "name": "sitemap-action",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": HOME,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "automationDetails": {"id": f"sitemap-action/{_name(report)}/"},
        "results": [_result(finding, numbers[finding.rule.id], report, style, seen) for finding in findings],
        "properties": {"verdict": report.verdict, "score": report.score, "counts": counts},
    }
    return json_text(json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)) + "\n"


def _name(report: Report) -> str:
    """Tells the runs for several sites of one repository apart; the same from run to run."""
    return quote(",".join(target.partition("://")[2] or target for target in report.targets)[:200], safe=",.")


def _rule(rule: type[Rule]) -> dict[str, Any]:
    about = explanation_of(rule)
    fix = f"{about.why}\n\n**Fix:** {about.fix}"
    return {
        "id": rule.id,
        "name": rule.__name__,
        "shortDescription": {"text": about.summary},
        "fullDescription": {"text": about.why},
        "help": {"text": f"{about.why}\n\nFix: {about.fix}", "markdown": fix},
        "helpUri": rule.help(),
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["sitemap", rule.step.id],
            "precision": "very-high",
            "problem.severity": _PROBLEMS[rule.severity],
        },
    }


def _result(finding: Finding, number: int, report: Report, style: Style, seen: Counter[str]) -> dict[str, Any]:
    path = _path(finding, report, style)
    place: dict[str, Any] = {
        "artifactLocation": {"uri": quote(path, safe="/", errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}
    }
    # Without a line GitHub shows nothing; the beginning of a file stands for the whole.
    place["region"] = {"startLine": finding.place.line or 1}
    if finding.place.column:
        place["region"]["startColumn"] = finding.place.column
    about = "\n".join([finding.rule.id, path, clean(finding.url or finding.message)])
    seen[about] += 1
    mark = hashlib.sha256(about.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return {
        "ruleId": finding.rule.id,
        "ruleIndex": number,
        "level": _LEVELS[finding.severity],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {_fingerprint_name(finding): f"{mark}:{seen[about]}"},
        "properties": {"count": finding.count, "document": clean(finding.document or "")},
    }


def _fingerprint_name(finding: Finding) -> str:
    """Where there is a line of a file, GitHub's uploader adds a fingerprint of its own, and warns of another one."""
    is_line = finding.place.line is not None and "://" not in (finding.document or "://")
    return "sitemapAction/v1" if is_line else "primaryLocationLineHash"


def _path(finding: Finding, report: Report, style: Style) -> str:
    """From the root of the repository; a URL becomes a path, because an upload with another scheme is rejected."""
    location = finding.document or next(iter(report.targets), ".")
    path = style.workspace.relative(location)
    if path is None:
        _, is_url, rest = location.partition("://")
        parts = rest.split("/") if is_url else PurePath(location).parts[bool(PurePath(location).anchor) :]
        path = clean("/".join(part for part in parts if part not in ("", ".", "..")))
    return path if path not in ("", ".") else "sitemap.xml"


def _message(finding: Finding) -> str:
    """Brackets would be links to other places of the report."""
    text = clean(finding.message)
    if finding.untold_url:
        text += f" ({clean(finding.untold_url)})"
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
