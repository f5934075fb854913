"""The report as Markdown for GitHub: the job summary, in as much detail as it has room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sitemap_action.formats import charts, overview
from sitemap_action.formats.groups import Group, groups, rest
from sitemap_action.formats.style import Style
from sitemap_action.model import Document, Severity
from sitemap_action.report import Report
from sitemap_action.report.evidence import TOLD_BY, about_part, counts_in_words
from sitemap_action.values.words import plural

if TYPE_CHECKING:
    from jinja2 import Template

ROOM = 1_048_576  # bytes: of more than this GitHub shows nothing at all
_ROOM_FOR_NOTES = 20_000
SIGNS = {"pass": "✅", "warn": "⚠️", "fail": "❌", "inconclusive": "❔", "skip": "⏭️"}
_SEVERITY_SIGNS = {Severity.ERROR: "❌", Severity.WARNING: "⚠️", Severity.NOTICE: "💡"}
_BAR = 24
_MOST_PERIODS = 24
_MOST_BARS = 12


@dataclass(frozen=True)
class Detail:
    """How many documents, and how many places of a finding, are shown."""

    documents: int
    places: int
    has_charts: bool = True


_DETAILS = (Detail(300, 50), Detail(100, 20), Detail(30, 5), Detail(10, 1, False), Detail(0, 0, False))


def render(report: Report, style: Style) -> str:
    return within(ROOM, report, style)


def within(room: int, report: Report, style: Style, notes: tuple[str, ...] = ()) -> str:
    """The most detailed summary that fits: a shorter one rather than none, and at the very least the verdict."""
    text = ""
    for detail in _DETAILS:
        text = template("summary.md").render(view(report, style, detail), notes=notes)
        if len(text.encode()) <= room:
            return text
    text = text.partition("\n")[0] + "\n"
    return text if len(text.encode()) <= room else ""


def has_all(report: Report, style: Style) -> bool:
    """Whether every finding is in the summary, as far as can be told before its notes are known."""
    most = _DETAILS[0]
    if any(group.is_cut or len(group.findings) > most.places for group in groups(report)):
        return False
    text = template("summary.md").render(view(report, style, most), notes=())
    return len(text.encode()) <= ROOM - _ROOM_FOR_NOTES


@cache
def template(name: str) -> Template:
    """Escapes whatever no filter has made harmless already; a value that is not there is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from sitemap_action.formats.markup import FILTERS

    environment = Environment(
        loader=PackageLoader("sitemap_action"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    environment.filters.update(FILTERS)
    return environment.get_template(f"{name}.jinja")


def view(report: Report, style: Style, detail: Detail) -> dict[str, Any]:
    """What a template shows; nothing in it is escaped yet."""
    shown = report.documents[: detail.documents]
    found = groups(report)
    return {
        "sign": SIGNS[report.verdict],
        "signs": SIGNS,
        "severity_signs": _SEVERITY_SIGNS,
        "report": report,
        **_subject(report),
        "score": f"{report.score:.2f}",
        "tally": counts_in_words(report),
        "warnings": plural(report.counts["warning"], "warning"),
        "part": about_part(report),
        "extent": f"{plural(len(report.documents), 'document')} with {plural(report.urls, 'URL')}",
        "sites": list(_sites(report))[: detail.documents],
        "sites_known": sum(site.url is not None for site in report.sites),
        "steps": report.steps(),
        "groups": [_group(group, style, detail) for group in found],
        "documents": list(_rows(report, shown, style)),
        "documents_left": len(report.documents) - len(shown),
        "charts": list(_charts(report)) if detail.has_charts else [],
    }


def _sites(report: Report) -> Iterator[tuple[str, str, str]]:
    """Each with what told where it is, and the preview that stands for it."""
    for site in report.sites:
        if site.url is not None:
            preview = site.root if site.is_preview else ""
            yield site.url.origin + site.url.directory, TOLD_BY[site.url_from or "entries"], preview


def _subject(report: Report) -> dict[str, Any]:
    """What was checked, so that several steps of a job are told apart: files by their site and by what was typed."""
    site = report.site
    is_preview = site is not None and site.is_preview
    named = site.url if site is not None and (is_preview or report.kind == "files") else None
    return {
        "site": named.origin + named.directory if named is not None else "",
        "is_preview": is_preview,
        "target": "" if is_preview else report.targets[0],
        "targets_left": len(report.targets) - 1,
    }


def _group(group: Group, style: Style, detail: Detail) -> dict[str, Any]:
    places = list(group.examples(None, detail.places))
    return {
        "severity": group.severity,
        "rule": group.rule.id,
        "help": group.findings[0].help,
        "about": group.about,
        "extent": group.extent,
        "rest": rest([group]),
        "left": group.left(finding for finding, _, _ in places),
        "places": [
            {
                "where": _where(finding.document, finding.place.line, finding.place.column),
                "link": style.workspace.link(finding.document, finding.place.line) if finding.document else None,
                "message": message,
                "url": url,
            }
            for finding, message, url in places
        ],
    }


def _where(document: str | None, line: int | None, column: int | None) -> str:
    parts = [part for part in (line, column) if part is not None]
    return ":".join([document, *map(str, parts)]) if document is not None else ""


def _rows(report: Report, shown: list[Document], style: Style) -> Iterator[dict[str, Any]]:
    """The documents in the order of their tree, with what was found in each."""
    depths = overview.depths(report.documents) if shown else {}
    counts: dict[str | None, Counter[str]] = {}
    for (_, location, severity), total in report.totals.items():
        counts.setdefault(location, Counter())[severity.value] += total
    for document in shown:
        found = counts.get(document.location, Counter[str]())
        yield {
            "depth": min(depths[document.location], 8),
            "location": document.location,
            "link": style.workspace.link(document.location, None),
            "format": document.format if not document.failed else f"not read ({document.http_status or 'no answer'})",
            "entries": overview.entries(document),
            "size": overview.size(document),
            "lastmod": overview.days(document),
            "findings": ", ".join(plural(found[name], name) for name in report.counts if found[name]),
        }


def _charts(report: Report) -> Iterator[dict[str, Any]]:
    """Each a title and rows of label, bar and number: nothing is told by the picture alone."""
    dates = list(charts.dates(report).items())
    missing = charts.undated(report)
    if dates:
        recent, older = dates[-_MOST_PERIODS:], sum(count for _, count in dates[:-_MOST_PERIODS])
        verb = "is" if older == 1 else "are"
        note = f"the latest {len(recent)} of {len(dates):,} periods; {plural(older, 'URL')} {verb} older"
        rows = [*charts.with_gaps(recent), *([("none", missing)] if missing else [])]
        yield {"title": "Last modified", "note": note if older else "", "rows": _bars(rows), "is_open": True}
    listing = [document for document in report.documents if document.readable and not document.is_index]
    if len(listing) > 1:
        largest = sorted(listing, key=lambda document: -document.summary.entries)[:_MOST_BARS]
        sizes = [(document.location, document.summary.entries) for document in largest]
        note = f"the {len(largest)} largest of {len(listing):,}" if len(largest) < len(listing) else ""
        yield {"title": "URLs by document", "note": note, "rows": _bars(sizes), "is_open": True}
    full = charts.limits(report)
    if full is not None:
        names = ("50,000 entries, the fullest document", "50 MB, the largest document")
        rows_of_limits = [
            (name, charts.bar(part, _BAR), charts.share(part)) for name, part in zip(names, full, strict=True)
        ]
        says_much = max(full) >= 0.01
        yield {"title": "Room to the limits", "note": "", "rows": rows_of_limits, "is_open": says_much}


def _bars(rows: Sequence[tuple[str, int | None]]) -> list[tuple[str, str, str]]:
    highest = max(count or 0 for _, count in rows) or 1
    return [
        (label, "" if count is None else charts.bar(count / highest, _BAR), "" if count is None else f"{count:,}")
        for label, count in rows
    ]
