"""A file that others read is there whole, or not at all."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO


def write_whole(path: Path, text: str) -> None:
    """Beside the place first, then moved into it: nobody reads half a report. Devices and pipes are written to."""
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        return
    own = _own_stream(path)
    if own is not None:
        own.flush()
        with open(own.fileno(), "w", encoding="utf-8", newline="\n", closefd=False) as stream:
            stream.write(text)
        return
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    target.parent.mkdir(parents=True, exist_ok=True)
    import secrets

    # A name that nobody can have made a link of, and of a file that is made here or not at all.
    part = target.with_name(f".sitemap-action-{secrets.token_hex(8)}.part")
    try:
        with part.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _own_stream(path: Path) -> TextIO | None:
    """`/dev/stdout` may be a file, which must not be put aside while the rest of what is told goes into it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            if os.path.samestat(os.stat(path), os.fstat(stream.fileno())):
                return stream
    return None
