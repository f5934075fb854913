"""A mock of GitHub's REST API on this machine, as far as a comment needs it; it can be told to misbehave."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Union
from urllib.parse import parse_qsl, urlencode, urlsplit

from origins import LOOPBACK, Answer, Fault

TOKEN = "ghs_the0token0that0nobody0may0see"
REPOSITORY = "acme/site"
LONGEST = 65_536
JSON = "application/json; charset=utf-8"
_WHEN = "2026-10-01T12:00:00Z"
_DOCS = "https://docs.github.com/rest"
_PATHS_OF_A_USER = "followers following gists starred subscriptions organizations repos events received_events"
_PATHS_OF_A_PULL = "diff patch issue commits review_comments review_comment comments statuses"

Reply = Union[Answer, Fault]


@dataclass(frozen=True)
class Author:
    login: str
    type: str = "User"

    def show(self) -> dict[str, Any]:
        url = f"https://api.github.com/users/{self.login}"
        return {
            "login": self.login,
            "type": self.type,
            "id": 7,
            "node_id": "U_7",
            "gravatar_id": "",
            "site_admin": False,
            "url": url,
            "avatar_url": f"{url}/avatar",
            "html_url": f"https://github.com/{self.login}",
            **{f"{name}_url": f"{url}/{name}" for name in _PATHS_OF_A_USER.split()},
        }

    def show_account(self) -> dict[str, Any]:
        unknown = dict.fromkeys("bio blog company email hireable location name".split())
        numbers = dict.fromkeys("followers following public_gists public_repos".split(), 0)
        times = {"created_at": _WHEN, "updated_at": _WHEN}
        return {**self.show(), **unknown, "blog": "", **numbers, **times}


ACTIONS = Author("github-actions[bot]", "Bot")
PERSON = Author("mallory")


@dataclass
class Comment:
    body: str
    author: Author = PERSON
    on: int = 5
    id: int = 0

    def show(self) -> dict[str, Any]:
        url = f"https://api.github.com/repos/{REPOSITORY}/issues"
        return {
            "id": self.id,
            "node_id": f"IC_{self.id}",
            "body": self.body,
            "user": self.author.show(),
            "url": f"{url}/comments/{self.id}",
            "html_url": f"https://github.com/{REPOSITORY}/pull/{self.on}#issuecomment-{self.id}",
            "issue_url": f"{url}/{self.on}",
            "created_at": _WHEN,
            "updated_at": _WHEN,
            "author_association": "NONE",
        }


@dataclass(frozen=True)
class Pull:
    number: int
    sha: str = "a" * 40
    branch: str = "topic"
    owner: str = "acme"
    state: str = "open"
    commits: tuple[str, ...] = ()

    def show(self) -> dict[str, Any]:
        """The repository is shown in a few of its properties, everything else in full."""
        url = f"https://api.github.com/repos/{REPOSITORY}/pulls/{self.number}"
        closed = None if self.state == "open" else _WHEN
        links = "comments commits statuses html issue review_comments review_comment self".split()
        return {
            **dict.fromkeys("assignee body milestone auto_merge merge_commit_sha".split()),
            **{f"{name}_url": f"{url}/{name}" for name in _PATHS_OF_A_PULL.split()},
            "id": self.number,
            "node_id": f"PR_{self.number}",
            "number": self.number,
            "state": self.state,
            "locked": False,
            "title": "A change",
            "labels": [],
            "url": url,
            "html_url": f"https://github.com/{REPOSITORY}/pull/{self.number}",
            "user": Author(self.owner).show(),
            "head": self._end(self.owner, self.branch, self.sha),
            "base": self._end("acme", "main", "b" * 40),
            "_links": {name: {"href": f"{url}/{name}"} for name in links},
            "author_association": "CONTRIBUTOR",
            "created_at": _WHEN,
            "updated_at": _WHEN,
            "closed_at": closed,
            "merged_at": closed,
        }

    def _end(self, owner: str, ref: str, sha: str) -> dict[str, Any]:
        repo = {"id": 1, "name": "site", "full_name": f"{owner}/site", "owner": Author(owner).show()}
        return {"label": f"{owner}:{ref}", "ref": ref, "sha": sha, "repo": repo, "user": Author(owner).show()}


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; names of headers are in lower case, the path is that below the root of the API."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any


@dataclass
class Exchange:
    """A request, and what was answered unless a test had put its own answer in the way."""

    asked: Asked
    status: int = 0
    body: Any = None
    is_scripted: bool = False


@dataclass
class _State:
    token: str = TOKEN
    prefix: str = ""
    owner: Author = ACTIONS  # of the token
    comments: list[Comment] = field(default_factory=list)
    pulls: list[Pull] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)


class GitHub(_State):
    """The server; what a test finds and sets are the fields of its state."""

    def __init__(self) -> None:
        super().__init__()
        self._script: list[tuple[str, Reply]] = []
        self._lock, self.stopping = threading.Lock(), threading.Event()
        self.wires: list[socket.socket] = []
        self._server = _Server((LOOPBACK, 0), type("Bound", (_Handler,), {"github": self}))
        self.root = f"http://{LOOPBACK}:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> GitHub:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        for wire in self.wires:
            with contextlib.suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)

    @property
    def url(self) -> str:
        return self.root + self.prefix

    def add(self, *comments: Comment) -> None:
        for comment in comments:
            comment.id = len(self.comments) + 1001
            self.comments.append(comment)

    def will(self, *replies: Reply, method: str = "") -> None:
        """What the next requests get, those of a method or just any, instead of an answer from the state."""
        self._script += [(method, reply) for reply in replies]

    def asked(self, method: str = "") -> list[Asked]:
        return [each.asked for each in self.exchanges if method in ("", each.asked.method)]

    def reply(self, asked: Asked) -> Reply:
        with self._lock:
            exchange = Exchange(asked)
            self.exchanges.append(exchange)
            for number, (method, reply) in enumerate(self._script):
                if method in ("", asked.method):
                    del self._script[number]
                    exchange.is_scripted = True
                    return reply
            status, body, headers = self._consider(asked)
            exchange.status, exchange.body = status, body
            return Answer(status, json.dumps(body), {"x-github-media-type": "github.v3", **headers}, JSON)

    def _consider(self, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        if asked.headers.get("authorization") != f"Bearer {self.token}":
            return (401, _refusal(401, "Bad credentials"), {})
        place = re.escape(f"/repos/{REPOSITORY}")
        if asked.method == "GET" and asked.path == "/user":
            return self._user()
        if found := re.fullmatch(place + r"/issues/(\d+)/comments", asked.path):
            return self._comments_of(int(found[1]), asked)
        if (found := re.fullmatch(place + r"/issues/comments/(\d+)", asked.path)) and asked.method == "PATCH":
            return self._change(int(found[1]), asked)
        if (found := re.fullmatch(place + r"/commits/(\w+)/pulls", asked.path)) and asked.method == "GET":
            return (200, [pull.show() for pull in self.pulls if found[1] in (pull.sha, *pull.commits)], {})
        if asked.path == f"/repos/{REPOSITORY}/pulls" and asked.method == "GET":
            return (200, [pull.show() for pull in self.pulls if _is_wanted(pull, asked.query)], {})
        return (404, _refusal(404, "Not Found"), {})

    def _user(self) -> tuple[int, Any, dict[str, str]]:
        if self.owner.type == "Bot":
            return (403, _refusal(403, "Resource not accessible by integration"), {})
        return (200, self.owner.show_account(), {})

    def _comments_of(self, number: int, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        if asked.method == "POST":
            body = str(asked.body["body"])
            if not body or len(body) > LONGEST:
                return (422, _refusal(422, "Validation Failed"), {})
            self.add(Comment(body, self.owner, number))
            return (201, self.comments[-1].show(), {})
        size, page = int(asked.query.get("per_page", "30")), int(asked.query.get("page", "1"))
        found = [comment.show() for comment in self.comments if comment.on == number]
        headers = {}
        if len(found) > size * page:
            following = urlencode({**asked.query, "page": page + 1})
            headers["Link"] = f'<{self.url}{asked.path}?{following}>; rel="next"'
        return (200, found[size * (page - 1) : size * page], headers)

    def _change(self, id: int, asked: Asked) -> tuple[int, Any, dict[str, str]]:
        for comment in self.comments:
            if comment.id == id:
                comment.body = str(asked.body["body"])
                return (200, comment.show(), {})
        return (404, _refusal(404, "Not Found"), {})


def _is_wanted(pull: Pull, query: dict[str, str]) -> bool:
    states = (pull.state, "all")
    return query.get("state", "open") in states and query.get("head", "") in ("", f"{pull.owner}:{pull.branch}")


def _refusal(status: int, message: str) -> dict[str, str]:
    return {"message": message, "documentation_url": _DOCS, "status": str(status)}


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_about: object) -> None:
        """A client that goes away in the middle is what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    github: GitHub

    def setup(self) -> None:
        super().setup()
        self.github.wires.append(self.connection)

    def log_message(self, *_words: object) -> None:
        """Tests look at the requests themselves."""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        sent = self.rfile.read(int(self.headers.get("content-length") or 0))
        path = parts.path.removeprefix(self.github.prefix) if parts.path.startswith(self.github.prefix) else "/nowhere"
        headers = {name.lower(): value for name, value in self.headers.items()}
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        reply = self.github.reply(Asked(self.command, path, query, headers, json.loads(sent) if sent else None))
        if isinstance(reply, Answer):
            self.wfile.write(reply.encode(self.github.url))
        else:
            self.wfile.flush()
            reply(self.connection, self.github.stopping)
            self.close_connection = True

    do_POST = do_PATCH = do_PUT = do_DELETE = do_GET  # noqa: N815 – the names are those of the base class
