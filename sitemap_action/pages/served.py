"""One directory asked for URLs: the file, the redirect or the rewrite that answers, and what robots.txt says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from sitemap_action.pages.answers import reply_of_page
from sitemap_action.pages.folder import Build, is_html
from sitemap_action.pages.head import read_head
from sitemap_action.pages.hosting.routes import Turn
from sitemap_action.pages.page import Page, Reply
from sitemap_action.site import Site
from sitemap_action.values import urls

_MOST_REWRITES = 5


class Served:
    """A build on its host. It remembers which files listed URLs lead to, so that the others can be told."""

    def __init__(self, build: Build, site: Site, url: urls.Url) -> None:
        self.build = build
        self.listed: set[str] = set()
        self._host = url.host
        self._origin = url.origin
        # A robots.txt below a path is read by nobody.
        robots = site.robots if build.prefix == "/" else None
        self._robots = robots if robots is None or not robots.is_excessive else None
        self.is_shell = build.is_shell()
        self.notes = [*build.hosting.notes]
        if robots is not None and robots.is_excessive:
            self.notes.append("robots.txt has too many patterns to hold each page against them")
        if self.is_shell:
            self.notes.append(
                "what has no file was not judged: a program, or an application in the browser, may draw it"
            )
        self._is_short = False  # whether pages are linked without `.html`

    def reply(self, url: str, path: str) -> Reply | None:
        """What the host answers; None if the URL lies outside of this directory."""
        name = self.build.name_of(path)
        if name is None and not path.startswith(self.build.prefix):
            return None
        reply = self._answer(url, path, name)
        if reply.outcome in ("page", "file"):
            reply.is_blocked = self._is_forbidden(url)
        return reply

    def _answer(self, url: str, path: str, name: str | None) -> Reply:
        hosting = self.build.hosting
        turn = hosting.turn(unquote(path), self._host) if hosting.has_turns else None
        if turn is not None and turn.beats_files:
            turned = self._turned(turn, url, path)
            if turned is not None:
                return turned
        file = self.build.file_named(name) if name is not None else None
        if file is not None:
            self._is_short = self._is_short or (name != file and file == f"{name}.html")
            return self._file(url, path, file)
        turned = self._turned(turn, url, path) if turn is not None and not turn.beats_files else None
        if turned is None and (self.is_shell or hosting.is_incomplete or self._is_closed(name)):
            return Reply("unknown", "nobody can tell from the files")
        return turned or Reply("missing", "no built file answers to it" + (self.build.near_miss(name) if name else ""))

    def _file(self, url: str, path: str, file: str) -> Reply:
        self.listed.add(file)
        head = read_head(self.build.read(file)) if is_html(file) else None
        reply = reply_of_page(url, head) if head is not None else Reply("file")
        hosting = self.build.hosting
        header = hosting.noindex(unquote(path), self._host) if hosting.has_headers else None
        if header is not None and reply.outcome != "redirect":
            reply.noindex = f"{header.told_by} (`X-Robots-Tag: {header.value}`)"
        for target in (reply.target, reply.canonical):
            if target and target != url:
                self._lead_to(target)
        return reply

    def _turned(self, turn: Turn, url: str, path: str) -> Reply | None:
        """What the host's configuration makes of the URL; None if that is nothing."""
        if turn.kind == "unknown":
            return Reply("unknown", f"{turn.told_by} decides by more than the path")
        if turn.kind == "gone":
            return Reply("missing", f"{turn.told_by} says that it is gone")
        if turn.kind == "redirect":
            target = urls.join(url, turn.target).partition("#")[0]
            if urls.same_page(target) == urls.same_page(url.partition("#")[0]):
                return None
            self._lead_to(target)
            return Reply("redirect", f"{turn.told_by} sends it on to {target}", target)
        return self._rewritten(turn, path)

    def _rewritten(self, turn: Turn, path: str) -> Reply | None:
        """Another file answers; what that page says of itself it says under a name of its own."""
        for _ in range(_MOST_REWRITES):
            if not turn.target.startswith("/") or turn.target.startswith("//"):
                return Reply("unknown", f"{turn.told_by} leads to another server")
            target = turn.target.partition("?")[0].partition("#")[0]
            if target == path:
                return None
            file = self.build.file_of(target)
            if file is not None:
                self.listed.add(file)
                return Reply("file")
            following = self.build.hosting.turn(unquote(target), self._host)
            if following is None or following.kind != "rewrite":
                break
            turn, path = following, target
        return Reply("unknown", f"{turn.told_by} leads to {turn.target}, which is not built")

    def _lead_to(self, url: str) -> None:
        """Who is sent on to a page, or told that it is the real one, finds it as well as if it were listed."""
        origin, path = urls.split_origin(url)
        if origin and urls.host(origin + "/") == self._host:
            file = self.build.file_of(path.partition("?")[0])
            if file is not None:
                self.listed.add(file)

    def _is_closed(self, name: str | None) -> bool:
        """Whether it would lie in a folder that could not be searched."""
        return name is not None and any(name.startswith(folder) for folder in self.build.tree.closed)

    def _is_forbidden(self, url: str) -> bool:
        return self._robots is not None and not self._robots.allows(urls.undotted(url))

    # What nobody lists

    def unlisted(self, others: Iterable[Served]) -> Iterator[Page]:
        """Pages that nobody names, here or at another place of the same directory."""
        near = [other for other in others if other.build.tree is self.build.tree]
        listed = self.listed.union(*(other.listed for other in near))
        folders = {other.build.folder for other in near if len(other.build.folder) > len(self.build.folder)}
        for file in self.build.unlisted(listed, tuple(folders)):
            path = self.build.url_path(file, is_short=self._is_short)
            url = self._origin + path
            head = read_head(self.build.read(file))
            if head is None or not head.has_title:
                continue  # a part of a page
            reply = reply_of_page(url, head)
            if reply.outcome == "page" and self._is_wanted(url, path, file, reply):
                yield Page(url, reply)

    def _is_wanted(self, url: str, path: str, file: str, reply: Reply) -> bool:
        """Whether search engines would take the page in, if they knew of it."""
        hosting = self.build.hosting
        if reply.noindex or self._is_forbidden(url) or hosting.noindex(unquote(path), self._host) is not None:
            return False
        turn = hosting.turn(unquote(path), self._host) if hosting.has_turns else None
        if turn is not None and turn.beats_files and turn.kind != "rewrite" and self._turned(turn, url, path):
            return False
        origin, canonical = urls.split_origin(reply.canonical) if reply.canonical else ("", "")
        if not reply.canonical:
            return True
        is_own = urls.host(origin + "/") == self._host
        return is_own and self.build.file_of(canonical.partition("?")[0]) == file


def path_of(url: str) -> str:
    """The path of a sound URL, without dots in it."""
    if "/." not in url and urls.is_ordinary(url):
        return url[url.find("/", 8) :].partition("?")[0]
    found = urls.parse(urls.undotted(url))
    return (found.path if found is not None else "") or "/"
