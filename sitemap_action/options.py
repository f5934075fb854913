"""The types of the command's options: each turns text into what the program needs, or says what is wrong."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import click

from sitemap_action import urls
from sitemap_action.formats import FORMATS
from sitemap_action.model import Severity

_LIVE = re.compile(r"https?://", re.IGNORECASE)


class _Target(click.ParamType):
    name = "target"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if isinstance(value, Path):
            return value
        if _LIVE.match(value):
            self.fail(f"{value} is a live origin; this version checks files and directories.", param, ctx)
        path = Path(value)
        try:
            path.lstat()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            self.fail(f"{value!r}: {reason.lower()}.", param, ctx)
        return path


class _Url(click.ParamType):
    name = "url"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> urls.Url:
        found = urls.examine(str(value).strip())
        if isinstance(found, urls.UrlFault):
            self.fail(f"{value!r} {found.reason}.", param, ctx)
        if found.query or found.fragment or found.credentials:
            self.fail(f"{value!r} must be scheme, host and path only.", param, ctx)
        path = found.path or "/"
        last = path.rpartition("/")[2]
        return found._replace(path=path if not last or "." in last else path + "/")


class _Host(click.ParamType):
    name = "host"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        found = urls.parse(f"https://{str(value).strip()}/")
        if found is None or found.path != "/" or found.credentials or found.port is not None:
            self.fail(f"{value!r} is not a host name.", param, ctx)
        return found.host


class _Rule(click.ParamType):
    name = "rule"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from sitemap_action.rules import all_rules

        if value in all_rules():
            return str(value)
        close = difflib.get_close_matches(str(value).lower(), list(all_rules()), n=1, cutoff=0.4)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        self.fail(f"there is no rule {value!r}.{hint}", param, ctx)


class _Grade(_Rule):
    name = "grade"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        rule, mark, grade = str(value).partition("=")
        choices = [severity.value for severity in Severity] + ["off"]
        if not mark or grade not in choices:
            self.fail(f"{value!r} is not RULE=SEVERITY with one of {', '.join(choices)}.", param, ctx)
        return super().convert(rule, param, ctx), grade


class _Output(click.ParamType):
    name = "output"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Path]:
        format, mark, path = str(value).partition("=")
        if not mark or not path or format not in FORMATS:
            self.fail(f"{value!r} is not FORMAT=PATH with one of {', '.join(FORMATS)}.", param, ctx)
        return format, Path(path)


TARGET, URL, HOST, RULE, GRADE, OUTPUT = _Target(), _Url(), _Host(), _Rule(), _Grade(), _Output()


def explain(context: click.Context, _parameter: click.Parameter, rule: str | None) -> None:
    """`--explain RULE` prints its page and ends the program."""
    if rule is not None and not context.resilient_parsing:
        from sitemap_action.rulebook import terminal_page
        from sitemap_action.rules import all_rules

        click.echo(terminal_page(all_rules()[rule]), nl=False)
        context.exit()


def list_rules(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """`--list-rules` prints one line per rule and ends the program."""
    if wanted and not context.resilient_parsing:
        from sitemap_action.rulebook import rule_table

        click.echo(rule_table(), nl=False)
        context.exit()
