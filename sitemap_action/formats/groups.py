"""Findings by cause: one group for each rule and severity, the heaviest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sitemap_action.model import Severity
from sitemap_action.report import Finding, Report
from sitemap_action.rules.base import Page, Rule, page


@dataclass(frozen=True)
class Group:
    """The findings of one rule and severity that the report lists, and how many there are."""

    severity: Severity
    rule: type[Rule]
    findings: list[Finding]

    @property
    def total(self) -> int:
        """The first listed finding of each document carries the document's total, a bundle its own."""
        firsts = {finding.document: finding.count for finding in reversed(self.findings) if not finding.is_bundle}
        return sum(firsts.values()) + sum(finding.count for finding in self.findings if finding.is_bundle)

    def left(self, shown: Iterable[Finding]) -> int:
        """How many there are beside those that are shown."""
        return self.total - sum(finding.count if finding.is_bundle else 1 for finding in shown)

    @property
    def about(self) -> Page:
        return page(self.rule)

    def examples(self, most_alike: int | None) -> Iterator[tuple[Finding, str, str]]:
        """One cause, a few places: a message is said once, then only the URLs that share it."""
        said: Counter[str] = Counter()
        for finding in self.findings:
            said[finding.message] += 1
            if said[finding.message] == 1:
                yield finding, finding.message, finding.untold_url
            elif most_alike is None or said[finding.message] <= most_alike:
                yield finding, "" if finding.url else finding.message, finding.url or ""


def groups(report: Report) -> list[Group]:
    found: dict[tuple[Severity, str], Group] = {}
    for finding in report.findings():
        key = (finding.severity, finding.rule.id)
        found.setdefault(key, Group(finding.severity, finding.rule, [])).findings.append(finding)
    order = list(Severity)
    return sorted(found.values(), key=lambda group: order.index(group.severity))
