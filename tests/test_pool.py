"""Files that are read by several processes: the report is that of one process, whatever becomes of the others."""

from __future__ import annotations

import gc
import gzip
import json
import multiprocessing
import signal
import sys
import time
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from conftest import Run, Write, index, urlset
from front_door import knock

from sitemap_action import reading
from sitemap_action.reading import pool
from sitemap_action.report.sieve import Policy
from sitemap_action.rules import all_rules
from sitemap_action.site import Scope

SITE = "https://www.acme.example"
# Whatever the size of the site: processes are worth their while.
EAGER = "import functools, os, sitemap_action.reading.pool as pool, sitemap_action.run as run; pool._WORTH_IT = 0; "
FORK = EAGER + "run.Pool = functools.partial(run.Pool, start='fork'); "
SPAWN = EAGER + "run.Pool = functools.partial(run.Pool, start='spawn'); "
forks = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere, or with threads, forking is not safe")


@pytest.fixture
def public(write: Write) -> Path:
    """A site with defects in files, and others that only the whole set shows."""
    for number in range(12):
        entries = [f"{SITE}/{number}/{page}/" for page in range(40)] + [f"{SITE}/shared/", f"None/{number}/"]
        entries.append(f"<url><loc>{SITE}/dated/{number}/</loc><lastmod>2026-02-{20 + number}</lastmod></url>")
        text = urlset(*entries)
        if number % 3 == 0:
            write(f"public/sitemap-{number}.xml.gz", gzip.compress(text.encode()))
        else:
            write(f"public/sitemap-{number}.xml", text[: 900 if number == 7 else None])
    names = [f"{SITE}/sitemap-{number}.xml{'' if number % 3 else '.gz'}" for number in range(12)]
    write("public/robots.txt", f"Sitemap: {SITE}/sitemap.xml\n")
    return write("public/sitemap.xml", index(*names, f"{SITE}/sitemap-gone.xml")).parent


@pytest.mark.parametrize(
    ("how", "jobs"), [pytest.param(FORK, 2, marks=forks), pytest.param(FORK, 7, marks=forks), (SPAWN, 2)]
)
@pytest.mark.parametrize("format", ["json", "text", "--urls"])
def test_the_report_is_the_same_for_any_number_of_processes(public: Path, how: str, jobs: int, format: str) -> None:
    wanted = ["--urls"] if format == "--urls" else ["--format", format, "--max-findings", "5"]
    alone = knock(public, *wanted, "--jobs", "1")
    together = knock(public, *wanted, "--jobs", str(jobs), before=how)
    assert (together.returncode, together.stdout, together.stderr) == (alone.returncode, alone.stdout, "")
    assert alone.stdout


@forks
@pytest.mark.parametrize(
    "trouble",
    [
        "pool._work = lambda *anything: None",
        "pool._work = lambda *anything: os._exit(9)",
        "pool._work = lambda line, *anything: (line.recv(), os._exit(9))",
        "pool._work = lambda line, *anything: (line.recv(), os.write(line.fileno(), b'\\0\\0\\1\\0'), os._exit(9))",
        "here, read = os.getpid(), pool.Reader.read\n"
        "def memory_error(self, task):\n"
        "    if os.getpid() != here: raise MemoryError\n"
        "    return read(self, task)\n"
        "pool.Reader.read = memory_error",
        "import multiprocessing.process\n"
        "def full(self): raise OSError(11, 'no more processes')\n"
        "multiprocessing.process.BaseProcess.start = full",
    ],
    ids=["leave", "die", "die reading", "die telling", "no memory", "not one"],
)
def test_what_other_processes_do_not_read_is_read_here(public: Path, trouble: str) -> None:
    alone = knock(public, "--format", "json", "--jobs", "1")
    troubled = knock(public, "--format", "json", "--jobs", "3", before=FORK + trouble, timeout=60)
    assert (troubled.returncode, troubled.stdout, troubled.stderr) == (1, alone.stdout, "")


def test_a_small_site_starts_no_process(public: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_employed", lambda *arguments: pytest.fail("a process was started"))
    assert run(public, "--jobs", "8").report["documents"]


@pytest.mark.parametrize("jobs", ["0", "-1", "many", ""])
def test_a_number_of_processes_that_is_none(run: Run, jobs: str) -> None:
    outcome = run(".", "--jobs", jobs)
    assert outcome.exit_code == 2
    assert "--jobs" in outcome.stderr


def test_files_that_are_weighed_before_they_are_read(write: Write, tmp_path: Path) -> None:
    weights = {
        name: pool._weight(reading.Task(path, name))
        for name, path in (
            ("plain", write("a.xml", b"x" * 100)),
            ("packed", write("a.xml.gz", b"x" * 100)),
            ("gone", tmp_path / "b.xml"),
        )
    }
    assert weights["gone"] < weights["plain"] < weights["packed"]


def test_a_worker_reads_what_it_is_told_to_until_nobody_asks(write: Write) -> None:
    """In this process, where its work can be seen."""
    path = write("sitemap.xml", urlset(f"{SITE}/", "None/contact/"))
    tasks = [
        reading.Task(path, "sitemap.xml", served_at="/sitemap.xml"),
        reading.Task(path.parent / "no.xml", "no.xml"),
    ]
    ours, theirs = Pipe()
    with ours, theirs:
        for task in tasks:
            ours.send(task)
        other, far = Pipe()
        far.close()
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        shut = _ShutAfter(theirs, len(tasks))
        try:
            pool._work(shut, [other], assignment())  # type: ignore[arg-type]
        finally:
            gc.enable()
            for number, handler in handlers.items():
                signal.signal(number, handler)
        records = [ours.recv() for _ in tasks]
    assert other.closed
    alone = reading.Reader(assignment()).read(tasks[0])
    assert records[0].sifted.totals == alone.sifted.totals
    assert [record.key for record in records] == [task.key for task in tasks]
    assert json.loads(records[1].key)[0] == "no.xml"


class _ShutAfter:
    """The worker's end of a line whose other end is closed after so many tasks."""

    def __init__(self, line: object, count: int) -> None:
        self._line, self._count = line, count

    def recv(self) -> object:
        if not self._count:
            raise EOFError
        self._count -= 1
        return self._line.recv()  # type: ignore[attr-defined]

    def send(self, record: object) -> None:
        self._line.send(record)  # type: ignore[attr-defined]


def assignment() -> reading.Assignment:
    return reading.Assignment(Scope(), list(all_rules().values()), Policy(), limit=10_000_000, is_part=True)


def _deaf(line: Connection) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    line.send("deaf")
    time.sleep(60)


@forks
def test_a_worker_that_does_not_hear_is_ended_all_the_same() -> None:
    """It may be stopped, or wait for a disk that is gone."""
    ours, theirs = Pipe()
    process = multiprocessing.get_context("fork").Process(target=_deaf, args=(theirs,), daemon=True)
    process.start()
    assert ours.recv() == "deaf"
    readers = pool.Pool(assignment(), 1)
    readers._workers.append(pool._Worker(process, ours))
    readers.close()
    assert not process.is_alive()


def test_a_file_with_several_names_is_announced_once(write: Write, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody asks for would wait, and take the room of others."""
    announced: list[str] = []
    monkeypatch.setattr(reading.Reader, "ahead", lambda _, tasks: announced.extend(task.location for task in tasks))
    write("public/sitemap.xml", index(*(f"{SITE}/a.xml?v={number}" for number in range(4)), f"{SITE}/b.xml"))
    write("public/a.xml", urlset(f"{SITE}/a"))
    write("public/b.xml", urlset(f"{SITE}/b"))
    assert run("public", "--jobs", "1").report["urls"] == 2
    assert announced == ["public/a.xml", "public/b.xml"]
