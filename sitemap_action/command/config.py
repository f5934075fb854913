"""Settings that do not come from the command line: the environment, then the config file."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from sitemap_action.sources import is_file

OWN_FILE = ".sitemap-action.toml"
_PROJECT_FILE = "pyproject.toml"
_TABLE = "sitemap-action"
_PREFIX = "SITEMAP_ACTION_"
# Not inputs of the action, nor variables; and where the config file is cannot be said in it.
NOT_INPUTS = {"help", "version", "explain", "list_rules"}
_NOT_SETTINGS = {*NOT_INPUTS, "config"}
_MOST_DOTS = 5_000


def load(
    command: click.Command, path: str | None, environment: Mapping[str, str], folder: Path, words: Sequence[str] = ()
) -> dict[str, Any]:
    """Defaults for Click: the environment wins over the file. The words are those of the command line."""
    parameters = {parameter.name or "": parameter for parameter in command.params}
    path = path or environment.get(f"{_PREFIX}CONFIG") or None
    settings = _from_file(path, folder, parameters)
    settings.update(_from_environment(environment, parameters))
    if settings.get("merge") or any(word == "--merge" or word.startswith("--merge=") for word in words):
        settings.pop("targets", None)  # parts know theirs, which need not be here
    return settings


def _from_environment(environment: Mapping[str, str], parameters: Mapping[str, click.Parameter]) -> dict[str, Any]:
    """An empty variable means unset; repeatable ones take one value per line."""
    found: dict[str, Any] = {}
    for name, parameter in parameters.items():
        value = environment.get(variable(name), "")
        if name in _NOT_SETTINGS or not value.strip():
            continue
        found[name] = (
            [line.strip() for line in value.splitlines() if line.strip()] if _is_many(parameter) else value.strip()
        )
    return found


def _from_file(path: str | None, folder: Path, parameters: Mapping[str, click.Parameter]) -> dict[str, Any]:
    source, table = _given(Path(path)) if path else _search(folder)
    settings: dict[str, Any] = {}
    names = {public_name(name): name for name in parameters if name not in _NOT_SETTINGS}
    for key, value in table.items():
        name = names.get(key)
        if name is None:
            raise click.UsageError(f"{source}: unknown key `{key}`.{_suggest(key, list(names))}")
        settings[name] = _checked(source, key, value, _is_many(parameters[name]))
    if "targets" in settings:  # as written in the file, so relative to it
        settings["targets"] = [
            target if "://" in target else _from_here(source.parent / target, folder) for target in settings["targets"]
        ]
    return settings


def _from_here(path: Path, folder: Path) -> str:
    """What lies below is named as if it were typed: another machine has it in another place."""
    try:
        return str(path.relative_to(folder))
    except ValueError:
        return str(path)


def _checked(source: Path, key: str, value: Any, is_many: bool) -> Any:
    wanted = "an array" if is_many else "a single value"
    if is_many != isinstance(value, list) or isinstance(value, dict):
        raise click.UsageError(f"{source}: `{key}` takes {wanted}.")
    items = value if is_many else [value]
    if any(isinstance(item, (list, dict)) for item in items):
        raise click.UsageError(f"{source}: `{key}` takes {wanted}.")
    try:
        texts = [str(item).lower() if isinstance(item, bool) else str(item) for item in items]
    except ValueError:  # Python writes no number of thousands of digits
        raise click.UsageError(f"{source}: `{key}` is a number with too many digits.") from None
    return texts if is_many else texts[0]


def _given(path: Path) -> tuple[Path, dict[str, Any]]:
    data = _read(path)
    if path.name == _PROJECT_FILE:
        return path, _project_table(path, data) or {}
    return path, data


def _search(folder: Path) -> tuple[Path, dict[str, Any]]:
    """From the folder upwards: the first that has settings; our own file wins over pyproject.toml."""
    for parent in (folder, *folder.parents):
        own, project = parent / OWN_FILE, parent / _PROJECT_FILE
        has_own = is_file(own)
        table = _project_table(project, _read(project, is_ours=False)) if is_file(project) else None
        if has_own and table is not None:
            raise click.UsageError(f"Both {own} and [tool.{_TABLE}] in {project} hold settings; keep one of them.")
        if has_own:
            return own, _read(own)
        if table is not None:
            return project, table
    return folder / OWN_FILE, {}


def _project_table(path: Path, data: dict[str, Any]) -> dict[str, Any] | None:
    tool = data.get("tool")
    table = tool.get(_TABLE) if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise click.UsageError(f"{path}: [tool.{_TABLE}] must be a table.")
    return table


def _read(path: Path, *, is_ours: bool = True) -> dict[str, Any]:
    """Somebody else's broken pyproject.toml is none of our business unless it was named."""
    try:
        if path.exists() and not is_file(path):  # a pipe is waited for, and a device has no end
            raise OSError("it is no file")
        text = path.read_text(encoding="utf-8-sig")
        return _parsed(text) if is_ours or _may_name_us(text) else {}
    except OSError as error:
        reason = error.strerror or str(error)
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason = str(error)
    if not is_ours:
        return {}
    raise click.UsageError(f"Cannot read the config file {path}: {reason}.")


def _may_name_us(text: str) -> bool:
    """Most projects' files do not, and then need not be parsed; a name may also be written with escapes."""
    return _TABLE in text or "\\u" in text.lower()


def _parsed(text: str) -> dict[str, Any]:
    if sum(line.count(".") ** 2 for line in text.splitlines()) > _MOST_DOTS**2:
        raise ValueError("it has a line with thousands of dots")  # a dotted name takes the parser that much time
    if sys.version_info >= (3, 11):  # not needed where there is nothing to parse
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError:
        raise ValueError("it has a number with too many digits") from None


def variable(name: str) -> str:
    """The environment variable that stands for a parameter."""
    return _PREFIX + public_name(name).upper().replace("-", "_")


def public_name(name: str) -> str:
    return {"targets": "target", "format_": "format"}.get(name, name).replace("_", "-")


def _is_many(parameter: click.Parameter) -> bool:
    return parameter.multiple if isinstance(parameter, click.Option) else parameter.nargs == -1


def _suggest(word: str, choices: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(word, choices, n=1)
    return f" Did you mean `{close[0]}`?" if close else ""
