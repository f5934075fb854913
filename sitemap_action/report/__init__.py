"""Findings in the order of the documents, counts in full, examples up to a cap; steps, score, verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from sitemap_action.model import Document, Severity, Step
from sitemap_action.model.share import Share
from sitemap_action.report.finding import Finding
from sitemap_action.report.gate import Gate, judge
from sitemap_action.report.sieve import Key, Policy, Sifted, sift
from sitemap_action.rules.base import Found
from sitemap_action.site import PageTally, Site
from sitemap_action.values.words import plural

_STEP_SCORE = {"pass": 1.0, "warn": 0.5, "fail": 0.0, "skip": 0.0}


class StepResult(NamedTuple):
    """One row of the verdict."""

    step: Step
    status: str
    evidence: tuple[str, ...]

    @property
    def score(self) -> float:
        return _STEP_SCORE[self.status]


class PartOfSet(Protocol):
    """What makes a report one of a part: which it is, and what it leaves behind for those who join the parts."""

    @property
    def share(self) -> Share: ...
    def as_data(self) -> dict[str, Any]: ...


class Report:
    """Takes findings while documents pass by, and holds what the formats write down."""

    def __init__(self, targets: Sequence[str], policy: Policy, kind: str = "files") -> None:
        self.targets = list(targets)
        self.kind = kind
        self.sites: list[Site] = []
        self.documents: list[Document] = []
        self.ignored = 0
        self.part: PartOfSet | None = None  # what a merge will ask for
        self.elsewhere = 0  # documents that other parts tell of
        self.interrupted = ""  # why the run ended before its time, in words
        self.gated = Gate()
        self.policy = policy
        self.totals: Counter[Key] = Counter()
        self._listed: Counter[Key] = Counter()
        self._kept: list[Finding] = []

    # Taking findings in

    @property
    def is_partial(self) -> bool:
        """Whether this is not the whole."""
        return self.part is not None and not self.part.share.is_whole

    def add(self, founds: Iterable[Found]) -> None:
        """Findings as the rules have seen them."""
        self.take(sift(founds, self.policy))

    def take(self, sifted: Sifted) -> None:
        """Findings that were counted already; of each rule, document and severity no more are listed than wanted."""
        self.totals.update(sifted.totals)
        self.ignored += sifted.ignored
        most = self.policy.max_findings
        for finding in sifted.kept:
            if not finding.is_bundle:
                if most and self._listed[finding.key] >= most:
                    continue
                self._listed[finding.key] += 1
            self._kept.append(finding)

    # What the formats ask for

    def findings(self) -> list[Finding]:
        """In the order of the documents and their lines; the first of each kind carries the total."""
        order = {document.location: number for number, document in enumerate(self.documents)}
        kept = sorted(self._kept, key=lambda finding: _rank(finding, order))
        started: set[Key] = set()
        for finding in kept:
            if not finding.is_bundle:
                finding.count = 1 if finding.key in started else self.totals[finding.key]
                started.add(finding.key)
        return kept

    @property
    def counts(self) -> dict[str, int]:
        counts = dict.fromkeys((severity.value for severity in Severity), 0)
        for (_, _, severity), total in self.totals.items():
            counts[severity.value] += total
        return counts

    @property
    def urls(self) -> int:
        return sum(document.summary.entries for document in self.documents if not document.is_index)

    @property
    def pages(self) -> PageTally | None:
        """How many of the listed pages were looked at, all sites together; None if nobody wanted to."""
        tallies = [site.pages for site in self.sites if site.pages is not None]
        if not tallies:
            return None
        return PageTally(sum(tally.listed for tally in tallies), sum(tally.checked for tally in tallies))

    @property
    def site(self) -> Site | None:
        """The one site that all documents belong to, if it is one."""
        known = {site.url for site in self.sites}
        return self.sites[0] if len(known) == 1 and self.sites else None

    @property
    def is_empty(self) -> bool:
        """Nothing was found."""
        return not self.documents and not self.elsewhere

    @property
    def has_nothing_to_do(self) -> bool:
        """A part that all documents have passed by, and rightly so."""
        return not self.documents and self.elsewhere > 0

    @property
    def is_void(self) -> bool:
        """Nothing was judged, so that nothing may pass; of a file, a template that is no sitemap yet may."""
        if self.kind != "origin" or not self.documents:
            return self.is_empty
        return not any(document.readable for document in self.documents)

    @property
    def inconclusive(self) -> list[str]:
        """Why something could not be judged, a line for each origin."""
        reasons = [site.inconclusive for site in self.sites if site.inconclusive]
        return [self.interrupted, *reasons] if self.interrupted else reasons

    @property
    def verdict(self) -> str:
        """An origin that could not be judged does not outweigh another that failed."""
        counts = self.counts
        if self.interrupted:
            return "inconclusive"
        if self.inconclusive and (len(self.inconclusive) == len(self.sites) or not counts["error"]):
            return "inconclusive"
        if counts["error"] or self.is_void:
            return "fail"
        return "warn" if counts["warning"] else "pass"

    @property
    def score(self) -> float:
        return round(sum(result.step.weight * result.score for result in self.steps()), 4)

    def steps(self) -> list[StepResult]:
        """A step fails with an error and warns with a warning; it is skipped if nothing was left to look at."""
        from sitemap_action.report.evidence import evidence_for

        worst: dict[Step, Severity] = {}
        for finding in self._kept:
            step = finding.rule.step
            if step not in worst or _weight(finding.severity) < _weight(worst[step]):
                worst[step] = finding.severity
        skipped = self._skipped()
        names = {Severity.ERROR: "fail", Severity.WARNING: "warn", Severity.NOTICE: "pass", None: "pass"}
        results = []
        for step in Step:
            status = "skip" if step in skipped else names[worst.get(step)]
            if step is Step.DISCOVER and self.is_empty and not self.inconclusive:
                status = "fail"
            if status != "skip":
                evidence = tuple(evidence_for(step, self))
            else:
                evidence = tuple(self.inconclusive) if step is Step.FETCH else ()
            results.append(StepResult(step, status, evidence))
        return results

    def _skipped(self) -> set[Step]:
        """Steps that what came before left nothing to look at."""
        after_fetch = {Step.PARSE, Step.QUALITY, Step.SCOPE}
        if self.verdict == "inconclusive" and all(document.failed or document.is_index for document in self.documents):
            named = any(site.robots is not None and site.robots.sitemaps for site in self.sites)
            found = named or any(document.is_index for document in self.documents)
            return {Step.FETCH, *after_fetch} | (set() if found else {Step.DISCOVER})
        if self.is_empty:
            return {Step.FETCH, *after_fetch}
        if self.has_nothing_to_do or any(document.readable for document in self.documents):
            return set()
        if all(document.failed for document in self.documents):
            return after_fetch
        return {Step.QUALITY, Step.SCOPE}

    def end_early(self, signal: str, code: int, sites: Sequence[Site]) -> int:
        """Somebody has ended the run: what was found so far is told, and that it is not all."""
        self.sites = list(sites)
        self.interrupted = f"The run was ended by {signal} after {plural(len(self.documents), 'document')}."
        self.gated = Gate(code, "The gate is shut, because the run was ended before all was judged.")
        return code

    def gate(self, fail_on: str, min_score: float | None) -> int:
        """The exit code; the formats say why it is that one."""
        self.gated = judge(self, fail_on, min_score)
        return self.gated.code


def _weight(severity: Severity) -> int:
    return list(Severity).index(severity)


def _rank(finding: Finding, order: Mapping[str, int]) -> tuple[int, str, int, int, str, str]:
    """The whole target first, then files beside the sitemaps, then documents in the order they were met."""
    number = -2 if finding.document is None else order.get(finding.document, -1)
    place = finding.place
    return number, finding.document or "", place.line or 0, place.column or 0, finding.rule.id, finding.message
