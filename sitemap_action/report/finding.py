"""A finding as it is shown, and many of one cause as one."""

from __future__ import annotations

from dataclasses import dataclass, field

from sitemap_action.model import Place, Severity
from sitemap_action.rules.base import Found, Rule

_NAMED = 5  # of a bundle


@dataclass(eq=False, repr=False)
class Finding:
    """A finding as it is shown; `count` is the total on the first of its rule, document and severity."""

    rule: type[Rule]
    severity: Severity
    message: str
    document: str | None
    place: Place
    url: str | None
    count: int = 1
    is_bundle: bool = False  # stands for `count` of them, which have one cause

    @property
    def key(self) -> tuple[str, str | None, Severity]:
        return self.rule.id, self.document, self.severity

    @property
    def help(self) -> str:
        return self.rule.help()

    @property
    def untold_url(self) -> str:
        """The URL, unless the message has it already, as it is or quoted."""
        url = self.url or ""
        return "" if url in self.message or repr(url)[1:-1] in self.message else url


@dataclass(eq=False, repr=False)
class Bundle:
    """Findings of one cause, all told by the first; its message is given their number and the first few URLs."""

    severity: Severity
    count: int = 0
    first: list[Found] = field(default_factory=list)

    def add(self, found: Found) -> None:
        self.count += 1
        if len(self.first) < _NAMED:
            self.first.append(found)

    def finding(self) -> Finding:
        named = [url for found in self.first if (url := url_of(found))]
        message = self.first[0].message
        words = message(self.count, named) if callable(message) else message
        finding = resolve(self.first[0]._replace(message=words), self.severity)
        finding.count, finding.is_bundle = self.count, True
        return finding


def resolve(found: Found, severity: Severity) -> Finding:
    place = found.place or Place()
    if found.place is None and found.entry is not None and found.document is not None:
        place = found.document.locate(found.entry, found.element)
    message = found.message() if callable(found.message) else found.message
    return Finding(type(found.rule), severity, message, location_of(found), place, url_of(found))


def location_of(found: Found) -> str | None:
    document = found.document
    return None if document is None else document.reported_at or document.location


def url_of(found: Found) -> str | None:
    document = found.document
    if found.url is not None or document is None:
        return found.url
    if document.reported_at:
        return document.location
    return document.loc_at(found.entry) if found.entry is not None else None
