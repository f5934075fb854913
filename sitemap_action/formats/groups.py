"""Findings by cause: one group for each rule and severity, the heaviest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sitemap_action.model import Severity
from sitemap_action.report import Report
from sitemap_action.report.finding import Finding
from sitemap_action.rules.base import Explanation, Rule, explanation_of
from sitemap_action.values.words import plural


class Group(NamedTuple):
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
    def spanned(self) -> str:
        """In how many documents, if in more than one."""
        documents = {finding.document for finding in self.findings if finding.document is not None}
        return f" in {plural(len(documents), 'document')}" if len(documents) > 1 else ""

    @property
    def extent(self) -> str:
        """How many, and in how many documents; a single finding needs no number."""
        return f"{self.total:,}{self.spanned}" if self.total > 1 else ""

    @property
    def is_cut(self) -> bool:
        """Some are only counted: beyond the limit of findings to list."""
        return self.left(self.findings) > 0

    @property
    def about(self) -> Explanation:
        return explanation_of(self.rule)

    @property
    def spread(self) -> list[Finding]:
        """One of each document, then the second of each: the first few tell most."""
        turns: Counter[str | None] = Counter()
        ranked: list[tuple[int, int, Finding]] = []
        for number, finding in enumerate(self.findings):
            ranked.append((turns[finding.document], number, finding))
            turns[finding.document] += 1
        return [finding for _, _, finding in sorted(ranked, key=lambda rank: rank[:2])]

    def examples(self, most_alike: int | None, most: int | None) -> Iterator[tuple[Finding, str, str]]:
        """One cause, a few places of many documents: a message is said once, then only the URLs that share it."""
        said: Counter[str] = Counter()
        chosen: set[int] = set()
        for finding in self.spread:
            said[finding.message] += 1
            if (most_alike is None or said[finding.message] <= most_alike) and (most is None or len(chosen) < most):
                chosen.add(id(finding))
        said.clear()
        for finding in self.findings:
            if id(finding) not in chosen:
                continue
            said[finding.message] += 1
            if said[finding.message] == 1:
                yield finding, finding.message, finding.untold_url
            else:
                yield finding, "" if finding.url else finding.message, finding.url or ""


def rest(found: list[Group]) -> str:
    """Where those are that a format leaves out."""
    return "the JSON report has all" + (" with max-findings: 0" if any(group.is_cut for group in found) else "")


def groups(report: Report) -> list[Group]:
    found: dict[tuple[Severity, str], Group] = {}
    for finding in report.findings():
        key = (finding.severity, finding.rule.id)
        found.setdefault(key, Group(finding.severity, finding.rule, [])).findings.append(finding)
    order = list(Severity)
    return sorted(found.values(), key=lambda group: order.index(group.severity))
