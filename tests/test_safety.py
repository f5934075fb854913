"""Nothing that a server says leads us astray: byte caps, bombs, addresses that are not public, certificates."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Run, index, urlset
from front_door import clock_of, knock, needs_faketime, surroundings
from origins import LOOPBACK, Answer, Origin, fake_network

from sitemap_action.net.addresses import Refused, Resolver
from sitemap_action.values.hosts import is_public

SITEMAP = urlset("{origin}/")
PUBLIC, SECOND = "93.184.216.34", "93.184.216.35"
# For each kind of address that is none of ours: where a name of a stranger may lead.
FORBIDDEN = {
    "private10": ["10.0.0.5"],
    "private172": ["172.31.255.1"],
    "private192": ["192.168.1.1"],
    "shared": ["100.64.0.1"],
    "metadata": ["169.254.169.254"],
    "loopback": ["127.0.0.1"],
    "this": ["0.0.0.0"],
    "azure": ["168.63.129.16"],
    "multicast": ["224.0.0.1"],
    "broadcast": ["255.255.255.255"],
    "loopback6": ["::1"],
    "any6": ["::"],
    "unique-local": ["fd00::1"],
    "link-local": ["fe80::1"],
    "site-local": ["fec0::1"],
    "multicast6": ["ff02::1"],
    "mapped": ["::ffff:127.0.0.1"],
    "nat64": ["64:ff9b::7f00:1"],
    "sixtofour": ["2002:7f00:1::"],
    "teredo": ["2001:0:7f00:1::"],
    "mixed": [PUBLIC, "10.0.0.5"],
    "mixed6": [PUBLIC, "::1"],
}


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_action.net.client._FIRST_PAUSE", 0.01)


# Addresses


@pytest.mark.parametrize("address", [a for answers in FORBIDDEN.values() for a in answers if a != PUBLIC])
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("1.1.1.1", True), ("93.184.216.34", True), ("172.15.0.1", True), ("172.32.0.1", True), ("100.128.0.1", True),
        ("168.63.129.15", True), ("2606:4700::1111", True), ("2a00:1450:4001::8a", True), ("::ffff:1.1.1.1", True),
        ("172.16.0.0", False), ("100.127.255.255", False), ("198.18.0.1", False), ("192.0.2.1", False),
        ("203.0.113.9", False), ("240.0.0.1", False), ("239.255.255.255", False), ("fe80::1%eth0", False),
        ("::ffff:10.0.0.1", False), ("::ffff:a9fe:a9fe", False), ("64:ff9b:1::1", False), ("2001:db8::1", False),
        ("fdff::1", False), ("febf::1", False), ("feff::1", False), ("100::1", False), ("3fff::1", False),
    ],
)  # fmt: skip
def test_addresses_that_all_of_the_internet_shares_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_the_resolver_vets_strangers_and_takes_typed_hosts_on_any_port() -> None:
    resolver = Resolver(frozenset({"127.0.0.1"}))
    for port in (1, 80, 65535):
        assert resolver.endpoints("127.0.0.1", port)[0].address == ("127.0.0.1", port)
        for stranger in ("127.0.0.2", "[::1]", "::ffff:127.0.0.1", "0"):
            with pytest.raises((Refused, OSError)):
                resolver.endpoints(stranger, port)


def lead_by(way: str, origin: Origin, names: list[str]) -> None:
    """Lead the program to a URL of each name, in one of the ways that a site has."""
    there = [f"http://{name}/sitemap.xml" for name in names]
    origin.put("/sitemap.xml", SITEMAP)
    if way == "robots.txt":
        origin.put("/robots.txt", "".join(f"Sitemap: {url}\n" for url in there), type="text/plain")
    elif way == "index":
        origin.put("/sitemap.xml", index(*there))
    elif way == "link":
        origin.put("/", "".join(f'<link rel="sitemap" href="{url}">' for url in there), type="text/html")
    elif way == "pages":
        origin.put("/sitemap.xml", urlset(*there))
    else:
        origin.put("/sitemap.xml", index(*(f"{{origin}}/{number}.xml" for number in range(len(there)))))
        for number, url in enumerate(there):
            origin.redirect(f"/{number}.xml", url)


@pytest.mark.parametrize("way", ["robots.txt", "index", "redirect", "link", "pages"])
def test_nothing_on_a_site_leads_to_an_address_that_is_not_public(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """The only address that is contacted is the one of the target."""
    names = {f"{name}.test-zone.net": [answers] for name, answers in FORBIDDEN.items()}
    site = {"www.target.net": [[PUBLIC]]}
    network = fake_network(monkeypatch, names | site, {PUBLIC: (LOOPBACK, origin.port)})
    origin.url = "http://www.target.net"
    for some in (list(names)[:10], list(names)[10:20], list(names)[20:]):  # of hosts of pages ten are asked
        lead_by(way, origin, some)
        outcome = run("http://www.target.net", "--max-findings", "0")
        assert set(network.connected) == {PUBLIC}
        assert set(some) <= set(network.resolved)
        if way not in ("link", "pages"):
            assert outcome.exit_code == 1
            messages = [f["message"] for f in outcome.report["findings"] if f["rule"] == "fetch-refused"]
            assert all(name in message for name, message in zip(some, messages, strict=True))
    assert not {request.headers["host"] for request in origin.requests} - {"www.target.net"}


def test_a_typed_loopback_does_not_open_its_other_names(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = ["localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "0x7f.1", "own.test-zone.net"]
    names = {name: [["127.0.0.1"]] for name in ("localhost", "0x7f.1", "own.test-zone.net")}
    itself = {address: [[address]] for address in ("0.0.0.0", "::ffff:127.0.0.1", "::ffff:7f00:1")}
    fake_network(monkeypatch, names | itself, {})
    lead_by("robots.txt", origin, [f"{host}:{origin.port}" for host in hosts])
    outcome = run(origin.url)
    assert (outcome.exit_code, outcome.rules().count("fetch-refused")) == (1, len(hosts))
    assert {request.headers["host"] for request in origin.requests} == {origin.host_port}


@pytest.mark.parametrize("options", [["--allow-host", "localhost"], ["--site-url", "http://localhost"]])
def test_a_private_host_that_the_user_names_is_asked_on_any_port(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    fake_network(monkeypatch, {"localhost": [["127.0.0.1"]]}, {})
    origin.put("/robots.txt", f"Sitemap: http://localhost:{origin.port}/named.xml\n", type="text/plain")
    origin.put("/named.xml", urlset("http://localhost/"))
    outcome = run(origin.url, *options)
    assert "fetch-refused" not in outcome.rules()
    assert f"localhost:{origin.port}" in {request.headers["host"] for request in origin.requests}
    assert outcome.report["urls"] == 1


def test_a_typed_host_may_be_private_on_any_port(run: Run, origin: Origin) -> None:
    with Origin() as other:
        origin.put("/robots.txt", f"Sitemap: {other.url}/elsewhere.xml\n", type="text/plain")
        other.put("/elsewhere.xml", urlset(f"{origin.url}/"))
        outcome = run(origin.url)
        assert other.count("/elsewhere.xml") == 1
        assert outcome.report["urls"] == 1


@pytest.mark.parametrize("is_up", [True, False])
def test_a_name_that_changes_its_address_is_not_followed_inside(
    run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch, is_up: bool
) -> None:
    """If the vetted address answers, it is used throughout; if not, the next one is vetted again."""
    with Origin() as outside, Origin() as inside:
        inside.fallback = Answer(200, "secret", type="text/plain")
        closed = inside.port if is_up else 1
        serve = {PUBLIC: (LOOPBACK, origin.port), SECOND: (LOOPBACK, outside.port if is_up else closed)}
        names = {"www.target.net": [[PUBLIC]], "flip.test-zone.net": [[SECOND], ["127.0.0.1"]]}
        network = fake_network(monkeypatch, names, serve)
        urls = [f"http://flip.test-zone.net:{inside.port}/{n}.xml" for n in range(4)]
        origin.put("/robots.txt", "".join(f"Sitemap: {url}\n" for url in urls), type="text/plain")
        for n in range(4):
            outside.put(f"/{n}.xml", SITEMAP, headers={"Connection": "close"})
        outcome = run("http://www.target.net", "--concurrency", "1")
        assert set(network.connected) == {PUBLIC, SECOND}
        assert not inside.connections
        assert is_up == (len(outside.requests) >= 4)
        assert is_up == ("fetch-refused" not in outcome.rules())


# TLS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that nobody has signed, for 127.0.0.1, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("needs openssl")
    folder = tmp_path_factory.mktemp("tls")
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem"]
    subprocess.run([openssl, "req", "-x509", *key, "-out", "cert.pem", "-days", "2", *names], cwd=folder, check=True, capture_output=True)  # fmt: skip
    return folder / "cert.pem", folder / "key.pem"


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[Origin]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with Origin(context) as server:
        server.put("/sitemap.xml", SITEMAP)
        yield server


def test_a_certificate_that_is_not_trusted_is_inconclusive(run: Run, secure: Origin) -> None:
    outcome = run(secure.url)
    assert (outcome.exit_code, outcome.report["verdict"]) == (3, "inconclusive")
    assert "certificate is not trusted: self" in outcome.stdout
    assert not secure.requests
    assert secure.connections == 1


@needs_faketime
@pytest.mark.parametrize(("year", "words"), [(1970, "is not yet valid"), (2100, "has expired")])
def test_with_a_wrong_clock_a_certificate_is_no_fault_of_the_site(
    secure: Origin, certificate: tuple[Path, Path], year: int, words: str
) -> None:
    variables = {"REQUESTS_CA_BUNDLE": str(certificate[0]), **clock_of(year)}
    ran = knock(secure.url, "--retries", "0", python=("-W", "error"), env=surroundings(**variables))
    assert (ran.returncode, words in ran.stdout) == (3, True)
    (line,) = ran.stderr.splitlines()
    assert line.startswith("The clock of this machine is wrong")


@pytest.mark.parametrize("variable", ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"])
def test_authorities_of_the_environment_are_trusted(
    run: Run, secure: Origin, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, str(certificate[0]))
    assert run(secure.url).exit_code == 0
    fake_network(monkeypatch, {"localhost": [["127.0.0.1"]]}, {})
    outcome = run(f"https://localhost:{secure.port}")
    assert (outcome.exit_code, "certificate" in outcome.stdout) == (3, True)


def test_plain_http_behind_https_is_inconclusive(run: Run, origin: Origin) -> None:
    outcome = run(origin.url.replace("http:", "https:"), "--retries", "0")
    assert (outcome.exit_code, "TLS" in outcome.stdout) == (3, True)
