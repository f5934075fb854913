"""What is fuzzed by hand for an hour is tried here a few hundred times, with the same inputs each time; and the fuzzer itself."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from fuzz import engine, soak, words
from fuzz.engine import Campaign, Outcome, Slow, Target, shrunk
from fuzz.mutate import LARGEST, Mutator
from fuzz.targets import TARGETS

TRIES = {"report": 200, "command": 150}
USUAL = 300


@pytest.mark.parametrize("name", TARGETS)
def test_no_mutated_input_breaks_a_promise(name: str) -> None:
    campaign = Campaign(TARGETS[name], Random(name))
    for _ in range(TRIES.get(name, USUAL)):
        campaign.step()
    assert campaign.executions == TRIES.get(name, USUAL)
    for failure in campaign.failures.values():
        raise AssertionError(f"{failure.key}: {failure.data[:2000]!r}") from failure.error


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_are_there_and_differ(name: str) -> None:
    found = TARGETS[name].seeds()
    assert len(found) >= 4
    assert len(set(found)) == len(found)
    assert max(map(len, found)) < LARGEST


# The fuzzer finds what it is for


def brittle(data: bytes) -> Outcome:
    assert b"]]>" not in data, "cannot stand the end of CDATA"
    return Outcome(len(data) // 10, data)


def target(run: object = brittle) -> Target:
    assert callable(run)
    return Target("brittle", lambda: [b"<a>some text</a>\n" * 3], words.MARKUP, run)


def test_a_broken_promise_is_found_shortened_and_kept(tmp_path: Path) -> None:
    campaign = Campaign(target(), Random(1))
    for _ in range(2_000):
        campaign.step()
    [failure] = campaign.failures.values()
    short = shrunk(campaign.target, failure)
    assert short.data == b"]]>"
    kept = short.save(tmp_path)
    assert kept.read_bytes() == b"]]>"
    assert "cannot stand the end of CDATA" in kept.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_same_input_has_to_come_out_the_same() -> None:
    turns = iter(range(10**6))
    campaign = Campaign(target(lambda data: Outcome("", next(turns))), Random(1))
    for _ in range(50):
        campaign.step()
    [failure] = campaign.failures.values()
    assert "differently" in str(failure.error)


def test_an_input_that_takes_too_long_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "allowance", lambda data: 0.0 if len(data) > 60 else 1e9)
    campaign = Campaign(target(lambda data: Outcome(sum(range(10**5)), data)), Random(1))
    for _ in range(200):
        campaign.step()
    [failure] = campaign.failures.values()
    assert isinstance(failure.error, Slow)
    assert len(failure.data) > 60


def test_the_same_seed_makes_the_same_inputs() -> None:
    def made(seed: int) -> list[bytes]:
        mutator = Mutator(Random(seed), words.MARKUP + words.TEXT)
        return [mutator.mutate(b'{"a": [1, "b"]}\n<url><loc>x</loc></url>', [b"<!-- other -->"]) for _ in range(300)]

    assert made(1) == made(1) != made(2)
    assert len(set(made(1))) > 250
    assert max(map(len, made(1))) <= LARGEST


# The soak


@pytest.mark.skipif(os.name == "nt", reason="counts descriptors of a POSIX system")
def test_runs_over_hostile_origins_end_in_time_with_a_whole_report_and_leave_nothing_behind() -> None:
    codes = list(soak.inside(8, seed=4))
    assert set(codes) <= {0, 1, 3}
    assert len(codes) == 8


def test_a_process_over_a_hostile_origin_ends_in_time_with_a_whole_report() -> None:
    assert len(list(soak.processes(2, seed=4))) == 2
