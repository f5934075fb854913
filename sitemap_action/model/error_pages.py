"""Which entries list an error page: a rule tells of them, and nobody looks for them among the pages."""

from __future__ import annotations

from collections.abc import Collection

from sitemap_action import lazy
from sitemap_action.model import Document
from sitemap_action.values import urls

SIGNS = ("/404", "/500")
_ERROR_PAGE = lazy.pattern(r"(?:/[^/]+)*?/(404|500)(?:\.html?|\.php|/|/index\.html?)?")


def error_pages(document: Document) -> dict[int, str]:
    """The code of each such entry, while the values are at hand."""
    found: dict[int, str] = {}
    listed: Collection[str | None] = ()
    for entry, loc in document.locs_with(*SIGNS):
        url = urls.parse(loc)
        error = _ERROR_PAGE.fullmatch(url.path) if url is not None and not url.query else None
        if error is not None:
            listed = listed or set(document.locs)
            if not _is_one_of_many(loc, error[1], listed):
                found[entry] = error[1]
    return found


def _is_one_of_many(loc: str, code: str, listed: Collection[str | None]) -> bool:
    """`/posts/404` beside `/posts/403` is the 404th post, not an error page."""
    before, _, after = loc.rpartition(code)
    return any(f"{before}{number}{after}" in listed for number in (int(code) - 1, int(code) + 1))
