"""Reading a document to its end: bytes in; out comes what was found, and what the set will want to know of it."""

from __future__ import annotations

import gc
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sitemap_action.check import Inspector
from sitemap_action.memory import fingerprint
from sitemap_action.model import Document, Fault
from sitemap_action.model.children import lines_of
from sitemap_action.parse import parse, plain
from sitemap_action.report.sieve import Policy, Sifted, sift
from sitemap_action.rules.base import Rule
from sitemap_action.site import Scope, Site, tally
from sitemap_action.sources import read_file
from sitemap_action.values import urls

# Garbage that hangs together is looked for now and then; a document with many shapes leaves a lot of it.
_DOCUMENTS_PER_COLLECTION, _SHAPES_PER_DOCUMENT = 200, 50


class Task(NamedTuple):
    """A file to read, with all that its findings depend on beside its bytes."""

    path: Path
    location: str
    served_at: str = ""
    inside: Path | None = None
    is_argument: bool = False
    named_by_robots: bool = False
    may_have_prefix: bool = False  # its own entries tell what its directory is served below

    @property
    def key(self) -> str:
        """A name for the same file in the same place, for other machines."""
        import json

        try:
            size = self.path.stat().st_size
        except OSError:
            size = -1
        facts = (self.location, self.served_at, self.is_argument, self.named_by_robots, self.may_have_prefix, size)
        return json.dumps(facts)


@dataclass(eq=False, repr=False)
class Record:
    """What is left of a document when its contents are gone; it can be sent to another process, or written down."""

    facts: dict[str, Any]
    sifted: Sifted
    notes: dict[str, Any]
    locs: list[str] = field(default_factory=list)  # where somebody wants them
    key: str = ""  # of what was read, and as what, for those who will ask for it elsewhere
    sum: int | None = None  # of the bytes of a file that will be read again there


class Assignment(NamedTuple):
    """What a reader is told about the run: the same for every document."""

    scope: Scope
    rules: Sequence[type[Rule]]
    policy: Policy
    limit: int
    live: bool = False
    keeps_roll: bool = False
    keeps_locs: bool = False
    is_single: bool = False  # one file was asked for: if it is no index, it will be the only one
    is_shared: bool = False  # with other processes, which take numbers for URLs as well
    is_part: bool = False  # of a run on several machines


class Reader:
    """Reads documents one after the other, here and now."""

    def __init__(self, assignment: Assignment) -> None:
        self.assignment = assignment
        fingerprint.agree_with_others(wanted=assignment.is_shared)
        # Documents are judged by themselves: this site is there for the clock, and as the place of shared columns.
        site = Site(assignment.scope, live=assignment.live)
        rules = [rule(site) for rule in assignment.rules]
        self._inspector = Inspector(site, rules, keeps_roll=assignment.keeps_roll)
        self._weight = 0

    def ahead(self, tasks: Iterable[Task]) -> None:
        """What will be asked for next, for readers who can do several things at a time."""

    def read(self, task: Task) -> Record:
        """A file."""
        document = Document(task.location)
        document.path = task.served_at
        document.is_argument, document.named_by_robots = task.is_argument, task.named_by_robots
        document.reread = lambda: reread(task.path, self.assignment.limit)
        data = read_file(task.path, self.assignment.limit, inside=task.inside)
        if isinstance(data, Fault):
            document.faults.append(data)
            document.failed = True
        else:
            parse(document, data, limit=self.assignment.limit)
            take_stock(document)
            document.is_alone = self.assignment.is_single and task.is_argument and not document.is_index
            if task.may_have_prefix:
                document.path = _below_prefix(document)
        record = self.inspect(document)
        if self.assignment.is_part:
            record.key, record.sum = task.key, checksum(data)
        return record

    def inspect(self, document: Document) -> Record:
        """A document whose values are at hand."""
        sifted = sift(self._inspector.check(document), self.assignment.policy)
        notes = self._inspector.notes(document)
        locs = [loc for loc in document.locs if loc] if self.assignment.keeps_locs and not document.is_index else []
        self._weight += 1 + len(document.shapes) // _SHAPES_PER_DOCUMENT
        document.let_go()
        self._collect()
        # What could not be had is soon told again, and another part may have had it.
        return Record(document.facts(), sifted, notes, locs, "" if document.failed else document.location)

    def recall(self, key: str) -> Record | None:
        """What others have read already."""

    def _collect(self) -> None:
        """Cycles are few, so the command has the collector off; what survives stays to the end, unlooked at."""
        if self._weight >= _DOCUMENTS_PER_COLLECTION and not gc.isenabled():
            self._weight = 0
            gc.collect()
            gc.freeze()

    def finish(self) -> None:
        """All documents were asked for."""

    def close(self) -> None:
        """Nothing is under way."""


def checksum(data: bytes | Fault) -> int | None:
    return None if isinstance(data, Fault) else zlib.crc32(data)


def take_stock(document: Document) -> None:
    """While the values are at hand: what the set and the report need in any case."""
    tally(document)
    if document.is_index:
        document.listed = lines_of(document)


def reread(path: Path, limit: int) -> bytes | None:
    """The contents of a file as its places count them."""
    data = read_file(path, limit)
    return None if isinstance(data, Fault) else plain(data, limit)


def _below_prefix(document: Document) -> str:
    """A file in `en/` that lists `/repo/en/…` lies in `/repo/en/`, though nothing else told the prefix."""
    folder = document.folder
    if folder == "/":
        return document.path
    # What stands before the folder in each listed path: nothing, a prefix, or the folder is not in it.
    before = Counter(
        path[: path.find(folder)] for loc in document.locs if loc and folder in (path := urls.split_origin(loc)[1])
    )
    if not before:
        return "/" + document.path.rpartition("/")[2]  # nothing lies below it: the site may begin right here
    usual = max(before, key=lambda prefix: (before[prefix], prefix == ""))
    return usual + document.path
