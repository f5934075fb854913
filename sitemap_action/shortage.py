"""What an error says that the machine had not enough of: its own trouble, and no defect of what is looked at."""

from __future__ import annotations

import errno

_BY_NUMBER = {
    errno.EMFILE: "open files",
    errno.ENFILE: "open files",
    errno.ENOMEM: "memory",
    errno.ENOBUFS: "memory",
}


def named(error: BaseException) -> str:
    """Memory, threads or open files; empty if that was not the trouble. Python has no types for some of it."""
    if isinstance(error, OSError):
        return _BY_NUMBER.get(error.errno or 0, "")
    if isinstance(error, RuntimeError):
        return "threads" if "start new thread" in str(error) else ""
    text = str(error) if isinstance(error, ImportError) else ""
    is_memory = isinstance(error, MemoryError) or "allocate memory" in text or "map segment" in text
    return "memory" if is_memory else ""
