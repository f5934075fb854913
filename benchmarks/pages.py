"""Measure what looking at built pages costs: `python benchmarks/pages.py`.

Two sites are built: 5,000 pages of an ordinary size, and 50,000 small ones. What is compared is the processor time that
the pages add to a check, with the time of reading the same files and parsing them with lxml, which is our HTML parser.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.files import SITE
from benchmarks.measure import Cost, best, cost
from benchmarks.table import Row, machine, render

_TIMES = 3
_LIMIT = 2.0
_PARSE = """
import os, sys
from lxml import etree
parser = etree.HTMLParser(encoding="utf-8")
for folder, _, files in os.walk(sys.argv[1]):
    for name in files:
        if name.endswith(".html"):
            with open(os.path.join(folder, name), "rb") as file:
                etree.fromstring(file.read(), parser)
"""
_IMPORT = "import os, sys; from lxml import etree"
_HEAD = (
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Page {n}</title>\n'
    '<meta name="viewport" content="width=device-width"><meta property="og:title" content="Page {n}">\n'
    '<link rel="canonical" href="{url}"><link rel="stylesheet" href="/style.css"><script>var page = {n};</script>'
    "</head>\n"
)
_PARAGRAPH = '<p>An anvil of the <em>finest</em> iron, <a href="/s1/p{n}/">tested</a> daily, delivered by rocket.</p>\n'


def write_site(folder: Path, pages: int, paragraphs: int) -> int:
    """Pages in a hundred folders, and the sitemap that lists them; the answer is the size of a page."""
    urls, size = [], 0
    for n in range(pages):
        path = f"s{n % 100}/p{n}/"
        urls.append(f"{SITE}/{path}")
        text = _HEAD.format(n=n, url=urls[-1]) + "<body>" + _PARAGRAPH.format(n=n) * paragraphs + "</body></html>\n"
        (folder / path).mkdir(parents=True)
        (folder / path / "index.html").write_text(text, encoding="utf-8")
        size = len(text)
    (folder / "sitemap.txt").write_text("\n".join(urls) + "\n", encoding="utf-8")
    return size


def measured(what: str, folder: Path, pages: int, paragraphs: int, limit: float | None) -> Row:
    """The differences, of the runs that were disturbed least: all four commands in turn."""
    folder.mkdir()
    size = write_site(folder, pages, paragraphs)
    check = [sys.executable, "-m", "sitemap_action", str(folder)]
    python = [sys.executable, "-c"]
    commands = ([*check, "--pages"], [*check, "--no-pages"], [*python, _PARSE, str(folder)], [*python, _IMPORT])
    runs = [[cost(command, allowed=(0, 1)) for command in commands] for _ in range(_TIMES)]
    looked, passed, parsed, started = (best([run[place] for run in runs]) for place in range(4))
    mine = Cost(max(looked.seconds - passed.seconds, 0.0), looked.memory)
    theirs = Cost(max(parsed.seconds - started.seconds, 1e-9), parsed.memory)
    return Row(f"{what}: {pages:,} of {size / 1000:.1f} kB", "reading and parsing them", mine, theirs, limit)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000, help="ordinary pages")
    parser.add_argument("--small-pages", type=int, default=50_000, help="small pages")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sitemap-action-") as name:
        ordinary = measured("ordinary pages", Path(name, "ordinary"), options.pages, 110, _LIMIT)
        small = measured("small pages", Path(name, "small"), options.small_pages, 2, None)
    assert small.ours is not None
    assert small.theirs is not None
    beyond = max(0.0, small.ours.seconds - small.theirs.seconds)
    notes = [
        f"Processor time (user and system) that the pages add, best of {_TIMES}. {machine()}",
        f"Beyond reading and parsing, the small pages took {beyond:.1f} s.",
    ]
    print(render([ordinary, small], notes), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
