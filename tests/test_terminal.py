"""The text report on a real terminal, however narrow."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys

import pytest
from front_door import ROOT, surroundings

from sitemap_action.formats.flow import cells, flow

if sys.platform == "win32":
    pytest.skip("needs a terminal of POSIX", allow_module_level=True)

import fcntl
import pty
import termios

EXAMPLE = ROOT / "example"


def on_terminal(columns: int, *arguments: str, **variables: str) -> list[str]:
    """What a terminal of so many columns is shown, line by line."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {name: value for name, value in surroundings(TERM="xterm", **variables).items() if name != "COLUMNS"}
    command = [sys.executable, "-m", "sitemap_action", *arguments]
    # On a busy machine there may be time for a line of progress, which is not what these tests are about.
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, cwd=EXAMPLE, env=env):
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # how Linux tells that the other side is closed
                break
            if not part:
                break
            shown += part
    os.close(ours)
    return shown.decode().replace("\r", "").splitlines()


@pytest.mark.parametrize("columns", [20, 30, 44, 60, 80])
@pytest.mark.parametrize("color", ["", "1"])
def test_on_a_narrow_terminal_only_what_cannot_be_parted_is_longer_than_a_line(columns: int, color: str) -> None:
    lines = on_terminal(columns, "--verbose", "public", NO_COLOR=color)
    for line in lines:
        assert cells(line) <= columns or len(line.split()) == 1, line
    text = re.sub(r"\x1b\[\d+m", "", "\n".join(lines))
    assert "\x1b" not in text
    words = " ".join(text.split())
    for fact in ("public/sitemap-blog.xml", "2024 ▁ 1", "2062 ▁ 1", "under 1 % of 50 MB", "5 errors, 7 warnings"):
        assert fact in words


def test_where_the_table_does_not_fit_the_facts_stand_beneath_their_document() -> None:
    lines = on_terminal(20, "public", NO_COLOR="1")
    place = lines.index("    public/sitemap-docs.txt")
    assert lines[place + 1].startswith("      text · 5 URLs")


@pytest.mark.parametrize("columns", [0, 1, 2])
def test_a_terminal_without_width_is_no_trouble(columns: int) -> None:
    assert on_terminal(columns, "public", NO_COLOR="1")[-1].split()[-1] == "notices"


def test_characters_of_two_cells_and_none_are_counted_as_they_are_shown() -> None:
    assert [cells(text) for text in ("abc", "漢字", "e\u0301", "\x1b[31mab\x1b[0m")] == [3, 4, 1, 2]
    assert list(flow(["漢字漢字", "漢字漢字", "漢字漢字"], 20, "", "  ")) == ["漢字漢字 漢字漢字", "  漢字漢字"]


def test_words_are_never_parted_nor_lost() -> None:
    text = "a  b " + "x" * 50 + " c"
    assert list(flow(text.split(" "), 20)) == ["a  b", "x" * 50, "c"]
    assert list(flow(text.split(" "), None)) == [text]
