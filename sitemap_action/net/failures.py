"""What went wrong on the way, in words, and whether trying again may help."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from collections.abc import Iterator
from typing import NamedTuple

from sitemap_action import shortage


class CutShort(Exception):
    """The body ended before the length that was announced; the words say where."""


class NoConnection(OSError):
    """The host could not be connected to at all; the cause says why."""


class Trouble(NamedTuple):
    """A failure in words; trying again may be in vain, and so may be any other path of the host."""

    words: str
    is_final: bool = False
    no_connection: bool = False

    @property
    def is_hangup(self) -> bool:
        """The other side has gone before it said anything."""
        return self.words in (_CLOSED, _RESET)


_CLOSED, _RESET = "the connection was closed without an answer", "the connection was reset"


def describe(error: BaseException) -> Trouble:
    """The first cause that tells something; libraries wrap it several times."""
    # What requests raises is an OSError as well, but tells nothing by itself.
    causes = [cause for cause in _causes(error) if not type(cause).__module__.startswith("requests.")]
    for cause in causes:
        if isinstance(cause, OSError) and not isinstance(cause, socket.gaierror) and shortage.named(cause):
            raise cause  # ours, not the server's
        if isinstance(cause, CutShort):
            return Trouble(str(cause))
        if isinstance(cause, ssl.SSLCertVerificationError):
            words = f"the TLS certificate is not trusted: {_plain(cause.verify_message or str(cause))}"
            return Trouble(words, is_final=True, no_connection=True)
        if isinstance(cause, socket.gaierror):
            is_final = cause.errno != socket.EAI_AGAIN
            return Trouble("the host name cannot be resolved", is_final=is_final, no_connection=True)
    no_connection = any(isinstance(cause, NoConnection) for cause in causes)
    for cause in causes:
        if isinstance(cause, OSError) and not isinstance(cause, NoConnection):
            return Trouble(_network(cause), no_connection=no_connection)
    names = {type(cause).__name__ for cause in causes}
    if names & {"IncompleteRead", "InvalidChunkLength"} or any("prematurely" in str(cause) for cause in causes):
        return Trouble("the body is cut short")
    return Trouble("the answer is not HTTP as it should be")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and all that it was made of; libraries wrap in arguments as well as in chains."""
    waiting, seen = [error], set[int]()
    while waiting:
        cause = waiting.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        inner = (cause.__cause__, cause.__context__, getattr(cause, "reason", None), *cause.args)
        waiting += [item for item in inner if isinstance(item, BaseException)]


def _network(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return f"the TLS connection failed: {_plain(error.reason or str(error))}"
    if type(error).__name__ == "RemoteDisconnected":  # of http.client, which need not be imported for it
        return _CLOSED
    if isinstance(error, (ConnectionResetError, BrokenPipeError)):
        return _RESET
    if isinstance(error, TimeoutError) or error.errno == errno.ETIMEDOUT:
        return "no connection in time"
    return (error.strerror or "the connection failed").lower()


def _plain(text: str) -> str:
    """Without the library's file names and line numbers, which change."""
    return re.sub(r"\s*\(_ssl\.c:\d+\)", "", text).replace("_", " ").lower()
