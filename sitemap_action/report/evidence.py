"""What each step looked at, in a line or two: the part of the report that is there when all is well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sitemap_action.model import Severity, Step
from sitemap_action.rules import all_rules
from sitemap_action.values.words import plural

if TYPE_CHECKING:
    from sitemap_action.report import Report

_MOST_RULES = 6
TOLD_BY = {
    "option": "--site-url",
    "robots": "robots.txt",
    "cname": "CNAME",
    "entries": "the host most entries share",
    "target": "the target",
}


def evidence_for(step: Step, report: Report) -> Iterator[str]:
    """The lines for one step: what failed in it, then what was looked at."""
    yield from _failed(step, report)
    yield from _WRITERS[step](report)


def _failed(step: Step, report: Report) -> Iterator[str]:
    """The rules that keep a step from passing, the most frequent first."""
    rules = all_rules()
    for severity in (Severity.ERROR, Severity.WARNING):
        found = Counter[str]()
        for (rule, _, weight), total in report.totals.items():
            if weight is severity and rules[rule].step is step:
                found[rule] += total
        if found:
            named = [rule if total == 1 else f"{rule} ×{total:,}" for rule, total in found.most_common(_MOST_RULES)]
            more = [f"and {plural(len(found) - _MOST_RULES, 'more rule')}"] if len(found) > _MOST_RULES else []
            yield f"{plural(found.total(), severity.value)}: {', '.join(named + more)}"


def _discover(report: Report) -> Iterator[str]:
    yield plural(len(report.documents), "sitemap")
    if report.is_partial:
        yield about_part(report)
    ways = Counter(" + ".join(document.found_by) for document in report.documents)
    if ways:
        yield "found by: " + ", ".join(f"{how} {count:,}" for how, count in ways.most_common())
    for site in report.sites:
        yield from site.evidence


def _fetch(report: Report) -> Iterator[str]:
    read = [document for document in report.documents if not document.failed]
    size = sum(document.size for document in read)
    yield f"{len(read)} of {len(report.documents)} read, {size:,} bytes uncompressed"


def _parse(report: Report) -> Iterator[str]:
    formats = Counter(document.format for document in report.documents)
    yield ", ".join(f"{name} {count}" for name, count in sorted(formats.items()))
    yield plural(report.urls, "URL")


def _quality(report: Report) -> Iterator[str]:
    pages = [document.summary for document in report.documents if document.readable and not document.is_index]
    dated = sum(summary.entries - summary.without_lastmod for summary in pages)
    yield f"lastmod on {dated:,} of {plural(sum(summary.entries for summary in pages), 'URL')}"
    used = Counter[str]()
    for summary in pages:
        used.update(summary.extensions)
    if any(used.values()):
        yield ", ".join(f"{name} {count:,}" for name, count in used.items() if count)


def _scope(report: Report) -> Iterator[str]:
    for site in report.sites:
        if site.url is not None:
            yield f"site {site.url.origin}{site.url.directory}, told by {TOLD_BY[site.url_from or 'entries']}"
        else:
            yield "the site's URL is not known"
        if site.pages is not None:
            yield from site.pages.words()


def about_part(report: Report) -> str:
    """What a part is, and what it is not: nobody should take it for the whole, for which there is nothing to say."""
    if report.part is None or not report.is_partial:
        return ""
    own = "none of the documents falls to it" if report.has_nothing_to_do else "its own documents alone"
    whole = "the whole is judged where --merge joins the JSON reports of all parts"
    return f"part {report.part.share} of the set: {own}; {whole}"


def counts_in_words(report: Report) -> str:
    """How many findings there are of each weight, and how many were left out."""
    parts = [plural(count, severity) for severity, count in report.counts.items()]
    return ", ".join([*parts, f"{report.ignored:,} ignored"] if report.ignored else parts)


_WRITERS = {
    Step.DISCOVER: _discover,
    Step.FETCH: _fetch,
    Step.PARSE: _parse,
    Step.QUALITY: _quality,
    Step.SCOPE: _scope,
}
