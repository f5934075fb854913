"""sitemap-action checks sitemaps: files of a built site, in one command."""

from __future__ import annotations

__version__ = "0.1.0"
