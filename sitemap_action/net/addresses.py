"""Which addresses may be contacted: those of hosts that the user named, and public ones; nothing else."""

from __future__ import annotations

import socket
import threading
from typing import Any, NamedTuple, cast

from sitemap_action.net import deadline
from sitemap_action.values.hosts import is_public


class Refused(Exception):
    """We do not connect; the words say why."""


class Endpoint(NamedTuple):
    """What a socket needs to connect without asking a name server again."""

    family: int
    address: tuple[Any, ...]


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
