"""What all tests share: the command run in-process, a clean environment, no network."""

from __future__ import annotations

import inspect
import ipaddress
import json
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import settings
from origins import Origin

from sitemap_action.cli import main

# A landing must not depend on luck: CI tries the same examples each time, everybody else new ones.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

_TELLING = ("NO_COLOR", "FORCE_COLOR", "CI", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE")
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@dataclass
class Outcome:
    """What a run of the command left behind."""

    exit_code: int
    stdout: str
    stderr: str

    @property
    def report(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.stdout)
        return data

    def rules(self, severity: str | None = None) -> list[str]:
        """The ids of the findings, in the order of the report."""
        findings = self.report["findings"]
        return [finding["rule"] for finding in findings if severity in (None, finding["severity"])]

    def finding(self, rule: str) -> dict[str, Any]:
        """The first finding of a rule."""
        found: dict[str, Any] = next(f for f in self.report["findings"] if f["rule"] == rule)
        return found


Run = Callable[..., Outcome]


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("SITEMAP_ACTION_", "GITHUB_")) or name in _TELLING:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test talks to anybody but this machine."""
    connect = socket.socket.connect

    def guarded(connection: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and not ipaddress.ip_address(address[0].partition("%")[0]).is_loopback:
            connection.close()
            raise AssertionError(f"a test opened a connection to {address}")
        connect(connection, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def origin() -> Iterator[Origin]:
    """A server on this machine that says and does what the test wants."""
    with Origin() as server:
        yield server


def runner() -> CliRunner:
    """Click before 8.2 mixes the two streams unless told otherwise."""
    separate: dict[str, Any] = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}
    return CliRunner(**separate)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in the test's own folder; a traceback fails the test."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str | Path, format: str | None = "json") -> Outcome:
        options = ["--format", format] if format else []
        result = runner().invoke(main, [*options, *map(str, arguments)])
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return invoke


def urlset(*entries: str, attributes: str = "") -> str:
    """A sitemap around entries; an entry without markup is a URL."""
    body = "\n".join(e if e.lstrip().startswith("<") else f"<url><loc>{e}</loc></url>" for e in entries)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}"{attributes}>\n{body}\n</urlset>\n'


def index(*locations: str) -> str:
    body = "\n".join(f"<sitemap><loc>{location}</loc></sitemap>" for location in locations)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">\n{body}\n</sitemapindex>\n'


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Write a file below the test's folder."""

    def put(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


Write = Callable[[str, "str | bytes"], Path]
