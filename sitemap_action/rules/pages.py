"""The listed pages themselves: are they there, and may they be indexed?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from sitemap_action.model import LOC, Severity, Step
from sitemap_action.rules.base import FAQ, GOOGLE_BUILD, GOOGLE_CRAWLING, RFC_9309, Found, Message, Rule
from sitemap_action.values import urls

if TYPE_CHECKING:
    from sitemap_action.pages.page import Page
    from sitemap_action.site.robots import Robots


class PageRule(Rule):
    """Rules about a page report at the line that lists it."""

    severity = Severity.WARNING
    step = Step.SCOPE

    def at(self, page: Page, message: Message, *, severity: Severity | None = None) -> Found:
        return self.found(message, page.document, page.entry, LOC, severity=severity)


class PageMissing(PageRule):
    """A listed page is not there.

    A sitemap that lists pages which do not exist wastes crawling, and is trusted less. In a built
    directory a page is a file that a static host would serve: `/x/` is `x/index.html`, and `/x` is `x`,
    `x.html` or `x/index.html`.

    Fix: remove the entry, or find out why the page was not built; if it has moved, list its new URL.

    Bad:
        --- index.html
        <title>Acme</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme.example/gone/</loc></url>
    Bad:
        $ live
        $ --pages
        --- sitemap.xml
        <url><loc>https://www.acme.example/gone</loc></url>
    Good:
        --- index.html
        <title>Acme</title>
        --- about.html
        <title>About Acme</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "page-missing"
    severity = Severity.ERROR
    spec = FAQ

    def page(self, page: Page) -> Found | None:
        if page.reply.outcome != "missing":
            return None
        weight = Severity.WARNING if self.site.live else None
        return self.at(page, f"The page is not there: {page.reply.words}.", severity=weight)


class PageRedirects(PageRule):
    """A listed page sends its visitors elsewhere.

    A sitemap should hold final URLs: a redirect costs a crawler a second request, and the listed URL is
    never indexed. Redirects of `_redirects`, `netlify.toml`, `vercel.json` and `staticwebapp.config.json`,
    and pages with a meta refresh count as well.

    Fix: list the URL that the redirect leads to.

    Bad:
        --- index.html
        <title>Acme</title>
        --- old/index.html
        <title>Moved</title><meta http-equiv="refresh" content="0; url=/">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme.example/old/</loc></url>
    Bad:
        $ live
        $ --pages
        --- old (301 /new)
        --- new (text/html)
        <title>New</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/old</loc></url>
    Good:
        --- index.html
        <title>Acme</title>
        --- old/index.html
        <title>Moved</title><meta http-equiv="refresh" content="0; url=/">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "page-redirects"
    spec = GOOGLE_BUILD

    def page(self, page: Page) -> Found | None:
        return self.at(page, f"Listed, but {page.reply.words}.") if page.reply.outcome == "redirect" else None


class PageNoindex(PageRule):
    """A listed page asks not to be indexed.

    The sitemap says "take this page", the page says "do not". Search engines do as the page says, and
    report the entry as an error. A robots or googlebot meta element counts, and an `X-Robots-Tag`,
    also from a `_headers` file or a host's configuration.

    Fix: take the page out of the sitemap, or let it be indexed.

    Bad:
        --- index.html
        <title>Acme</title>
        --- drafts/index.html
        <title>Drafts</title><meta name="robots" content="noindex, follow">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme.example/drafts/</loc></url>
    Bad:
        --- index.html
        <title>Acme</title>
        --- _headers
        /*
          X-Robots-Tag: noindex
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- index.html
        <title>Acme</title><meta name="robots" content="index, follow">
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "page-noindex"
    spec = GOOGLE_CRAWLING + "block-indexing"

    def page(self, page: Page) -> Found | None:
        noindex = page.reply.noindex
        return self.at(page, f"Listed, but kept out of search results by {noindex}.") if noindex else None


class PageBlockedByRobots(PageRule):
    """robots.txt shuts crawlers out of a listed page.

    What may not be fetched cannot be indexed with its content; Search Console reports such entries.

    Fix: allow the page in robots.txt, or take it out of the sitemap.

    Bad:
        --- robots.txt
        User-agent: *
        Disallow: /intern/
        Sitemap: https://www.acme.example/sitemap.xml
        --- index.html
        <title>Acme</title>
        --- intern/index.html
        <title>Intern</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme.example/intern/</loc></url>
    Good:
        --- robots.txt
        User-agent: *
        Disallow: /search
        Sitemap: https://www.acme.example/sitemap.xml
        --- index.html
        <title>Acme</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "page-blocked-by-robots"
    spec = RFC_9309

    def page(self, page: Page) -> Found | None:
        if not page.reply.is_blocked:
            return None
        return self.at(page, partial(_shut_out, self.site.robots, urls.undotted(page.url)))


def _shut_out(robots: Robots | None, url: str) -> str:
    """The line is looked for only where somebody will read it: that takes a while where there are thousands."""
    line = robots.blocked_by(url) if robots is not None else None
    who = f"robots.txt line {line.line} (`Disallow: {line.value}`)" if line else "robots.txt"
    return f"Listed, but {who} shuts crawlers out."


class PageNotListed(PageRule):
    """Pages that search engines may index are in no sitemap.

    Only told of a built directory whose sitemaps were all read. Pages count that have a title, are not
    `noindex`, not disallowed, no redirect and no error page, and whose canonical is not another page.

    Fix: list them, or mark as `noindex` what is not meant to be found.

    Bad:
        --- index.html
        <title>Acme</title>
        --- forgotten/index.html
        <title>Forgotten</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    Good:
        --- index.html
        <title>Acme</title>
        --- 404.html
        <title>Not found</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "page-not-listed"
    severity = Severity.NOTICE
    spec = GOOGLE_BUILD

    def page(self, page: Page) -> Found | None:
        return self.found(_unlisted, url=page.url, group="not listed") if page.document is None else None


def _unlisted(count: int, first: Sequence[str]) -> str:
    if count == 1:
        return "An indexable page was built, and no sitemap lists it."
    paths = ", ".join(f"`{urls.split_origin(url)[1]}`" for url in first)
    more = f" and {count - len(first):,} more" if count > len(first) else ""
    return f"{count:,} indexable pages were built, and no sitemap lists them: {paths}{more}."


class PageInconclusive(PageRule):
    """A listed page could not be judged: the server keeps us out, or does not answer.

    A login, a rate limit or a challenge for robots says nothing of the page itself.

    Fix: let this program in (`--header`, `--user-agent`), or ask more slowly (`--concurrency 1`).

    Bad:
        $ live
        $ --pages
        --- intern (403)
        --- sitemap.xml
        <url><loc>https://www.acme.example/intern</loc></url>
    Good:
        $ live
        $ --pages
        --- extern (text/html)
        <title>Extern</title>
        --- sitemap.xml
        <url><loc>https://www.acme.example/extern</loc></url>
    """

    id = "page-inconclusive"
    severity = Severity.NOTICE
    spec = GOOGLE_CRAWLING + "http-network-errors"

    def page(self, page: Page) -> Found | None:
        return self.at(page, f"Not judged: {page.reply.words}.") if page.reply.outcome == "walled" else None
