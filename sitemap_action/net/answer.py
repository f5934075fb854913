"""What came of a request: an answer with its body, or why there is none."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import IO

from sitemap_action.model import Fault

# A body up to this size is held in memory while it waits for its turn.
_IN_MEMORY = 2_000_000


class Body:
    """The bytes as they were sent; large ones wait in a temporary file, if the disk has room for them."""

    def __init__(self) -> None:
        self._file: IO[bytes] = io.BytesIO()
        self.size = 0

    def write(self, chunk: bytes) -> None:
        try:
            if isinstance(self._file, io.BytesIO) and self.size <= _IN_MEMORY < self.size + len(chunk):
                self._move(tempfile.TemporaryFile(prefix="sitemap-action-"))  # noqa: SIM115, closed by whoever reads it
            self._file.write(chunk)
            self._file.flush()
        except OSError:  # our own disk is full, which is not the server's failure
            self._move(io.BytesIO())
            self._file.write(chunk)
        self.size += len(chunk)

    def _move(self, file: IO[bytes]) -> None:
        """All that there is to another file, which is then ours."""
        with self._file as old:
            old.seek(0)
            data = old.read(self.size)
        self._file = file
        try:
            file.write(data)
        except OSError:
            file.close()
            self._file = io.BytesIO()
            self._file.write(data)

    def peek(self, size: int) -> bytes:
        self._file.seek(0)
        return self._file.read(size)

    def take(self) -> bytes:
        """All of it, once."""
        data = self.peek(-1)
        self.close()
        return data

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()


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
