"""GitHub's REST API, as far as a comment needs it: bounded in time, and failures as words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from sitemap_action.net.manners import USER_AGENT

_TRIES = 3
_MOST_PAGES = 300
_PER_PAGE = 100
_LONGEST_PAUSE = 10.0
_WAIT = (10, 20)
_CREATED, _SERVER_ERRORS = 201, 500
_WRITE = "`permissions: pull-requests: write`"


class Unanswered(Exception):
    """Why the API did not do what it was asked for, as a sentence without its end."""


class _Bearer(requests.auth.AuthBase):
    """As an object of its own it wins over a .netrc; it never follows a request to another host."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Api:
    """Asks, and asks again where that may help; the proxies of the environment are used, for runners need them."""

    def __init__(self, base: str, token: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self._base = base
        self._sleep = sleep
        self._session = requests.Session()
        self._session.auth = _Bearer(token)
        self._session.headers.update(
            {
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": USER_AGENT,
            }
        )

    def get(self, path: str, **query: str | int) -> Any:
        return _json(self._ask("GET", self._base + path, params=query))

    def send(self, method: str, path: str, body: dict[str, str]) -> None:
        """What was made is there, in whatever words that is told; a page to log in is no such answer."""
        response = self._ask(method, self._base + path, json=body)
        if response.status_code != _CREATED:
            _json(response)

    def pages(self, path: str) -> Iterator[dict[str, Any]]:
        """Every item of a list, over all its pages."""
        for number in range(1, _MOST_PAGES + 1):
            response = self._ask("GET", self._base + path, params={"per_page": _PER_PAGE, "page": number})
            items = _json(response)
            if not isinstance(items, list):
                raise Unanswered("GitHub's API answered with something else than a list")
            yield from (item for item in items if isinstance(item, dict))
            if "next" not in response.links and len(items) < _PER_PAGE:
                return

    def _ask(self, method: str, url: str, **content: Any) -> requests.Response:
        """Comments are made once: what may have been done is not asked for again, unless it was put off."""
        for turn in range(1, _TRIES + 1):
            response = self._answer(method, url, **content)
            if response.ok and not response.is_redirect:
                return response
            pause = _pause(response, turn)
            put_off = response.status_code in (403, 429)
            if pause is None or turn == _TRIES or (method == "POST" and not put_off):
                raise Unanswered(_reason(response))
            self._sleep(pause)
        raise AssertionError("unreachable")

    def _answer(self, method: str, url: str, **content: Any) -> requests.Response:
        """A renamed repository answers with its new address; the token goes to no other host."""
        for _ in range(3):
            try:
                response = self._session.request(method, url, timeout=_WAIT, allow_redirects=False, **content)
                target = urljoin(url, response.headers.get("location", ""))
                is_elsewhere = _host(target) != _host(url)
            except (requests.RequestException, OSError, ValueError) as error:  # a token or an address that is none
                raise Unanswered(f"GitHub's API cannot be reached ({type(error).__name__})") from None
            if is_elsewhere or not response.is_redirect:
                return response
            url, content = target, {key: value for key, value in content.items() if key != "params"}
        return response


def _host(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _json(response: requests.Response) -> Any:
    try:
        return response.json()
    except (ValueError, RecursionError):
        raise Unanswered("GitHub's API answered with something else than JSON") from None


def _is_rate_limit(response: requests.Response) -> bool:
    headers = response.headers
    spent = headers.get("x-ratelimit-remaining") == "0" or "retry-after" in headers or "rate limit" in _said(response)
    return response.status_code == 429 or (response.status_code == 403 and spent)


def _pause(response: requests.Response, turn: int) -> float | None:
    """How long to wait before asking again; None where that is of no use, or would take too long."""
    if not _is_rate_limit(response) and response.status_code < _SERVER_ERRORS:
        return None
    asked = response.headers.get("retry-after", "")
    pause = float(asked) if asked.isascii() and asked.isdigit() else float(turn)
    if response.headers.get("x-ratelimit-remaining") == "0" and not asked:
        return None  # for the rest of the hour
    return pause if pause <= _LONGEST_PAUSE else None


def _reason(response: requests.Response) -> str:
    status = response.status_code
    if _is_rate_limit(response):
        return f"GitHub's rate limit is reached ({status})"
    if status in (401, 403, 404):
        return (
            f"the token may not write comments ({status}); give the job {_WRITE}; runs for forks and Dependabot "
            "have a read-only token (the README has a recipe for them)"
        )
    said = _said(response)
    return f"GitHub's API answered {status}" + (f": {said.rstrip('.')}" if said else "")


def _said(response: requests.Response) -> str:
    try:
        return str(response.json()["message"])[:200]
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""
