"""The report for a person: what was checked, what is wrong and how to mend it, the verdict last."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator

from sitemap_action import __version__
from sitemap_action.evidence import plural
from sitemap_action.formats.escape import clean
from sitemap_action.formats.overview import overview
from sitemap_action.formats.style import Style
from sitemap_action.model import Severity
from sitemap_action.report import Finding, Report
from sitemap_action.rules.base import page

_SAME = 3
_LOOKS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTICE: "blue"}
_STEP_LOOKS = {"pass": "green", "warn": "yellow", "fail": "red", "skip": "dim"}
_VERDICT_LOOKS = {"pass": "green", "warn": "yellow", "fail": "red", "inconclusive": "yellow"}


def render(report: Report, style: Style) -> str:
    """Quiet leaves out what is no defect; verbose adds the evidence and the reasons."""
    if style.quiet and report.verdict == "pass":
        return ""
    lines: list[str] = []
    if not style.quiet:
        lines += [style.paint(f"sitemap-action {__version__}", "bold"), ""]
        lines += overview(report, style)
    lines += _findings(report, style)
    if style.verbose:
        lines += _steps(report, style)
    lines += _inconclusive(report, style)
    lines.append(_verdict(report, style))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _findings(report: Report, style: Style) -> Iterator[str]:
    """One block per rule and severity, the heaviest first."""
    groups: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in report.findings():
        groups.setdefault((finding.severity, finding.rule.id), []).append(finding)
    order = list(Severity)
    for (severity, _), group in sorted(groups.items(), key=lambda item: order.index(item[0][0])):
        if style.quiet and severity is Severity.NOTICE:
            continue
        yield from _group(severity, group, style)
        yield ""


def _group(severity: Severity, group: list[Finding], style: Style) -> Iterator[str]:
    rule = group[0].rule
    about = page(rule)
    total = _total(group)
    many = style.paint(f" ×{total:,}", "bold") if total > 1 else ""
    label = style.paint(severity.value, _LOOKS[severity], "bold")
    yield f"{label} {style.paint(rule.id, 'bold')}{many}  {_plain(about.summary)}"
    shown = _examples(group, style)
    for finding, words in shown:
        yield from _wrapped(f"{_where(finding, style)}{words}", "  ", style)
    if total > len(shown):
        yield style.paint(f"  … and {total - len(shown):,} more", "dim")
    if style.verbose:
        yield from _wrapped(_plain(" ".join(about.why.split())), "  ", style)
        yield f"  {group[0].help}"
    yield from _wrapped(f"{style.paint('fix:', 'green')} {_plain(about.fix)}", "  ", style)


def _examples(group: list[Finding], style: Style) -> list[tuple[Finding, str]]:
    """One cause, a few places: a message is said once, then only the URLs that share it, three unless verbose."""
    shown: list[tuple[Finding, str]] = []
    said: Counter[str] = Counter()
    for finding in group:
        message, url = clean(finding.message), clean(finding.url or "")
        said[message] += 1
        if said[message] == 1:
            shown.append((finding, message if not url or url in message else f"{message} {url}"))
        elif said[message] <= _SAME or style.verbose:
            shown.append((finding, url or message))
    return shown


def _total(group: list[Finding]) -> int:
    """The first listed finding of each document carries the document's total, the others stand for themselves."""
    firsts = {finding.document: finding.count for finding in reversed(group)}
    return sum(firsts.values())


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
        yield f"  {status} {result.step.id:14} {clean('; '.join(result.evidence))}"
    yield ""


def _verdict(report: Report, style: Style) -> str:
    counts = report.counts
    parts = [plural(counts[severity.value], severity.value) for severity in Severity]
    if report.ignored:
        parts.append(f"{report.ignored:,} ignored")
    verdict = style.paint(f"{report.verdict.upper()}", _VERDICT_LOOKS[report.verdict], "bold")
    return f"{verdict}  score {report.score:.2f}  {', '.join(parts)}"


def _plain(text: str) -> str:
    """Docstrings mark code with backticks; a terminal needs none."""
    return text.replace("`", "")


def _wrapped(text: str, indent: str, style: Style) -> list[str]:
    if style.width is None or len(text) + len(indent) <= style.width:
        return [indent + text]
    width = max(style.width, len(indent) + 20)
    return textwrap.wrap(
        text, width, initial_indent=indent, subsequent_indent=indent + "    ", break_on_hyphens=False
    ) or [indent]
