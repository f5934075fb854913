"""The pages of a built site: each listed URL with what a static host would answer, and pages that nobody lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sitemap_action.pages.folder import Build
from sitemap_action.pages.page import Page, Reply
from sitemap_action.pages.roll import Roll
from sitemap_action.pages.served import Served, path_of
from sitemap_action.site import PageTally, Site
from sitemap_action.site.built import BuiltSite
from sitemap_action.sources import identity

# So many pages tell where the site is served.
_SAMPLE = 200
_NO_HTML = "there is no HTML beside the sitemaps"


@dataclass
class BuiltPages:
    """Answers for the directories of a set as their host will, from what lies in them."""

    built: Sequence[BuiltSite]
    most: int | None
    has_html: Callable[[], bool]  # in any directory of the run; if not, nothing was kept of the entries

    def __post_init__(self) -> None:
        self._served: list[Served] = []

    def look(self, site: Site, roll: Roll, watch: Callable[[int, int, str], None]) -> Iterator[Page]:
        """Every listed page with its reply, then those that are not listed; the tally says what was left out."""
        if not self.built:
            return  # single files have no pages beside them
        tally = site.pages = PageTally()
        if site.url is None:
            tally.notes.append("the pages were not looked at: the site's URL is not known")
            return
        reason = self._settle(site, roll) if self.has_html() else _NO_HTML
        if reason:
            tally.notes.append(f"the pages were not looked at: {reason}")
            return
        tally.notes += dict.fromkeys(note for served in self._served for note in served.notes)
        tally.listed = roll.count
        total = min(tally.listed, self.most or tally.listed)
        for listed in roll.call(total):
            watch(tally.checked, total, listed.url)
            reply = self._reply(listed.url)
            if reply is None:
                tally.listed -= 1  # it is another build's
                continue
            tally.checked += 1
            yield Page(listed.url, reply, listed.document, listed.entry, listed.lastmod, listed.alternates)
        yield from self._unlisted(site, tally)

    # Where everything is

    def _settle(self, site: Site, roll: Roll) -> str:
        """Find out what is served where; the answer is the reason why nothing can be said, if there is one."""
        assert site.url is not None
        paths = [path_of(listed.url) for listed in roll.call(_SAMPLE)]
        if not paths:
            return "none of them is on the site's own host"
        for built in self.built:
            prefix = built.url.directory if built.url is not None else site.url.directory
            for build in _places(Build(built.tree, prefix), roll):
                self._served.append(Served(build, site, site.url))
        builds = [served.build for served in self._served]
        if not builds:
            return _NO_HTML
        if all(build.is_source() for build in builds):
            return "they are templates that nobody has rendered yet"
        if not any(build.count(paths) for build in builds) and not any(build.has_home for build in builds):
            return "none of them has a file here, so this is no built site"
        return ""

    def _reply(self, url: str) -> Reply | None:
        """None if the URL lies outside of what was built."""
        path = path_of(url)
        best: Reply | None = None
        for served in self._served:
            reply = served.reply(url, path)
            if reply is not None and (best is None or best.outcome == "missing"):
                best = reply
        return best

    def _unlisted(self, site: Site, tally: PageTally) -> Iterator[Page]:
        """Told only where all that is listed was seen."""
        if tally.checked < tally.listed:
            tally.notes.append("pages that are not listed are looked for only where all listed ones are looked at")
        elif all(document.readable for document in site.documents) and not _is_open(site):
            for served in self._served if any(served.listed for served in self._served) else ():
                yield from served.unlisted(self._served)


def _places(whole: Build, roll: Roll) -> list[Build]:
    """Where what lies in a directory is served: mostly one site from its root, but there may be several, in folders."""
    if not whole.has_pages:
        return []
    listing = [
        ([path_of(url) for url in sample], list(whole.folders_above(document.file)))
        for document, sample in roll.samples(_SAMPLE)
        if document.file is not None and _is_in(document.file, whole.tree.root)
    ]
    every = [path for paths, _ in listing for path in paths]
    folders = [folder for _, above in listing[:20] for folder in above]
    places = [whole.fitted(every[:: max(1, len(every) // _SAMPLE)], folders)]
    for paths, above in listing:
        # One page proves little; and who has some of its pages at a place is served from there.
        if len(paths) > 1 and not any(map(partial(_has_any, paths), places)):
            other = whole.fitted(paths, above)
            places += [other] if _has_any(paths, other) else []
    return places


def _has_any(paths: Sequence[str], place: Build) -> bool:
    return any(place.file_of(path) is not None for path in paths)


def _is_in(file: Path, folder: Path) -> bool:
    return Path(identity(file)).is_relative_to(identity(folder))


def _is_open(site: Site) -> bool:
    """Whether a part of the set was not seen, which may list what seems to be left out."""
    outcomes = {child.outcome for document in site.documents for child in document.children}
    return not outcomes <= {"read", "cycle", "repeated"}
