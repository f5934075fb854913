"""What the rules of Google's extensions share: missing children, unknown and retired tags, URLs, dates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from sitemap_action.model import XML_SPACE, Document, Element, Severity, Shape, Step
from sitemap_action.rules.base import Found, Rule, ShapeVerdict, Verdict, shown
from sitemap_action.values import dates, urls

# A day without zone ends last at UTC-12.
_LONGEST_DAY = timedelta(hours=36)
_LAST_YEAR = 9999


def tag(name: str) -> str:
    """An element's name as a message writes it; a namespace that has no prefix is left out."""
    return f"<{name.rpartition('}')[2][:80] or 'url'}>"


def date_fault(value: str) -> str | None:
    """Why a record's date is none: Google wants a day, or a time with its zone."""
    moment = dates.parse(value.strip(XML_SPACE))
    if moment is None:
        return "which is no W3C date such as 2026-05-06 or 2026-05-06T10:00:00+02:00"
    if moment.precision not in ("day", "time"):
        return "which has no day"
    return None if moment.has_zone else "a time without its zone"


def latest(value: str) -> datetime | None:
    """The last instant that a sound date can mean."""
    moment = None if date_fault(value) else dates.parse(value.strip(XML_SPACE))
    if moment is None or moment.precision == "time" or moment.start.year == _LAST_YEAR:
        return moment.start if moment else None
    return moment.start + _LONGEST_DAY


class ExtensionRule(Rule):
    """What an extension knows of itself; `""` in `tags` is the entry."""

    severity = Severity.WARNING
    step = Step.QUALITY
    # The elements of the extension by the element they stand in, and those among them that are retired.
    tags: ClassVar[Mapping[str, frozenset[str]]]
    retired: ClassVar[frozenset[str]]

    def meant(self, name: str, parent: str) -> str | None:
        """The current element that an unknown name was probably meant to be."""
        prefix, _, local = name.rpartition(":")
        choices = [known.rpartition(":")[2] for known in sorted(self.tags.get(parent, frozenset()) - self.retired)]
        import difflib

        close = difflib.get_close_matches(local.lower(), choices, n=1)
        return f"{prefix}:{close[0]}" if close else None


class MissingChild(ExtensionRule):
    """A record lacks a child: all of `children` are absent or empty in the element at `within`."""

    within: ClassVar[tuple[str, ...]]
    children: ClassVar[tuple[str, ...]]

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        for parents in _chains(shape.root, self.within):
            there = [child for child in parents[-1].children if child.name in self.children]
            if all(child.empty for child in there) and not self._explained(parents):
                yield (there or parents[-1:])[0], self._message(parents[-1], there)

    def _explained(self, parents: list[Element]) -> bool:
        """The child is there under a wrong name or one level too high, and is reported as that."""
        record = parents[-1]
        if any(child.name in self.children for parent in parents[1:-1] for child in parent.children):
            return True
        known = self.tags[record.name]
        strange = {child.name for child in record.children if child.name not in known and not child.empty}
        if any(f"{record.name.partition(':')[0]}:{name}" in self.children for name in strange):
            return True  # in the wrong namespace
        return any(self.meant(name, record.name) in self.children for name in strange)

    def _message(self, record: Element, there: list[Element]) -> str:
        if there:
            return f"{tag(there[0].name)} is empty."
        names = " nor ".join(tag(name) for name in self.children)
        return f"{tag(record.name)} has {'neither' if len(self.children) > 1 else 'no'} {names}."


def _chains(element: Element, within: tuple[str, ...]) -> Iterator[list[Element]]:
    """Every way down to a filled element along these names, or to an empty one that is a record itself."""
    if not within:
        yield [element]
        return
    for child in element.named(within[0]):
        if element.name == "" or not child.empty:
            yield from ([element, *chain] for chain in _chains(child, within[1:]))


class UnknownTag(ExtensionRule):
    """An element of the extension's namespace is unknown, or unknown where it stands."""

    def shape(self, shape: Shape) -> Iterator[ShapeVerdict]:
        return self._below(shape.root)

    def _below(self, parent: Element) -> Iterator[ShapeVerdict]:
        """What stands in a wrong or retired element is not looked at: the element itself is the finding."""
        prefix = self.id.partition("-")[0] + ":"
        for child in parent.children:
            if child.name.startswith(prefix) and child.name not in self.tags.get(parent.name, ()):
                yield child, self._message(child.name, parent.name)
            elif child.name not in self.retired:
                yield from self._below(child)

    def _message(self, name: str, parent: str) -> str:
        homes = [home for home, names in self.tags.items() if name in names]
        if homes:
            return f"{tag(name)} stands in {tag(parent)}; its place is in {tag(homes[0])}."
        meant = self.meant(name, parent)
        hint = f" Did you mean {tag(meant)}?" if meant else ""
        return f"{tag(name)} is not known inside {tag(parent)}.{hint}"


class RetiredTag(ExtensionRule):
    """Once a file: elements, or attributes as `element@attribute`, that are no longer read."""

    severity = Severity.NOTICE

    def document(self, document: Document) -> Iterator[Found]:
        places: dict[str, tuple[int, int]] = {}
        for number, shape in enumerate(document.shapes):
            for element in shape.elements:
                for name in (element.name, *(f"{element.name}@{attribute}" for attribute in element.attributes)):
                    if name in self.retired:
                        places.setdefault(name, (number, element.ordinal))
        if places:
            number, ordinal = next(iter(places.values()))
            message = f"Google no longer reads {', '.join(f'`{name}`' for name in places)}."
            place = document.locate(document.entries_of(document.shapes[number])[0], ordinal)
            yield self.found(message, document, place=place)


class UrlNotAbsolute(ExtensionRule):
    """A URL of a record is not a full http or https URL; which host it is on does not matter."""

    odd_urls_only = True

    def value(self, value: str, field: str) -> Verdict:
        fault = urls.examine(value.strip(XML_SPACE))
        if isinstance(fault, urls.Url):
            return None
        return f"{tag(field.rpartition('/')[2])} {shown(value)} {fault.reason}."


class DateInvalid(ExtensionRule):
    """A date of a record cannot be read."""

    def value(self, value: str, field: str) -> Verdict:
        fault = date_fault(value)
        return f"{tag(field.rpartition('/')[2])} is {shown(value)}, {fault}." if fault else None
