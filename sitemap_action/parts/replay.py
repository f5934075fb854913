"""The parts in place of the world: what they have read is not read again, what servers told them is not asked again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

import click

from sitemap_action.model import Document, Fault
from sitemap_action.net.answer import Answer, Body
from sitemap_action.net.client import Client
from sitemap_action.parse.unpack import unpack
from sitemap_action.parts.packing import DEFECTS, squeeze, unpack_record, unsqueeze
from sitemap_action.parts.part import Part
from sitemap_action.parts.sound import by_name, flag, number, perhaps, several, text
from sitemap_action.reading import Assignment, Reader, Record, Task, checksum
from sitemap_action.sources import read_file

_PLACE = "join the parts where the files are that they have read"
_FAILURES = ("fetch-failed", "fetch-refused")
# Few files are packed better.
_USUAL = 100


class Recorded(Reader):
    """Knows what the parts have read; what is new to them it reads itself."""

    def __init__(self, assignment: Assignment, parts: Sequence[Part]) -> None:
        super().__init__(assignment)
        self._documents = {key: record for part in parts for key, record in part.documents.items()}

    def recall(self, key: str) -> Record | None:
        return self._recall(key, key)

    def _recall(self, key: str, name: str) -> Record | None:
        data = self._documents.pop(key, None)
        if data is None:
            return None
        try:
            return unpack_record(data)
        except DEFECTS:
            raise _damaged(name) from None

    def read(self, task: Task) -> Record:
        """Parts may be checked where a build of their own was made, which need not be the same."""
        record = self._recall(task.key, task.location)
        if record is None:
            return super().read(task)
        data = read_file(task.path, self.assignment.limit, inside=task.inside)
        if checksum(data) != record.sum:
            raise _changed(task.location)
        if isinstance(data, bytes) and not self._is_so_large(data, record.facts["size"]):
            raise _damaged(task.location)  # as many entries as it has bytes are believed
        return record

    def _is_so_large(self, data: bytes, size: int) -> bool:
        return size <= _USUAL * len(data) or size <= unpack(data, "", self.assignment.limit).size

    def inspect(self, document: Document) -> Record:
        is_read = document.data is not None and not document.failed
        record = self.recall(document.location) if is_read else None
        if record is None:
            return super().inspect(document)
        document.let_go()
        return record

    def finish(self) -> None:
        """A file that a part has read and that is not there for us, or another one: then this is another place."""
        for key in self._documents:
            if key.startswith("["):
                location, *_, size = json.loads(key)
                _compare(text(location), size)


def _compare(location: str, size: int) -> None:
    try:
        now = os.stat(location).st_size
    except (OSError, ValueError):
        if "\\x" in location:  # a name that is no text is shown otherwise, and cannot be looked for
            return
        raise click.UsageError(f"A part has read {location}, which is not here; {_PLACE}.") from None
    if now != size:
        raise _changed(location)


def _damaged(name: str) -> click.UsageError:
    return click.UsageError(f"What a part has written of {name} is damaged.")


def _changed(location: str) -> click.UsageError:
    return click.UsageError(f"{location} has changed since a part has read it; {_PLACE}.")


@contextmanager
def held_to_the_parts() -> Iterator[None]:
    """What parts have noted for the whole set is used far from here, and must fit what else they say."""
    try:
        yield
    except DEFECTS as error:
        words = "at least one of them is damaged, or was not written by a run with --shard"
        raise click.UsageError(f"The parts contradict themselves: {words}.") from error


class Recording(Client):
    """Remembers every answer, with its body."""

    def get(self, url: str, limit: int | None = None, *, partial: bool = False, patient: bool = True) -> Answer:
        answer = super().get(url, limit, partial=partial, patient=patient)
        self.answers[_key(url, limit)] = _pack(answer)
        return answer


class Replaying(Client):
    """Answers as the servers did; who asks for something new is told by the server itself."""

    def __init__(self, *asked: Any, parts: Sequence[Part]) -> None:
        """All parts ask for indexes. Who has checked a document has the answer that goes with it.

        One that had no luck does not hide what the others were told.
        """
        super().__init__(*asked)
        for part in parts:
            own = {_path(location) for location in part.documents}
            for key, packed in part.answers.items():
                known = self.answers.get(key)
                if not _is_ok(known) or (_is_ok(packed) and _path(key) in own):
                    self.answers[key] = packed

    def get(self, url: str, limit: int | None = None, *, partial: bool = False, patient: bool = True) -> Answer:
        packed = self.answers.get(_key(url, limit))
        if packed is None:
            return super().get(url, limit, partial=partial, patient=patient)
        try:
            return _unpack(packed)
        except DEFECTS:
            raise _damaged(url) from None


def _path(url: str) -> str:
    """Of a preview and of the site that it shows it is the same."""
    return url.partition("://")[2].partition("/")[2]


def _key(url: str, limit: int | None) -> str:
    return f"{limit or 0} {url}"


def _pack(answer: Answer) -> list[Any]:
    body = answer.body
    return [
        answer.url,
        answer.final_url,
        answer.status,
        dict(answer.headers),
        [answer.failure.rule, list(answer.failure.facts)] if answer.failure is not None else None,
        answer.wall,
        answer.is_final,
        answer.no_connection,
        list(answer.hops),
        squeeze(body.peek(body.size)) if body is not None else None,
    ]


def _is_ok(packed: Any) -> bool:
    return isinstance(packed, list) and packed[2:3] == [HTTPStatus.OK] and not any(packed[4:6])


def _unpack(packed: list[Any]) -> Answer:
    url, final_url, status, headers, failure, wall, is_final, no_connection, hops, content = packed
    answer = Answer(text(url), text(final_url), perhaps(number, status), by_name(text, headers))
    answer.failure = _unpack_failure(*failure) if failure is not None else None
    answer.wall, answer.hops = text(wall), tuple(several(text, hops))
    answer.is_final, answer.no_connection = flag(is_final), flag(no_connection)
    if content is not None:
        answer.body = Body()
        answer.body.write(unsqueeze(text(content)))
    return answer


def _unpack_failure(rule: Any, facts: Any) -> Fault:
    if rule not in _FAILURES:
        raise ValueError("no such failure")
    [words] = several(text, facts)
    return Fault(rule, facts=(words,))
