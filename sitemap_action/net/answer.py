"""What came of a request: an answer with its body, or why there is none."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from sitemap_action.model import Fault
from sitemap_action.model.children import Outcome
from sitemap_action.spool import Kept, Spool

# A body up to this size is held in memory while it waits for its turn.
_IN_MEMORY = 2_000_000


class Body:
    """The bytes as they were sent, piece by piece; large ones wait in a file, if our own disk has room for them."""

    def __init__(self) -> None:
        self._spool = Spool(_IN_MEMORY)
        self._pieces: list[Kept] = []
        self.size = 0

    def write(self, chunk: bytes) -> None:
        self._pieces.append(self._spool.keep(chunk))
        self.size += len(chunk)

    def peek(self, size: int) -> bytes:
        """The beginning, at least so much of it."""
        head = b""
        for piece in self._pieces:
            if len(head) >= size:
                break
            head += piece.read()
        return head

    def take(self) -> bytes:
        """All of it, once."""
        data = b"".join(piece.read() for piece in self._pieces)
        self.close()
        return data

    def close(self) -> None:
        self._spool.close()


@dataclass
class Answer:
    """The last answer of a request, after redirects and retries."""

    url: str
    final_url: str = ""
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Body | None = None
    failure: Fault | None = None  # fetch-failed or fetch-refused
    wall: str = ""  # in words, if somebody keeps us out
    is_final: bool = False  # trying again would change nothing
    no_connection: bool = False  # the host itself could not be reached, so that no other path will do better
    is_stale: bool = False  # a kept connection turned out to be closed, which says nothing about the server
    hops: tuple[str, ...] = ()

    @property
    def is_ok(self) -> bool:
        return self.failure is None and self.status == HTTPStatus.OK and not self.wall

    @property
    def is_down(self) -> bool:
        """The server cannot answer at all now: an error of its own, or no connection."""
        if self.failure is not None:
            return self.failure.rule == "fetch-failed"
        return (self.status or 0) >= 500 and not self.wall

    @property
    def outcome(self) -> Outcome:
        """What came of following a line of an index, in a word."""
        if self.is_ok:
            return "read"
        if self.wall:
            return "blocked"
        return "refused" if self.failure is not None and self.failure.rule == "fetch-refused" else "unreachable"

    @property
    def content_type(self) -> str:
        """Without parameters, in lower case; empty if the server sent none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def encoding(self) -> str:
        """How the body was packed for the way, in lower case; empty for not at all."""
        coding = self.headers.get("content-encoding", "").strip().lower()
        return "" if coding == "identity" else coding

    def words(self) -> str:
        """What happened, to stand behind the URL in a sentence."""
        if self.failure is not None:
            return f"cannot be had: {self.failure.facts[0]}"
        if self.wall:
            return self.wall
        return f"answered {status_words(self.status or 0)}"

    def first_bytes(self, limit: int) -> bytes:
        """The beginning of the body, unpacked, which is taken by this; what cannot be unpacked is empty."""
        data = self.body.take() if self.body is not None else b""
        if self.encoding not in ("", "gzip", "x-gzip"):
            return b""
        if data.startswith(b"\x1f\x8b"):
            try:
                return zlib.decompressobj(31).decompress(data, limit)
            except zlib.error:
                return b""
        return data[:limit]

    def discard(self) -> None:
        if self.body is not None:
            self.body.close()
            self.body = None


def status_words(status: int) -> str:
    """`404 Not Found`; a number that nobody registered stays a number."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
