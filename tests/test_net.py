"""Asking servers: deadlines, retries and connections, seen from both ends of the wire."""

from __future__ import annotations

import email.utils
import gc
import os
import socket
import threading
import time
from datetime import datetime, timedelta, timezone
from itertools import pairwise, repeat
from pathlib import Path

import pytest
from conftest import Run, index, urlset
from origins import (
    OK,
    Answer,
    Fault,
    Origin,
    drip,
    fake_network,
    garbage,
    reset,
    send,
    silence,
    truncated,
    truncated_chunked,
)
from origins import close as hang_up

SITEMAP = urlset("{origin}/")
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
FDS = Path("/proc/self/fd")
SLACK = 8.0  # seconds that a slow machine may take for what needs none


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.01)


def later(origin: Origin, seconds: float, body: str = SITEMAP) -> Fault:
    """A good answer that takes its time."""
    return send(b"", [Answer(200, body, {"Connection": "close"}).encode(origin.url)], seconds)


def times(origin: Origin, path: str) -> list[float]:
    return [request.at for request in origin.requests if request.path == path]


def assert_settled(files: int) -> None:
    """No thread of ours is left, and in a moment, when the server has noticed, no connection either."""
    assert not [thread for thread in threading.enumerate() if thread.name.startswith(("deadlines", "fetch"))]
    gc.collect()  # urllib3 closes idle connections when a pool is collected
    end = time.monotonic() + SLACK
    while FDS.exists() and len(os.listdir(FDS)) > files and time.monotonic() < end:
        time.sleep(0.02)
    assert not FDS.exists() or len(os.listdir(FDS)) <= files


# Deadlines

STALLS: dict[str, Answer | Fault] = {
    "a body that drips": drip(OK + b"Content-Length: 9999\r\n\r\n", b"x" * 999, 0.05),
    "chunks without end": send(CHUNKED, repeat(b"1\r\nx\r\n"), 0.05),
    "interim answers without end": send(b"", repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), 0.05),
    "silence": silence(),
    "silence after a redirect": Answer(301, "", {"Location": "/silence"}),
}


def test_every_kind_of_stalling_ends_with_the_deadline_and_the_rest_is_judged(run: Run, origin: Origin) -> None:
    named = ["sitemap.xml", *(f"{number}.xml" for number in range(len(STALLS)))]
    origin.put("/robots.txt", "".join(f"Sitemap: {{origin}}/{name}\n" for name in named), type="text/plain")
    origin.put("/sitemap.xml", SITEMAP)
    origin.fault("/silence", silence())
    for number, stall in enumerate(STALLS.values()):
        origin.sequence(f"/{number}.xml", stall)
    files = len(os.listdir(FDS)) if FDS.exists() else 0
    start = time.monotonic()
    outcome = run(origin.url, "--timeout", "1", "--retries", "0")
    assert 0.9 < time.monotonic() - start < 1 + SLACK
    found = {f["document"]: (f["rule"], f["message"]) for f in outcome.report["findings"]}
    for number, name in enumerate(STALLS):
        rule, message = found.pop(f"{origin.url}/{number}.xml")
        assert (rule, "within 1 second" in message) == ("fetch-failed", True), (name, message)
    assert not found
    assert (outcome.exit_code, outcome.report["urls"]) == (1, 1)
    assert_settled(files)


@pytest.mark.parametrize("stall", [silence(), drip(CHUNKED + b"ff\r\n", b"x" * 99, 0.05)])
def test_an_origin_that_only_stalls_is_inconclusive(run: Run, origin: Origin, stall: Fault) -> None:
    origin.fault("/robots.txt", stall)
    origin.fault("/sitemap.xml", stall)
    files = len(os.listdir(FDS)) if FDS.exists() else 0
    start = time.monotonic()
    outcome = run(f"{origin.url}/sitemap.xml", "--timeout", "0.4", "--retries", "0")
    assert time.monotonic() - start < 1 + SLACK
    assert (outcome.exit_code, outcome.report["verdict"]) == (3, "inconclusive")
    assert "within 0.4 seconds" in outcome.stdout
    assert_settled(files)


def test_each_try_has_a_deadline_of_its_own(run: Run, origin: Origin) -> None:
    origin.sequence("/sitemap.xml", silence(), Answer(200, SITEMAP))
    outcome = run(f"{origin.url}/sitemap.xml", "--timeout", "1", "--retries", "1")
    assert (outcome.exit_code, origin.count("/sitemap.xml")) == (0, 2)


# Retries


@pytest.mark.parametrize(
    "first",
    [
        *(Answer(status) for status in (502, 503, 504)),
        hang_up(),
        reset(),
        truncated(b"<urlset", 5000),
        truncated_chunked(b"<urlset"),
        garbage(b"\x00\x01\r\n\r\n"),
    ],
)
def test_what_may_pass_is_tried_again(run: Run, origin: Origin, first: Answer | Fault) -> None:
    origin.sequence("/sitemap.xml", first, first, Answer(200, SITEMAP))
    outcome = run(f"{origin.url}/sitemap.xml")
    assert (outcome.exit_code, outcome.rules(), origin.count("/sitemap.xml")) == (0, [], 3)
    assert outcome.report["documents"][0]["http_status"] == 200


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_there_are_so_many_retries_and_no_more(run: Run, origin: Origin, retries: int) -> None:
    origin.put("/sitemap.xml", "", status=503)
    outcome = run(f"{origin.url}/sitemap.xml", "--retries", str(retries))
    assert origin.count("/sitemap.xml") == retries + 1
    assert (outcome.exit_code, outcome.rules()) == (1, ["http-status-not-ok"])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500, 501])
def test_an_answer_that_will_stay_is_not_asked_for_again(run: Run, origin: Origin, status: int) -> None:
    origin.put("/sitemap.xml", "", status=status)
    run(f"{origin.url}/sitemap.xml")
    assert origin.count("/sitemap.xml") == 1


@pytest.mark.parametrize("cut", [truncated(b"<urlset", 5000), truncated_chunked(b"<urlset")])
def test_half_a_body_is_no_sitemap(run: Run, origin: Origin, cut: Fault) -> None:
    origin.fault("/sitemap.xml", cut)
    outcome = run(f"{origin.url}/sitemap.xml", "--retries", "1")
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-failed"])
    assert origin.count("/sitemap.xml") == 2


def test_pauses_between_tries_grow(run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.15)
    origin.sequence("/sitemap.xml", Answer(503), Answer(503), Answer(200, SITEMAP))
    assert run(f"{origin.url}/sitemap.xml").exit_code == 0
    first, second = [later - sooner for sooner, later in pairwise(times(origin, "/sitemap.xml"))]
    assert first > 0.14
    assert second > 0.28


def test_a_host_that_asks_for_a_pause_gets_it_for_all_of_its_sitemaps(run: Run, origin: Origin) -> None:
    """The third one is free to start when the second arrives, half a second before the pause is over."""
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{name}.xml" for name in "abc")))
    origin.sequence("/a.xml", Answer(429, "", {"Retry-After": "1"}), Answer(200, SITEMAP))
    origin.fault("/b.xml", later(origin, 0.5, urlset("{origin}/b")))
    origin.put("/c.xml", urlset("{origin}/c"))
    outcome = run(f"{origin.url}/sitemap.xml", "--concurrency", "2")
    assert (outcome.exit_code, outcome.report["urls"]) == (0, 3)
    refused, again = times(origin, "/a.xml")
    assert again - refused > 0.95
    assert times(origin, "/c.xml")[0] - refused > 0.95


def test_retry_after_may_be_a_date(run: Run, origin: Origin) -> None:
    moment = datetime.now(timezone.utc) + timedelta(seconds=2)  # whole seconds: one at least is left
    date = email.utils.format_datetime(moment, usegmt=True)
    origin.sequence("/sitemap.xml", Answer(503, "", {"Retry-After": date}), Answer(200, SITEMAP))
    assert run(f"{origin.url}/sitemap.xml").exit_code == 0
    first, second = times(origin, "/sitemap.xml")
    assert second - first > 0.8


@pytest.mark.parametrize("value", ["3600", "Fri, 31 Dec 2100 23:59:59 GMT", "9" * 300])
def test_a_server_that_wants_too_much_patience_is_asked_no_second_time(run: Run, origin: Origin, value: str) -> None:
    origin.put("/sitemap.xml", "", status=429, headers={"Retry-After": value})
    start = time.monotonic()
    outcome = run(f"{origin.url}/sitemap.xml")
    assert time.monotonic() - start < SLACK
    assert (outcome.exit_code, origin.count("/sitemap.xml")) == (3, 1)


@pytest.mark.parametrize("value", ["0", "Sat, 01 Jan 2000 00:00:00 GMT", "soon", "-1", "1.5", ""])
def test_a_retry_after_that_asks_for_no_pause_is_no_hindrance(run: Run, origin: Origin, value: str) -> None:
    origin.sequence("/sitemap.xml", Answer(503, "", {"Retry-After": value}), Answer(200, SITEMAP))
    start = time.monotonic()
    assert run(f"{origin.url}/sitemap.xml").exit_code == 0
    assert time.monotonic() - start < SLACK


# Connections


def test_connections_are_used_again(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(20))))
    for n in range(20):
        origin.put(f"/{n}.xml", urlset(f"{{origin}}/{n}"))
    assert run(origin.url, "--concurrency", "2").exit_code == 0
    assert len(origin.requests) > 20
    assert origin.connections <= 3


@pytest.mark.parametrize(
    ("options", "fewest", "most"), [(["--concurrency", "1"], 1, 1), (["--concurrency", "2"], 2, 2), ([], 3, 8)]
)
def test_concurrency_is_kept_to(run: Run, origin: Origin, options: list[str], fewest: int, most: int) -> None:
    origin.delay = 0.05
    origin.put("/sitemap.xml", index(*(f"{{origin}}/{n}.xml" for n in range(10))))
    for n in range(10):
        origin.put(f"/{n}.xml", urlset(f"{{origin}}/{n}"))
    assert run(origin.url, *options).report["urls"] == 10
    assert fewest <= origin.most_at_once <= most


def test_documents_are_reported_in_listing_order_however_they_arrive(run: Run, origin: Origin) -> None:
    names = [f"{{origin}}/{n}.xml" for n in range(6)]
    origin.put("/sitemap.xml", index(*names))
    for n in range(6):
        origin.fault(f"/{n}.xml", later(origin, 0.3 - 0.05 * n, urlset(f"{{origin}}/{n}")))
    documents = run(f"{origin.url}/sitemap.xml").report["documents"]
    assert [d["location"] for d in documents[1:]] == [name.replace("{origin}", origin.url) for name in names]


# No HTTP at all


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (garbage(b"\x00\xff\x00\xff\r\n\r\n"), "not HTTP"),
        (garbage(b"SSH-2.0-OpenSSH_9.6\r\n"), "not HTTP"),
        (garbage(b"HTTP/1.1 abc OK\r\n\r\n"), "not HTTP"),
        (garbage(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n"), "not HTTP"),
        (garbage(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n"), "not HTTP"),
        (hang_up(), "closed without an answer"),
        (reset(), "reset"),
    ],
)
def test_a_server_that_speaks_no_http_is_inconclusive(run: Run, origin: Origin, fault: Fault, said: str) -> None:
    origin.fault("/robots.txt", fault)
    origin.fault("/sitemap.xml", fault)
    outcome = run(f"{origin.url}/sitemap.xml", "--retries", "0")
    assert (outcome.exit_code, outcome.report["verdict"]) == (3, "inconclusive")
    assert said in outcome.stdout


def test_a_host_that_is_not_there_is_asked_once_and_inconclusive(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    outcome = run(f"http://127.0.0.1:{port}", "--retries", "0")
    assert (outcome.exit_code, "refused" in outcome.stdout) == (3, True)
    network = fake_network(monkeypatch, {}, {})
    outcome = run("http://nowhere.example")
    assert (outcome.exit_code, "cannot be resolved" in outcome.stdout) == (3, True)
    assert network.resolved == ["nowhere.example"]
