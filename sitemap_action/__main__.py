"""The command: `sitemap-action`, and `python -m sitemap_action`."""

from __future__ import annotations

import gc

from sitemap_action.interrupt import end_by_default


def main() -> None:
    """The process is ours: columns are let go one by one, and to hunt among millions of texts for cycles finds none."""
    end_by_default()
    gc.disable()
    from sitemap_action.cli import main as command  # takes its time, in which a signal may come

    try:
        command(prog_name="sitemap-action")
    finally:
        gc.freeze()  # at its end the process would look for cycles once more, for nothing


if __name__ == "__main__":
    main()
