"""Runs every rule over every document in one pass, then the rules about the whole set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

from sitemap_action.model import Column, Document, Element, Fault, Severity, Shape
from sitemap_action.pages.page import Page
from sitemap_action.pages.roll import Roll
from sitemap_action.rules.base import Found, Rule, Verdict
from sitemap_action.site import Site


class PageSource(Protocol):
    """Where the listed pages are looked at: in a built directory, or on a live origin."""

    def wanted(self) -> bool: ...
    def look(self, site: Site, roll: Roll, watch: Callable[[int, int, str], None]) -> Iterator[Page]: ...


class Checker:
    """The rules of one set; each hook is asked only of the rules that override it."""

    def __init__(self, site: Site, rules: Iterable[type[Rule]], pages: PageSource | None = None) -> None:
        self.site = site
        self.watch: Callable[[int, int, str], None] = lambda done, total, url: None
        self._rules = [rule(site) for rule in rules]
        self._by_id = {rule.id: rule for rule in self._rules}
        self._document_rules = _overriding(self._rules, "document")
        self._page_rules = _overriding(self._rules, "page")
        self._shape_rules = _overriding(self._rules, "shape")
        self._empty_rules = [rule for rule in self._rules if rule.sees_empty]
        self._by_field: dict[str, list[Rule]] = {}
        for rule in self._rules:
            for path in rule.fields:
                self._by_field.setdefault(path, []).append(rule)

        self._pages = pages if self._page_rules else None
        self._keeps_roll = self._pages is not None and self._pages.wanted()
        self._roll = Roll(site)

    def check(self, document: Document) -> Iterator[Found]:
        """Everything that can be said of this document while its values are at hand."""
        yield from self._faults(document)
        if not document.readable:
            return
        for path, rules in self._by_field.items():
            column = document.columns.get(path)
            if column is not None:
                yield from _values(document, path, column, rules)
        for rule in self._shape_rules:
            yield from _shapes(document, rule)
        for rule in self._empty_rules:
            yield from _empty_elements(document, rule)
        for rule in self._document_rules:
            yield from rule.document(document)
        if self._keeps_roll:
            self._roll.add(document)

    def finish(self) -> Iterator[Found]:
        """What only the whole set shows."""
        self.site.settle()
        if not self.site.inconclusive:  # a failure says something only where others were judged
            for document in self.site.documents:
                if document.failure is not None:
                    yield from self._fault(document.failure, document)
        judges = [rule.page for rule in self._page_rules]
        for page in self._looked_at():
            for judge in judges:
                found = judge(page)
                if found is not None:
                    yield found
        for rule in self._rules:
            yield from rule.whole_site()

    def _looked_at(self) -> Iterator[Page]:
        """Each listed page with what answers for it; none where the site itself keeps us out."""
        if self._pages is None or self.site.inconclusive:
            return iter(())
        return self._pages.look(self.site, self._roll, self.watch)

    def _faults(self, document: Document) -> Iterator[Found]:
        for fault in document.faults:
            yield from self._fault(fault, document)

    def _fault(self, fault: Fault, document: Document) -> Iterator[Found]:
        rule = self._by_id.get(fault.rule)
        verdict = rule.fault(fault, document) if rule is not None else None
        if rule is not None and verdict is not None:
            message, severity = _split(verdict)
            yield rule.found(message, document, place=fault.place, severity=severity)


def _overriding(rules: list[Rule], hook: str) -> list[Rule]:
    return [rule for rule in rules if getattr(type(rule), hook) is not getattr(Rule, hook)]


def _values(document: Document, path: str, column: Column, rules: list[Rule]) -> Iterator[Found]:
    for rule in rules:
        candidates: Iterable[str] = column.odd_urls if rule.odd_urls_only else column.distinct
        if rule.plain is not None:
            candidates = column.unlike(rule.plain)
        if rule.hint is not None:
            candidates = filter(rule.hint.search, candidates)
        verdicts = {value: verdict for value in candidates if (verdict := rule.value(value, path))}
        if verdicts:
            yield from _occurrences(document, column, rule, verdicts)


def _occurrences(document: Document, column: Column, rule: Rule, verdicts: Mapping[str, Verdict]) -> Iterator[Found]:
    for value, entry, element in zip(column.values, column.entries, column.elements, strict=True):
        verdict = verdicts.get(value)
        if verdict is not None:
            message, severity = _split(verdict)
            yield rule.found(message, document, entry, element, severity=severity)


def _shapes(document: Document, rule: Rule) -> Iterator[Found]:
    for shape in document.shapes:
        for element, verdict in rule.shape(shape):
            yield from _entries(document, rule, shape, element, verdict)


def _empty_elements(document: Document, rule: Rule) -> Iterator[Found]:
    for shape in document.shapes:
        for element in shape.elements:
            if element.empty and element.path in rule.fields:
                yield from _entries(document, rule, shape, element, rule.value("", element.path))


def _entries(document: Document, rule: Rule, shape: Shape, element: Element, verdict: Verdict) -> Iterator[Found]:
    """A verdict about a shape goes for each entry of that shape."""
    if verdict is not None:
        message, severity = _split(verdict)
        for entry in document.entries_of(shape):
            yield rule.found(message, document, entry, element.ordinal, severity=severity)


def _split(verdict: str | tuple[str, Severity]) -> tuple[str, Severity | None]:
    return (verdict, None) if isinstance(verdict, str) else verdict
