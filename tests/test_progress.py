"""Progress is for a person at a terminal: one line, rewritten, wiped at the end; nothing for a pipe."""

from __future__ import annotations

import io

import pytest
from conftest import Run, index, urlset
from origins import Origin

from sitemap_action.command.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """Time that passes when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def progress(stream: io.StringIO, clock: Clock, *, wanted: bool = True) -> Progress:
    shown = Progress(stream, wanted=wanted, clock=clock)
    shown.done, shown.known, shown.urls = 3, 12, 45_000
    return shown


def test_the_line_tells_how_far_we_are_and_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream, clock = Terminal(), Clock()
    shown = progress(stream, clock)
    clock.now = 1.0
    shown.show("https://acme.example/a.xml")
    assert stream.getvalue() == "\r\x1b[K3 of 12 documents, 45,000 URLs, https://acme.example/a.xml"
    shown.clear()
    assert stream.getvalue().endswith("a.xml\r\x1b[K")


def test_the_line_waits_a_moment_and_comes_no_faster_than_an_eye_can_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream, clock = Terminal(), Clock()
    shown = progress(stream, clock)
    shown.show("at once")
    for now in (1.0, 1.01, 1.02, 1.2):
        clock.now = now
        shown.show(f"at {now}")
    assert "at once" not in stream.getvalue()
    assert [now for now in ("1.0", "1.01", "1.02", "1.2") if f"at {now}" in stream.getvalue()] == ["1.0", "1.2"]


@pytest.mark.parametrize("columns", [20, 80])
def test_the_line_fits_the_terminal_and_what_it_names_is_harmless(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    stream, clock = Terminal(), Clock()
    shown = progress(stream, clock)
    clock.now = 1.0
    shown.show("https://acme.example/\x1b]0;x\x07" + "long" * 50)
    line = stream.getvalue().removeprefix("\r\x1b[K")
    assert len(line) < columns
    assert line.isprintable()


@pytest.mark.parametrize(
    ("stream", "wanted", "term"),
    [(io.StringIO(), True, "xterm"), (Terminal(), False, "xterm"), (Terminal(), True, "dumb")],
)
def test_nothing_is_shown_to_a_pipe_or_to_somebody_who_wants_quiet(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, wanted: bool, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    clock = Clock()
    shown = progress(stream, clock, wanted=wanted)
    clock.now = 9.0
    shown.show("https://acme.example/")
    shown.clear()
    assert stream.getvalue() == ""


def test_a_live_run_tells_what_it_waits_for(run: Run, origin: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[int, int, int, str]] = []
    monkeypatch.setattr(
        "sitemap_action.command.progress.Progress.show",
        lambda self, current: told.append((self.done, self.known, self.urls, current.removeprefix(origin.url))),
    )
    origin.put("/sitemap.xml", index("{origin}/a.xml", "{origin}/b.xml"))
    origin.put("/a.xml", urlset("{origin}/1", "{origin}/2"))
    origin.put("/b.xml", urlset("{origin}/3"))
    run(origin.url)
    assert told[0] == (0, 0, 0, "/robots.txt")
    assert (1, 3, 0, "/a.xml") in told
    assert (2, 3, 2, "/b.xml") in told


def test_standard_error_is_empty_when_it_is_no_terminal(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset("{origin}/"))
    assert run(origin.url, format=None).stderr == ""
