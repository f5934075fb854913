"""requests, made to connect only to vetted addresses and within the deadline of the request."""

from __future__ import annotations

import socket
import warnings
from collections.abc import Iterator
from contextlib import suppress
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import SystemTimeWarning

from sitemap_action.net import deadline
from sitemap_action.net.addresses import Endpoint, Resolver
from sitemap_action.net.failures import NoConnection


class _Vetted(HTTPConnection):
    """A connection whose address was vetted; its guard lets another thread cut it, also below TLS."""

    resolver: Resolver
    guard: socket.socket | None = None
    _has_served = False

    def _new_conn(self) -> socket.socket:
        connection = _connect(self.resolver, self.host, self.port)
        self.guard, self._has_served = connection.dup(), False
        self._watch()
        return connection

    def request(self, *arguments: Any, **options: Any) -> None:
        """A connection that is used again gets the deadline of the new request."""
        self._watch()
        super().request(*arguments, **options)
        self._has_served = True

    def _watch(self) -> None:
        limit = deadline.current()
        if limit is not None and self.guard is not None:
            limit.guard(self.guard, is_reused=self._has_served)

    def close(self) -> None:
        super().close()
        if self.guard is not None:
            self.guard.close()
            self.guard = None


class _VettedTls(_Vetted, HTTPSConnection):
    """The same with TLS, which is put on top of what `_new_conn` opens."""


def _connect(resolver: Resolver, host: str, port: int) -> socket.socket:
    """The first address that answers; the first failure if none does."""
    failures: list[OSError] = []
    endpoints = resolver.endpoints(host, port)
    for number, endpoint in enumerate(endpoints):
        try:
            return _open(endpoint, share=len(endpoints) - number)
        except OSError as error:  # noqa: PERF203, there are few addresses
            failures.append(error)
    resolver.forget(host, port)
    raise NoConnection(host) from (failures[0] if failures else None)


def _open(endpoint: Endpoint, share: int) -> socket.socket:
    """One address that is silent leaves their share of the time to the others."""
    connection = socket.socket(endpoint.family, socket.SOCK_STREAM)
    try:
        limit = deadline.current()
        if limit is not None:
            connection.settimeout(limit.remaining / share)
        connection.connect(endpoint.address)
        with suppress(OSError):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection


class _Adapter(HTTPAdapter):
    """An adapter whose pools open vetted connections only."""

    def __init__(self, resolver: Resolver, connections: int) -> None:
        self._resolver = resolver
        super().__init__(pool_connections=32, pool_maxsize=connections, max_retries=0)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        plain = type("VettedConnection", (_Vetted,), {"resolver": self._resolver})
        tls = type("VettedTlsConnection", (_VettedTls,), {"resolver": self._resolver})
        self.poolmanager.pool_classes_by_scheme = {
            "http": type("VettedPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
            "https": type("VettedTlsPool", (HTTPSConnectionPool,), {"ConnectionCls": tls}),
        }


class _Session(requests.Session):
    """Redirects are ours to follow: requests would read their bodies, all of them, even if told not to follow."""

    def resolve_redirects(self, *arguments: Any, **options: Any) -> Iterator[requests.Response]:
        return iter(())

    def close(self) -> None:
        """Idle connections too, now: urllib3 leaves them to the garbage collector."""
        for adapter in self.adapters.values():
            pools = adapter.poolmanager.pools  # type: ignore[attr-defined]
            for key in pools.keys():  # noqa: SIM118, it is no dict
                with suppress(KeyError):
                    pools[key].close()
        super().close()


def new_session(resolver: Resolver, connections: int, authorities: str | None) -> requests.Session:
    """One session for a run. The environment's proxies and .netrc are left out: a proxy would resolve names
    itself, past the vetting, and credentials are sent only where the user says so."""
    warnings.simplefilter("ignore", SystemTimeWarning)  # a wrong clock is told once, in words of ours
    session = _Session()
    session.trust_env = False
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # crawlers keep none
    session.verify = authorities or True
    adapter = _Adapter(resolver, connections)
    for scheme in ("http://", "https://"):
        session.mount(scheme, adapter)
    return session
