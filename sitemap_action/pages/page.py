"""The nouns: a listed page, what answers for it, and what its head says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sitemap_action.model import Document
from sitemap_action.values.dates import Moment


@dataclass(slots=True)
class Head:
    """What a page says of itself to crawlers, in its own words."""

    noindex: str = ""  # the element that says so, as written
    canonicals: list[str] = field(default_factory=list)
    refresh: str = ""  # where a meta refresh leads
    base: str = ""
    modified: list[str] = field(default_factory=list)
    alternates: list[tuple[str, str]] = field(default_factory=list)  # language and URL
    has_title: bool = False


@dataclass(slots=True)
class Reply:
    """What answers for a URL. Everything but `outcome` is empty where there is nothing to say."""

    # "page", "file" (something else than HTML, or the page of another URL), "redirect", "missing", "walled" (we are
    # kept out), "shut" (robots.txt keeps us from asking), or "unknown": nobody can tell from here what answers.
    outcome: str
    words: str = ""  # what happened, in a sentence without its full stop
    target: str = ""  # of a redirect, as a full URL
    noindex: str = ""  # who says so, in words
    canonical: str = ""  # resolved
    modified: tuple[Moment, ...] = ()  # dates that the page tells of itself
    server_date: Moment | None = None  # when the server says that it changed
    alternates: Mapping[str, str] | None = None  # resolved; languages in lower case
    is_blocked: bool = False  # whether robots.txt shuts crawlers out


class Page(NamedTuple):
    """A listed page with its reply; or, without a document, one that was built and is not listed."""

    url: str
    reply: Reply
    document: Document | None = None
    entry: int = 0
    lastmod: Moment | None = None
    alternates: Mapping[str, str] | None = None  # of its entry, as those of the reply
