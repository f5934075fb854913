"""Fuzz by hand: `python fuzz/run.py --seconds 3600`, with `--target NAME` for some; crashing inputs are kept.

It shares the time among the targets, prints how many inputs each has had, and exits with 1 if a
promise was broken. `--replay FILE` tries a kept input once more.
"""

from __future__ import annotations

import argparse
import itertools
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
from fuzz.coverage import watch_lines
from fuzz.engine import Campaign, Slow, attempt, shrunk
from fuzz.targets import TARGETS

CRASHES = ROOT / "fuzz" / "crashes"
_TURN = 5.0  # seconds at a time for a target
_HOPELESS = 60.0  # seconds of processor time after which an input is given up


def main() -> int:
    given = _arguments()
    if given.replay is not None:
        return _replay(given.replay, given.target)
    _guard_against_hangs()
    chosen = [TARGETS[name] for name in given.target or TARGETS]
    new_lines = watch_lines()
    campaigns = [Campaign(target, Random(f"{given.seed} {target.name}"), new_lines) for target in chosen]
    end = time.monotonic() + given.seconds
    for number, campaign in enumerate(itertools.cycle(campaigns)):
        if time.monotonic() >= end:
            break
        known = len(campaign.failures)
        _turn(campaign, end, is_first=number < len(campaigns))
        for failure in list(campaign.failures.values())[known:]:
            print(f"{campaign.target.name}: {failure.key}\n  {failure.save(CRASHES)}", flush=True)
    return _summary(campaigns, given.seed)


def _turn(campaign: Campaign, end: float, *, is_first: bool) -> None:
    if is_first:
        campaign.try_seeds()
    stop = min(time.monotonic() + _TURN, end)
    while time.monotonic() < stop:
        campaign.step()


def _summary(campaigns: list[Campaign], seed: int) -> int:
    print(f"{'target':10} {'executions':>12} {'kept':>6} {'failures':>9}   seed {seed}")
    for campaign in campaigns:
        for failure in campaign.failures.values():
            shrunk(campaign.target, failure).save(CRASHES)
        print(
            f"{campaign.target.name:10} {campaign.executions:12,} {len(campaign.corpus):6,} {len(campaign.failures):9}"
        )
    return int(any(campaign.failures for campaign in campaigns))


def _guard_against_hangs() -> None:
    """Where the system has such a clock, an endless loop is a failure like others; it counts our own time only."""
    if not hasattr(signal, "setitimer"):
        return

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise Slow(f"no end within {_HOPELESS:.0f} s")

    original = Campaign.try_one

    def timed(campaign: Campaign, data: bytes) -> bool:
        signal.setitimer(signal.ITIMER_PROF, _HOPELESS)
        try:
            return original(campaign, data)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    signal.signal(signal.SIGPROF, give_up)
    setter: Callable[..., None] = setattr
    setter(Campaign, "try_one", timed)


def _replay(path: Path, names: list[str] | None) -> int:
    target = TARGETS[names[0] if names else path.resolve().parent.name]
    _, error = attempt(target, path.read_bytes(), again=True)
    if error is None:
        print("It passes.")
        return 0
    raise error


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--target", action="append", choices=list(TARGETS))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--replay", type=Path, metavar="FILE")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
