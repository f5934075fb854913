"""Compare with other tools, in one run: `python benchmarks/run.py --peers`; the exit code is 1 if a limit is exceeded.

It wants the Python that has sitemap-action installed, and `xmllint` on the path. `--peers` gets the other tools from
PyPI and npm, once; without them their rows are left out.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks import compare, files, many, peers
from benchmarks.table import machine, render_limits

_FEW, _MANY = 20, 200
_ROUNDS = 15
_ROUNDS_FEW = 3
_BEGIN, _END = "<!-- benchmarks -->", "<!-- /benchmarks -->"
_NEEDED = (peers.OURS, peers.XMLLINT, peers.START)


def read_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--peers", action="store_true", help="first install the other tools into .venv/peers")
    parser.add_argument("--limits", action="store_true", help="only what the limits are about: no other tools")
    parser.add_argument("--set", action="store_true", help=f"a set of {_MANY} files (1.6 GB) instead of {_FEW}")
    parser.add_argument("--readme", action="store_true", help="write it into the README as well")
    parser.add_argument("--files", type=int, help="the set has so many files")
    parser.add_argument("--urls", type=int, default=files.FULL, help="URLs of each file")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, help="runs of what takes less than a second")
    return parser.parse_args(arguments)


def shown(readme: str, printed: str) -> str:
    """The README with these tables in place of those that it has."""
    before, _, rest = readme.partition(_BEGIN)
    return f"{before}{_BEGIN}\n{printed}\n{_END}{rest.partition(_END)[2]}"


def main(arguments: list[str]) -> int:
    options = read_arguments(arguments)
    if options.peers:
        peers.install()
    tools = peers.tools()
    if options.limits:
        tools = [tool if tool.name in _NEEDED else replace(tool, missing="--limits was given") for tool in tools]
    load = f"Load of the machine before the run: {os.getloadavg()[0]:.1f}." if hasattr(os, "getloadavg") else ""
    count = options.files or (_MANY if options.set else _FEW)
    with tempfile.TemporaryDirectory(prefix="sitemap-action-") as name:
        samples = compare.make_samples(Path(name), options.urls)
        results = compare.measure(samples, tools, options.rounds)
        together = many.measure(Path(name), count, options.urls, 1 if options.set else min(options.rounds, _ROUNDS_FEW))
        notes = [*compare.legend(results, options.rounds), f"{machine(*peers.libxml())} {load}".rstrip()]
    limits = compare.limits(results) + many.limits(together)
    parts = [compare.table(results), many.table(together), render_limits(limits)]
    printed = "\n".join([*parts, *(f"- {note}" for note in notes)])
    print(printed)
    if options.readme:
        readme = peers.ROOT / "README.md"
        readme.write_text(shown(readme.read_text(encoding="utf-8"), printed), encoding="utf-8")
    return 0 if all(limit.is_kept for limit in limits) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
