"""Write what follows from the code: docs/rules.md, action.yml, the bill of materials, and parts of the README."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts import action_yml, sbom
from scripts.demo import AS_EXPECTED, COMMAND
from scripts.environment import ROOT, plain_variables
from sitemap_action.cli import main as command
from sitemap_action.command import rulebook

RULES = ROOT / "docs" / "rules.md"
README = ROOT / "README.md"
ACTION = ROOT / "action.yml"
_PACKAGE = ROOT / "sitemap_action"
# The blocks of the example's report that the README's first screen shows.
_SHOWN = ("error loc-not-absolute", "error xml-not-well-formed", "warning lastmod-all-identical")


def option_table() -> str:
    """Every option of the command, in its order, with its help."""
    options = [
        item
        for item in command.get_params(click.Context(command, **command.context_settings))
        if isinstance(item, click.Option)
    ]
    rows = [f"| {_spelling(option)} | {_help(option)} |" for option in options]
    return "\n".join(["| option | meaning |", "|---|---|", *rows])


def _spelling(option: click.Option) -> str:
    names = sorted((*option.opts, *option.secondary_opts), key=lambda name: not name.startswith("--"))
    metavar = option.metavar or ("|".join(option.type.choices) if isinstance(option.type, click.Choice) else "")
    long = max(option.opts, key=len)
    shown = [f"`{name}{' ' + metavar if metavar and name == long else ''}`" for name in names]
    return (", ".join(shown) + (" (many)" if option.multiple else "")).replace("|", "\\|")


def _help(option: click.Option) -> str:
    default = f" Default: `{option.default}`." if option.show_default else ""
    return re.sub(r"<|\|", lambda found: f"\\{found[0]}", option.help or "") + default


def house_map() -> str:
    """Each module with the first line of its docstring."""
    return "\n".join(["```", "sitemap_action/", *_rooms(_PACKAGE, "  "), "```"])


def _rooms(folder: Path, indent: str) -> Iterator[str]:
    modules = sorted(path for path in folder.glob("*.py") if path.name not in ("__init__.py", "__main__.py"))
    if folder == _PACKAGE:
        modules.insert(0, folder / "__main__.py")
    for path in modules:
        yield f"{indent + path.name:22} {_purpose(path)}"
    for package in sorted(path.parent for path in folder.glob("*/__init__.py")):
        yield f"{indent + package.name + '/':22} {_purpose(package / '__init__.py')}"
        yield from _rooms(package, indent + "  ")


def _purpose(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return text.partition("\n")[0]


def example_blocks() -> list[str]:
    """The report on the example site, as blocks between empty lines."""
    program = [sys.executable, "-m", "sitemap_action", *COMMAND[1:]]
    variables = plain_variables()
    ran = subprocess.run(program, cwd=ROOT, env=variables, capture_output=True, encoding="utf-8", check=False)
    if ran.stderr:
        raise SystemExit(ran.stderr)
    return ran.stdout.strip("\n").split("\n\n")


def example_overview() -> str:
    """The part of the report that says what was checked."""
    return "\n".join(["```", example_blocks()[1], "```"])


def example_report() -> str:
    """What the demonstration prints: the report shortened to what is worth a first look, and its last line."""
    *blocks, verdict = example_blocks()
    kept: list[str] = []
    for block in blocks:
        if block.startswith(_SHOWN):
            kept.append(block)
        elif not kept or kept[-1] != "…":
            kept.append("…")
    return "\n".join(["```", f"== {' '.join(COMMAND)}", "\n\n".join([*kept, verdict]), f"== {AS_EXPECTED}", "```"])


GENERATED: dict[str, Callable[[], str]] = {
    "report": example_report,
    "overview": example_overview,
    "options": option_table,
    "map": house_map,
}


def readme(text: str) -> str:
    """The README with everything between `<!-- name -->` and `<!-- /name -->` written anew."""
    for name, write in GENERATED.items():
        region = re.compile(rf"<!-- {name} -->\n.*?<!-- /{name} -->", re.DOTALL)
        if not region.search(text):
            raise SystemExit(f"README.md has no place for `{name}`.")
        before, after = region.split(text)[0], region.split(text)[-1]
        text = f"{before}<!-- {name} -->\n{write()}\n<!-- /{name} -->{after}"
    return text


def main() -> None:
    RULES.parent.mkdir(exist_ok=True)
    RULES.write_text(rulebook.markdown(), encoding="utf-8", newline="\n")
    ACTION.write_text(action_yml.text(), encoding="utf-8", newline="\n")
    sbom.SBOM.write_text(sbom.text(), encoding="utf-8", newline="\n")
    README.write_text(readme(README.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    written = ", ".join(str(path.relative_to(ROOT)) for path in (RULES, ACTION, sbom.SBOM))
    print(f"Wrote {written} and the generated parts of {README.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
