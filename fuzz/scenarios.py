"""Hostile origins at random: what each path of a site answers with, and which exit codes that leaves open."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from random import Random
from typing import Union

from conftest import index, urlset
from origins import (
    OK,
    Answer,
    Fault,
    Origin,
    bomb,
    close,
    drip,
    drip_headers,
    endless,
    garbage,
    reset,
    send,
    silence,
    truncated,
    truncated_chunked,
)

# What an answer at a path that matters makes of the verdict.
FINE, OPEN, BAD = "fine", "open", "bad"
_CODES = {FINE: {0}, OPEN: {0, 1, 3}, BAD: {1, 3}}
MOST_BYTES = 1_000_000
_BOMB = bomb(5_000_000)
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
_CHALLENGE = "<!doctype html><html><head><title>Just a moment...</title></head><script>_cf_chl_opt={}</script></html>"
_PAGE = "<!doctype html><html><head><title>Acme</title></head><body><p>Text.</p></body></html>"
_PAUSES = ("0", "1", "9999", "-1", "soon", "Wed, 06 May 2026 07:08:09 GMT", "99999999999999999999")
_ODD_TARGETS = (
    "http://[::1", "//", "ftp://a.example/x", "http://169.254.169.254/x", "http://10.0.0.1/x", "\x7f", "/\xff", "?",
)  # fmt: skip


Reply = Union[Answer, Fault]
Trick = Callable[[Random, str, str], tuple[str, list[Reply]]]


@dataclass
class Scenario:
    """What was put on an origin."""

    target: str
    told: list[str] = field(default_factory=list)  # in words, to be seen when it fails
    kinds: set[str] = field(default_factory=set)
    paths: int = 6  # at most so many different requests
    options: list[str] = field(default_factory=list)

    @property
    def exit_codes(self) -> set[int]:
        kind = next(kind for kind in (OPEN, BAD, FINE) if kind in self.kinds)
        return _CODES[kind]


def _good(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    return FINE, [Answer(200, body)]


def _packed(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    """gzip for the way, cut at the end at times."""
    data = gzip.compress(body.encode())
    if random.random() < 0.3:
        return BAD, [Answer(200, data[:-9], {"Content-Encoding": "gzip"})]
    return OPEN, [Answer(200, data, {"Content-Encoding": "gzip"})]  # its text cannot name this origin


def _recovers(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    """A first try that fails, and a second one that does not."""
    pause = random.choice(("0", "1", "-1", "soon"))
    first: list[Reply] = [Answer(status, "", {"Retry-After": pause}, "text/plain") for status in (429, 503)]
    return FINE, [random.choice([*first, Answer(502, ""), reset(), close()]), Answer(200, body)]


def _broken(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    data = body.replace("{origin}", "http://127.0.0.1").encode()
    length = b"Content-Length: %d\r\n\r\n"
    faults: list[Fault] = [
        reset(),
        close(),
        silence(),
        drip(_HEAD + length % len(data), data, 1.0),
        drip_headers(1.0),
        truncated(data, len(data) + 1 + random.randrange(10_000)),
        truncated_chunked(data),
        endless(b"<url/>" * 1000),
        garbage(random.randbytes(random.randrange(1, 3000))),
        send(OK + length % (len(data) // 2) + data),
        send(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + data),
        send(_HEAD + b"Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n" + data),
        send(b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 300 + b"\r\n" + data),
        send(_HEAD + b"X-A: " + b"b" * 100_000 + b"\r\n\r\n" + data),
        send(b"", repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), 0.01),
        send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + data),
    ]
    return BAD, [random.choice(faults)]


def _wrong(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    """A whole answer that is no sitemap."""
    answers = [
        Answer(200, b"\x00" + random.randbytes(500)),
        Answer(200, _BOMB, {"Content-Encoding": "gzip"}),
        Answer(200, _BOMB),
        Answer(200, body[: len(body) // 2]),
        Answer(random.choice((404, 410, 418, 500, 501, 999)), "no", type="text/plain"),
        Answer(302, "", {"Location": path}),
        Answer(301, "", {"Location": path + "?again"}),
        Answer(302, "", {"Location": random.choice(_ODD_TARGETS)}),
        Answer(200, '<!DOCTYPE a [<!ENTITY b "c">]>' + body),
    ]
    return BAD, [random.choice(answers)]


def _shut(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    """Kept out: for a part that is a warning, for everything no verdict at all."""
    if random.random() < 0.5:
        return OPEN, [Answer(random.choice((401, 403)), "no", type="text/plain")]
    if random.random() < 0.3:
        return OPEN, [Answer(random.choice((200, 403, 503)), _CHALLENGE, type="text/html")]
    busy = Answer(random.choice((429, 503)), "busy", {"Retry-After": random.choice(_PAUSES)}, "text/plain")
    return OPEN, [busy]


def _selfish(random: Random, path: str, body: str) -> tuple[str, list[Reply]]:
    """An index that lists itself, or what lists it."""
    return OPEN, [Answer(200, index("{origin}" + path, "{origin}/sitemap.xml", "{origin}" + path + "#x"))]


_TRICKS: tuple[Trick, ...] = (
    _good, _good, _good, _packed, _recovers, _recovers, _broken, _broken, _broken, _wrong, _wrong, _shut, _shut,
    _selfish,
)  # fmt: skip


def compose(origin: Origin, random: Random) -> Scenario:
    """A site of a few sitemaps, each with a trick of its own; sometimes all of them play fair."""
    scenario = Scenario(origin.url + random.choice(("", "", "/sitemap.xml")))
    fair = random.random() < 0.2
    children = [f"/{number}.xml" for number in range(random.randrange(5))]
    body = index(*("{origin}" + child for child in children)) if children else urlset("{origin}/", "{origin}/a")
    _put(origin, random, scenario, "/sitemap.xml", body, fair=fair or random.random() < 0.4)
    for child in children:
        _put(origin, random, scenario, child, urlset(f"{{origin}}{child}.html"), fair=fair)
    if random.random() < 0.7:
        kind = _put(origin, random, Scenario(""), "/robots.txt", "Sitemap: {origin}/sitemap.xml\n", fair=fair)
        scenario.kinds.add(FINE if kind == FINE else OPEN)
        scenario.told.append(f"robots.txt {kind}")
    if random.random() < 0.3 and not fair:
        _put(origin, random, scenario, "/", '<link rel="sitemap" href="/sitemap.xml">', fair=False)
        scenario.kinds.add(OPEN)
    scenario.paths += len(children)
    if random.random() < 0.25:
        _put_pages(origin, random, scenario, ["/", "/a", *(f"{child}.html" for child in children)])
    return scenario


def _put_pages(origin: Origin, random: Random, scenario: Scenario, paths: list[str]) -> None:
    """The listed pages are asked for as well, and they play tricks too."""
    scenario.options.append("--pages")
    scenario.kinds.add(OPEN)
    scenario.paths += len(paths)
    for path in paths:
        _put(origin, random, scenario, path, _PAGE, fair=False)


def _put(origin: Origin, random: Random, scenario: Scenario, path: str, body: str, *, fair: bool) -> str:
    trick = _good if fair else random.choice(_TRICKS)
    kind, replies = trick(random, path, body)
    origin.sequence(path, *replies)
    scenario.kinds.add(kind)
    scenario.told.append(f"{path} {trick.__name__} {[getattr(reply, 'status', 'fault') for reply in replies]}")
    return kind
