"""The two hints, `<changefreq>` and `<priority>`."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.model import XML_SPACE, Document, Severity, Step
from sitemap_action.rules.base import PROTOCOL, Found, Rule, Verdict
from sitemap_action.values.codes import FREQUENCIES
from sitemap_action.values.numbers import decimal_up_to

_FEW = 3


class ChangefreqInvalid(Rule):
    """A `<changefreq>` is not one of the seven words of the protocol.

    Crawlers drop a value that they do not know. Only case or white space being off is
    a notice: the schema rejects it, engines read it.

    Fix: use always, hourly, daily, weekly, monthly, yearly or never, or leave the element out.

    Bad:
        <url><loc>https://www.acme.example/</loc><changefreq>sometimes</changefreq></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><changefreq>Weekly</changefreq></url>
    Good:
        <url><loc>https://www.acme.example/</loc><changefreq>weekly</changefreq></url>
    """

    id = "changefreq-invalid"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL + "#changefreqdef"
    fields = ("changefreq",)

    def value(self, value: str, field: str) -> Verdict:
        if value in FREQUENCIES:
            return None
        if value.strip(XML_SPACE).lower() in FREQUENCIES:
            return (
                f"<changefreq> is {value!r}; only `{value.strip(XML_SPACE).lower()}` is in the protocol.",
                Severity.NOTICE,
            )
        return f"<changefreq> is {value.strip(XML_SPACE)!r}, which is none of {', '.join(FREQUENCIES)}."


def priority(value: str) -> float | None:
    """The number a `<priority>` states, if it is a decimal from 0.0 to 1.0."""
    return decimal_up_to(1, value.strip(XML_SPACE))


class PriorityInvalid(Rule):
    """A `<priority>` is not a decimal number from 0.0 to 1.0.

    Crawlers fall back to the default, 0.5, for a value that they cannot read.

    Fix: write a number from 0.0 to 1.0 with a point, or leave the element out.

    Bad:
        <url><loc>https://www.acme.example/</loc><priority>0,8</priority></url>
    Bad:
        <url><loc>https://www.acme.example/</loc><priority>10</priority></url>
    Good:
        <url><loc>https://www.acme.example/</loc><priority>0.8</priority></url>
    """

    id = "priority-invalid"
    severity = Severity.WARNING
    step = Step.QUALITY
    spec = PROTOCOL + "#prioritydef"
    fields = ("priority",)

    def value(self, value: str, field: str) -> Verdict:
        if priority(value) is not None:
            return None
        return f"<priority> is {value.strip(XML_SPACE)!r}, which is no decimal number from 0.0 to 1.0."


class PriorityAllEqual(Rule):
    """Every entry of the file has the same `<priority>`.

    A priority only ranks the pages of one site against each other, so one value for all
    of them says nothing. It is harmless, and it can simply be left out.

    Fix: leave <priority> out, or give the important pages a higher one.

    Bad:
        <url><loc>https://www.acme.example/{n}</loc><priority>1.0</priority></url> × 3
    Good:
        <url><loc>https://www.acme.example/</loc><priority>1.0</priority></url>
        <url><loc>https://www.acme.example/{n}</loc><priority>0.5</priority></url> × 3
    """

    id = "priority-all-equal"
    severity = Severity.NOTICE
    step = Step.QUALITY
    spec = PROTOCOL + "#prioritydef"

    def document(self, document: Document) -> Iterator[Found]:
        column = document.columns.get("priority")
        if column is None or len(column) < _FEW or len(column) != document.entry_count:
            return
        numbers = {priority(value) for value in dict.fromkeys(column.values)}
        if len(numbers) == 1 and None not in numbers:
            message = f"All {len(column):,} entries have the priority {column.values[0].strip(XML_SPACE)}."
            yield self.found(message, document, place=document.locate(column.entries[0], column.elements[0]))
