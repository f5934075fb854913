"""What only shows when a server tries: connections that will close, bodies of redirects, names that take their time."""

from __future__ import annotations

import os
import socket
import time
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, index, urlset
from origins import (
    OK,
    Answer,
    Fault,
    Origin,
    bomb,
    close,
    drip,
    drip_headers,
    fake_network,
    reset,
    send,
    truncated_chunked,
)

SITEMAP = urlset("{origin}/")
AT_ONCE = ("--timeout", "1", "--retries", "0")


def later(origin: Origin, seconds: float, body: str) -> Fault:
    return send(b"", [Answer(200, body, {"Connection": "close"}).encode(origin.url)], seconds)


@pytest.mark.parametrize("head", [b"Connection: close\r\n\r\n", b"Connection: close\r\nContent-Length: 99\r\n\r\n"])
def test_a_connection_that_will_close_keeps_to_the_deadline(run: Run, origin: Origin, head: bytes) -> None:
    origin.fault("/sitemap.xml", drip(OK + head, b"x" * 60, 0.1))
    start = time.monotonic()
    outcome = run(f"{origin.url}/sitemap.xml", *AT_ONCE)
    assert time.monotonic() - start < 4
    assert outcome.rules() == ["fetch-failed"]
    assert "within 1 second." in outcome.finding("fetch-failed")["message"]


@pytest.mark.parametrize("stall", [drip_headers(0.05), send(b"HTTP/1.1 200 OK\r\n", repeat(b"X: y\r\n"), 0.05)])
def test_headers_that_never_end_are_no_empty_document(run: Run, origin: Origin, stall: Fault) -> None:
    origin.fault("/sitemap.xml", stall)
    assert run(f"{origin.url}/sitemap.xml", "--timeout", "0.5", "--retries", "0").rules() == ["fetch-failed"]


def test_an_answer_that_ends_within_its_headers_is_a_failure(run: Run, origin: Origin) -> None:
    origin.fault("/sitemap.xml", send(b"HTTP/1.1 200 OK\r\nContent-Type: applica"))
    assert run(f"{origin.url}/sitemap.xml", "--retries", "0").rules() == ["fetch-failed"]


@pytest.mark.parametrize("to", ["http://[::1", "http://[", "//[x"])
def test_a_redirect_to_half_an_address_is_refused(run: Run, origin: Origin, to: str) -> None:
    origin.redirect("/sitemap.xml", to)
    assert run(f"{origin.url}/sitemap.xml").rules() == ["fetch-refused"]


def test_a_location_in_latin_1_is_followed(run: Run, origin: Origin) -> None:
    origin.fault("/sitemap.xml", send(b"HTTP/1.1 301 Moved\r\nLocation: /gr\xf6\xdfe.xml\r\nContent-Length: 0\r\n\r\n"))
    origin.put("/gr%C3%B6%C3%9Fe.xml", SITEMAP)
    outcome = run(f"{origin.url}/sitemap.xml")
    assert outcome.report["documents"][0]["final_url"] == f"{origin.url}/gr%C3%B6%C3%9Fe.xml"
    assert outcome.report["urls"] == 1


ENDLESS = send(b"HTTP/1.1 301 Moved\r\nLocation: /ok.xml\r\nConnection: close\r\n\r\n", repeat(b"x" * 65536))


@pytest.mark.parametrize("body", ["bomb", "endless"])
def test_the_body_of_a_redirect_is_neither_read_nor_inflated(run: Run, origin: Origin, body: str) -> None:
    if body == "bomb":
        headers = {"Location": "/ok.xml", "Content-Encoding": "gzip"}
        origin.put("/sitemap.xml", bomb(200 << 20), status=301, headers=headers)
    else:
        origin.fault("/sitemap.xml", ENDLESS)
    origin.put("/ok.xml", SITEMAP)
    start = time.monotonic()
    assert run(f"{origin.url}/sitemap.xml", "--timeout", "30").rules() == ["sitemap-redirects"]
    assert time.monotonic() - start < 10


def test_a_deadline_cuts_its_own_connection_only(run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hop's connection is free for others while the second hop waits for its name server."""
    fake_network(monkeypatch, {}, {})
    real = socket.getaddrinfo

    def resolve(host: Any, *more: Any, **named: Any) -> Any:
        if host == "slow.test-zone.net":
            time.sleep(1.6)
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        return real(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with Origin() as other:
        origin.put("/sitemap.xml", index("{origin}/a.xml", other.url + "/c.xml", "{origin}/b.xml"))
        origin.redirect("/a.xml", "http://slow.test-zone.net/")
        other.fault("/c.xml", later(origin, 0.4, SITEMAP))
        origin.fault("/b.xml", later(origin, 0.85, urlset("{origin}/b")))
        outcome = run(f"{origin.url}/sitemap.xml", *AT_ONCE, "--concurrency", "2")
    failed = [f["url"] for f in outcome.report["findings"] if f["rule"] == "index-child-unreachable"]
    assert f"{origin.url}/a.xml" in failed
    assert f"{origin.url}/b.xml" not in failed


def test_a_chunked_body_without_its_end_is_said_to_be_cut_short(run: Run, origin: Origin) -> None:
    origin.fault("/sitemap.xml", truncated_chunked(b"<urlset"))
    assert "cut short" in run(f"{origin.url}/sitemap.xml", "--retries", "0").finding("fetch-failed")["message"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files as Linux shows them")
def test_the_end_of_a_run_closes_idle_connections(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "Sitemap: {origin}/cut.xml\nSitemap: {origin}/sitemap.xml")
    origin.fault("/cut.xml", send(b""))
    origin.put("/sitemap.xml", SITEMAP)
    run(origin.url, "--retries", "0")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        run(origin.url, "--retries", "0")
    time.sleep(0.3)  # the server's side of them is in this process, too
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def test_a_name_server_that_does_not_answer_keeps_to_the_deadline(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_arguments: Any, **_named: Any) -> Any:
        time.sleep(3)
        raise socket.gaierror(socket.EAI_NONAME, "no such name")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    start = time.monotonic()
    outcome = run("http://x.test-zone.net", "--timeout", "0.5", "--retries", "0")
    assert outcome.exit_code == 3
    assert time.monotonic() - start < 2.5


@pytest.mark.parametrize("end", [close(), reset()])
def test_a_kept_connection_that_was_closed_meanwhile_costs_no_retry(run: Run, origin: Origin, end: Fault) -> None:
    """The server hangs up on the first request of each kept connection; a new one is answered."""
    asked: list[int] = []

    def hang_up_once(connection: socket.socket, stop: Any) -> None:
        asked.append(1)
        if len(asked) == 1:
            end(connection, stop)
        else:
            connection.sendall(Answer(200, SITEMAP, {"Connection": "close"}).encode(origin.url))

    origin.fault("/sitemap.xml", hang_up_once)
    assert run(f"{origin.url}/sitemap.xml", "--retries", "0").rules() == []
    assert len(asked) == 2


def test_headers_of_one_name_are_joined(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", SITEMAP)
    headers = ("X-A: 1", "x-a: 2", "Cookie: a=1", "Cookie: b=2")
    run(origin.url, *(part for header in headers for part in ("--header", header)))
    sent = origin.requests[-1].headers
    assert (sent["x-a"], sent["cookie"]) == ("1, 2", "a=1; b=2")


def test_cookies_of_the_server_are_not_kept(run: Run, origin: Origin) -> None:
    origin.put("/robots.txt", "", type="text/plain", headers={"Set-Cookie": "session=1; Path=/"})
    origin.put("/sitemap.xml", SITEMAP)
    run(origin.url)
    assert not [request for request in origin.requests if "cookie" in request.headers]


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Length: 999\r\n\r\nshort",
        b"Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        b"Content-Length: 9999999999\r\n\r\n" + b"x" * 500_000,
    ],
)
def test_the_page_of_an_error_may_be_cut_short_or_endless(run: Run, origin: Origin, body: bytes) -> None:
    origin.fault("/sitemap.xml", send(b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n" + body))
    assert run(f"{origin.url}/sitemap.xml").rules() == ["http-status-not-ok"]
    assert origin.count("/sitemap.xml") == 1


def test_our_own_full_disk_is_not_the_failure_of_a_sitemap(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sitemap_action.net.answer._IN_MEMORY", 1000)

    class Full:
        def __enter__(self) -> Full:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def write(self, data: object) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            pass

    monkeypatch.setattr("tempfile.TemporaryFile", lambda **_options: Full())
    origin.put("/sitemap.xml", urlset(*(f"{{origin}}/{n}" for n in range(5000)), "{origin}/7"))
    outcome = run(origin.url)
    assert outcome.rules() == ["loc-repeated"]
    assert outcome.report["urls"] == 5001


def test_a_silent_address_leaves_time_for_the_next_one(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first address takes connections and never answers them: a listening socket whose queue is full."""
    silent = socket.socket()
    silent.bind(("127.0.0.1", 0))
    silent.listen(0)
    queue = [socket.socket() for _ in range(3)]
    for waiting in queue:
        waiting.setblocking(False)
        waiting.connect_ex(silent.getsockname())
    fake_network(
        monkeypatch,
        {"www.acme-live.net": [["93.184.216.34", "93.184.216.35"]]},
        {"93.184.216.34": silent.getsockname(), "93.184.216.35": ("127.0.0.1", origin.port)},
    )
    origin.put("/sitemap.xml", urlset("http://www.acme-live.net/"))
    try:
        outcome = run("http://www.acme-live.net/sitemap.xml", "--timeout", "2", "--retries", "0", "--concurrency", "1")
    finally:
        for connection in (silent, *queue):
            connection.close()
    assert outcome.report["urls"] == 1


def test_certificates_that_are_not_there_are_a_usage_error(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/no/such/file.pem")
    outcome = run(origin.url)
    assert outcome.exit_code == 2
    assert "/no/such/file.pem" in outcome.stderr
