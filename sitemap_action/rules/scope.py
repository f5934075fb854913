"""Where the listed URLs lie: on this site's host, scheme and port, below the sitemap's own path?"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence

from sitemap_action.model import LOC, Document, Severity, Step
from sitemap_action.rules.base import GOOGLE_BUILD, PROTOCOL, Found, Rule
from sitemap_action.site import Site, entries_per_origin
from sitemap_action.spool import Numbers, Same
from sitemap_action.values import urls
from sitemap_action.values.hosts import is_local, is_placeholder


def first_defect(site: Site, origin: urls.Url, document: Document) -> tuple[str, str]:
    """The most specific rule that an origin offends, which then speaks alone, and its words."""
    scope, own = site.scope, site.url
    if origin.host not in scope.typed_hosts:
        if is_local(origin.host):
            return "loc-local-host", f"The host `{origin.host}` cannot be reached from outside."
        if is_placeholder(origin.host):
            return "loc-placeholder-host", f"The host `{origin.host}` is a placeholder."
    if origin.host in scope.allow_hosts or own is None or origin.origin in document.vouched_for:
        return "", ""
    if origin.host != own.host:
        return "loc-host-mismatch", f"The host `{origin.host}` is not the site's, `{own.host}`."
    if origin.scheme != own.scheme:
        return "loc-scheme-mismatch", f"The URL is {origin.scheme}, the site is {own.scheme}."
    if origin.port != own.port:
        ports = (origin.port or "the default", own.port or "the default")
        return "loc-port-mismatch", f"The port is {ports[0]}, the site's is {ports[1]}."
    return "", ""


class _Scope(Rule):
    """Judges each distinct origin of a document once the site's own is known.

    The most specific rule speaks alone, so each asks `first_defect` and reports only its own.
    """

    severity = Severity.WARNING
    step = Step.SCOPE
    spec = PROTOCOL + "#location"

    def whole_site(self) -> Iterator[Found]:
        for document in self.site.documents:
            if document.is_index:
                continue
            mine = {
                number: message
                for number, origin in enumerate(document.origins)
                if origin and (message := self._message(urls.parse(origin), document))
            }
            if mine:
                for number, entries in _entries_of(document.origin_of, mine).items():
                    yield self.found_at(entries, mine[number], document, LOC)

    def _message(self, origin: urls.Url | None, document: Document) -> str | None:
        if origin is None:
            return None
        defect, message = first_defect(self.site, origin, document)
        return message if defect == self.id else None


def _entries_of(numbers: Numbers, wanted: Collection[int]) -> Mapping[int, Sequence[int]]:
    """The places of each number that is wanted."""
    if isinstance(numbers, Same):
        return {numbers.number: range(len(numbers))} if numbers.number in wanted else {}
    places: dict[int, list[int]] = {}
    for place, number in enumerate(numbers):
        if number in wanted:
            places.setdefault(number, []).append(place)
    return places


class LocLocalHost(_Scope):
    """A listed URL is on a host that only your own machine or network can reach.

    localhost, private addresses and names such as `.local` come from a build that ran with
    the development settings. A crawler cannot fetch any of these pages.

    Fix: set the production URL in the build's configuration, and build again.

    Bad:
        <url><loc>http://localhost:3000/about</loc></url>
    Good:
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-local-host"
    severity = Severity.ERROR


class LocPlaceholderHost(_Scope):
    """A listed URL is on a placeholder host.

    example.com or yourdomain.com is left over from a template's configuration.

    Fix: set the site's real URL in the generator's configuration.

    Bad:
        <url><loc>https://yourdomain.com/about</loc></url>
    Good:
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-placeholder-host"


class LocHostMismatch(_Scope):
    """A listed URL is on another host than the site.

    A sitemap speaks for its own host; `www.` makes another one. Crawlers drop URLs of other
    hosts unless those hosts' robots.txt names the sitemap.

    Fix: list this host's pages only; if the other host is yours as well, pass `--allow-host`; if this is a preview
    of it, `--site-url`.

    Bad:
        $ --site-url https://www.acme.example
        <url><loc>https://acme.example/about</loc></url>
    Good:
        $ --site-url https://www.acme.example
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-host-mismatch"


class LocSchemeMismatch(_Scope):
    """A listed URL is http while the site is https, or the other way round.

    These are different URLs, and one mostly redirects to the other.

    Fix: list the URLs with the scheme that the site is served with.

    Bad:
        $ --site-url https://www.acme.example
        <url><loc>http://www.acme.example/about</loc></url>
    Good:
        $ --site-url https://www.acme.example
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-scheme-mismatch"


class LocPortMismatch(_Scope):
    """A listed URL has another port than the site.

    A port belongs to the URL: another port is another site.

    Fix: list the URLs with the port that the site is served on.

    Bad:
        $ --site-url https://www.acme.example
        <url><loc>https://www.acme.example:8443/about</loc></url>
    Good:
        $ --site-url https://www.acme.example
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-port-mismatch"


class LocOutsidePath(Rule):
    """A listed URL is not below the folder of its sitemap.

    A sitemap at `/blog/sitemap.xml` speaks for `/blog/` only, unless robots.txt names it or
    the index it is listed in.

    Fix: move the sitemap to the site's root, or name it in robots.txt.

    Bad:
        --- blog/sitemap.xml
        <url><loc>https://www.acme.example/about</loc></url>
        --- index.html
        <!doctype html><title>Home</title>
        --- CNAME
        www.acme.example
    Good:
        --- sitemap.xml
        <url><loc>https://www.acme.example/about</loc></url>
    """

    id = "loc-outside-path"
    severity = Severity.WARNING
    step = Step.SCOPE
    spec = PROTOCOL + "#location"

    def note(self, document: Document) -> array[int] | None:
        """The entries outside; whether they are on this site shows at the end of the set.

        So does, on a live origin, whether robots.txt or an index that it names has led here: of several parts, one
        may have come another way.
        """
        folder = document.folder
        is_named = document.named_by_robots and not self.site.live
        if document.is_index or folder == "/" or not document.on_site or is_named:
            return None
        paths = (urls.split_origin(loc)[1] if loc else "" for loc in document.locs)
        outside = [entry for entry, path in enumerate(paths) if path and not path.startswith(folder)]
        return array("I", outside) if outside else None

    def whole_site(self) -> Iterator[Found]:
        for document, entries in self.noted:
            if document.named_by_robots:  # an index that robots.txt names may have led here later
                continue
            sound = [urls.parse(origin) for origin in document.origins]
            clean = {n for n, url in enumerate(sound) if url and not first_defect(self.site, url, document)[0]}
            message = f"The URL is not below the sitemap's own folder, `{document.folder}`."
            for entry in entries:
                origin = document.origin_of[entry]
                if origin in clean and self.site.url and document.origins[origin] == self.site.url.origin:
                    yield self.found(message, document, entry, LOC)


class LocMixedHosts(Rule):
    """The file lists several hosts, and none of them is clearly the site's.

    All URLs of a sitemap must be on one host, unless the other hosts' robots.txt names it.

    Fix: write one sitemap per host; or say which host is the site's with `--site-url`.

    Bad:
        <url><loc>https://www.acme.example/</loc></url>
        <url><loc>https://www.acme-shop.example/</loc></url>
    Good:
        <url><loc>https://www.acme.example/</loc></url>
    """

    id = "loc-mixed-hosts"
    severity = Severity.WARNING
    step = Step.SCOPE
    spec = GOOGLE_BUILD

    def whole_site(self) -> Iterator[Found]:
        if self.site.url is not None:
            return
        for document in self.site.documents:
            allowed = self.site.scope.allow_hosts
            origins = [urls.parse(origin) for origin in entries_per_origin(document)]
            hosts = dict.fromkeys(url.host for url in origins if url and url.host not in allowed)
            if len(hosts) > 1 and not document.is_index:
                listed = ", ".join(list(hosts)[:5]) + (", …" if len(hosts) > 5 else "")
                second = next(n for n, of in enumerate(document.origin_of) if of and of != document.origin_of[0])
                yield self.found(f"The file lists {len(hosts)} hosts: {listed}.", document, second, LOC)
