"""Bodies of any size and any bytes: caps, gzip and its bombs, and a verdict whatever was sent."""

from __future__ import annotations

import gzip
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Outcome, Run, index, urlset
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from origins import OK, Origin, bomb, endless, fake_network, send

from sitemap_action.net.pace import retry_after

SITEMAP = urlset("{origin}/")


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.01)


# Bytes


def test_a_body_that_is_announced_as_too_large_is_not_waited_for(run: Run, origin: Origin) -> None:
    origin.fault("/sitemap.xml", send(OK + b"Content-Length: 1000001\r\n\r\n", [b"x"], 30))
    start = time.monotonic()
    outcome = run(f"{origin.url}/sitemap.xml", "--max-bytes", "1000000")
    assert time.monotonic() - start < 8
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-refused"])
    assert "1,000,001 bytes" in outcome.stdout
    assert origin.count("/sitemap.xml") == 1


@pytest.mark.parametrize("head", [b"Connection: close\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n"])
def test_an_endless_body_is_cut_at_the_cap(run: Run, origin: Origin, head: bytes) -> None:
    block = b" " * 65536
    chunk = block if b"close" in head else b"10000\r\n" + block + b"\r\n"
    origin.fault("/sitemap.xml", send(OK + head, [chunk] * 100_000))
    outcome = run(f"{origin.url}/sitemap.xml", "--max-bytes", "3000000")
    assert (outcome.exit_code, outcome.rules()) == (1, ["fetch-refused"])
    assert "more than 3,000,000 bytes" in outcome.stdout
    assert origin.count("/sitemap.xml") == 1


def test_a_body_of_exactly_the_cap_is_read(run: Run, origin: Origin) -> None:
    body = urlset(f"{origin.url}/").encode()
    origin.put("/sitemap.xml", body)
    assert run(f"{origin.url}/sitemap.xml", "--max-bytes", str(len(body))).exit_code == 0
    assert run(f"{origin.url}/sitemap.xml", "--max-bytes", str(len(body) - 1)).rules() == ["fetch-refused"]


def test_endless_robots_and_home_pages_are_read_to_a_point(run: Run, origin: Origin) -> None:
    origin.fault("/robots.txt", endless(b"Sitemap: /named.xml\n" + b"#" * 65516))
    origin.fault("/", endless(b"<link rel=sitemap href=/linked.xml>" + b" " * 65501))
    origin.put("/named.xml", SITEMAP)
    origin.put("/linked.xml", urlset("{origin}/2"))
    outcome = run(origin.url)
    assert {d["location"]: d["found_by"] for d in outcome.report["documents"]} == {
        f"{origin.url}/named.xml": ["robots.txt"],
        f"{origin.url}/linked.xml": ["link"],
    }
    assert "robots-unreadable" in outcome.rules()


MEASURED = """
import sys
from sitemap_action.cli import main
try:
    main()
finally:
    print(open("/proc/self/status").read(), file=sys.stderr)
"""
tells_peaks = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")


def measured(folder: Path, *arguments: str) -> tuple[Outcome, int]:
    """The command in a process of its own, and the kilobytes of its peak."""
    command = [sys.executable, "-c", MEASURED, *arguments, "--format", "json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, text=True, timeout=100)
    peak = next(int(line.split()[1]) for line in done.stderr.splitlines() if line.startswith("VmHWM"))
    return Outcome(done.returncode, done.stdout, done.stderr), peak


@tells_peaks
@pytest.mark.parametrize("headers", [{}, {"Content-Encoding": "gzip"}])
def test_a_gzip_bomb_ends_quickly_and_in_little_memory(origin: Origin, tmp_path: Path, headers: dict[str, str]) -> None:
    """200 MiB would show."""
    origin.put("/sitemap.xml.gz", bomb(200 << 20), headers=headers)
    origin.put("/robots.txt", bomb(200 << 20), headers={"Content-Encoding": "gzip"})
    start = time.monotonic()
    outcome, peak = measured(tmp_path, f"{origin.url}/sitemap.xml.gz", "--max-bytes", "10000000")
    assert time.monotonic() - start < 20
    assert outcome.exit_code == 1, outcome.stderr
    assert "decompression-limit" in outcome.rules()
    assert peak < 160 * 1024


@tells_peaks
@pytest.mark.parametrize("entry", ["{page}", "<url><loc>{page}</loc><lastmod>yesterday</lastmod></url>"])
def test_memory_does_not_grow_with_the_children_of_an_index(origin: Origin, tmp_path: Path, entry: str) -> None:
    """Twenty times the URLs, good ones and such with a finding each: what is kept of them is on the disk."""
    for child in range(40):
        pages = (f"{origin.url}/{child}/{number}" for number in range(10_000))
        origin.put(f"/{child}.xml.gz", gzip.compress(urlset(*(entry.format(page=page) for page in pages)).encode(), 1))
    origin.put("/few.xml", index(*(f"{{origin}}/{child}.xml.gz" for child in range(2))))
    origin.put("/many.xml", index(*(f"{{origin}}/{child}.xml.gz" for child in range(40))))
    few, little = measured(tmp_path, f"{origin.url}/few.xml", "--concurrency", "2")
    many, much = measured(tmp_path, f"{origin.url}/many.xml", "--concurrency", "2")
    assert (few.report["urls"], many.report["urls"]) == (20_000, 400_000)
    assert much < 1.35 * little


@pytest.mark.parametrize(
    ("name", "layers", "encoding", "compressed", "rules"),
    [
        ("a.xml", 0, "", False, []),
        ("a.xml", 0, "identity", False, []),
        ("a.xml", 1, "gzip", True, []),
        ("a.xml", 1, "X-GZip", True, []),
        ("a.xml.gz", 1, "", True, []),
        ("a.xml.gz", 1, "gzip", True, []),
        ("a.xml.gz", 2, "gzip", True, []),
        ("a.xml.gz", 0, "", False, ["gzip-name-mismatch"]),
        ("a.xml", 1, "", True, ["gzip-name-mismatch"]),
        ("a.xml", 2, "gzip", True, ["gzip-name-mismatch"]),
        ("a.xml", 0, "gzip", False, ["gzip-corrupt"]),
        ("a.xml", 0, "br", False, ["compression-unsupported"]),
        ("a.xml", 1, "deflate", False, ["compression-unsupported"]),
    ],
)
def test_gzip_by_file_and_by_header(
    run: Run, origin: Origin, name: str, layers: int, encoding: str, compressed: bool, rules: list[str]
) -> None:
    plain = body = urlset(f"{origin.url}/").encode()
    for _ in range(layers):
        body = gzip.compress(body)
    kind = "application/gzip" if name.endswith(".gz") and layers else "application/xml"
    origin.put(f"/{name}", body, headers={"Content-Encoding": encoding} if encoding else {}, type=kind)
    outcome = run(f"{origin.url}/{name}")
    (document,) = outcome.report["documents"]
    assert outcome.rules() == rules
    if outcome.exit_code == 0:
        assert (document["compressed"], document["bytes"], document["entries"]) == (compressed, len(plain), 1)
        assert {finding["severity"] for finding in outcome.report["findings"]} <= {"notice"}


# Any bytes

relaxed = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
PIECES = [b"Sitemap: ", b"/sitemap.xml", b"http://[", b"<link rel=sitemap href='", b"'>", b"\x1f\x8b\x08", b"<urlset>", b"\n", b"\xff\xfe",
          b"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>", b"</loc></sitemap></sitemapindex>"]  # fmt: skip
soup = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=8)), max_size=10).map(b"".join)


@relaxed
@given(robots=soup, home=soup, sitemap=soup, encoding=st.sampled_from(["", "gzip", "br"]))
def test_any_bodies_end_in_a_verdict(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, robots: bytes, home: bytes, sitemap: bytes, encoding: str
) -> None:
    fake_network(monkeypatch, {}, {})
    headers = {"Content-Encoding": encoding} if encoding else {}
    origin.put("/robots.txt", robots, headers=headers)
    origin.put("/", home, headers=headers)
    origin.put("/sitemap.xml", sitemap, headers=headers)
    assert run(origin.url).exit_code in (0, 1)


HEADERS = [
    "Content-Type",
    "Content-Encoding",
    "Content-Length",
    "Transfer-Encoding",
    "Set-Cookie",
    "X-Vercel-Mitigated",
    "X",
]
values = st.one_of(
    st.sampled_from(
        [
            b"gzip",
            b"gzip, gzip",
            b"br",
            b"0",
            b"-1",
            b"5, 5",
            b"1e3",
            b"9" * 40,
            b"chunked",
            b"text/html;=",
            b";",
            b"a=b; Domain=x",
        ]
    ),
    st.binary(max_size=12).map(lambda value: value.replace(b"\n", b"").replace(b"\r", b"")),
)


@relaxed
@example(200, [("Content-Length", b"9" * 5000)])
@given(
    st.sampled_from([200, 204, 206, 301, 304, 404, 429, 503, 600, 999]),
    st.lists(st.tuples(st.sampled_from(HEADERS), values), max_size=3),
)
def test_any_headers_end_in_a_verdict(run: Run, origin: Origin, status: int, headers: list[tuple[str, bytes]]) -> None:
    lines = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in headers)
    reply = b"HTTP/1.1 %d Some\r\nConnection: close\r\n%b\r\n5\r\nhello\r\n0\r\n\r\n" % (status, lines)
    origin.fault("/robots.txt", send(reply))
    origin.fault("/sitemap.xml", send(reply))
    assert run(f"{origin.url}/sitemap.xml", "--retries", "0", "--timeout", "2").exit_code in (1, 3)


@settings(max_examples=200, deadline=None)
@example("Mon, 01 Jan 99999999999999 00:00:00 GMT")
@example("Mon, 01 Jan 2026 00:00:00 +99999999999999")
@example("Fri, 31 Dec 9999 23:59:59 -2359")
@given(
    st.one_of(st.text(max_size=40), st.from_regex(r"\A\w{3}, \d{1,9} (Jan|Feb) \d{1,20} \d+:\d+:\d+ [+-]\d{1,20}\Z"))
)
def test_any_retry_after_is_a_number_of_seconds_or_nothing(value: str) -> None:
    seconds = retry_after(value)
    assert seconds is None or seconds >= 0
