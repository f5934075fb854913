"""gzip and its impostors: inflate within a limit, in memory, and say what was odd."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field

from sitemap_action.model import Fault

_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"PK\x03\x04": "a zip archive",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x1f\x9d": "compress (.Z)",
    b"\x04\x22\x4d\x18": "lz4",
}
_GZIP_NAMES = ("gzip", "x-gzip")
_CHUNK = 1 << 16


@dataclass(eq=False, repr=False)
class Packed:
    """What came out of the wrapping."""

    data: bytes
    size: int
    compressed: bool = False
    broken: bool = False
    faults: list[Fault] = field(default_factory=list)


class _Corrupt(Exception):
    """The gzip stream cannot be read to its end."""


class _TooLarge(Exception):
    """Inflating passes the limit."""


def unpack(raw: bytes, name: str, limit: int, encoding: str = "") -> Packed:
    """Undo gzip (also gzip in gzip); anything else packed is refused by its own name.

    `encoding` is the Content-Encoding of a server: that layer belongs to the way, not to the file.
    """
    packed = Packed(raw, len(raw))
    if encoding and raw:
        if encoding not in _GZIP_NAMES:
            return _broken(packed, Fault("compression-unsupported", facts=(f"sent as `{encoding[:50]}`",)))
        if not raw.startswith(_GZIP):
            return _broken(packed, Fault("gzip-corrupt", facts=("the server says gzip, and sends something else",)))
    layers = 0
    while packed.data.startswith(_GZIP):
        packed.compressed = True
        layers += 1
        if layers > 2 + bool(encoding):
            return _broken(packed, Fault("compression-unsupported", facts=("gzip three times over",)))
        try:
            packed.data = _inflate(packed.data, limit)
        except _Corrupt as error:
            return _broken(packed, Fault("gzip-corrupt", facts=(str(error),)))
        except _TooLarge:
            return _broken(packed, Fault("decompression-limit", facts=(f"{limit:,}",)))
        packed.size = len(packed.data)
    foreign = _foreign(packed.data)
    if foreign:
        return _broken(packed, Fault("compression-unsupported", facts=(foreign,)))
    odd = _name_mismatch(name, layers, bool(encoding))
    if odd and packed.data:
        packed.faults.append(Fault("gzip-name-mismatch", facts=(odd,)))
    return packed


def _broken(packed: Packed, fault: Fault) -> Packed:
    packed.broken = True
    packed.data = b""
    packed.faults.append(fault)
    return packed


def _foreign(data: bytes) -> str | None:
    if data[257:262] == b"ustar":
        return "a tar archive"
    return next((what for magic, what in _FOREIGN.items() if data.startswith(magic)), None)


def _name_mismatch(name: str, layers: int, is_encoded: bool) -> str | None:
    path = name.lower().split("?")[0]
    named_gz = path.endswith((".gz", ".gzip"))
    in_file = layers - is_encoded
    if in_file == 2:
        return "it is gzip inside gzip"
    if named_gz and not layers:
        return "it is named .gz and holds plain text"
    # A URL without an ending says nothing about what it holds.
    tells = path.endswith((".xml", ".txt")) or not path.startswith(("http://", "https://"))
    if in_file and not named_gz and tells:
        return "it is gzip and its name does not end in .gz"
    return None


def _inflate(data: bytes, limit: int) -> bytes:
    out = bytearray()
    rest = data
    while rest:
        if not rest.startswith(_GZIP):
            if rest.strip(b"\0"):  # padding to a block size is common and harmless
                raise _Corrupt(f"{len(rest):,} bytes of something else follow the gzip stream")
            break
        rest = _inflate_member(rest, out, limit)
    return bytes(out)


def _inflate_member(data: bytes, out: bytearray, limit: int) -> bytes:
    member = zlib.decompressobj(31)
    pending = data
    try:
        while not member.eof:
            if not pending:
                raise _Corrupt("it is cut short")
            out += member.decompress(pending, _CHUNK)
            if len(out) > limit:
                raise _TooLarge
            pending = member.unconsumed_tail
    except zlib.error as error:
        raise _Corrupt(str(error).rpartition(": ")[2] or "it cannot be inflated") from None
    return member.unused_data
