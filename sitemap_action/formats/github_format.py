"""The text report, then the annotations that GitHub shows beside the changed lines: the most useful ten of a level."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from sitemap_action.formats import markdown_format, text_format
from sitemap_action.formats.escape import runner_command
from sitemap_action.formats.groups import Group, groups, rest
from sitemap_action.formats.style import Style
from sitemap_action.model import Severity
from sitemap_action.report import Report
from sitemap_action.report.finding import Finding
from sitemap_action.values.words import plural

# The runner shows so many of each level for a step, and cuts a message at 4,096 characters.
_PER_LEVEL = 10
_LONGEST_MESSAGE, _LONGEST_URL = 1_500, 500


def render(report: Report, style: Style) -> str:
    """Commands stand at the start of a line, so what comes before them ends with one."""
    found = groups(report)
    about = list(_about_the_run(report))
    levels = [severity for severity in Severity if not (style.quiet and severity is Severity.NOTICE)]
    chosen = []
    for severity in levels:
        room = _PER_LEVEL - sum(level == severity.value for level, _ in about)
        chosen += most_useful(found, severity)[:room]
    lines = [line for _, line in about]
    lines += [_annotation(finding, group, style) for finding, group in chosen]
    told = {id(finding) for finding, _ in chosen}
    left = sum(
        group.left(finding for finding in group.findings if id(finding) in told)
        for group in found
        if group.severity in levels
    )
    if left:
        lines.append(_left_out(left, report, style))
    return text_format.render(report, style) + "".join(f"{line}\n" for line in lines)


def _about_the_run(report: Report) -> Iterator[tuple[str, str]]:
    """Levels and commands: why the step fails though there is no error, or why something could not be judged."""
    level = "error" if report.gated.code else "warning"
    if report.gated.notice and report.gated.code:
        yield level, runner_command(level, {"title": "gate"}, report.gated.notice)
    for reason in report.inconclusive[:_PER_LEVEL]:
        yield level, runner_command(level, {"title": "inconclusive"}, _clipped(reason, _LONGEST_MESSAGE))


def _left_out(hidden: int, report: Report, style: Style) -> str:
    """Where the others are: at hand for a reader, or else, where that leaves some out, in the JSON report."""
    kinds = "are not shown as annotations" if hidden > 1 else "is not shown as an annotation"
    where = "the job summary" if style.has_summary else "the report above"
    has_all = markdown_format.has_all(report, style) if style.has_summary else text_format.has_all(report, style)
    more = "" if has_all else f" has more of them, {rest(groups(report))}"
    return f"{plural(hidden, 'further finding')} {kinds}; " + (f"{where}{more}." if more else f"see {where}.")


def most_useful(found: list[Group], severity: Severity) -> list[tuple[Finding, Group]]:
    """One of each rule first, then of the next document; rules of heavier steps before others, then frequent ones."""
    level = [group for group in found if group.severity is severity]
    level.sort(key=lambda group: (-group.rule.step.weight, -group.total))
    turns = zip_longest(*(group.spread[:_PER_LEVEL] for group in level))
    ranked = [
        (finding, group) for turn in turns for finding, group in zip(turn, level, strict=True) if finding is not None
    ]
    return ranked[:_PER_LEVEL]


def _annotation(finding: Finding, group: Group, style: Style) -> str:
    location = finding.document
    path = style.workspace.relative(location) if location is not None else None
    properties = {
        "file": path,
        "line": finding.place.line if path else None,
        "col": finding.place.column if path else None,
        "title": finding.rule.id,
    }
    return runner_command(
        finding.severity.value, properties, " ".join(_sentences(finding, group, shows_place=path is None))
    )


def _sentences(finding: Finding, group: Group, *, shows_place: bool) -> Iterator[str]:
    """Where, if no file can be named; what; how often; how to mend it."""
    if shows_place and finding.document is not None:
        yield _clipped(finding.document, _LONGEST_URL) + (f" line {finding.place.line}:" if finding.place.line else ":")
    yield _clipped(finding.message, _LONGEST_MESSAGE)
    if finding.untold_url:
        yield f"({_clipped(finding.untold_url, _LONGEST_URL)})"
    if finding is group.findings[0] and (group.is_cut or group.spanned):
        yield f"{group.total:,} findings of this kind{group.spanned}."
    yield f"Fix: {group.about.fix}"


def _clipped(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
