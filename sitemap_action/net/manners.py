"""How to behave towards servers: the options of the command, with their defaults."""

from __future__ import annotations

from typing import NamedTuple

from sitemap_action import __version__

USER_AGENT = f"sitemap-action/{__version__} (+https://github.com/sitemap-action/sitemap-action)"


class Manners(NamedTuple):
    """Patience, bounds, and what we say of ourselves."""

    timeout: float = 20.0
    concurrency: int = 8
    retries: int = 2
    user_agent: str = USER_AGENT
    headers: tuple[tuple[str, str], ...] = ()
    max_bytes: int = 200_000_000
    authorities: str | None = None  # a file of certificates to trust, instead of the usual ones
