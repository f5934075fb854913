"""One comment on the pull request, kept up to date: ours is found again by a mark at its start, and by its author."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Any

from markupsafe import Markup

from sitemap_action.formats.markdown_format import Detail, template, view
from sitemap_action.formats.style import Style
from sitemap_action.formats.text_format import has_all
from sitemap_action.github import pull_request
from sitemap_action.github.api import Api, Unanswered
from sitemap_action.github.context import Context
from sitemap_action.report import Report

_ROOM = 65_000  # characters; GitHub refuses more than 65,536
_KINDS = (12, 4, 0)
_PATIENCE = 60.0


def keep_up_to_date(
    report: Report,
    mode: str,
    code: int,
    key: Iterable[str],
    context: Context,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Make, change or leave the comment; what came of it as a sentence, which is empty if there is nothing to tell."""
    if mode == "never":
        return ""
    needed = {"token": context.token, "GITHUB_REPOSITORY": context.get("REPOSITORY")}
    missing = [name for name, value in needed.items() if not value]
    if missing:
        return f"No comment on the pull request: there is no {' and no '.join(missing)}."
    answers: SimpleQueue[str | None] = SimpleQueue()

    def work() -> None:
        answer = None
        try:
            answer = _Comment(report, mode, code, key, context, sleep).settle()
        except Unanswered as reason:
            answer = f"No comment on the pull request: {reason}."
        finally:
            answers.put(answer)

    # Whatever the other side does, a gate does not wait for it; the thread ends with the program.
    worker = threading.Thread(target=work, name="comment", daemon=True)
    worker.start()
    try:
        answer = answers.get(timeout=_PATIENCE)
    except Empty:
        return "No comment on the pull request: GitHub's API did not answer in time."
    if answer is None:
        worker.join()  # Python shows its traceback
        return "No comment on the pull request: a fault of sitemap-action, shown in the log."
    return answer


class _Comment:
    def __init__(
        self, report: Report, mode: str, code: int, key: Iterable[str], context: Context, sleep: Callable[[float], None]
    ) -> None:
        self._report = report
        self._context = context
        self._mode = mode
        self._is_red = code != 0 or report.verdict in ("fail", "inconclusive")
        parts = [context.get("WORKFLOW"), context.get("JOB"), *key]
        self._key = hashlib.sha256("\0".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:16]
        self._api = Api(context.api, context.token, sleep)

    def settle(self) -> str:
        number = pull_request.find(self._context, self._api)
        if number is None:
            return "No comment: no open pull request belongs to this run."
        path = f"/repos/{self._context.get('REPOSITORY')}/issues"
        old = self._own(self._api.pages(f"{path}/{number}/comments"))
        wanted = self._mode == "always" or self._is_red
        if old is None and not wanted:
            return ""
        body = self._body(resolved=not wanted)
        if old is None:
            self._api.send("POST", f"{path}/{number}/comments", {"body": body})
        elif _first_line(old.get("body")) != _first_line(body):
            self._api.send("PATCH", f"{path}/comments/{old['id']}", {"body": body})
        return ""

    def _own(self, comments: Iterable[dict[str, Any]]) -> dict[str, Any] | None:
        """The mark alone proves nothing: anybody can write it."""
        login: str | None = None
        for comment in comments:
            author = comment.get("user")
            if not isinstance(author, dict) or type(comment.get("id")) is not int or not self._is_marked(comment):
                continue
            if author.get("type") == "Bot":
                return comment
            if login is None:
                login = self._login()
            if login and author.get("login") == login:
                return comment
        return None

    def _is_marked(self, comment: dict[str, Any]) -> bool:
        return str(comment.get("body") or "").startswith(f"<!-- sitemap-action:{self._key} ")

    def _login(self) -> str:
        """Whose token this is; that of a workflow belongs to a bot, and may not ask."""
        try:
            user = self._api.get("/user")
        except Unanswered:
            return ""
        return str(user.get("login") or "") if isinstance(user, dict) else ""

    def _body(self, *, resolved: bool) -> str:
        """The first line holds a digest of what is said, links left out: with the same digest nothing has changed."""
        plain = self._text(Style(), "", "", resolved=resolved)
        digest = hashlib.sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        mark = f"<!-- sitemap-action:{self._key} {digest} -->"
        return self._text(Style(workspace=self._context.workspace), mark, self._context.run_url, resolved=resolved)

    def _text(self, style: Style, mark: str, run_url: str, *, resolved: bool) -> str:
        text = ""
        for kinds in _KINDS:
            text = template("comment.md").render(
                view(self._report, style, Detail(0, 1, False)),
                marker=Markup(mark),  # noqa: S704 – digits and letters of our own
                resolved=resolved,
                run_url=run_url,
                log_has_all=has_all(self._report, Style()),
                most=kinds,
            )
            if len(text) <= _ROOM:
                break
        return text


def _first_line(body: Any) -> str:
    return str(body or "").partition("\n")[0].strip()
