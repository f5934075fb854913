"""SIGINT and SIGTERM: a run ends soon, with what was found so far, and leaves nothing half written."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, Write, index, urlset
from front_door import surroundings
from origins import Fault, Origin

from sitemap_action import formats
from sitemap_action.command import publish
from sitemap_action.command.publish import Publishing
from sitemap_action.interrupt import Interrupted, Interrupts, held_back
from sitemap_action.net.crew import Crew
from sitemap_action.pages import built
from sitemap_action.reading import Reader
from sitemap_action.report import Report

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no signals from one process to another")
SITE = "https://www.acme.example"
BOTH = [signal.SIGINT, signal.SIGTERM]
SECONDS = 2.0
# For a process that has to be started on a busy machine.
SLACK = 20.0


@contextmanager
def started(*arguments: str | Path, before: str = "", **extra: Any) -> Iterator[subprocess.Popen[str]]:
    program = ["-m", "sitemap_action"]
    if before:
        program = ["-c", f"{before}\nfrom sitemap_action.__main__ import main\nmain()"]
    with subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=surroundings(),
        # What is started in the background of a shell ignores SIGINT, and this may be.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **extra,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def ended(process: subprocess.Popen[str], number: int) -> tuple[int, str, str]:
    """Exit code and output of a process that has been told to end, which it does in time."""
    process.send_signal(number)
    began = time.monotonic()
    out, err = process.communicate(timeout=SLACK)
    assert time.monotonic() - began < SECONDS
    return process.returncode, out, err


def wait_until(is_so: Any) -> None:
    end = time.monotonic() + SLACK
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.fixture(autouse=True)
def nobody_has_told_us_to_ignore_it() -> Iterator[None]:
    """What is started in the background of a shell ignores SIGINT, and so would a run within it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def slow(origin: Origin) -> Origin:
    """An origin that says all of one document, and nothing of the next."""
    origin.put("/robots.txt", f"Sitemap: {origin.url}/sitemap.xml\n", type="text/plain")
    origin.put("/sitemap.xml", index(f"{origin.url}/a.xml", f"{origin.url}/b.xml"))
    origin.put("/a.xml", urlset("None/contact/"))
    origin.fault("/b.xml", silence)
    return origin


def silence(connection: socket.socket, stop: threading.Event) -> None:
    stop.wait(SLACK)


def kill(number: int) -> None:
    os.kill(os.getpid(), number)


def killing(number: int) -> Fault:
    """An answer that is none, and a signal once all that was asked for beside it will have been told."""

    def fault(connection: socket.socket, stop: threading.Event) -> None:
        stop.wait(0.3)
        kill(number)
        stop.wait(SLACK)

    return fault


@pytest.mark.parametrize("number", BOTH)
def test_a_live_run_tells_what_it_has_found(slow: Origin, number: int, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    with started(slow.url, "--format", "json", "--output", f"markdown={file}") as process:
        wait_until(lambda: slow.count("/b.xml"))
        time.sleep(0.2)
        code, out, err = ended(process, number)
    report = json.loads(out)
    assert (code, err) == (128 + number, "")
    assert report["verdict"] == "inconclusive"
    name = signal.Signals(number).name
    assert f"The run was ended by {name} after 2 documents." in report["inconclusive"]
    assert "loc-not-absolute" in {finding["rule"] for finding in report["findings"]}
    assert not report["gate"]["passed"]
    assert f"ended by {name}" in file.read_text(encoding="utf-8")
    assert os.listdir(tmp_path) == [file.name]


@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_run_over_files_tells_what_it_has_found(write: Write, number: int, jobs: str, tmp_path: Path) -> None:
    """The last file is a pipe in disguise: whoever reads it says so, and waits for ever."""
    for place in range(4):
        write(f"public/sitemap-{place}.xml", urlset(*(f"{SITE}/{place}/{page}/" for page in range(3)), "None/"))
    said = tmp_path / "said"
    before = (
        "import time, pathlib, sitemap_action.reading.pool as pool, sitemap_action.reading as reading\n"
        "pool._WORTH_IT = 0\n"
        "def read_file(path, *rest, real=reading.read_file, **options):\n"
        f"    if path.name == 'sitemap-3.xml': pathlib.Path({str(said)!r}).touch(); time.sleep({SLACK})\n"
        "    return real(path, *rest, **options)\n"
        "reading.read_file = read_file"
    )
    with started(tmp_path / "public", "--jobs", jobs, "--format", "json", before=before) as process:
        wait_until(said.exists)
        time.sleep(0.1)
        code, out, err = ended(process, number)
    assert (code, err) == (128 + number, "")
    assert "after 3 documents" in json.loads(out)["inconclusive"]
    # Its workers go with it: they would hold the pipe of its output open, and `communicate` would not return.


@pytest.mark.parametrize("number", BOTH)
def test_before_there_is_anything_to_tell_it_just_ends(number: int) -> None:
    before = "import sys, os; sys.modules['sitemap_action.cli'] = type('x', (), {'main': lambda **_: (print('up', flush=True), __import__('time').sleep(20))})"
    with started(before=before) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        code, out, err = ended(process, number)
    assert (code, out, err) == (-number, "", "")


def test_sigint_that_is_ignored_stays_ignored(slow: Origin) -> None:
    """A shell does so for what it starts in the background."""
    before = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    with started(slow.url, "--format", "json", before=before) as process:
        wait_until(lambda: slow.count("/b.xml"))
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        assert ended(process, signal.SIGTERM)[0] == 143


@pytest.mark.parametrize("number", BOTH)
def test_a_signal_while_a_server_is_waited_for(run: Run, slow: Origin, number: int) -> None:
    slow.fault("/b.xml", killing(number))
    began = time.monotonic()
    outcome = run(slow.url)
    assert time.monotonic() - began < SECONDS
    assert outcome.exit_code == 128 + number
    assert "after 2 documents" in outcome.report["inconclusive"]


def test_pages_that_are_waited_for(run: Run, origin: Origin) -> None:
    origin.put("/sitemap.xml", urlset(f"{origin.url}/", f"{origin.url}/a"))
    origin.fault("/a", killing(signal.SIGTERM))
    began = time.monotonic()
    outcome = run(f"{origin.url}/sitemap.xml", "--pages")
    assert time.monotonic() - began < SECONDS
    assert outcome.exit_code == 143
    assert "after 1 document." in outcome.report["inconclusive"]


def test_pages_of_a_built_site(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("public/sitemap.xml", urlset(f"{SITE}/"))
    write("public/index.html", "<title>a</title>")

    def look(*arguments: object) -> None:
        kill(signal.SIGINT)
        time.sleep(SLACK)

    monkeypatch.setattr(built.BuiltPages, "look", look)
    outcome = run("public", "--pages")
    assert outcome.exit_code == 130
    assert "after 1 document." in outcome.report["inconclusive"]


def test_what_breaks_after_a_signal_is_of_its_making(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the middle of somebody else's code may leave it in a state that it has no word for."""

    def broken(*arguments: object) -> None:
        try:
            kill(signal.SIGTERM)
            time.sleep(SLACK)
        except Interrupted:
            raise RuntimeError("release unlocked lock") from None

    write("public/sitemap.xml", urlset(f"{SITE}/"))
    monkeypatch.setattr(Reader, "finish", broken)
    outcome = run("public", "--jobs", "1")
    assert (outcome.exit_code, outcome.report["verdict"]) == (143, "inconclusive")


def test_a_signal_while_reports_are_written(run: Run, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("public/sitemap.xml", urlset(f"{SITE}/"))

    def interrupted(*arguments: object, **options: object) -> None:
        kill(signal.SIGTERM)
        time.sleep(SLACK)

    monkeypatch.setattr(Publishing, "write", interrupted)
    outcome = run("public")
    assert (outcome.exit_code, outcome.stdout) == (143, "")


def test_a_report_that_is_being_written_is_there_in_whole_or_not_at_all(tmp_path: Path, write: Write) -> None:
    """The signal comes when half of it is on the disk."""
    write("public/sitemap.xml", urlset(f"{SITE}/"))
    before = (
        "import os, signal, time, pathlib\n"
        "def replace(self, target):\n"
        "    os.kill(os.getpid(), signal.SIGTERM); time.sleep(20)\n"
        "pathlib.Path.replace = replace"
    )
    target = tmp_path / "report.json"
    target.write_text("the one from yesterday", encoding="utf-8")
    with started("public", "--output", f"json={target}", before=before, cwd=tmp_path) as process:
        process.communicate(timeout=SLACK)
    assert process.returncode == 143
    assert target.read_text(encoding="utf-8") == "the one from yesterday"
    assert sorted(os.listdir(tmp_path)) == ["public", "report.json"]


def test_a_telling_that_takes_too_long_is_ended_as_well(
    run: Run, slow: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow.fault("/b.xml", killing(signal.SIGINT))
    monkeypatch.setattr(Report, "end_early", lambda *arguments: time.sleep(SLACK))
    began = time.monotonic()
    assert run(slow.url).exit_code == 130
    assert time.monotonic() - began < SECONDS


def test_no_comment_is_written_after_a_signal(run: Run, slow: Origin, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.fault("/b.xml", killing(signal.SIGINT))
    monkeypatch.setattr("sitemap_action.github.comment.keep_up_to_date", lambda *arguments: pytest.fail("a comment"))
    assert run(slow.url, "--comment", "always").exit_code == 130


def test_in_a_thread_of_somebody_elses_program_signals_are_theirs() -> None:
    def ours() -> None:
        with Interrupts().listening():
            handlers.append(signal.getsignal(signal.SIGTERM))

    before, handlers = signal.getsignal(signal.SIGTERM), list[object]()
    thread = threading.Thread(target=ours)
    thread.start()
    thread.join()
    assert handlers == [before]


def test_it_is_put_off_while_a_lock_may_be_taken() -> None:
    log: list[str] = []
    interrupts = Interrupts()

    def within(_: object) -> None:
        kill(signal.SIGINT)
        log.append("done")

    def ours() -> None:
        future: Future[None] = Future()
        future.set_result(None)
        with interrupts.listening():
            future.add_done_callback(within)
            time.sleep(SLACK)

    with pytest.raises(Interrupted):
        ours()
    assert (log, interrupts.code, interrupts.name) == (["done"], 130, "SIGINT")


def test_it_is_raised_again_if_it_was_lost() -> None:
    """As in a method that Python calls when an object is let go."""
    log: list[str] = []

    def ours() -> None:
        with Interrupts().listening():
            with suppress(Interrupted):
                kill(signal.SIGTERM)
                time.sleep(SLACK)
            log.append("lost")
            time.sleep(SLACK)

    with pytest.raises(Interrupted):
        ours()
    assert log == ["lost"]


def test_it_is_held_back_while_processes_are_started() -> None:
    log: list[str] = []

    def ours() -> None:
        with Interrupts().listening():
            with held_back():
                signal.raise_signal(signal.SIGTERM)  # to this thread: the others hold nothing back
                log.append("started")
            time.sleep(SLACK)

    with pytest.raises(Interrupted):
        ours()
    assert log == ["started"]


def test_without_a_signal_there_is_no_code() -> None:
    assert (Interrupts().code, Interrupts().name) == (0, "")


def test_a_crew_does_with_the_threads_that_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    real, tries = threading.Thread.start, list[object]()

    def start(thread: threading.Thread) -> None:
        tries.append(thread)
        if len(tries) > 1:
            raise RuntimeError("can't start new thread")
        real(thread)

    monkeypatch.setattr(threading.Thread, "start", start)
    crew = Crew(5)
    assert crew.map(str, range(9)) == [str(number) for number in range(9)]
    assert len(tries) == 2
    crew.close()


def test_what_a_crew_has_not_begun_is_cancelled_when_it_is_closed() -> None:
    crew, is_over = Crew(1), threading.Event()
    first, second = crew.submit(is_over.wait, SLACK), crew.submit(str, 2)
    wait_until(first.running)
    threading.Timer(0.1, is_over.set).start()
    crew.close()
    assert (first.result(), second.cancelled()) == (True, True)


@pytest.mark.parametrize("number", BOTH)
def test_a_signal_while_the_report_is_written_leaves_time_to_write_it(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """All was judged by then; only the exit code tells that somebody wanted an end."""
    write("sitemap.xml", urlset("None/contact/"))
    whole = run("sitemap.xml").stdout
    render = formats.render

    signals = [number]

    def interrupted(*arguments: Any) -> str:
        while signals:
            kill(signals.pop())
        return render(*arguments)

    monkeypatch.setattr(publish, "render", interrupted)
    monkeypatch.setenv("SITEMAP_ACTION_OUTPUT", "text=report.txt")
    outcome = run("sitemap.xml")
    assert outcome.exit_code == 128 + number
    assert outcome.stdout == whole
    assert "loc-not-absolute" in Path("report.txt").read_text(encoding="utf-8")


def test_a_report_that_takes_too_long_to_write_is_given_up(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("sitemap.xml", urlset(f"{SITE}/"))

    def endless(*arguments: Any) -> str:
        kill(signal.SIGTERM)
        time.sleep(SLACK)
        return ""

    monkeypatch.setattr(publish, "render", endless)
    began = time.monotonic()
    assert run("sitemap.xml").exit_code == 143
    assert time.monotonic() - began < SECONDS
