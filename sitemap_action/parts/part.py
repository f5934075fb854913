"""What a part leaves behind: its share of the documents as they were read, and what servers have answered."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from sitemap_action import __version__
from sitemap_action.memory import fingerprint
from sitemap_action.model.share import MOST_PARTS, Share
from sitemap_action.parts.packing import DEFECTS, pack_record
from sitemap_action.parts.sound import number, text
from sitemap_action.reading import Record
from sitemap_action.sources import is_file, is_folder
from sitemap_action.values.words import first_few

_NAMED = 10


@dataclass
class Part:
    """Collected while the run goes on, and written as `shard` of the JSON report."""

    share: Share
    settings: Mapping[str, Any]
    began: str
    answers: dict[str, Any]
    documents: dict[str, Any] = field(default_factory=dict)
    path: Path = Path()  # where it was read from

    def keep(self, record: Record) -> None:
        """What has no name of its own is no more than a hint at something else, and is soon made again."""
        if record.key:
            self.documents[record.key] = pack_record(record)

    def as_data(self) -> dict[str, Any]:
        return {
            "index": self.share.number,
            "count": self.share.of,
            "fingerprints": fingerprint.KIND,
            "began": self.began,
            "settings": dict(self.settings),
            "documents": self.documents,
            "answers": self.answers,
        }


def load(paths: Sequence[Path]) -> list[Part]:
    """All parts of one run, in their order; anything else is an impossible request."""
    held: dict[int, Part] = {}
    first: Part | None = None
    for path in _reports(paths):
        part = _load(path)
        first = first or part
        if part.share.of != first.share.of or part.settings != first.settings:
            raise click.UsageError(f"{path} is a part of another run than {first.path}.")
        if part.share.number in held:
            raise click.UsageError(f"Part {part.share} is there twice: {held[part.share.number].path} and {path}.")
        held[part.share.number] = part
    if first is None:
        raise click.UsageError(f"There is no JSON report in {', '.join(map(str, paths))}.")
    missing = [str(Share(index, first.share.of)) for index in _indices(first.share) if index not in held]
    if missing:
        raise click.UsageError(f"Not all parts are there; what is missing: {first_few(missing, _NAMED)}.")
    return [held[index] for index in _indices(first.share)]


def _indices(share: Share) -> range:
    return range(1, share.of + 1)


def _reports(paths: Sequence[Path]) -> Iterator[Path]:
    """Files, and all JSON files below folders: a workflow downloads each part into a folder of its own."""
    for path in paths:
        if is_folder(path):
            yield from sorted(found for found in path.rglob("*.json") if is_file(found))
        else:
            yield path


def _load(path: Path) -> Part:
    if not is_file(path) and os.path.exists(path):  # a pipe is waited for, and a device has no end
        raise click.UsageError(f"{path} is no file.")
    try:
        report = json.loads(path.read_bytes())
    except OSError as error:
        raise click.UsageError(f"Cannot read {path}: {(error.strerror or str(error)).lower()}.") from None
    except (ValueError, RecursionError):
        raise click.UsageError(f"{path} is no JSON report.") from None
    data = report.get("shard") if isinstance(report, dict) else None
    if not isinstance(data, dict):
        raise click.UsageError(f"{path} is no report of a run with --shard.")
    try:
        part = _part(path, data)
        version = report["tool"]["version"]
    except DEFECTS:
        raise click.UsageError(f"{path} is no report of a run with --shard, or it is damaged.") from None
    if version != __version__:
        raise click.UsageError(f"{path} was written by version {version}, this is {__version__}.")
    if data.get("fingerprints") != fingerprint.KIND:
        raise click.UsageError(f"{path} was written by another version of Python than this; take one for all parts.")
    return part


def _part(path: Path, data: Mapping[str, Any]) -> Part:
    share = Share(number(data["index"]), number(data["count"]))
    if not 1 <= share.number <= share.of <= MOST_PARTS:
        raise ValueError("no such part")
    documents, answers, settings = data["documents"], data["answers"], data["settings"]
    if not all(isinstance(value, dict) for value in (documents, answers, settings)):
        raise TypeError("not as it was written")
    return Part(share, settings, text(data["began"]), answers, documents, path)
