"""From the head of a page to a reply: what is relative gets its base, and dates become moments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sitemap_action.pages.page import Head, Reply
from sitemap_action.values import dates, urls

# As programs write it where they do not know the form: `2026-05-06 10:00:00+0200`.
_LOOSE = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(?:(Z|UTC)|([+-]\d\d):?(\d\d))?", re.ASCII)


def reply_of_page(url: str, head: Head) -> Reply:
    """What the page says of itself; a page that sends its readers away at once is a redirect."""
    if not head.refresh and not head.modified and not head.alternates and head.canonicals in ([], [url]):
        return Reply("page", noindex=head.noindex, canonical=head.canonicals[0] if head.canonicals else "")
    base = urls.join(url, head.base) if head.base else url
    target = _resolved(base, head.refresh) if head.refresh else ""
    if target and urls.same_page(target) != urls.same_page(_without_fragment(url)):
        return Reply("redirect", words=f"its page sends readers on to {target} (meta refresh)", target=target)
    return Reply(
        "page",
        noindex=head.noindex,
        canonical=canonical_of(url, base, head.canonicals),
        modified=moments(head.modified),
        alternates=_alternates(base, head),
    )


def canonical_of(url: str, base: str, named: Iterable[str]) -> str:
    """The one URL that the page calls its own; of several that disagree, the page itself if it is among them."""
    found = [target for href in named if (target := _resolved(base, href)).startswith(("https://", "http://"))]
    if not found or url in found:
        return url if found else ""
    own = urls.same_page(_without_fragment(url))
    if any(urls.same_page(target) == own for target in found):
        return own
    return found[0]


def moments(texts: Iterable[str]) -> tuple[dates.Moment, ...]:
    return tuple(moment for text in texts if (moment := _moment(text.strip())) is not None)


def _moment(text: str) -> dates.Moment | None:
    moment = dates.parse(text)
    if moment is not None:
        return moment
    loose = _LOOSE.fullmatch(text)
    if loose is None:
        return None
    day, time, universal, hours, minutes = loose.groups()
    return dates.parse(f"{day}T{time}" + (f"{hours}:{minutes}" if hours else "Z" if universal else ""))


def _alternates(base: str, head: Head) -> Mapping[str, str]:
    return {language.lower(): urls.same_page(_resolved(base, href)) for language, href in head.alternates}


def _resolved(base: str, href: str) -> str:
    """A full URL, as most of them are, need not be resolved."""
    if href.startswith(("https://", "http://")) and "/." not in href:
        return _without_fragment(href)
    return _without_fragment(urls.join(base, href))


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]
