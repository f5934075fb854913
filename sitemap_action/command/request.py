"""What the user asked for: the options of the command, typed, and held against each other."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from sitemap_action.command import config, options
from sitemap_action.command.publish import Publishing
from sitemap_action.formats.style import Style
from sitemap_action.github.context import Context
from sitemap_action.github.step import Wishes
from sitemap_action.model import Severity
from sitemap_action.model.share import WHOLE, Share
from sitemap_action.net.manners import Manners
from sitemap_action.report.sieve import Policy
from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule
from sitemap_action.site import Scope
from sitemap_action.sources import is_file
from sitemap_action.values.urls import Url

if TYPE_CHECKING:
    from sitemap_action.parts.part import Part

_LIVE_PAGES = 1_000


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither yes nor no")
    return value


def _number(value: Any, least: int = 1, most: float = math.inf) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError("no such number")
    return value


# What decides about findings: all parts of a run, and their merge, must be told the same.
_TYPES: dict[str, Any] = {
    "targets": options.target,
    "site_url": options.site_url,
    "allow_host": options.host,
    "severity": options.grade,
    "ignore": options.rule,
    "select": options.rule,
    "ignore_url": _text,
    "pages": _flag,
    "pages_limit": _number,
    "max_findings": partial(_number, least=0),
    "max_bytes": partial(_number, most=2**40),
    "max_sitemaps": _number,
    "concurrency": partial(_number, most=64),
    "user_agent": options.user_agent,
}
_MANY = ("targets", "allow_host", "severity", "ignore", "select", "ignore_url")
_MAY_BE_UNSET = ("site_url", "pages", "pages_limit")


class Request(NamedTuple):
    """What the user asked for, checked and typed."""

    scope: Scope
    policy: Policy
    publishing: Publishing
    manners: Manners
    rules: tuple[type[Rule], ...]
    settings: Mapping[str, Any]  # all that decides about findings, as it may stand in a file
    targets: tuple[Path, ...] = ()
    origins: tuple[Url, ...] = ()
    fail_on: str = "error"
    min_score: float | None = None
    max_sitemaps: int = 50_000
    pages: bool = True
    pages_limit: int | None = None
    urls_only: bool = False
    jobs: int | None = None
    share: Share = WHOLE
    is_part: bool = False  # one part of one is the whole, and can be merged
    parts: Sequence[Part] = ()

    @classmethod
    def from_options(cls, **values: Any) -> Request:
        grades: dict[str, str] = dict(values["severity"])
        files = tuple(target for target in values["targets"] if isinstance(target, Path))
        origins = tuple(target for target in values["targets"] if isinstance(target, Url))
        if files and origins:
            raise click.UsageError("Files and live origins cannot be checked in one run; run the command twice.")
        return cls(
            targets=files,
            origins=origins,
            scope=Scope(
                values["site_url"], frozenset(values["allow_host"]), frozenset(target.host for target in origins)
            ),
            policy=Policy(
                {rule: Severity(grade) for rule, grade in grades.items() if grade != "off"},
                values["ignore_url"],
                values["max_findings"],
            ),
            rules=_chosen(grades, set(values["select"]), set(values["ignore"])),
            fail_on=values["fail_on"],
            min_score=values["min_score"],
            publishing=_publishing(
                values, [str(target) for target in files] or [as_typed(target) for target in origins]
            ),
            manners=_manners(values) if origins else Manners(max_bytes=values["max_bytes"]),
            max_sitemaps=values["max_sitemaps"],
            pages=not origins if values["pages"] is None else values["pages"],
            pages_limit=values["pages_limit"] or (_LIVE_PAGES if origins else None),
            urls_only=values["urls"],
            jobs=values["jobs"],
            share=values["shard"] or WHOLE,
            is_part=values["shard"] is not None,
            settings={name: _written(name, values[name]) for name in _TYPES},
        )

    @classmethod
    def from_parts(cls, parts: Sequence[Part], given: Collection[str], **values: Any) -> Request:
        """The run that the parts are parts of; what is decided here is only how it is told, and whether it passes."""
        told = {name: _read(name, parts[0].settings.get(name), parts[0].path) for name in _TYPES}
        for name in told:
            if name in given and told[name] != values[name]:
                option = f"--{name.replace('_', '-')}"
                raise click.UsageError(f"{option} was decided when the parts were checked, and cannot be changed.")
        request = cls.from_options(**{**values, **told})
        began = min(_moment(part) for part in parts)
        return request._replace(parts=parts, share=WHOLE, scope=replace(request.scope, now=began))


def request_of_parts(context: click.Context, values: dict[str, Any]) -> Request:
    """`--merge A B C`: the shell puts B and C where targets stand."""
    from sitemap_action.parts.part import load

    typed = [name for name in values if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    others = values["targets"] if "targets" in typed else ()
    if any(isinstance(other, Url) for other in others):
        raise click.UsageError("What is merged are reports, not sites: each is a file, or a folder with such files.")
    for name in ("shard", "urls"):
        if values[name]:
            raise click.UsageError(f"--{name} and --merge cannot be used together.")
    in_environment = [name for name in _TYPES if os.environ.get(config.variable(name), "").strip()]
    given = {*typed, *in_environment} - {"targets"}
    return Request.from_parts(load([*values["merge"], *others]), given, **values)


def _chosen(grades: dict[str, str], selected: set[str], ignored: set[str]) -> tuple[type[Rule], ...]:
    """`--select` keeps only those; a grade switches a rule on that is off by default, `off` switches it off."""
    return tuple(
        rule
        for rule in all_rules().values()
        if (rule.id in selected if selected else not rule.off_by_default or rule.id in grades)
        and rule.id not in ignored
        and grades.get(rule.id) != "off"
    )


def _manners(values: dict[str, Any]) -> Manners:
    authorities = os.environ.get("REQUESTS_CA_BUNDLE") or os.environ.get("SSL_CERT_FILE") or None
    if authorities is not None and not os.path.exists(authorities):
        raise click.UsageError(
            f"There are no certificates at {authorities}, which REQUESTS_CA_BUNDLE or SSL_CERT_FILE names."
        )
    return Manners(
        timeout=values["timeout"],
        concurrency=values["concurrency"],
        retries=values["retries"],
        user_agent=values["user_agent"],
        headers=tuple(values["header"]),
        max_bytes=values["max_bytes"],
        authorities=authorities,
    )


def _publishing(values: dict[str, Any], targets: list[str]) -> Publishing:
    """Several comments of a job are told apart by what they are about: the site, or else what was typed."""
    context = Context(dict(os.environ))
    site = values["site_url"]
    key = (site.text,) if site is not None and targets and "://" in targets[0] else tuple(targets)
    return Publishing(
        format=values["format_"] or ("github" if context.is_active else "text"),
        outputs=_outputs(values["output"]),
        style=_style(values["color"], values["quiet"], values["verbose"]),
        wishes=Wishes(context, values["comment"], key, values["summary"]),
    )


def _outputs(outputs: Sequence[tuple[str, Path]]) -> tuple[tuple[str, Path], ...]:
    """A file takes one report; what is a device or a pipe may take several."""
    formats: dict[str, str] = {}
    for format, path in outputs:
        if is_file(path) or not os.path.exists(path):
            other = formats.setdefault(os.path.realpath(path), format)
            if other != format:
                raise click.UsageError(f"--output: {path} cannot hold both {other} and {format}.")
    return tuple(outputs)


def _style(color: bool | None, quiet: bool, verbose: bool) -> Style:
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    if color is None:
        color = is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return Style(color=color, width=_terminal_width() if is_terminal else None, quiet=quiet, verbose=verbose)


def _terminal_width() -> int:
    import shutil  # takes its time

    return shutil.get_terminal_size().columns


def _written(name: str, value: Any) -> Any:
    """A setting as it may stand in a file."""
    if name == "severity":
        return ["=".join(grade) for grade in value]
    if isinstance(value, (list, tuple)) and not isinstance(value, Url):
        return [_written("", item) for item in value]
    if isinstance(value, Url):
        return as_typed(value)
    return str(value) if isinstance(value, Path) else value


def _read(name: str, value: Any, path: Path) -> Any:
    """A setting that a part was checked with; it is held to what the command line is held to."""
    try:
        if isinstance(value, list) and name in _MANY:
            return tuple(_TYPES[name](item) for item in value)
        if name in _MANY:
            raise TypeError("no list")
        return None if value is None and name in _MAY_BE_UNSET else _TYPES[name](value)
    except click.BadParameter as error:
        raise click.UsageError(f"{path}: {error.message}") from None
    except (ValueError, TypeError, AttributeError):
        raise click.UsageError(f"{path} is damaged: its {name.replace('_', ' ')} cannot be read.") from None


def _moment(part: Part) -> datetime:
    try:
        moment = datetime.fromisoformat(part.began)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise click.UsageError(f"{part.path} is damaged: its date cannot be read.")
    return moment


def as_typed(target: Url) -> str:
    return target.origin + target.path + (f"?{target.query}" if target.query else "")
