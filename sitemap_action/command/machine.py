"""What the machine may lack, in a clear word: standard streams, memory, open files, threads."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import click

from sitemap_action import shortage
from sitemap_action.github.step import as_annotation

COULD_NOT_JUDGE = 3
_LAST_STANDARD_STREAM = 2
_HINTS = {
    "memory": "Give it more, or check less at a time; --concurrency 1 and a smaller --max-bytes need less.",
    "open files": "Raise the limit (`ulimit -n`), or lower --concurrency.",
    "threads": "Raise the limits of memory or processes, or lower --concurrency.",
}


@contextmanager
def made_do() -> Iterator[None]:
    """Run with the streams there are; what runs out ends in one line, and in the code for "could not judge"."""
    with _standard_streams():
        try:
            yield
            return
        except (MemoryError, OSError, RuntimeError, ImportError) as error:
            lacking = shortage.named(error)
            if not lacking:
                raise
        # Outside of the `except`: what the traceback held on to is free again.
        words = f"Could not judge: this machine, or a limit set on it, has not enough {lacking}. {_HINTS[lacking]}"
        annotation = as_annotation(words, os.environ)
        if annotation:
            click.echo(annotation, err=True)
        click.echo(f"Error: {words}", err=True)
        sys.exit(COULD_NOT_JUDGE)


@contextmanager
def _standard_streams() -> Iterator[None]:
    """No file of ours is taken for a stream that was closed, and a full standard error changes no exit code."""
    with suppress(OSError):  # not even this one file may be opened
        while (spare := os.open(os.devnull, os.O_RDWR)) <= _LAST_STANDARD_STREAM:
            pass
        os.close(spare)
    before = sys.stderr
    if before is not None and not _is_plain(before):
        yield
        return
    number, look = (before.fileno(), before.encoding) if before is not None else (_LAST_STANDARD_STREAM, "utf-8")
    raw = io.BufferedWriter(_Unfailing(number, "w", closefd=False))
    with io.TextIOWrapper(raw, look, errors="backslashreplace", line_buffering=True) as sys.stderr:
        try:
            yield
        finally:
            sys.stderr = before


def _is_plain(stream: Any) -> bool:
    """Python's own stream on a file, pipe or terminal; not the console of Windows, nor what tests put in its place."""
    buffer = getattr(stream, "buffer", None)
    return stream is sys.__stderr__ and isinstance(getattr(buffer, "raw", buffer), io.FileIO)


class _Unfailing(io.FileIO):
    """What this cannot write has no other place to go."""

    def write(self, data: Any, /) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)
