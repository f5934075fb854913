"""The polite HTTP client: one session, bounded in time and bytes, redirects by hand, retries with patience."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import requests
import urllib3

from sitemap_action.net.addresses import Refused, Resolver
from sitemap_action.net.answer import Answer
from sitemap_action.net.body import CHUNK, Want, fail, length, read_body
from sitemap_action.net.deadline import Deadline, Watchdog
from sitemap_action.net.failures import CutShort, describe
from sitemap_action.net.manners import Manners
from sitemap_action.net.pace import Pace, retry_after
from sitemap_action.net.transport import new_session
from sitemap_action.values import urls

_REDIRECTS = (301, 302, 303, 307, 308)
_MOST_REDIRECTS = 10
_WORTH_RETRYING = (429, 502, 503, 504)
_TOO_FAST = (429, 503)
# Who asks for a longer pause than this is not asked for the same thing again.
_LONGEST_PAUSE = 30.0
_FIRST_PAUSE = 0.5
_ACCEPT = "application/xml, text/xml, */*;q=0.8"


class Client:
    """Answers come as values, failures too; nothing here raises for what a server does."""

    def __init__(self, manners: Manners, own_origins: frozenset[str], named_hosts: frozenset[str]) -> None:
        self.manners = manners
        self._own_origins = own_origins
        self._session = new_session(Resolver(named_hosts), manners.concurrency, manners.authorities)
        self._session.headers.update({"User-Agent": manners.user_agent, "Accept-Encoding": "gzip", "Accept": _ACCEPT})
        self._own_headers = _joined(manners.headers)
        self._watchdog = Watchdog()
        self._stopped = threading.Event()
        self._pace = Pace()
        self.answers: dict[str, Any] = {}  # filled by those who remember them

    def close(self) -> None:
        """Cut what is under way, and let go of all connections."""
        self._stopped.set()
        self._watchdog.close()
        self._session.close()

    def leave_between(self, origin: str, seconds: float) -> None:
        """From now on, so long between the beginnings of two requests to an origin."""
        self._pace.leave_between(origin, seconds)

    def get(self, url: str, limit: int | None = None, *, partial: bool = False, patient: bool = True) -> Answer:
        """The answer after redirects and retries; of a body over the limit the beginning, or a refusal."""
        return self.ask(url, Want(limit or self.manners.max_bytes, partial, patient))

    def ask(self, url: str, want: Want) -> Answer:
        """The answer to a request that is not the usual one."""
        attempt, stale = 0, 0
        self._wait_for_turn(url)
        while True:
            answer = self._attempt(url, want)
            if answer.is_stale and stale < self.manners.concurrency:
                stale += 1  # so many connections may have been kept
                continue
            pause = self._pause(answer, attempt) if want.patient else None
            if pause is None or self._stopped.wait(pause):
                return answer
            self._wait_for_turn(url)
            attempt += 1

    def _wait_for_turn(self, url: str) -> None:
        wait = self._pace.wait_for(_origin(url))
        if wait > 0:
            self._stopped.wait(wait)

    def _pause(self, answer: Answer, attempt: int) -> float | None:
        """How long to wait before the next try; None for no other try."""
        failed = answer.failure is not None and not answer.is_final
        if attempt >= self.manners.retries or not (failed or answer.status in _WORTH_RETRYING):
            return None
        pause = _FIRST_PAUSE * 2.0**attempt
        asked = retry_after(answer.headers.get("retry-after", ""))
        if asked is not None and not failed:
            pause = asked
            if pause > _LONGEST_PAUSE:
                return None
        if answer.status in _TOO_FAST:
            if self._pace.is_spent(_origin(answer.final_url)):
                return None
            for origin in {_origin(answer.url), _origin(answer.final_url)}:
                self._pace.slow_down(origin, pause)
        return pause

    # One try

    def _attempt(self, url: str, want: Want) -> Answer:
        """Follow redirects to an answer, all within one deadline."""
        answer = Answer(url, url)
        seconds = self.manners.timeout
        with self._watchdog.limit(seconds) as deadline:
            try:
                self._follow(answer, deadline, want)
                if deadline.passed and answer.status == HTTPStatus.OK:  # a cut may look like an end
                    raise TimeoutError
            except Refused as refusal:
                fail(answer, "fetch-refused", str(refusal), is_final=True)
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, CutShort, UnicodeError) as error:
                trouble = describe(error)
                is_late = deadline.passed or time.monotonic() >= deadline.end
                late = f"no complete answer within {seconds:g} second{'' if seconds == 1 else 's'}"
                fail(answer, "fetch-failed", late if is_late else trouble.words, is_final=trouble.is_final)
                answer.no_connection = trouble.no_connection and not answer.hops
                answer.is_stale = deadline.is_reused and trouble.is_hangup and not is_late
        return answer

    def _follow(self, answer: Answer, deadline: Deadline, want: Want) -> None:
        visited = {answer.url}
        while True:
            deadline.let_go()
            with self._send(want.method, answer.final_url, deadline) as response:
                answer.status = response.status_code
                answer.headers = _headers(response)
                target = _redirect_target(answer, response, want)
                if target is None:
                    return read_body(answer, response, want)
                rest = length(answer)
                if rest is not None and rest < CHUNK:  # read to its end, the connection serves again
                    response.raw.read(CHUNK, decode_content=False)
            answer.hops += (target,)
            answer.final_url = target
            if not want.follows:
                return None
            if target in visited or len(answer.hops) > _MOST_REDIRECTS:
                what = "the redirects go round in a circle" if target in visited else "there are too many redirects"
                return fail(answer, "fetch-failed", what, is_final=True)
            visited.add(target)

    def _send(self, method: str, url: str, deadline: Deadline) -> requests.Response:
        parts = urls.parse(url)
        if self._stopped.is_set():
            raise Refused("the run was ended")
        if parts is None or parts.credentials:
            raise Refused(f"{url[:200]!r} is not a URL that we ask for")
        headers = self._own_headers if parts.origin in self._own_origins else {}
        wait = (deadline.remaining, deadline.remaining)
        # The host in the spelling that was vetted, and no fragment.
        return self._session.request(
            method, parts.text, headers=headers, timeout=wait, allow_redirects=False, stream=True
        )


def _joined(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """One line for each name; a list of values is what several lines mean."""
    joined: dict[str, str] = {}
    for name, value in headers:
        known = next((other for other in joined if other.lower() == name.lower()), None)
        separator = "; " if name.lower() == "cookie" else ", "
        joined[known or name] = joined[known] + separator + value if known else value
    return joined


def _origin(url: str) -> str:
    return urls.split_origin(url)[0]


def _headers(response: requests.Response) -> dict[str, str]:
    """Names in lower case. Lines of X-Robots-Tag stay lines: a bot that one names is not meant by the next."""
    headers = {name.lower(): value for name, value in response.headers.items()}
    if "x-robots-tag" in headers:
        headers["x-robots-tag"] = "\n".join(response.raw.headers.getlist("x-robots-tag"))
    return headers


def _redirect_target(answer: Answer, response: requests.Response, want: Want) -> str | None:
    """Where the answer points to; what is no http(s) URL is refused."""
    location = response.headers.get("location", "")
    if response.status_code not in _REDIRECTS or not location:
        return None
    text = location.strip()
    with suppress(UnicodeError):  # as bytes it may be UTF-8, else it is what it looks like
        text = text.encode("latin-1").decode("utf-8")
    target = requests.utils.requote_uri(urls.join(answer.final_url, text).partition("#")[0])
    found = urls.examine(target)
    if isinstance(found, urls.UrlFault) and want.follows:
        raise Refused(f"it redirects to {text[:200]!r}, which {found.reason}")
    return target
