"""Element names as the rules know them: `loc`, `image:loc`, `{other-namespace}name`."""

from __future__ import annotations

import re

from sitemap_action import lazy
from sitemap_action.model import SITEMAP_NS

EXTENSIONS = {
    "http://www.google.com/schemas/sitemap-image/1.1": "image",
    "http://www.google.com/schemas/sitemap-video/1.1": "video",
    "http://www.google.com/schemas/sitemap-news/0.9": "news",
    "http://www.w3.org/1999/xhtml": "xhtml",
}
URI_OF = {prefix: uri for uri, prefix in EXTENSIONS.items()}
# In braces, as they stand before the names of attributes.
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"
XML = "{http://www.w3.org/XML/1998/namespace}"
# The protocol's own elements: the entry of each root, and the fields of the entry, in the order of the schema.
ENTRY_OF = {"urlset": "url", "sitemapindex": "sitemap"}
FIELDS = {"urlset": ("loc", "lastmod", "changefreq", "priority"), "sitemapindex": ("loc", "lastmod")}
_NEAR = lazy.pattern(r"(?:google\.\w+|sitemaps?\.org).{0,60}?(image|video|news)|w3\.org/.{0,30}(xhtml)", re.I)


def near_miss(uri: str) -> str | None:
    """The prefix of the extension that a namespace was meant to be, if it is not quite that one."""
    found = None if uri in EXTENSIONS else _NEAR.search("".join(uri.split()))
    return (found[1] or found[2]).lower() if found else None


def is_core(name: str) -> bool:
    """In the sitemap namespace: neither a known prefix nor a namespace in braces stands before it."""
    return name[:1] != "{" and ":" not in name


class Names(dict[str, str]):
    """Expat's `uri}local` to our names, worked out once per distinct name.

    The root's own namespace counts as the sitemap namespace, whatever it is: a wrong one is
    reported once, and the entries below it can still be read. `others` collects the namespaces
    that are neither the protocol's nor a known extension, with the extension each was meant to be.
    """

    def __init__(self, core: str) -> None:
        super().__init__()
        self._core = {core, SITEMAP_NS}
        self.others: dict[str, str | None] = {}

    def __missing__(self, raw: str) -> str:
        uri, _, local = raw.rpartition("}")
        if uri in self._core:
            name = local
        else:
            prefix = EXTENSIONS.get(uri)
            if prefix is None:
                prefix = self.others[uri] = near_miss(uri)
            name = f"{prefix}:{local}" if prefix else f"{{{uri}}}{local}"
        self[raw] = name
        return name


def attribute_name(raw: str) -> str:
    uri, _, local = raw.rpartition("}")
    if not uri:
        return local
    namespace = f"{{{uri}}}"
    return f"xml:{local}" if namespace == XML else namespace + local
