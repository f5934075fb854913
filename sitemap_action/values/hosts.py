"""Hosts that tell something by their name alone: local ones, and placeholders."""

from __future__ import annotations

import re

from sitemap_action import lazy

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
    import ipaddress  # not needed for names that tell it

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return not (mapped or address).is_global


def is_placeholder(host: str) -> bool:
    return _PLACEHOLDERS.fullmatch(host) is not None
