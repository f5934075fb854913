"""From what rules saw to what a report holds: all of it counted, the first few of each kind kept as findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from sitemap_action.model import Severity
from sitemap_action.report.finding import Bundle, Finding, location_of, resolve, url_of
from sitemap_action.rules.base import Found

_ENOUGH = 50
# Rule, document and severity: findings are counted, and listed up to a cap, for each of these.
Key = tuple[str, "str | None", Severity]


@dataclass(eq=False, repr=False)
class Policy:
    """What the user decided about findings: other severities, URLs to leave out, how many to list."""

    severities: Mapping[str, Severity] = field(default_factory=dict)
    ignored_urls: Sequence[str] = ()
    max_findings: int = 10

    @cached_property
    def _globs(self) -> list[re.Pattern[str]]:
        return [_glob(pattern) for pattern in self.ignored_urls]

    def severity_of(self, found: Found) -> Severity:
        return self.severities.get(found.rule.id) or found.severity or found.rule.severity

    def ignores(self, found: Found) -> bool:
        if not self.ignored_urls:
            return False
        url = url_of(found)
        if url is None and found.document is not None and "://" in found.document.location:
            url = found.document.location  # a live document is a URL as well
        return url is not None and any(glob.fullmatch(url) for glob in self._globs)


@dataclass(eq=False, repr=False)
class Sifted:
    """Findings of one document, or of the whole set: how many there are, and those that may be listed."""

    totals: Counter[Key] = field(default_factory=Counter)
    kept: list[Finding] = field(default_factory=list)
    ignored: int = 0


def sift(founds: Iterable[Found], policy: Policy) -> Sifted:
    """Count them all, keep the first few of each rule, document and severity; those of a group are one."""
    sifted = Sifted()
    groups: dict[Key, list[Found]] = {}
    of_one_cause: dict[tuple[str, Severity, str], Bundle] = {}
    most = policy.max_findings
    for found in _one_by_one(founds) if policy.ignored_urls else founds:
        if policy.ignores(found):
            sifted.ignored += 1
            continue
        severity = policy.severity_of(found)
        key = (found.rule.id, location_of(found), severity)
        sifted.totals[key] += 1 if found.entries is None else len(found.entries)
        if found.group:
            of_one_cause.setdefault((found.rule.id, severity, found.group), Bundle(severity)).add(found)
            continue
        group = groups.setdefault(key, [])
        group.extend(found.each(most or None))
        if most and len(group) >= _ENOUGH * most:  # a million of them need not be held for the sake of ten
            group.sort(key=_position)
            del group[most:]
    sifted.kept = [*_listed(groups, most), *(bundle.finding() for bundle in of_one_cause.values())]
    return sifted


def _one_by_one(founds: Iterable[Found]) -> Iterator[Found]:
    """Where URLs are left out, each entry is asked for its own."""
    return chain.from_iterable(found.each() for found in founds)


def _listed(groups: Mapping[Key, list[Found]], most: int) -> list[Finding]:
    """Document by document, because a place is found by reading again."""
    chosen: list[tuple[Found, Severity]] = []
    for key, group in groups.items():
        group.sort(key=_position)
        chosen += [(found, key[2]) for found in (group[:most] if most else group)]
    order = {id(found.document): number for number, (found, _) in reversed(list(enumerate(chosen)))}
    chosen.sort(key=lambda choice: order[id(choice[0].document)])
    return [resolve(found, severity) for found, severity in chosen]


def _glob(pattern: str) -> re.Pattern[str]:
    """`*` stands for anything, slashes included, `?` for one character; a URL has brackets of its own."""
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _position(found: Found) -> tuple[int, int]:
    if found.place is not None:
        return found.place.line or 0, found.place.column or 0
    return (found.entry or 0, found.element) if found.entry is not None else (0, 0)
