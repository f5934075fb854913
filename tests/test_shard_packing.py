"""What was read comes out of a part as it went in."""

from __future__ import annotations

import contextlib
import json
from array import array
from collections import Counter
from dataclasses import astuple, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_action.model import Place, Severity, Summary
from sitemap_action.net.answer import Answer, Body
from sitemap_action.parse.places import Closings
from sitemap_action.parts.packing import DEFECTS, pack, pack_record, squeeze, unpack, unpack_record, unsqueeze
from sitemap_action.parts.replay import _pack, _unpack
from sitemap_action.reading import Record
from sitemap_action.report.finding import Finding
from sitemap_action.report.sieve import Sifted
from sitemap_action.rules import all_rules
from sitemap_action.spool import Same

# Half a character may come from a file name or a broken escape.
texts = st.text(st.characters(exclude_categories=()))
counts = st.integers(0, 2**40)
places = st.none() | st.integers(1, 10**9)
severities = st.sampled_from(list(Severity))
rules = st.sampled_from(sorted(all_rules()))
columns = st.one_of(
    st.lists(st.integers(-(2**63), 2**63 - 1)).map(lambda numbers: array("q", numbers)),
    st.lists(st.integers(0, 2**32 - 1)).map(lambda numbers: array("I", numbers)),
    st.lists(st.integers(0, 2**16 - 1)).map(lambda numbers: array("H", numbers)),
    st.builds(Same, st.integers(-(2**63), 2**63 - 1), st.integers(0, 10**9)),
    st.integers(0, 10**9).map(range),
    st.builds(Closings, texts, counts, counts),
    st.binary(),
)
notes = st.recursive(
    st.none() | st.booleans() | st.integers() | texts | columns, lambda inner: st.lists(inner) | st.tuples(inner, inner)
)


def plain(value: Any) -> Any:
    """To compare: columns by their kind and contents, tuples as the lists that JSON has."""
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Same):
        return "same", value.number, len(value)
    if isinstance(value, Summary):
        return astuple(value)
    if isinstance(value, Closings):
        return "closings", value.close, value.first, value.count
    return value


def there_and_back(value: Any) -> Any:
    return json.loads(json.dumps(value))


@given(notes)
def test_notes_come_back(note: Any) -> None:
    found = unpack(there_and_back(pack(note)))
    assert plain(found) == plain(note)
    if isinstance(note, array):
        assert (type(found), found.typecode) == (array, note.typecode)


@given(st.binary())
def test_bytes_come_back(data: bytes) -> None:
    assert unsqueeze(squeeze(data)) == data


@given(st.binary(min_size=1), st.data())
def test_bytes_that_are_cut_short_do_not(data: bytes, draw: st.DataObject) -> None:
    text = squeeze(data)
    with pytest.raises(DEFECTS):
        unsqueeze(text[: draw.draw(st.integers(0, len(text) - 1))])


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | texts,
                    lambda inner: st.lists(inner) | st.dictionaries(texts | st.sampled_from(
                        ["array", "data", "same", "length", "range", "closings", "bytes"]), inner)))  # fmt: skip
def test_whatever_is_unpacked_is_a_value_or_a_defect(value: Any) -> None:
    with contextlib.suppress(*DEFECTS):
        unpack(value)


def summaries(entries: int) -> st.SearchStrategy[Summary]:
    months = st.dictionaries(st.from_regex(r"[0-9]{4}-[0-9]{2}", fullmatch=True), counts)
    dates = st.none() | texts
    return st.builds(Summary, st.just(entries), dates, dates, counts, counts, months, st.dictionaries(texts, counts))


@st.composite
def records(draw: st.DrawFn) -> Record:
    origins = draw(st.lists(texts, min_size=1, max_size=5))
    numbers = array("H", draw(st.lists(st.integers(0, len(origins) - 1), max_size=9)))
    offsets = array("I", range(len(numbers) + 1)) if numbers else array("I")
    lines = st.tuples(counts, texts, st.booleans(), st.none() | texts)
    facts = {
        "format": draw(st.sampled_from(["urlset", "sitemapindex", "text", "rss", "atom", "unknown"])),
        "size": draw(st.integers(len(numbers), 2**40)),
        "compressed": draw(st.booleans()),
        "failed": draw(st.booleans()),
        "path": draw(texts),
        "summary": draw(summaries(len(numbers))),
        "origins": origins,
        "origin_of": draw(st.sampled_from([numbers, Same(0, len(numbers))])),
        "offsets": draw(st.sampled_from([offsets, Closings("</url>", 7, len(offsets) - 1)])) if numbers else offsets,
        "listed": draw(st.lists(lines, max_size=3)),
    }
    totals = Counter(draw(st.dictionaries(st.tuples(rules, st.none() | texts, severities), counts, max_size=3)))
    return Record(facts, Sifted(totals, draw(st.lists(findings(), max_size=3)), draw(counts)), draw(_by_keeper))


_by_keeper = st.dictionaries(texts, notes, max_size=2)


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    rule, place = all_rules()[draw(rules)], Place(draw(places), draw(places))
    found = Finding(rule, draw(severities), draw(texts), draw(st.none() | texts), place, draw(st.none() | texts))
    return replace(found, count=draw(counts), is_bundle=draw(st.booleans()))


@given(records())
def test_records_come_back(record: Record) -> None:
    found = unpack_record(there_and_back(pack_record(record)))
    assert {name: plain(value) for name, value in found.facts.items()} == {
        name: plain(value) for name, value in record.facts.items()
    }
    assert found.sifted.totals == record.sifted.totals
    assert found.sifted.ignored == record.sifted.ignored
    assert [vars(finding) for finding in found.sifted.kept] == [vars(finding) for finding in record.sifted.kept]
    assert plain(list(found.notes.items())) == plain(list(record.notes.items()))


@given(texts, texts, st.none() | st.integers(100, 599), st.dictionaries(texts, texts), st.lists(texts), st.binary())
def test_answers_come_back(
    url: str, final_url: str, status: int | None, headers: dict[str, str], hops: list[str], body: bytes
) -> None:
    answer = Answer(url, final_url, status, headers, hops=tuple(hops))
    answer.body = Body()
    answer.body.write(body)
    found = _unpack(there_and_back(_pack(answer)))
    assert (found.url, found.final_url, found.status, found.headers) == (url, final_url, status, headers)
    assert found.hops == tuple(hops)
    assert found.body is not None
    assert found.body.take() == body
