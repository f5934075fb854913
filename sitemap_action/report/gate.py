"""The gate: which exit code a report ends with, and why, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from sitemap_action.values.words import plural

if TYPE_CHECKING:
    from sitemap_action.report import Report


class Gate(NamedTuple):
    """An exit code; the reason is empty where nothing stands against a pass."""

    code: int = 0
    reason: str = ""
    is_plain: bool = True  # the verdict alone explains the exit code

    @property
    def notice(self) -> str:
        """What a reader of the verdict would wonder about."""
        return "" if self.is_plain else self.reason


def judge(report: Report, fail_on: str, min_score: float | None) -> Gate:
    """Only `never` lets an empty run pass."""
    reasons = list(_reasons(report, fail_on, min_score))
    if fail_on == "never":
        is_open = bool(reasons) or report.verdict == "inconclusive"
        return Gate(0, "The gate is open (--fail-on never).", is_plain=False) if is_open else Gate()
    if report.verdict == "inconclusive":
        return Gate(3, "The gate is shut, because what matters could not be judged.")
    if not reasons:
        return Gate()
    return Gate(1, f"The gate failed: {'; '.join(reasons)}.", is_plain=report.counts["error"] > 0)


def _reasons(report: Report, fail_on: str, min_score: float | None) -> Iterator[str]:
    counts = report.counts
    if counts["error"]:
        yield plural(counts["error"], "error")
    elif report.is_void:
        yield "no sitemap was judged, and an empty run never passes"
    if fail_on == "warning" and counts["warning"]:
        yield f"{plural(counts['warning'], 'warning')}, and --fail-on is warning"
    if min_score is not None and report.score < min_score:
        yield f"the score {report.score:g} is below --min-score {min_score:.12g}"
