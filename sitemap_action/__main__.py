"""`python -m sitemap_action` is the command."""

from __future__ import annotations

from sitemap_action.cli import main

if __name__ == "__main__":
    main(prog_name="sitemap-action")
