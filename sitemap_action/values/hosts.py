"""Hosts that tell something by their name or address alone: local ones, and placeholders."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Union

from sitemap_action import lazy

if TYPE_CHECKING:  # few hosts are addresses
    import ipaddress

    _Address = Union[ipaddress.IPv4Address, ipaddress.IPv6Address]
    _Network = Union[ipaddress.IPv4Network, ipaddress.IPv6Network]

# The standard library's `is_global` differs between Python versions and passes several of these.
_SPECIAL = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "168.63.129.16/32", "169.254.0.0/16",
    "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
    "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23",
    "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8",
)  # fmt: skip

_LOCAL_NAMES = lazy.pattern(
    r"(?:.*\.)?(?:localhost|local|test|internal|localdomain|lan|home\.arpa|invalid)\.?|ip6-localhost", re.IGNORECASE
)
_PLACEHOLDERS = lazy.pattern(
    r"(?:.*\.)?(?:example\.(?:com|org|net|edu)"
    r"|(?:your|my)-?(?:awesome-?)?(?:domain|site|website|web-?site|company|store|shop|blog|app|project|host|url)"
    r"(?:-?(?:name|here|url))?\.(?:com|org|net|io|dev|app|tld|co|site)"
    r"|(?:domain|site|website|yoursite|placeholder|changeme)\.(?:tld|tbd)|domain\.com|website\.com|mysite\.com"
    r"|(?:your-?)?(?:user-?name|github-?username|github-?user|org-?name)\.(?:github|gitlab)\.io)\.?"
    r"|undefined|null|none|nan|host|hostname|domain",
    re.IGNORECASE,
)


def is_local(host: str) -> bool:
    """A host that nobody outside can reach."""
    if _LOCAL_NAMES.fullmatch(host):
        return True
    try:
        return not is_public(host)
    except ValueError:  # a name
        return False


def is_public(text: str) -> bool:
    """An address that anybody on the internet would reach the same way; ValueError for what is none."""
    import ipaddress

    address: _Address = ipaddress.ip_address(text.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None)
    if mapped is not None:
        return is_public(str(mapped))
    return address.is_global and not any(address in network for network in _special())


@cache
def _special() -> tuple[_Network, ...]:
    import ipaddress

    return tuple(map(ipaddress.ip_network, _SPECIAL))


def is_placeholder(host: str) -> bool:
    return _PLACEHOLDERS.fullmatch(host) is not None
