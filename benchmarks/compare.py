"""Every tool on every file, in turn: what each needs, as a multiple of what xmllint or a bare start of Python needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import files
from benchmarks.measure import Cost, Failed, best, cost
from benchmarks.peers import OURS, ROOT, START, XMLLINT, Sample, Tool
from benchmarks.table import MEGA, Limit, grid

_SCHEMA = ROOT / "sitemap_action" / "schemas" / "sitemap.xsd"
_SMALL = 100
_HALF = ", half"
# Who takes longer than this is so far from any limit that one run tells enough.
_SLOW = 1.0
_UNITS = {"plain": XMLLINT, "rich": XMLLINT, "small": START}
_MOST = (1.0, 1.5, 2.5)
_MOST_GROWTH = 2.2
_MOST_MEMORY = 400 * MEGA
_REASON = 200
_SLOWER = f"of what takes {_SLOW:.0f} s, one run. Memory is that of the largest process at its peak."
_LAX = (
    "For the rich file xmllint and xmlschema get a copy of the schema with lax wildcards: with the strict ones every "
    "hreflang link is an error, and xmllint needs minutes for them."
)


@dataclass(frozen=True)
class Results:
    """What was measured, by tool and sample; who is left out, and why."""

    samples: dict[str, Sample]
    tools: list[str]
    costs: dict[tuple[str, str], Cost]
    notes: list[str]

    def seconds(self, tool: str, sample: str) -> float | None:
        spent = self.costs.get((tool, sample))
        return None if spent is None else spent.seconds

    def memory(self, tool: str, sample: str) -> int | None:
        spent = self.costs.get((tool, sample))
        return None if spent is None else spent.memory

    def unit(self, sample: str) -> str:
        """Whose figure is 1.00; without the tool of the limit it is ours, so that the others can still be compared."""
        return _UNITS[sample] if (_UNITS[sample], sample) in self.costs else OURS

    def growth(self, tool: str, sample: str) -> tuple[float | None, float | None]:
        """What twice as many URLs do to time and memory."""
        half = sample + _HALF
        return (
            ratio(self.seconds(tool, sample), self.seconds(tool, half)),
            ratio(self.memory(tool, sample), self.memory(tool, half)),
        )


def ratio(one: float | None, other: float | None) -> float | None:
    return one / other if one is not None and other else None


def lax_schema(folder: Path) -> Path:
    """The official schema, except that elements of other namespaces need no schema of their own."""
    text = _SCHEMA.read_text(encoding="utf-8")
    path = folder / "sitemap-lax.xsd"
    path.write_text(text.replace('processContents="strict"', 'processContents="lax"'), encoding="utf-8")
    return path


def make_samples(folder: Path, urls: int) -> dict[str, Sample]:
    lax = lax_schema(folder)
    samples = [
        Sample("plain" + _HALF, folder / "plain-half.xml", urls // 2, _SCHEMA),
        Sample("plain", folder / "plain.xml", urls, _SCHEMA),
        Sample("rich" + _HALF, folder / "rich-half.xml", urls // 2, lax),
        Sample("rich", folder / "rich.xml", urls, lax),
        Sample("small", folder / "small.xml", _SMALL, _SCHEMA),
    ]
    for sample in samples:
        write = files.write_rich if sample.schema == lax else files.write_plain
        write(sample.path, sample.urls)
    return {sample.name: sample for sample in samples}


def measure(samples: dict[str, Sample], tools: Sequence[Tool], rounds: int) -> Results:
    """All tools on all files in turn, again and again, so that a busy moment of the machine hits all of them."""
    present = [tool for tool in tools if not tool.missing]
    notes = [f"Left out: {tool.name}; {tool.missing}." for tool in tools if tool.missing]
    pairs = [(tool, sample) for sample in samples.values() for tool in present if tool.only in ("", sample.name)]
    runs: dict[tuple[str, str], list[Cost]] = {(tool.name, sample.name): [] for tool, sample in pairs}
    for _ in range(rounds):
        for tool, sample in pairs:
            spent = runs.get((tool.name, sample.name))
            if spent is None or any(run.seconds >= _SLOW for run in spent):
                continue
            try:
                spent.append(cost(tool.command(sample), folder=tool.folder, says=tool.says))
            except Failed as error:
                del runs[tool.name, sample.name]
                notes += _apology(tool, sample, error)
    costs = {pair: best(spent) for pair, spent in runs.items()}
    return Results(samples, [tool.name for tool in present], costs, notes)


def _apology(tool: Tool, sample: Sample, error: Failed) -> list[str]:
    """A tool that fails is out for this file, and the table says why."""
    if sample.name.endswith(_HALF):
        return []  # the whole file will have the same to say
    words = " ".join(str(error).replace(str(sample.path), sample.path.name).replace(f"{ROOT}/", "").split())
    return [f"No figure for {tool.name}, {sample.name}: {words[:_REASON]} …"]


def table(results: Results) -> str:
    """One row a tool."""
    head = ["tool", "plain: time", "memory", "growth", "rich: time", "memory", "growth", "small: time"]
    return grid(head, [_row(results, tool) for tool in results.tools])


def _row(results: Results, tool: str) -> list[str]:
    cells = [f"**{tool}**" if tool == OURS else tool]
    for sample in ("plain", "rich"):
        time, memory = results.growth(tool, sample)
        unit = results.unit(sample)
        cells.append(_figure(ratio(results.seconds(tool, sample), results.seconds(unit, sample))))
        cells.append(_figure(ratio(results.memory(tool, sample), results.memory(unit, sample))))
        cells.append("–" if time is None else f"{_figure(time, 1)}, {_figure(memory, 1)}")
    small = ratio(results.seconds(tool, "small"), results.seconds(results.unit("small"), "small"))
    return [*cells, _figure(small)]


def _figure(number: float | None, digits: int = 2) -> str:
    return "–" if number is None else f"{number:.{digits}f}"


def legend(results: Results, rounds: int) -> list[str]:
    """What a reader must know to believe the table."""
    plain, rich, small = (results.samples[name] for name in _UNITS)
    return [
        f"Plain: {_size(plain)}. Rich: {_size(rich)}, four hreflang links and an image each. Small: {_size(small)}.",
        f"1.00 stands for {_units(results)}.",
        f"Time is processor time (user and system) of all processes, the best of {rounds} runs, all in turn; {_SLOWER}",
        f"Growth: what going from {plain.urls // 2:,} to {plain.urls:,} URLs does to time, and to memory.",
        _LAX,
        *results.notes,
    ]


def _size(sample: Sample) -> str:
    size = sample.path.stat().st_size
    return f"{sample.urls:,} URLs, " + (f"{size / MEGA:.1f} MB" if size >= MEGA else f"{size / 1000:.0f} kB")


def _units(results: Results) -> str:
    told = []
    for sample in _UNITS:
        tool = results.unit(sample)
        spent = results.costs[tool, sample]
        memory = "" if spent.memory is None or sample == "small" else f" and {spent.memory / MEGA:.0f} MB"
        told.append(f"{spent.seconds:.2f} s{memory} ({sample}, {tool})")
    return ", ".join(told)


def limits(results: Results) -> list[Limit]:
    """What is promised of ourselves."""
    times = [
        Limit(
            f"time, {sample}, beside {unit}", ratio(results.seconds(OURS, sample), results.seconds(unit, sample)), most
        )
        for (sample, unit), most in zip(_UNITS.items(), _MOST, strict=True)
    ]
    growth, _ = results.growth(OURS, "plain")
    memory = results.memory(OURS, "rich")
    return [
        *times,
        Limit("growth of time, plain", growth, _MOST_GROWTH),
        Limit("memory, rich", memory and memory / MEGA, _MOST_MEMORY / MEGA, "MB"),
    ]
