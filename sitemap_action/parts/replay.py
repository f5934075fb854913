"""The parts in place of the world: what they have read is not read again, what servers told them is not asked again."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from sitemap_action.model import Document, Fault
from sitemap_action.net.answer import Answer, Body
from sitemap_action.net.client import Client
from sitemap_action.parts.packing import DEFECTS, squeeze, unpack_record, unsqueeze
from sitemap_action.reading import Assignment, Reader, Record, Task


class Recorded(Reader):
    """Knows what the parts have read; what is new to them it reads itself."""

    def __init__(self, assignment: Assignment, documents: dict[str, Any]) -> None:
        super().__init__(assignment)
        self._documents = documents

    def recall(self, key: str) -> Record | None:
        data = self._documents.pop(key, None)
        if data is None:
            return None
        try:
            return unpack_record(data)
        except DEFECTS:
            raise click.UsageError(f"What a part has written of {key} is damaged.") from None

    def read(self, task: Task) -> Record:
        return self.recall(task.key) or super().read(task)

    def inspect(self, document: Document) -> Record:
        record = self.recall(document.location) if document.data is not None else None
        if record is None:
            return super().inspect(document)
        document.let_go()
        return record

    def finish(self) -> None:
        """A file that a part has read and that is not there for us: then this is another place."""
        left = [json.loads(key)[0] for key in self._documents if key.startswith("[")]
        gone = next((location for location in left if not os.path.lexists(location)), None)
        if gone is not None:
            where = "join the parts where the files are that they have read"
            raise click.UsageError(f"A part has read {gone}, which is not here; {where}.")


class Recording(Client):
    """Remembers every answer, with its body."""

    def get(self, url: str, limit: int | None = None, *, partial: bool = False, patient: bool = True) -> Answer:
        answer = super().get(url, limit, partial=partial, patient=patient)
        self.answers[_key(url, limit)] = _pack(answer)
        return answer


class Replaying(Client):
    """Answers as the servers did; who asks for something new is told by the server itself."""

    def __init__(self, *asked: Any, answers: dict[str, Any]) -> None:
        super().__init__(*asked)
        self.answers = answers

    def get(self, url: str, limit: int | None = None, *, partial: bool = False, patient: bool = True) -> Answer:
        packed = self.answers.get(_key(url, limit))
        if packed is None:
            return super().get(url, limit, partial=partial, patient=patient)
        try:
            return _unpack(packed)
        except DEFECTS:
            raise click.UsageError(f"What a part has written of {url} is damaged.") from None


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


def _unpack(packed: list[Any]) -> Answer:
    url, final_url, status, headers, failure, wall, is_final, no_connection, hops, content = packed
    answer = Answer(url, final_url, status, headers)
    answer.failure = Fault(failure[0], facts=tuple(failure[1])) if failure else None
    answer.wall, answer.is_final, answer.no_connection, answer.hops = wall, is_final, no_connection, tuple(hops)
    if content is not None:
        answer.body = Body()
        answer.body.write(unsqueeze(content))
    return answer
