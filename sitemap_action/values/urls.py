"""URLs: what is wrong with one, its parts, and when two of them mean the same page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes, urljoin

from sitemap_action import lazy

# White space as XML knows it; other kinds are part of the value.
XML_SPACE = " \t\r\n"
_SCHEME = lazy.pattern(r"([A-Za-z][A-Za-z0-9+.-]*):(?!\d)")
_PARTS = lazy.pattern(r"([A-Za-z]+)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
# The common case, and provably free of every fault below: one match instead of many.
# Escapes are those that stay as they are when URLs are compared, and not `%25`, which may be an escape of one.
_NAME = r"[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]{2,}|localhost"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_ORDINARY = lazy.pattern(
    rf"https?://(?:{_NAME}|{_BYTE}(?:\.{_BYTE}){{3}})"
    r"(?::(?!(?:80|443)/)(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9][0-9]|655[0-2][0-9]|6553[0-5]))?"
    r"/[A-Za-z0-9._~/?=&!$'()*+,:@-]*"
    r"(?:%(?:[89A-F][0-9A-F]|2[0-46-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-D])[A-Za-z0-9._~/?=&!$'()*+,:@-]*)*"
)
LONG = 2048
_HOST = lazy.pattern(r"[^\W_](?:[\w-]*\w)?(?:\.[\w](?:[\w-]*\w)?)*\.?")
_NEVER = r"\x00-\x20\x7f-\xa0\"<>\\^`{}\s"
_NO_CHARACTER = r"\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
_BAD_PATH = lazy.pattern(rf"[{_NEVER}|\[\]]")
_BAD_QUERY = lazy.pattern(f"[{_NEVER}]")
_BAD_PERCENT = lazy.pattern(r"%(?![0-9A-Fa-f]{2})")
_NOT_CHARACTERS = lazy.pattern(f"[{_NO_CHARACTER}]")
_IN_PATH, _IN_QUERY = rf"[^{_NEVER}{_NO_CHARACTER}%?#|\[\]]*", f"[^{_NEVER}{_NO_CHARACTER}%#]*"
# Of a usual host, without a port, and sound: taken apart by one match.
_SOUND = lazy.pattern(
    rf"(https?)://({_NAME})(/{_IN_PATH}(?:%[0-9A-Fa-f]{{2}}{_IN_PATH})*)"
    rf"(?:\?({_IN_QUERY}(?:%[0-9A-Fa-f]{{2}}{_IN_QUERY})*))?"
)
_DEFAULT_PORT = {"http": 80, "https": 443}
_INDEX = lazy.pattern(r"/index\.html?$")
_UNRESERVED = lazy.pattern(r"%([0-9A-Fa-f]{2})")


class Url(NamedTuple):
    """A sound absolute URL in its parts; host and scheme in lower case, port None if default."""

    scheme: str
    host: str
    port: int | None
    path: str
    query: str
    fragment: str
    credentials: bool

    @property
    def origin(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + (f":{self.port}" if self.port is not None else "")

    @property
    def text(self) -> str:
        """The URL without its fragment."""
        return self.origin + (self.path or "/") + (f"?{self.query}" if self.query else "")

    @property
    def directory(self) -> str:
        """The path up to and with its last slash."""
        return self.path[: self.path.rfind("/") + 1] or "/"


class UrlFault(NamedTuple):
    """Why a value is no URL that a sitemap may list: `kind` is the rule's id behind `loc-`."""

    kind: str
    reason: str


@lru_cache(maxsize=65536)
def examine(value: str) -> Url | UrlFault:
    """Take a trimmed value apart, or say the first thing that is wrong with it."""
    sound = _SOUND.fullmatch(value)
    if sound is not None:
        return Url(sound[1], sound[2], None, sound[3], sound[4] or "", "", False)
    return _examine_closely(value)


def _examine_closely(value: str) -> Url | UrlFault:
    hidden = value.strip()
    if hidden != value.strip(XML_SPACE) and _SCHEME.match(hidden):
        return UrlFault("invalid", f"has {_character(value, hidden)} around it")
    scheme = _SCHEME.match(value)
    if scheme is None:
        return UrlFault("not-absolute", "has no scheme and host")
    if scheme[1].lower() not in _DEFAULT_PORT:
        return UrlFault("scheme-unsupported", f"has the scheme `{scheme[1].lower()}:`")
    parts = _PARTS.fullmatch(value)
    if parts is None:
        return UrlFault("invalid", "has no `//` and host behind the scheme")
    return _examine_parts(parts)


def _examine_parts(parts: re.Match[str]) -> Url | UrlFault:
    scheme, authority, path, query, fragment = (part or "" for part in parts.groups())
    user, _, server = authority.rpartition("@")
    host, port = _split_port(server)
    fault = _host_fault(host) or _port_fault(port) or _character_fault(path, query, fragment)
    if fault is not None:
        return UrlFault("invalid", fault)
    scheme = scheme.lower()
    number = int(port) if port else None
    if number == _DEFAULT_PORT[scheme]:
        number = None
    host = _one_spelling(host.strip("[]").lower())
    return Url(scheme, host, number, path, query[1:], fragment, bool(user or "@" in authority))


def _one_spelling(host: str) -> str:
    """`münchen.de` and `xn--mnchen-3ya.de` are one host, and so are `[::1]` and `[0:0:0:0:0:0:0:1]`."""
    if ":" in host:
        import ipaddress  # few hosts are addresses

        return ipaddress.IPv6Address(host).compressed
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def _split_port(server: str) -> tuple[str, str]:
    if server.startswith("["):
        host, bracket, rest = server.partition("]")
        return host + bracket, rest[1:] if rest.startswith(":") else rest
    host, _, port = server.partition(":")
    return host, port


def _host_fault(host: str) -> str | None:
    if not host:
        return "has no host"
    import ipaddress

    if host.startswith("["):
        try:
            ipaddress.IPv6Address(host[1:-1] if host.endswith("]") else host)
        except ValueError:
            return f"has the host `{host}`, which is no IPv6 address"
        return None
    if re.search(r"\s", host):
        return "has white space in its host"
    if not _HOST.fullmatch(host):
        return f"has the host `{host}`, which no name server can know"
    if re.fullmatch(r"[\d.]+", host):
        try:
            ipaddress.IPv4Address(host.rstrip("."))
        except ValueError:
            return f"has the host `{host}`, which is no IPv4 address"
    return None


def _port_fault(port: str) -> str | None:
    if port and not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        return f"has the port `{port[:20]}`"
    return None


def _character_fault(path: str, query: str, fragment: str) -> str | None:
    bad = _BAD_PATH.search(path) or _BAD_QUERY.search(query + fragment)
    if bad is not None:
        what = "a space" if bad[0] == " " else _named(bad[0])
        return f"contains {what}, which must be written {quote(bad[0])}"
    if _BAD_PERCENT.search(path + query + fragment):
        return "contains a `%` that is not followed by two hex digits"
    if _NOT_CHARACTERS.search(path + query + fragment):
        return "contains a code point that is no character"
    return None


def _named(character: str) -> str:
    return f"`{character}`" if character.isprintable() else f"the character U+{ord(character):04X}"


def _character(value: str, inner: str) -> str:
    outer = value.strip(XML_SPACE)
    return _named(outer[0] if outer[0] != inner[0] else outer[-1])


def is_ordinary(value: str) -> bool:
    """True for the plain URLs that most sitemaps consist of; False says nothing."""
    return value.isascii() and _ORDINARY.fullmatch(value) is not None and len(value) < LONG


def parse(value: str) -> Url | None:
    """The parts of a sound URL, None for any other value."""
    found = examine(value)
    return found if isinstance(found, Url) else None


def join(base: str, value: str) -> str:
    """The value resolved against a base; what cannot be resolved stays as it is, for a rule to judge."""
    try:
        return urljoin(base, value)
    except ValueError:
        return value


def undotted(url: str) -> str:
    """`/a/../b` is asked for as `/b`."""
    parts = parse(url) if "/." in url else None
    return join(parts.origin + "/", parts.text[len(parts.origin) :]) if parts else url


def is_sound(value: str) -> bool:
    """A URL that names a page: without fault, and without credentials, which make it another."""
    found = None if is_ordinary(value) else examine(value)
    return found is None or (isinstance(found, Url) and not found.credentials)


def host(value: str) -> str:
    """The host of a sound URL, else an empty string."""
    found = parse(value)
    return found.host if found else ""


def split_origin(value: str) -> tuple[str, str]:
    """Origin and path of a sound URL; cheap for ordinary ones, ('', '') for faulty values."""
    if is_ordinary(value):
        slash = value.find("/", 8)
        return value[:slash], value[slash:]
    found = parse(value)
    return (found.origin, found.path or "/") if found else ("", "")


def same_page(value: str) -> str:
    """One spelling for URLs that RFC 3986 calls equivalent: case of host, default port, escaping, root slash."""
    found = None if is_ordinary(value) else parse(value)
    if found is None:
        return value
    tail = _spell(found.path or "/") + (f"?{_spell(found.query)}" if found.query or "?" in value else "")
    return found.origin + tail + _spell(found.fragment)


def variant(page: str) -> str:
    """One spelling for URLs that most servers answer with the same page; takes what same_page gives."""
    rest = page.partition("://")[2].removeprefix("www.")
    path, mark, query = rest.partition("?")
    path = _INDEX.sub("/", path).rstrip("/")
    return path + mark + query


def _spell(text: str) -> str:
    """Upper-case escapes, none for characters that need none; raw characters outside ASCII escaped."""
    if "%" in text:
        text = _UNRESERVED.sub(_unescape, text)
    return text if text.isascii() else quote(text, safe="%/:?#[]@!$&'()*+,;=~|")


def _unescape(escape: re.Match[str]) -> str:
    byte = unquote_to_bytes(escape[0])
    character = byte.decode("latin-1")
    return character if character.isascii() and (character.isalnum() or character in "-._~") else escape[0].upper()


def common_folder(paths: Sequence[str]) -> str:
    """The longest folder that all paths begin with."""
    shared: list[str] = []
    for names in zip(*(path.split("/")[:-1] for path in paths), strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return "/".join([*shared, ""])
