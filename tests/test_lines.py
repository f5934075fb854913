"""Places: lines and columns are those that an editor shows, in whatever order they are asked for."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from sitemap_action.model import Place
from sitemap_action.parse.lines import Lines

_TEXT = st.lists(st.sampled_from(["a", "é", "€", "😀", "\n", "\r\n", "\r", "\t", "<url>"])).map("".join)


def as_an_editor_counts(text: str) -> Place:
    """Where the caret is behind this text."""
    lines = re.split(r"\r\n|\r|\n", text)
    return Place(len(lines), len(lines[-1]) + 1)


@given(_TEXT, st.randoms(use_true_random=False))
def test_a_place_is_where_an_editor_has_it(text: str, random: object) -> None:
    data = text.encode()
    # Between a carriage return and its line feed, and within a character, there is no place.
    characters = [place for place in range(len(text) + 1) if text[place - 1 : place + 1] != "\r\n"]
    random.shuffle(characters)  # type: ignore[attr-defined]
    lines = Lines(data)
    for place in characters:
        assert lines.place(len(text[:place].encode())) == as_an_editor_counts(text[:place])


@given(_TEXT, st.data())
def test_a_place_within_a_character_changes_none_behind_it(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    lines, fresh = Lines(raw), Lines(raw)
    lines.place(data.draw(st.integers(0, len(raw))))
    assert lines.place(len(raw)) == fresh.place(len(raw))
