"""Runs every rule over single documents, wherever they are read; then the rules about the whole set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from sitemap_action.model import Column, Document, Element, Fault, Severity, Shape
from sitemap_action.pages.roll import Roll
from sitemap_action.rules.base import Found, Rule, Verdict
from sitemap_action.site import Site

if TYPE_CHECKING:
    from sitemap_action.pages.page import Page


class Keeper(Protocol):
    """Who notes what the whole set needs of a document, and takes such notes in: a rule, or a memory of several."""

    def note(self, document: Document) -> Any: ...
    def remember(self, document: Document, note: Any) -> None: ...


class PageSource(Protocol):
    """Where the listed pages are looked at: in a built directory, or on a live origin."""

    def look(self, site: Site, roll: Roll, watch: Callable[[int, int, str], None]) -> Iterator[Page]: ...


class Inspector:
    """The rules, asked about single documents. What they find depends on nothing but the document and the clock."""

    def __init__(self, site: Site, rules: Iterable[Rule], *, keeps_roll: bool = False) -> None:
        self._rules = list(rules)
        self._by_id = {rule.id: rule for rule in self._rules}
        self._document_rules = _overriding(self._rules, "document")
        self._shape_rules = _overriding(self._rules, "shape")
        self._empty_rules = [rule for rule in self._rules if rule.sees_empty]
        self._by_field: dict[str, list[Rule]] = {}
        for rule in self._rules:
            for path in rule.fields:
                self._by_field.setdefault(path, []).append(rule)
        self._keepers = keepers(site, self._rules, keeps_roll=keeps_roll)

    def check(self, document: Document) -> Iterator[Found]:
        """Everything that can be said of this document while its values are at hand."""
        for fault in document.faults:
            yield from told(fault, document, self._by_id)
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

    def notes(self, document: Document) -> dict[str, Any]:
        """What the whole set will want to know of this document, by who wants it."""
        if not document.readable:
            return {}
        notes = ((name, keeper.note(document)) for name, keeper in self._keepers.items())
        return {name: note for name, note in notes if note is not None}


class Checker:
    """The rules of one set: they take in what was noted of each document, and judge the whole at the end."""

    def __init__(
        self,
        site: Site,
        rules: Iterable[type[Rule]],
        pages: PageSource | None = None,
        watch: Callable[[int, int, str], None] = lambda done, total, url: None,
    ) -> None:
        self.site = site
        self._watch = watch  # is told of each page that is looked at
        self.rules = [rule(site) for rule in rules]
        self._by_id = {rule.id: rule for rule in self.rules}
        self._page_rules = _overriding(self.rules, "page")
        self._pages = pages if self._page_rules else None
        self._keepers = keepers(site, self.rules, keeps_roll=self._pages is not None)

    def remember(self, document: Document, notes: Mapping[str, Any]) -> None:
        for name, note in notes.items():
            self._keepers[name].remember(document, note)

    def finish(self) -> Iterator[Found]:
        """What only the whole set shows."""
        self.site.settle()
        if not self.site.inconclusive:  # a failure says something only where others were judged
            for document in self.site.documents:
                if document.failure is not None:
                    yield from told(document.failure, document, self._by_id)
        judges = [rule.page for rule in self._page_rules]
        for page in self._looked_at():
            for judge in judges:
                found = judge(page)
                if found is not None:
                    yield found
        for rule in self.rules:
            yield from rule.whole_site()

    def _looked_at(self) -> Iterator[Page]:
        """Each listed page with what answers for it; none where the site itself keeps us out."""
        if self._pages is None or self.site.inconclusive:
            return iter(())
        return self._pages.look(self.site, self.site.shared(Roll), self._watch)


def keepers(site: Site, rules: Iterable[Rule], *, keeps_roll: bool) -> dict[str, Keeper]:
    """Who makes notes and takes them in: rules that do it for themselves, and each memory that one of them names."""
    found: dict[str, Keeper] = {rule.id: rule for rule in _overriding(list(rules), "note")}
    kinds = [kind for rule in rules for kind in rule.memories] + ([Roll] if keeps_roll else [])
    return {**{kind.__name__: site.shared(kind) for kind in kinds}, **found}


def told(fault: Fault, document: Document, rules: Mapping[str, Rule]) -> Iterator[Found]:
    """A defect that a reader met, in the words of the rule that bears its name."""
    rule = rules.get(fault.rule)
    verdict = rule.fault(fault, document) if rule is not None else None
    if rule is not None and verdict is not None:
        message, severity = _split(verdict)
        yield rule.found(message, document, place=fault.place, severity=severity)


def judges_pages(rules: Iterable[type[Rule]]) -> bool:
    return any(rule.page is not Rule.page for rule in rules)


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
        yield rule.found_at(document.entries_of(shape), message, document, element.ordinal, severity)


def _split(verdict: str | tuple[str, Severity]) -> tuple[str, Severity | None]:
    return (verdict, None) if isinstance(verdict, str) else verdict
