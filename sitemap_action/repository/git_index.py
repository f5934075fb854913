"""The names in the index of a git checkout, read without git.

A checkout may come from a stranger, say in an artifact of a fork's build, and git runs what its settings ask for.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path

_SIGNATURE = b"DIRC"
_LARGEST = 64 << 20
# Names may take up far more than the file: each may repeat nearly all of the one before it.
_LONGEST_NAME, _MOST_NAMES = 4_096, 64 << 20
# Of an entry: times, device, inode, mode, owner and size in 40 bytes, then the hash in 20, then the flags.
_FLAGS_AT, _NAME_AT = 60, 62
_EXTENDED = 0x4000
# From this version on, a name is told by what it shares with the one before it.
_PREFIXED = 4


def tracked(root: Path) -> frozenset[str]:
    """The paths that git keeps in this checkout, as far as they can be read."""
    try:
        data = _content(_folder(root / ".git") / "index", _LARGEST)
        return frozenset(os.fsdecode(name) for name in _names(data))
    except (OSError, ValueError, struct.error, IndexError):
        return frozenset()


def _folder(mark: Path) -> Path:
    """Worktrees and submodules have a file that tells where their folder is."""
    if mark.is_dir():
        return mark
    return mark.parent / _content(mark, _LONGEST_NAME).decode().partition("gitdir:")[2].strip()


def _content(path: Path, limit: int) -> bytes:
    """Of a regular file: a pipe would be waited for, a device has no end, and those of the system tell no size."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
        return b""
    with path.open("rb") as file:
        return file.read(status.st_size)


def _names(data: bytes) -> Iterator[bytes]:
    signature, version, count = struct.unpack_from(">4sII", data)
    if signature != _SIGNATURE or not 2 <= version <= _PREFIXED:
        return
    start, name, room = 12, b"", _MOST_NAMES
    for _ in range(count):
        flags = int.from_bytes(data[start + _FLAGS_AT : start + _NAME_AT], "big")
        begin = start + _NAME_AT + (2 if flags & _EXTENDED else 0)
        kept = 0
        if version == _PREFIXED:
            dropped, begin = _number(data, begin)
            kept = len(name) - dropped
        end = data.index(b"\0", begin)
        length = kept + end - begin
        room -= length
        if kept < 0 or length > _LONGEST_NAME or room < 0:
            raise ValueError("names that no checkout has")
        name = name[:kept] + data[begin:end]
        # Older versions fill up with one to eight zeros, so that the next entry is eight bytes further or more.
        start = end + 1 if version == _PREFIXED else start + (end - start + 8 & ~7)
        yield name


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An offset as in git's packs: seven bits in a byte, most significant first, each further one adds 1."""
    value = data[at] & 0x7F
    while data[at] & 0x80 and value <= _LONGEST_NAME:
        at += 1
        value = (value + 1 << 7) | (data[at] & 0x7F)
    return value, at + 1
