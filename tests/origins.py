"""Origins for tests: a server that can misbehave, a real nginx, and a fake network in front of them."""

from __future__ import annotations

import contextlib
import http.client
import io
import ipaddress
import os
import shutil
import socket
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import Any, Union

import pytest

LOOPBACK = "127.0.0.1"
XML = "application/xml"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"

Body = Union[str, bytes]
Headers = dict[str, str]
# Is given the connection, after the request was read, and an event that says that the server stops.
Fault = Callable[[socket.socket, threading.Event], None]


@dataclass(frozen=True)
class Answer:
    """A plain answer. `{origin}` in a text or a header stands for the URL of the server; an empty type sends none."""

    status: int = 200
    body: Body = ""
    headers: Headers = field(default_factory=dict)
    type: str = XML

    def encode(self, origin: str) -> bytes:
        """The bytes to send. Headers that are given win over those that follow from the body."""
        body = self.body.replace("{origin}", origin).encode() if isinstance(self.body, str) else self.body
        given = {name.lower() for name in self.headers}
        lines = [f"HTTP/1.1 {self.status} {http.client.responses.get(self.status, 'Unknown')}"]
        lines += [f"{name}: {value.replace('{origin}', origin)}" for name, value in self.headers.items()]
        if self.type and "content-type" not in given:
            lines.append(f"Content-Type: {self.type}")
        if self.status in (204, 304):
            body = b""
        elif not given & {"content-length", "transfer-encoding"}:
            lines.append(f"Content-Length: {len(body)}")
        return "\r\n".join([*lines, "", ""]).encode() + body


@dataclass(frozen=True)
class Request:
    """A request as it arrived; names of headers are in lower case."""

    method: str
    path: str
    headers: Headers
    at: float


def read_request(stream: io.BufferedReader) -> Request | None:
    """The next request; None if the peer has gone, or speaks TLS to a plain port."""
    if not stream.peek(1)[:1].isalpha():
        return None
    method, _, rest = stream.readline().decode("latin-1").partition(" ")
    headers = http.client.parse_headers(stream)
    folded = {name.lower(): ", ".join(headers.get_all(name, [])) for name in headers}
    return Request(method, rest.rpartition(" ")[0], folded, time.monotonic())


class Origin:
    """An HTTP/1.1 server on a free port of this machine. Answers and faults are registered by request target."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.fallback = Answer(404, "not found\n", type="text/plain")
        self.delay = 0.0
        self.knows_head = True  # some servers answer GET only,
        self.head_status = 0  # and some answer HEAD as they like
        self.requests: list[Request] = []
        self.connections = self.most_at_once = self._at_once = 0
        self._tls = tls
        self._replies: dict[str, list[Answer | Fault]] = {}
        self._wires: list[socket.socket] = []
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._listener = socket.create_server((LOOPBACK, 0), backlog=128)
        self._listener.settimeout(0.02)  # a blocked accept cannot be woken on every system
        self.port: int = self._listener.getsockname()[1]
        self.host_port = f"{LOOPBACK}:{self.port}"
        self.url = f"{'https' if tls else 'http'}://{self.host_port}"
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> Origin:
        return self

    def __exit__(self, *_exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop at once, whatever the connections are doing."""
        self._stop.set()
        self._threads[0].join()
        self._listener.close()
        for wire in list(self._wires):
            with contextlib.suppress(OSError):
                # The method of the base class: the one of an SSLSocket drops the TLS that a thread is reading from.
                socket.socket.shutdown(wire, socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def put(self, path: str, body: Body, *, status: int = 200, headers: Headers | None = None, type: str = XML) -> None:
        """Register a plain answer for a path with its query."""
        self.sequence(path, Answer(status, body, headers or {}, type))

    def redirect(self, path: str, to: str, status: int = 301) -> None:
        """Register a redirect."""
        self.put(path, "", status=status, headers={"Location": to}, type="")

    def fault(self, path: str, fault: Fault) -> None:
        """Register a fault; the connection ends with it."""
        self.sequence(path, fault)

    def sequence(self, path: str, *answers: Answer | Fault) -> None:
        """Register what the first request gets, the second and so on; the last one repeats."""
        self._replies[path] = list(answers)

    def count(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(request.path == path for request in list(self.requests))

    def _accept(self) -> None:
        """Give each connection a thread of its own."""
        while not self._stop.is_set():
            with contextlib.suppress(OSError):
                sock, _ = self._listener.accept()
                self.connections += 1
                self._threads.append(threading.Thread(target=self._serve, args=(sock,), daemon=True))
                self._threads[-1].start()

    def _serve(self, sock: socket.socket) -> None:
        """Answer request after request until one side ends the connection. TLS shakes hands at the first read."""
        with contextlib.suppress(OSError), sock:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            tls = self._tls
            wire = tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False) if tls else sock
            with wire, wire.makefile("rb") as stream:
                self._wires.append(wire)  # before it looks at the event, so that close() misses none
                while not self._stop.is_set() and (request := read_request(stream)):
                    if not self._reply(wire, request):
                        break

    def _reply(self, wire: socket.socket, request: Request) -> bool:
        """Send the reply to a request; whether the connection may be used again."""
        reply = self._handle(request)
        if not isinstance(reply, Answer):
            reply(wire, self._stop)
            return False
        wire.sendall(reply.encode(self.url))
        return "close" not in (request.headers.get("connection"), reply.headers.get("Connection"))

    def _handle(self, request: Request) -> Answer | Fault:
        """Record a request, wait for the delay and choose the reply.

        It no longer counts when its first byte is sent: a client that asks again at once would look like two.
        """
        with self._lock:
            self.requests.append(request)
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            replies = self._replies.get(request.path) or [self.fallback]
            reply = replies.pop(0) if len(replies) > 1 else replies[0]
        self._stop.wait(self.delay)
        with self._lock:
            self._at_once -= 1
        if request.method == "HEAD" and self.knows_head and isinstance(reply, Answer):
            length = str(len(reply.body.encode() if isinstance(reply.body, str) else reply.body))
            headers = {"Content-Length": length, **reply.headers}
            return replace(reply, body="", headers=headers, status=self.head_status or reply.status)
        if request.method == "GET":
            return reply
        return Answer(405, "GET only\n", {"Allow": "GET", "Connection": "close"}, "text/plain")


def send(head: bytes, parts: Iterable[bytes] = (), pause: float = 0) -> Fault:
    """Send a head, then part after part with pauses, then end the connection."""

    def fault(sock: socket.socket, stop: threading.Event) -> None:
        sock.sendall(head)
        for part in parts:
            if stop.wait(pause):
                return
            sock.sendall(part)

    return fault


def close() -> Fault:
    """End the connection without a byte."""
    return send(b"")


def garbage(data: bytes) -> Fault:
    """Send bytes that are no HTTP."""
    return send(data)


def drip(head: bytes, data: bytes, pause: float) -> Fault:
    """Send the head at once, then one byte after each pause."""
    return send(head, [bytes([byte]) for byte in data], pause)


def drip_headers(pause: float) -> Fault:
    """Send a header that grows by one byte after each pause, without end."""
    return send(b"HTTP/1.1 200 OK\r\nX-Drip: ", repeat(b"x"), pause)


def endless(chunk: bytes) -> Fault:
    """Send a body of unknown length until the peer has gone."""
    return send(OK + b"Connection: close\r\n\r\n", repeat(chunk))


def truncated(body: bytes, declared: int) -> Fault:
    """Promise more bytes than are sent."""
    return send(OK + b"Content-Length: %d\r\n\r\n" % declared + body)


def truncated_chunked(body: bytes) -> Fault:
    """Send one chunk and not the last one."""
    return send(OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (len(body), body))


def silence() -> Fault:
    """Never answer; it ends when the peer has gone, or when the server stops and so shuts the connection."""

    def fault(sock: socket.socket, stop: threading.Event) -> None:
        while sock.recv(65536):
            pass

    return fault


def reset() -> Fault:
    """Reset the connection: without time to linger, closing it does so."""

    def fault(sock: socket.socket, stop: threading.Event) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if os.name == "nt" else "ii", 1, 0))

    return fault


def bomb(size: int) -> bytes:
    """A gzip stream of so many spaces, made with little memory."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b" " * 65536
    parts = [deflate.compress(block) for _ in range(size // len(block))]
    return b"".join(parts) + deflate.compress(block[: size % len(block)]) + deflate.flush()


RESOLVE = socket.getaddrinfo
NGINX = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"]))
MIME_TYPES = Path("/etc/nginx/mime.types")
CONFIG = """
daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log error.log;
events {}
http {
  access_log access.log; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi; max_ranges 0;
  gzip on; gzip_types application/xml text/xml text/plain; gzip_min_length 0;
  %(types)s default_type application/octet-stream;
  server { listen %(listen)s; root "%(root)s"; index index.html; %(config)s }
}
"""


def has_nginx() -> bool:
    """Whether nginx is installed."""
    return NGINX is not None


@dataclass(frozen=True)
class Nginx:
    """A running nginx; its folder has access.log and error.log."""

    url: str
    folder: Path


@contextlib.contextmanager
def nginx(root: Path, config: str = "") -> Iterator[Nginx]:
    """Run nginx over a folder on a free port; `config` goes into its server block."""
    with socket.create_server((LOOPBACK, 0)) as probe:
        address = probe.getsockname()
    listen = f"{LOOPBACK}:{address[1]}"
    types = f"include {MIME_TYPES};" if MIME_TYPES.exists() else ""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = {"types": types, "listen": listen, "root": root.resolve(), "config": config}
        (folder / "nginx.conf").write_text(CONFIG % values, encoding="utf-8")
        command = [NGINX or "nginx", "-p", name, "-e", "error.log", "-c", "nginx.conf"]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            try:
                wait_for(address, process, folder / "error.log")
                yield Nginx(f"http://{listen}", folder)
            finally:
                process.terminate()


def wait_for(address: tuple[str, int], process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server takes connections."""
    deadline = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe, contextlib.suppress(OSError):
            connect(probe, address)
            return
        time.sleep(0.02)
    raise AssertionError(f"nginx does not run: {log.read_text(encoding='utf-8')}")


def connect(sock: socket.socket, address: Any) -> None:
    """Connect for real, whatever a fixture has put in the place of the method."""
    super(socket.socket, sock).connect(address)


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, without asking a resolver."""
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


class Network:
    """A resolver and a router: `resolved` are the names asked for, `connected` the addresses before routing."""

    def __init__(self, names: dict[str, list[list[str]]], serve: dict[str, tuple[str, int]]) -> None:
        self.names = {name: list(answers) for name, answers in names.items()}
        self.serve = serve
        self.resolved: list[str] = []
        self.connected: list[str] = []
        self.lock = threading.Lock()

    def getaddrinfo(self, host: Any, port: Any, family: int = 0, *more: int, **named: int) -> list[Any]:
        """Answer with the next addresses of a name; a served address answers with itself."""
        name = host.decode() if isinstance(host, bytes) else str(host)
        with self.lock:
            self.resolved.append(name)
            answers = self.names.get(name.lower(), [[name] if name in self.serve else []])
            addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        if name.lower() not in self.names and is_loopback(name):
            return RESOLVE(host, port, family, *more, **named)
        found: list[Any] = []
        for address in addresses:
            kind, rest = (socket.AF_INET6, (0, 0)) if ":" in address else (socket.AF_INET, ())
            if family in (0, kind):
                found.append((kind, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, int(port or 0), *rest)))
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return found

    def connect(self, sock: socket.socket, address: Any) -> None:
        """Connect to where an address is served; no other leaves this machine."""
        if sock.family not in (socket.AF_INET, socket.AF_INET6):
            connect(sock, address)
            return
        self.connected.append(address[0])
        target = self.serve.get(address[0], address)
        if not is_loopback(target[0]):
            sock.close()  # callers expect an OSError and would leave it open
            raise AssertionError(f"a test connected to {address[0]}")
        connect(sock, target)


def fake_network(
    monkeypatch: pytest.MonkeyPatch, names: dict[str, list[list[str]]], serve: dict[str, tuple[str, int]]
) -> Network:
    """Put a fake resolver and router in the place of the real ones, for one test."""
    network = Network(names, serve)
    monkeypatch.setattr(socket, "getaddrinfo", network.getaddrinfo)
    monkeypatch.setattr(socket.socket, "connect", lambda sock, address: network.connect(sock, address))
    return network
