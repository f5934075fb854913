"""Ask sitemaps.org whether its schemas are still the ones this project knows; needs a network.

`python scripts/refresh_schemas.py` compares and says what changed. With `--write` a new edition
of sitemap.xsd replaces the vendored file; the hashes here, in NOTICE.md and in the tests then
want a person's eyes, and so does siteindex.xsd, which is our own restatement and never replaced.
"""

from __future__ import annotations

import difflib
import hashlib
import sys
import urllib.request
from pathlib import Path

SCHEMAS = Path(__file__).resolve().parent.parent / "sitemap_action" / "schemas"
ADDRESS = "https://www.sitemaps.org/schemas/sitemap/0.9/"
# The editions of 2008-03-26 and 2009-04-08.
KNOWN = {
    "sitemap.xsd": "fbec77e84467050d5667394a57cc5cdfe1239d80aca1d61e9e0827173c3d9df9",
    "siteindex.xsd": "68d166ae92a07d5e8dbb0290d28c74aba24d896b721c0d3b1cee78c6aee9781e",
}


def compare(name: str, published: bytes) -> list[str]:
    """What to tell about a published schema; nothing if it is the known edition."""
    digest = hashlib.sha256(published).hexdigest()
    if digest == KNOWN[name]:
        return []
    lines = [f"{name}: sitemaps.org has another edition, sha256 {digest} (known: {KNOWN[name]})."]
    vendored = (SCHEMAS / name).read_bytes()
    if hashlib.sha256(vendored).hexdigest() == KNOWN[name]:
        old, new = (data.decode("utf-8", "replace").splitlines() for data in (vendored, published))
        lines += difflib.unified_diff(old, new, f"vendored/{name}", f"published/{name}", lineterm="")
        if old == new:
            lines.append("Only the line ends differ.")
    else:
        lines.append("Ours is a restatement: read the new edition, and extend the probes of tests/test_schema.py.")
    return lines


def main(arguments: list[str]) -> int:
    if not set(arguments) <= {"--write"}:
        print(__doc__)
        return 2
    changed = False
    for name in KNOWN:
        try:
            with urllib.request.urlopen(ADDRESS + name, timeout=30) as answer:
                published = answer.read()
        except OSError as error:
            print(f"{name}: cannot be had from {ADDRESS}: {error}")
            print("This script needs a network; the program does not, it reads the vendored schemas.")
            return 2
        told = compare(name, published)
        print("\n".join(told) or f"{name}: the published edition is the known one.")
        changed = changed or bool(told)
        if told and name == "sitemap.xsd" and "--write" in arguments:
            (SCHEMAS / name).write_bytes(published)
            print(f"{SCHEMAS / name} was replaced.")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
