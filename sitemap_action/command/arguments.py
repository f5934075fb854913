"""The words of a command line: a hook passes the names of changed files, and some look like options."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

from sitemap_action.sources import SITEMAP_NAME

_WORDS = f"{__name__}.words"


class CommandForFiles(click.Command):
    """pre-commit puts file names behind a user's own options, where no `--` can part the two."""

    def parse_args(self, context: click.Context, words: list[str]) -> list[str]:
        end = words.index("--") if "--" in words else len(words)
        context.meta[_WORDS] = words[:end]
        return super().parse_args(context, [*map(_safe, words[:end]), *words[end:]])


def words_of(context: click.Context) -> Sequence[str]:
    """The command line up to its `--`, for who must know what will be met before it is."""
    words: Sequence[str] = context.meta.get(_WORDS, ())
    return words


def _safe(word: str) -> str:
    """The hook passes sitemaps alone, so nothing else that happens to lie here can take an option away."""
    is_file = word.startswith("-") and SITEMAP_NAME.match(word) is not None and os.path.lexists(word)
    return os.path.join(os.curdir, word) if is_file else word
