"""What was read of documents, as JSON and back: columns of numbers and long texts as packed bytes."""

from __future__ import annotations

import base64
import binascii
import zlib
from array import array
from collections import Counter
from dataclasses import astuple
from typing import Any

from sitemap_action.model import Place, Severity
from sitemap_action.parse.places import Closings
from sitemap_action.parts.sound import facts, fingerprint, flag, number, perhaps, text
from sitemap_action.reading import Record
from sitemap_action.report.finding import Finding
from sitemap_action.report.sieve import Key, Sifted
from sitemap_action.rules import all_rules
from sitemap_action.spool import Same

# What is no part, or a broken one, ends in one of these.
DEFECTS = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, zlib.error, binascii.Error,
    RecursionError,
)  # fmt: skip
_FAST = 1
_MOST_BYTES = 1_000_000_000
_NUMBERS = "HIq"  # the kinds of columns that are in use: bytes and characters are none


def pack(value: Any) -> Any:
    """Notes and facts: texts, numbers, columns of them, in lists, tuples or dictionaries."""
    if isinstance(value, array):
        return {"array": value.typecode, "data": squeeze(value.tobytes())}
    if isinstance(value, Same):
        return {"same": value.number, "length": len(value)}
    if isinstance(value, range) and value == range(len(value)):
        return {"range": len(value)}
    if isinstance(value, Closings):
        return {"closings": [value.close, value.first, value.count]}
    if isinstance(value, bytes):
        return {"bytes": squeeze(value)}
    if isinstance(value, (list, tuple)):
        return [pack(item) for item in value]
    return value


def unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [unpack(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "array" in value:
        if value["array"] not in _NUMBERS:
            raise ValueError("no column of numbers")
        numbers: array[int] = array(value["array"])
        numbers.frombytes(unsqueeze(value["data"]))
        return numbers
    if "same" in value:
        return Same(fingerprint(value["same"]), number(value["length"]))
    if "closings" in value:
        close, first, count = value["closings"]
        return Closings(text(close), number(first), number(count))
    return range(number(value["range"])) if "range" in value else unsqueeze(value["bytes"])


def squeeze(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, _FAST)).decode("ascii")


def unsqueeze(text: str) -> bytes:
    inflater = zlib.decompressobj()
    data = inflater.decompress(base64.b64decode(text, validate=True), _MOST_BYTES)
    if not inflater.eof:
        raise ValueError("it is cut short, or too large")
    return data


def pack_record(record: Record) -> dict[str, Any]:
    facts = {name: pack(value) for name, value in record.facts.items() if name != "summary"}
    return {
        "facts": {**facts, "summary": astuple(record.facts["summary"])},
        "sum": record.sum,
        "totals": [[*key[:2], key[2].value, total] for key, total in record.sifted.totals.items()],
        "findings": [_pack_finding(finding) for finding in record.sifted.kept],
        "ignored": record.sifted.ignored,
        "notes": {name: pack(note) for name, note in record.notes.items()},
    }


def unpack_record(data: dict[str, Any]) -> Record:
    """What is noted is judged by those who take it in."""
    found = {name: unpack(value) if name != "summary" else value for name, value in data["facts"].items()}
    totals = Counter(dict(_unpack_total(*total) for total in data["totals"]))
    kept = [_unpack_finding(*finding) for finding in data["findings"]]
    notes = {name: unpack(note) for name, note in data["notes"].items()}
    return Record(facts(found), Sifted(totals, kept, number(data["ignored"])), notes, sum=perhaps(number, data["sum"]))


def _unpack_total(rule: Any, document: Any, severity: Any, total: Any) -> tuple[Key, int]:
    return (all_rules()[rule].id, perhaps(text, document), Severity(severity)), number(total)


def _pack_finding(finding: Finding) -> list[Any]:
    place = finding.place
    where = (finding.document, place.line, place.column, finding.url)
    return [finding.rule.id, finding.severity.value, finding.message, *where, finding.count, finding.is_bundle]


def _unpack_finding(rule: Any, severity: Any, message: Any, document: Any, *rest: Any) -> Finding:
    line, column, url, count, is_bundle = rest
    place = Place(perhaps(number, line), perhaps(number, column))
    where = (perhaps(text, document), place, perhaps(text, url))
    return Finding(all_rules()[rule], Severity(severity), text(message), *where, number(count), flag(is_bundle))
