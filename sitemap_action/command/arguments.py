"""The words of a command line: a hook passes the names of changed files, and some look like options."""

from __future__ import annotations

import os

import click

from sitemap_action.sources import SITEMAP_NAME


class CommandForFiles(click.Command):
    """pre-commit puts file names behind a user's own options, where no `--` can part the two."""

    def parse_args(self, context: click.Context, words: list[str]) -> list[str]:
        end = words.index("--") if "--" in words else len(words)
        return super().parse_args(context, [*map(_safe, words[:end]), *words[end:]])


def _safe(word: str) -> str:
    """The hook passes sitemaps alone, so nothing else that happens to lie here can take an option away."""
    is_file = word.startswith("-") and SITEMAP_NAME.match(word) is not None and os.path.lexists(word)
    return os.path.join(os.curdir, word) if is_file else word
