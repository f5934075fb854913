"""A file that others read is there whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Beside the place first, then moved into it: nobody reads half a report. Devices and pipes are written to."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        return
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
