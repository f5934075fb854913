"""What is wanted of an answer's body, and reading so much of it and no more."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus

import requests
import urllib3

from sitemap_action.model import Fault
from sitemap_action.net.answer import Answer, Body
from sitemap_action.net.failures import CutShort
from sitemap_action.net.walls import find_wall

CHUNK = 1 << 16
_PIECE = 1 << 12  # where the beginning may be enough
# Made for a body with its encoding, and told of every piece: says when that is enough.
Enough = Callable[[str], Callable[[bytes], bool]]


@dataclass(frozen=True)
class Want:
    """A request, but for its URL."""

    limit: int  # of bytes, as they are sent
    partial: bool = False  # whether the beginning will do if there are more
    patient: bool = True  # whether to try again what may be a passing fault
    method: str = "GET"
    enough: Enough | None = None
    follows: bool = True  # whether to go where redirects lead


def read_body(answer: Answer, response: requests.Response, want: Want) -> None:
    """The body as it was sent, within the limit; of an error page only what tells a wall."""
    if answer.status != HTTPStatus.OK or want.method == "HEAD":
        head = b""
        with suppress(urllib3.exceptions.HTTPError, OSError):
            head = response.raw.read(2 * CHUNK, decode_content=False)
        answer.wall = find_wall(answer.status or 0, answer.headers, head, len(head))
        return None
    announced = length(answer)
    if announced is not None and announced > want.limit and not want.partial:
        return fail(answer, "fetch-refused", f"it has {announced:,} bytes, more than {want.limit:,}", is_final=True)
    is_enough = _fill(answer, response, want)
    body = answer.body
    assert body is not None
    if body.size > want.limit and not want.partial:
        return fail(answer, "fetch-refused", f"it has more than {want.limit:,} bytes", is_final=True)
    if announced is not None and body.size < min(announced, want.limit) and not is_enough:
        raise CutShort(f"the body is cut short: {body.size:,} of {announced:,} bytes")
    if not body.size and announced is None and "transfer-encoding" not in answer.headers:
        raise CutShort("the answer ends before its body begins")
    answer.wall = find_wall(HTTPStatus.OK, answer.headers, body.peek(2 * CHUNK), body.size)
    if answer.wall:
        answer.discard()
    return None


def _fill(answer: Answer, response: requests.Response, want: Want) -> bool:
    """Read the body until its end, the limit, or until it is enough; the last is the answer."""
    body = answer.body = Body()
    is_enough = want.enough(answer.encoding) if want.enough is not None else None
    for chunk in response.raw.stream(CHUNK if is_enough is None else _PIECE, decode_content=False):
        body.write(chunk)
        if is_enough is not None and is_enough(chunk):
            return True
        if body.size > want.limit:
            break
    return False


def fail(answer: Answer, rule: str, words: str, *, is_final: bool) -> None:
    answer.discard()
    answer.failure = Fault(rule, facts=(words,))
    answer.is_final = is_final


def length(answer: Answer) -> int | None:
    """The number of bytes that the server announced."""
    declared = answer.headers.get("content-length", "")
    return int(declared[:20]) if declared.isascii() and declared.isdigit() else None
