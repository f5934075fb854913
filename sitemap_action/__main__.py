"""The command: `sitemap-action`, and `python -m sitemap_action`."""

from __future__ import annotations

from sitemap_action.interrupt import end_by_default


def main() -> None:
    end_by_default()
    from sitemap_action.cli import main as command  # takes its time, in which a signal may come

    command(prog_name="sitemap-action")


if __name__ == "__main__":
    main()
