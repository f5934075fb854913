"""The report for a person: what was checked, what is wrong and how to mend it, the verdict last."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action import __version__
from sitemap_action.formats.escape import clean, inert
from sitemap_action.formats.flow import flow
from sitemap_action.formats.groups import Group, groups
from sitemap_action.formats.overview import overview
from sitemap_action.formats.style import Style
from sitemap_action.model import Severity
from sitemap_action.report import Report
from sitemap_action.report.evidence import counts_in_words
from sitemap_action.report.finding import Finding
from sitemap_action.values.urls import LONG

_ALIKE, _PLACES, _ENOUGH = 3, 10, 500
_LOOKS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTICE: "blue"}
_STEP_LOOKS = {"pass": "green", "warn": "yellow", "fail": "red", "skip": "dim"}
_VERDICT_LOOKS = {"pass": "green", "warn": "yellow", "fail": "red", "inconclusive": "yellow"}


def render(report: Report, style: Style) -> str:
    """Quiet leaves out what is no defect; verbose adds the evidence and the reasons."""
    if style.quiet and report.verdict == "pass" and not report.gated.notice:
        return ""
    lines: list[str] = []
    if not style.quiet:
        lines += [style.paint(f"sitemap-action {__version__}", "bold"), ""]
        lines += overview(report, style)
    lines += _findings(report, style)
    if style.verbose:
        lines += _steps(report, style)
    lines += _inconclusive(report, style)
    lines += _wrapped(_verdict(report, style), "", style)
    if report.gated.notice:
        lines += _wrapped(report.gated.notice, "", style)
    return "\n".join(inert(line.rstrip()) for line in lines) + "\n"


def _findings(report: Report, style: Style) -> Iterator[str]:
    """One block per rule and severity, the heaviest first."""
    for group in groups(report):
        if not (style.quiet and group.severity is Severity.NOTICE):
            yield from _group(group, style)
            yield ""


def _group(group: Group, style: Style) -> Iterator[str]:
    about = group.about
    many = style.paint(f" ×{group.extent}", "bold") if group.extent else ""
    label = style.paint(group.severity.value, _LOOKS[group.severity], "bold")
    yield from _wrapped(f"{label} {style.paint(group.rule.id, 'bold')}{many}  {_plain(about.summary)}", "", style)
    shown = shown_of(group, style)
    for finding, message, url in shown:
        words = " ".join(clean(part) for part in (message, _cut(url)) if part)
        yield from _wrapped(f"{_where(finding, style)}{words}", "  ", style)
    left = group.left(finding for finding, _, _ in shown)
    if left:
        options = [] if style.verbose else ["--verbose"]
        options += ["--max-findings 0"] if group.is_cut else []
        lists = f"… and {left:,} more ({' '.join(options)} lists all)"
        yield from (style.paint(line, "dim") for line in _wrapped(lists, "  ", style))
    if style.verbose:
        yield from _wrapped(_plain(" ".join(about.why.split())), "  ", style)
        yield f"  {group.findings[0].help}"
    yield from _wrapped(f"{style.paint('fix:', 'green')} {_plain(about.fix)}", "  ", style)


def _cut(url: str) -> str:
    """What is too long for a URL need not be copied from here: the place tells where it is."""
    return url if len(url) <= LONG else f"{url[:_ENOUGH]}…"


def shown_of(group: Group, style: Style) -> list[tuple[Finding, str, str]]:
    """A log does not grow without bound, unless that is wanted."""
    return list(group.examples(None, None) if style.verbose else group.examples(_ALIKE, _PLACES))


def has_all(report: Report, style: Style) -> bool:
    """Whether every finding of the levels that are shown is in the text."""
    shown = [group for group in groups(report) if not (style.quiet and group.severity is Severity.NOTICE)]
    return not any(group.left(finding for finding, _, _ in shown_of(group, style)) for group in shown)


def _where(finding: Finding, style: Style) -> str:
    if finding.document is None:
        return ""
    parts = [clean(finding.document)]
    if finding.place.line is not None:
        parts.append(str(finding.place.line))
        if finding.place.column is not None:
            parts.append(str(finding.place.column))
    return style.paint(":".join(parts), "bold") + "  "


def _inconclusive(report: Report, style: Style) -> Iterator[str]:
    """An honest word: why there is no judgement, and what to do."""
    for reason in report.inconclusive:
        yield from _wrapped(f"{style.paint('Not judged:', 'yellow', 'bold')} {clean(reason)}", "", style)
        yield ""


def _steps(report: Report, style: Style) -> Iterator[str]:
    yield style.paint("Steps", "bold")
    for result in report.steps():
        status = style.paint(f"{result.status:5}", _STEP_LOOKS[result.status])
        yield from _wrapped(f"{status} {result.step.id:14} {clean('; '.join(result.evidence))}", "  ", style)
    yield ""


def _verdict(report: Report, style: Style) -> str:
    verdict = style.paint(f"{report.verdict.upper()}", _VERDICT_LOOKS[report.verdict], "bold")
    return f"{verdict}  score {report.score:.2f}  {counts_in_words(report)}"


def _plain(text: str) -> str:
    """Docstrings mark code with backticks; a terminal needs none."""
    return text.replace("`", "")


def _wrapped(text: str, indent: str, style: Style) -> Iterator[str]:
    return flow(text.split(" "), style.width, indent, indent + "    ")
