"""Several processes that read files side by side; what they tell is handed on in the order in which it is asked for."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sitemap_action.interrupt import held_back, leave_to_parent
from sitemap_action.reading import Assignment, Reader, Record, Task

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

# Below this much to read, starting processes takes longer than they save.
_WORTH_IT = 4_000_000
_PACKED = 10
# So many files a worker has at a time: the one that it reads, and the next.
_AT_A_TIME = 2
_PATIENCE = 1.0


def available() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(eq=False, repr=False)
class _Worker:
    process: BaseProcess
    line: Connection
    tasks: deque[Task] = field(default_factory=deque)


class Pool(Reader):
    """A reader whose announced files are read by other processes; everything else it reads itself."""

    def __init__(self, assignment: Assignment, jobs: int, start: str | None = None) -> None:
        self._start = start or ("fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn")
        # Who is forked makes the same numbers of URLs as we do.
        super().__init__(assignment._replace(is_shared=assignment.is_shared or self._start != "fork"))
        self._jobs = jobs
        self._announced: list[Iterator[Task]] = []
        self._next: deque[Task] = deque()
        self._records: dict[Task, Record] = {}
        self._workers: list[_Worker] = []
        self._is_started = False

    def ahead(self, tasks: Iterable[Task]) -> None:
        """An index within an index is asked for before the rest of the outer one."""
        self._announced.append(iter(tasks))

    def read(self, task: Task) -> Record:
        self._hand_out()
        while task not in self._records:
            if not any(task in worker.tasks for worker in self._workers):
                with suppress(ValueError):
                    self._next.remove(task)
                return super().read(task)
            self._listen()
            self._hand_out()
        return self._records.pop(task)

    def _hand_out(self) -> None:
        self._look_ahead()
        if not self._is_started and sum(map(_weight, self._next)) >= _WORTH_IT and len(self._next) > 1:
            self._is_started = True
            with held_back():
                self._workers.extend(_employed(self._jobs, self._start, self.assignment))
        # What was read and not yet asked for waits in memory: of that there must not be too much.
        room = _AT_A_TIME * self._jobs - len(self._records)
        for worker in sorted(self._workers, key=lambda worker: len(worker.tasks)):
            while self._next and len(worker.tasks) < _AT_A_TIME and room > 0 and self._give(worker, self._next[0]):
                room -= 1
                self._next.popleft()

    def _look_ahead(self) -> None:
        while self._announced and len(self._next) < _AT_A_TIME * self._jobs:
            task = next(self._announced[-1], None)
            if task is None:
                self._announced.pop()
            else:
                self._next.append(task)

    def _give(self, worker: _Worker, task: Task) -> bool:
        """Whether there was somebody to take it."""
        try:
            worker.line.send(task)
        except OSError:
            self._lose(worker)
            return False
        worker.tasks.append(task)
        return True

    def _listen(self) -> None:
        """Wait until one of them has something to tell; a worker that died leaves its files to us."""
        from multiprocessing.connection import wait

        lines: dict[Any, _Worker] = {worker.line: worker for worker in self._workers}
        for line in wait(list(lines)):
            worker = lines[line]
            try:
                self._records[worker.tasks[0]] = worker.line.recv()
            except (EOFError, OSError):
                self._lose(worker)
            else:
                worker.tasks.popleft()

    def _lose(self, worker: _Worker) -> None:
        worker.line.close()
        self._workers.remove(worker)

    def finish(self) -> None:
        """What is left to do needs memory, and none of those who read."""
        self.close()

    def close(self) -> None:
        """At once: what is under way is not wanted any more."""
        for worker in self._workers:
            worker.process.terminate()
            worker.line.close()
        for worker in self._workers:
            worker.process.join(_PATIENCE)
            if worker.process.is_alive():  # stopped, or deep in the system: the end of this process would wait for it
                worker.process.kill()
                worker.process.join(_PATIENCE)
        self._workers.clear()


def _weight(task: Task) -> int:
    """About how many bytes there are to read."""
    try:
        size = os.stat(task.path).st_size
    except OSError:
        return 0
    return size * _PACKED if task.path.suffix.lower() == ".gz" else size


def _employed(jobs: int, start: str, assignment: Assignment) -> Iterator[_Worker]:
    """Workers are a help: where the system gives none, there are none."""
    import multiprocessing

    context: Any = multiprocessing.get_context(start)
    for stream in (sys.stdout, sys.stderr):  # what waits to be written must not be written twice
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    others: list[Connection] = []
    for _ in range(jobs):
        try:
            ours, theirs = context.Pipe()
            inherited = [*others, ours] if start == "fork" else []
            process = context.Process(target=_work, args=(theirs, inherited, assignment), daemon=True)
            process.start()
        except OSError:
            return
        theirs.close()
        others.append(ours)
        yield _Worker(process, ours)


def _work(line: Connection, inherited: list[Connection], assignment: Assignment) -> None:
    """A worker's life: it ends when nobody is at the other end any more.

    What it cannot read, say for want of memory, whoever waits for it reads, and says what there is to say.
    """
    leave_to_parent()
    for other in inherited:
        other.close()
    gc.disable()
    reader = Reader(assignment)
    with suppress(Exception):
        while True:
            line.send(reader.read(line.recv()))
