"""What was checked: the tree of documents, their dates and extensions, how close they are to the limits."""

from __future__ import annotations

from collections.abc import Iterator

from sitemap_action.formats import charts
from sitemap_action.formats.escape import clean
from sitemap_action.formats.flow import cells, flow
from sitemap_action.formats.style import Style
from sitemap_action.model import MAX_ENTRIES, Document
from sitemap_action.report import Report
from sitemap_action.report.evidence import TOLD_BY, about_part
from sitemap_action.values import dates
from sitemap_action.values.words import plural

_BARS = "▁▂▃▄▅▆▇█"
_MOST_DOCUMENTS = 30
_LABEL = 11
# Beside a label there should be room for a few words.
_ROOM_FOR_LABELS = 44


def overview(report: Report, style: Style) -> Iterator[str]:
    """Nothing here is a defect; it answers "what does this site publish?"."""
    for site in report.sites:
        if site.url is not None:
            told = TOLD_BY[site.url_from or "entries"]
            yield from _labelled("Site", f"{clean(site.url.origin + site.url.directory)} (told by {told})", style)
            if site.is_preview:
                stands = f"{clean(site.root)}: its documents stand for those of the site"
                yield from _labelled("Preview", stands, style)
    if report.is_partial:
        yield from _labelled("Part", about_part(report).removeprefix("part "), style)
    if report.documents:
        yield from _documents(report, style)
        yield from _pages(report, style)
        yield from _dates(report, style)
        yield from _limits(report, style)
    if report.documents or any(site.url for site in report.sites):
        yield ""


def _labelled(label: str, words: str, style: Style) -> Iterator[str]:
    return _chart(label, words.split(" "), style, gap=" ")


def _chart(label: str, items: list[str], style: Style, gap: str = "  ") -> Iterator[str]:
    """Further lines begin below the first word, or on a narrow terminal further to the left."""
    is_wide = style.width is None or style.width >= _ROOM_FOR_LABELS
    return flow(items, style.width, f"{label:{_LABEL}}", " " * (_LABEL if is_wide else 2), gap)


def _documents(report: Report, style: Style) -> Iterator[str]:
    shown = report.documents if style.verbose else report.documents[:_MOST_DOCUMENTS]
    depth = depths(report.documents)
    names = ["  " * depth[document.location] + _short(document.location, report) for document in shown]
    room = min(max(map(cells, names)), 60)
    yield from _labelled(
        "Documents", f"{plural(len(report.documents), 'document')}, {plural(report.urls, 'URL')}", style
    )
    for name, document in zip(names, shown, strict=True):
        yield from _row(name, _facts(document, report), room, style.width)
    if len(shown) < len(report.documents):
        more = f"… and {len(report.documents) - len(shown):,} more (--verbose lists all)".split(" ")
        yield from (style.paint(line, "dim") for line in flow(more, style.width, "  ", "    "))


def _row(name: str, facts: list[str], room: int, width: int | None) -> Iterator[str]:
    """A line of a table; where the table has room for nothing but names, the facts stand beneath."""
    if width is None or 2 + room + 2 + cells(facts[0]) <= width:
        yield _fitting([f"  {name}{' ' * (room - cells(name))}", *facts], width)
        return
    yield f"  {name}"
    inset = " " * (4 + len(name) - len(name.lstrip()))
    yield from flow(" · ".join(fact.strip() for fact in facts).split(" "), width, inset, inset)


def _short(location: str, report: Report) -> str:
    """On the site itself the path says it all."""
    url = report.site.url if report.site is not None and report.kind == "origin" else None
    if url is not None and location.startswith(url.origin + "/"):
        location = location[len(url.origin) :]
    return clean(location)


def depths(documents: list[Document]) -> dict[str, int]:
    found: dict[str, int] = {}
    for document in documents:
        found[document.location] = found.get(document.parent, -1) + 1 if document.parent else 0
    return found


def _fitting(parts: list[str], width: int | None) -> str:
    """A line of a narrow terminal leaves out what matters less: it stands further to the right."""
    while width is not None and len(parts) > 1 and sum(map(cells, parts)) + 2 * len(parts) - 2 > width:
        parts = parts[:-1]
    return "  ".join(parts)


def entries(document: Document) -> str:
    return plural(document.summary.entries, "sitemap" if document.is_index else "URL")


def _facts(document: Document, report: Report) -> list[str]:
    summary = document.summary
    facts = [f"{document.format:12}", f"{entries(document):>12}", f"{size(document):>10}"]
    if document.http_status is not None:
        facts.insert(0, str(document.http_status))
    if document.failed:
        facts = ["not read" if document.http_status is None else str(document.http_status)]
    if summary.oldest:
        facts.append(f"lastmod {days(document)}")
    used = [f"{kind} {count:,}" for kind, count in summary.extensions.items() if count]
    facts += [", ".join(used)] if used else []
    facts += [f"redirects to {_short(document.final_url, report)}"] if document.final_url else []
    return [*facts, f"found by {', '.join(document.found_by)}"]


def days(document: Document) -> str:
    """From the oldest date to the newest, by the day."""
    summary = document.summary
    outer = (_day(document, text) for text in (summary.oldest, summary.newest) if text)
    return " … ".join(dict.fromkeys(outer))


def _day(document: Document, text: str) -> str:
    moment = dates.for_format(document.format, text)
    return moment.day if moment else ""


def size(document: Document) -> str:
    amount: float = document.size
    for unit in ("B", "kB", "MB"):
        if amount < 1000 or unit == "MB":
            break
        amount /= 1000
    text = f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
    return text + (" gz" if document.compressed else "")


def _pages(report: Report, style: Style) -> Iterator[str]:
    """How many were looked at, or why none; nothing where nobody wanted to."""
    for site in report.sites:
        for words in site.pages.words() if site.pages is not None else ():
            yield from _labelled("Pages", clean(words), style)


def _dates(report: Report, style: Style) -> Iterator[str]:
    """A bar per year (per month where all is within two years), so that one build date on all pages stands out."""
    periods = charts.dates(report)
    if not periods:
        return
    highest = max(periods.values())
    recent = list(periods)[-12:]
    bars = [f"{period} {_BARS[(periods[period] * 7) // highest]} {periods[period]:,}" for period in recent]
    if len(recent) < len(periods):
        bars[0] = f"… {bars[0]}"
    missing = charts.undated(report)
    yield from _chart("lastmod", [*bars, f"none {missing:,}"] if missing else bars, style)


def _limits(report: Report, style: Style) -> Iterator[str]:
    full = charts.limits(report)
    if full is not None:
        entries, size = map(charts.share, full)
        words = f"fullest file {entries} of {MAX_ENTRIES:,} entries, largest {size} of 50 MB"
        yield from _labelled("Limits", words, style)
