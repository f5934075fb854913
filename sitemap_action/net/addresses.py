"""Which addresses may be contacted: those of hosts that the user named, and public ones; nothing else."""

from __future__ import annotations

import ipaddress
import socket
import threading
from typing import Any, NamedTuple, Union, cast

from sitemap_action.net import deadline

# The standard library's `is_global` differs between Python versions and passes several of these.
_SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
        "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
        "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
    )
)  # fmt: skip
_Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]


class Refused(Exception):
    """We do not connect; the words say why."""


class Endpoint(NamedTuple):
    """What a socket needs to connect without asking a name server again."""

    family: int
    address: tuple[Any, ...]


def is_public(text: str) -> bool:
    """An address that anybody on the internet would reach the same way."""
    address: _Address = ipaddress.ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None:
        return is_public(str(mapped))
    return address.is_global and not any(address in network for network in _SPECIAL)


class Resolver:
    """Asks the name server once for each host; the answer is vetted, and what was vetted is connected to.

    Hosts that the user named may be private. Every other name is refused as soon as one of its addresses is
    not public: a name that has both is how rebinding works.
    """

    def __init__(self, named_hosts: frozenset[str]) -> None:
        self._named = frozenset(host.rstrip(".") for host in named_hosts)
        self._known: dict[tuple[str, int], list[Endpoint]] = {}
        self._lock = threading.Lock()

    def endpoints(self, host: str, port: int) -> list[Endpoint]:
        """Where to connect; raises Refused, or what the name server says."""
        host = host.strip("[]").lower()
        with self._lock:
            known = self._known.get((host, port))
        if known is None:
            known = self._resolve(host, port)
            with self._lock:
                self._known[host, port] = known
        return known

    def forget(self, host: str, port: int) -> None:
        """After a failure the next try asks again, and vets again."""
        with self._lock:
            self._known.pop((host.strip("[]").lower(), port), None)

    def _resolve(self, host: str, port: int) -> list[Endpoint]:
        answers = _ask_in_time(host, port)
        endpoints = list(dict.fromkeys(Endpoint(answer[0], answer[4]) for answer in answers))
        if host.rstrip(".") not in self._named:
            for endpoint in endpoints:
                address = str(endpoint.address[0])
                if not is_public(address):
                    where = "" if address == host else f", at {address},"
                    raise Refused(f"`{host}`{where} is not on the public internet, and is not the host you named")
        return endpoints


def _ask_in_time(host: str, port: int) -> list[Any]:
    """What the name server says; asked in a thread of its own, because nothing else can end the question."""
    outcome: list[Any] = []

    def ask() -> None:
        try:
            outcome.append(socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
        except UnicodeError:  # a label that is empty or too long
            outcome.append(socket.gaierror(socket.EAI_NONAME, "no name server can know this name"))
        except OSError as error:
            outcome.append(error)

    limit = deadline.current()
    thread = threading.Thread(target=ask, name="resolver", daemon=True)
    thread.start()
    thread.join(limit.remaining if limit is not None else None)
    answer = outcome[0] if outcome else TimeoutError("the name server does not answer")
    if isinstance(answer, OSError):
        raise answer
    return cast(list[Any], answer)
