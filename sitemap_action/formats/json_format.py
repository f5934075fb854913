"""The JSON report, as the schema beside this package's other schemas describes it."""

from __future__ import annotations

import json
from typing import Any

from sitemap_action import __version__
from sitemap_action.formats.escape import json_text
from sitemap_action.formats.style import Style
from sitemap_action.model import Document
from sitemap_action.model.summary import COUNTED
from sitemap_action.report import Report
from sitemap_action.report.finding import Finding


def render(report: Report, style: Style) -> str:
    """Same input, same bytes; characters outside of ASCII are escaped, so any log can hold it."""
    return json_text(json.dumps(as_data(report), indent=2)) + "\n"


def as_data(report: Report) -> dict[str, Any]:
    site = report.site
    url = site.url if site else None
    pages = report.pages
    return {
        "schema_version": 1,
        "tool": {"name": "sitemap-action", "version": __version__},
        "target": {
            "kind": report.kind,
            "values": report.targets,
            "site_url": url.origin + url.directory if url else None,
            "site_url_from": site.url_from if site and url else None,
        },
        "verdict": report.verdict,
        "inconclusive": "; ".join(report.inconclusive) or None,
        "score": report.score,
        "gate": {"passed": report.gated.code == 0, "reason": report.gated.reason or None},
        "steps": [
            {
                "id": result.step.id,
                "title": result.step.title,
                "weight": result.step.weight,
                "status": result.status,
                "score": result.score,
                "evidence": list(result.evidence),
            }
            for result in report.steps()
        ],
        "counts": {**report.counts, "ignored": report.ignored},
        "documents": [_document(document) for document in report.documents],
        "urls": report.urls,
        "pages": {"listed": pages.listed, "checked": pages.checked} if pages else None,
        "findings": [_finding(finding) for finding in report.findings()],
        **({"shard": report.part.as_data()} if report.part is not None else {}),
    }


def _document(document: Document) -> dict[str, Any]:
    summary = document.summary
    lastmod = None
    if summary.oldest is not None:
        lastmod = {
            "oldest": summary.oldest,
            "newest": summary.newest,
            "missing": summary.without_lastmod,
            "distinct": summary.distinct_lastmod,
        }
    return {
        "location": document.location,
        "format": document.format,
        "parent": document.parent,
        "found_by": document.found_by,
        "http_status": document.http_status,
        "final_url": document.final_url,
        "fetched_from": document.fetched_from,
        "bytes": document.size,
        "compressed": document.compressed,
        "entries": summary.entries,
        "lastmod": lastmod,
        "extensions": {kind: summary.extensions.get(kind, 0) for kind in COUNTED},
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule.id,
        "severity": finding.severity.value,
        "step": finding.rule.step.id,
        "message": finding.message,
        "document": finding.document,
        "line": finding.place.line,
        "column": finding.place.column,
        "url": finding.url,
        "count": finding.count,
        "help": finding.help,
    }
