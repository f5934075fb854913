"""A document through reader, rules and report, without the file system: for properties and for fuzzing."""

from __future__ import annotations

from collections.abc import Sequence

from sitemap_action.check import Checker
from sitemap_action.model import Document
from sitemap_action.reading import Assignment, Reader, take_stock
from sitemap_action.report import Report
from sitemap_action.report.sieve import Policy
from sitemap_action.rules.base import Rule
from sitemap_action.site import Site


def judged(document: Document, site: Site, rules: Sequence[type[Rule]], policy: Policy, limit: int) -> Report:
    """The document was parsed; its contents are let go on the way, as in a run."""
    take_stock(document)
    contents = document.data
    document.reread = lambda: contents
    checker = Checker(site, rules)
    report = Report([document.location], policy)
    report.documents.append(document)
    record = Reader(Assignment(site.scope, rules, policy, limit)).inspect(document)
    document.settle(record.facts, site.spool)
    site.add(document)
    report.take(record.sifted)
    checker.remember(document, record.notes)
    report.add(checker.finish())
    report.sites = [site]
    return report
