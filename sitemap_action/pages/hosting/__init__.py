"""The configuration of static hosts (Netlify, Cloudflare Pages, Vercel, Azure), read as far as pages need it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sitemap_action.model import Fault
from sitemap_action.pages.hosting.azure import azure_json
from sitemap_action.pages.hosting.netlify import headers, netlify_toml, redirects
from sitemap_action.pages.hosting.routes import Hosting, Settings
from sitemap_action.pages.hosting.vercel import vercel_json
from sitemap_action.sources import is_file, read_file

_MOST_BYTES = 2_000_000
# Each file with its reader, and whether it is a part of the build itself.
_FILES: tuple[tuple[str, Callable[[str], Settings], bool], ...] = (
    ("_redirects", redirects, True),
    ("_headers", headers, True),
    ("netlify.toml", netlify_toml, False),
    ("vercel.json", vercel_json, False),
    ("staticwebapp.config.json", azure_json, False),
)


def read_hosting(root: Path, working: Path) -> Hosting:
    """What lies in the build itself counts; what configures the project may lie in the working directory instead."""
    found = []
    for name, reader, is_of_build in _FILES:
        for folder in dict.fromkeys([root] if is_of_build else [root, working]):
            if not is_file(folder / name):
                continue
            data = read_file(folder / name, _MOST_BYTES)
            if isinstance(data, Fault):
                found.append(Settings(notes=[f"{name} could not be read: {data.facts[0]}"]))
                break
            text = data.decode("utf-8-sig", "replace")
            try:
                found.append(reader(text))
            except (ValueError, RecursionError) as error:
                found.append(Settings(notes=[f"{name} could not be read: {str(error)[:200]}"]))
            break
    return Hosting(found)
