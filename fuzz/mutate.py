"""Mutations: cut, splice, stretch, recode and misspell an input, with a feeling for what it is made of."""

from __future__ import annotations

import contextlib
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

LARGEST = 200_000
_MOST_AT_ONCE = 6
# The joints of markup and of lines: an insertion there changes the structure rather than a word.
_JOINT = re.compile(rb"(?<=>)|(?=<)|(?<=\n)|(?<=[\"'=:{\[,])")
_ELEMENT = re.compile(rb"<([A-Za-z:]+)[^<>]*>[^<>]*</\1>|<(url|sitemap|item|entry)\b.*?</\2>|<[^<>]*/>", re.DOTALL)
_LINE = re.compile(rb"^.{1,200}\n", re.MULTILINE)
_VALUE = re.compile(rb"\"[^\"\n]*\"|'[^'\n]*'|(?<=>)[^<>\n]+(?=<)|\b\d[\d.:TZ-]*\b|\b(?:true|false|null)\b")
# A value of another type than the reader may expect.
_OTHER_TYPES = (b"[]", b"{}", b"null", b"true", b"1", b"-1", b"1.5", b"1e999", b'""', b'"a"', b"[[]]", b'{"a":1}')
_PAIRS = (
    (b"<a>", b"</a>"),
    (b"<url>", b"</url>"),
    (b"<p>", b"</p>"),
    (b"[", b"]"),
    (b"{", b"}"),
    (b'{"a":', b"}"),
)
_ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp1252", "utf-7")

Mutation = Callable[["Mutator", bytes], bytes]


class Mutator:
    """Makes new inputs of old ones; the same random numbers make the same inputs."""

    def __init__(self, random: Random, words: Sequence[bytes]) -> None:
        self.random = random
        self.words = words
        self.others: Sequence[bytes] = (b"",)

    def mutate(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """A few mutations, mostly one or two; `others` are what may be spliced in."""
        self.others = others
        for _ in range(min(1 + int(self.random.expovariate(0.7)), _MOST_AT_ONCE)):
            data = self.random.choice(_MUTATIONS)(self, data)[:LARGEST]
        return data

    def place(self, data: bytes) -> int:
        """Anywhere, or at a joint of the text."""
        if self.random.random() < 0.5:
            near = self.random.randint(0, len(data))
            joint = _JOINT.search(data, near)
            return joint.start() if joint else near
        return self.random.randint(0, len(data))

    def span(self, data: bytes) -> tuple[int, int]:
        """Mostly a short one; sometimes as it was meant by whoever wrote it."""
        kind = self.random.random()
        found = None
        if kind < 0.6:
            found = (_ELEMENT if kind < 0.3 else _VALUE).search(data, self.random.randint(0, len(data)))
        if found is not None:
            return found.span()
        start = self.place(data)
        length = (
            int(self.random.expovariate(1 / 12)) if self.random.random() < 0.8 else self.random.randint(0, len(data))
        )
        return start, min(start + length, len(data))

    def word(self) -> bytes:
        return self.random.choice(self.words)

    def times(self) -> int:
        """A few, or so many that anything quadratic shows."""
        return self.random.choice((2, 3, 10, 70, 300, 5_000, 50_000))


def _flip(self: Mutator, data: bytes) -> bytes:
    if not data:
        return self.word()
    changed = bytearray(data)
    for _ in range(self.random.choice((1, 1, 2, 8))):
        changed[self.random.randrange(len(changed))] = self.random.randrange(256)
    return bytes(changed)


def _delete(self: Mutator, data: bytes) -> bytes:
    start, end = self.span(data)
    return data[:start] + data[end:]


def _truncate(self: Mutator, data: bytes) -> bytes:
    return data[: self.place(data)]


def _duplicate(self: Mutator, data: bytes) -> bytes:
    start, end = self.span(data)
    times = min(self.times(), 1 + LARGEST // max(end - start, 1))
    return data[:end] + data[start:end] * times + data[end:]


def _number(self: Mutator, data: bytes) -> bytes:
    """An element, or a line, many times over, each time with another number in its first value."""
    near = self.random.randint(0, len(data))
    found = _ELEMENT.search(data, near) or _LINE.search(data, near)
    value = _VALUE.search(found[0]) if found else None
    if found is None or value is None:
        return _duplicate(self, data)
    cut = value.end() - (value[0][-1:] in (b'"', b"'"))
    times = min(self.times(), 1 + LARGEST // (len(found[0]) + 5))
    pieces = [b"%b%d%b" % (found[0][:cut], number, found[0][cut:]) for number in range(times)]
    return data[: found.end()] + b"".join(pieces) + data[found.end() :]


def _move(self: Mutator, data: bytes) -> bytes:
    start, end = self.span(data)
    rest = data[:start] + data[end:]
    place = self.place(rest)
    return rest[:place] + data[start:end] + rest[place:]


def _insert(self: Mutator, data: bytes) -> bytes:
    place = self.place(data)
    return data[:place] + self.word() + data[place:]


def _replace(self: Mutator, data: bytes) -> bytes:
    start, end = self.span(data)
    return data[:start] + self.word() + data[end:]


def _revalue(self: Mutator, data: bytes) -> bytes:
    """Another value in the place of one, its quotes kept."""
    found = _VALUE.search(data, self.random.randint(0, len(data))) or _VALUE.search(data)
    if found is None:
        return _insert(self, data)
    if self.random.random() < 0.3:
        return data[: found.start()] + self.random.choice(_OTHER_TYPES) + data[found.end() :]
    quote = found[0][:1] if found[0][:1] in (b'"', b"'") else b""
    return data[: found.start()] + quote + self.word() + quote + data[found.end() :]


def _stretch(self: Mutator, data: bytes) -> bytes:
    word = self.word() if self.random.random() < 0.7 else data[slice(*self.span(data))] or b"a"
    times = min(self.times(), 1 + LARGEST // max(len(word), 1))
    place = self.place(data)
    return data[:place] + word * times + data[place:]


def _nest(self: Mutator, data: bytes) -> bytes:
    """Something within itself, many times over; one time in four it is never closed."""
    opening, closing = self.random.choice(_PAIRS)
    times = min(self.times(), LARGEST // len(opening + closing))
    start, end = self.span(data)
    close = closing * times if self.random.random() < 0.75 else b""
    return data[:start] + opening * times + data[start:end] + close + data[end:]


def _splice(self: Mutator, data: bytes) -> bytes:
    other = self.random.choice(self.others)
    return data[: self.place(data)] + other[self.place(other) :]


def _graft(self: Mutator, data: bytes) -> bytes:
    other = self.random.choice(self.others)
    start, end = self.span(other)
    place = self.place(data)
    return data[:place] + other[start:end] + data[place:]


def _recode(self: Mutator, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(self.random.choice(_ENCODINGS), "replace")


def _newlines(self: Mutator, data: bytes) -> bytes:
    return data.replace(b"\n", self.random.choice((b"\r", b"\r\n", b"", b"\n\n", b"\n\r", b"\x0b", b"\xc2\x85")))


def _pack(self: Mutator, data: bytes) -> bytes:
    """gzip, whole or in members, at times with a foot or a head that lies."""
    middle = self.place(data)
    kind = self.random.randrange(5)
    packed = gzip.compress(data, 1, mtime=0)
    if kind == 0:
        return gzip.compress(data[:middle], 1, mtime=0) + gzip.compress(data[middle:], 1, mtime=0)
    if kind == 1:
        return packed[: self.random.randint(0, len(packed))]
    if kind == 2:
        return packed + self.random.choice((b"\0" * 512, b"\n", b"\x1f\x8b", self.word()))
    if kind == 3:
        return _flip(self, packed[:12]) + packed[12:]
    return packed if self.random.random() < 0.7 else zlib.compress(data)


def _retype(self: Mutator, data: bytes) -> bytes:
    """JSON stays JSON, with something of another type in it; what is none is treated like any text."""
    start = data.find(b"{")
    try:
        tree = json.loads(data[start:]) if start >= 0 else None
    except (ValueError, RecursionError):
        tree = None
    places = list(_places(tree)) if tree is not None else []
    if not places:
        return _revalue(self, data)
    holder, key = self.random.choice(places)
    other = json.loads(self.random.choice(_OTHER_TYPES))
    word = self.word().decode("utf-8", "replace")
    there = self.random.choice(places)
    holder[key] = self.random.choice((other, other, word, [holder[key]] * 3, {word: holder[key]}, there[0][there[1]]))
    with contextlib.suppress(ValueError, RecursionError):  # it may hold itself now
        return data[:start] + json.dumps(tree).encode()
    return data


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every value in a tree, as what holds it and where; deep ones are left alone."""
    waiting = [tree]
    while waiting and len(waiting) < 1_000:
        holder = waiting.pop()
        for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            yield holder, key
            if isinstance(value, (dict, list)):
                waiting.append(value)


_MUTATIONS: tuple[Mutation, ...] = (
    _flip, _delete, _delete, _truncate, _duplicate, _number, _move, _insert, _insert, _replace, _replace, _revalue,
    _revalue, _revalue, _insert, _stretch, _nest, _splice, _graft, _graft, _recode, _newlines, _pack, _retype,
)  # fmt: skip
