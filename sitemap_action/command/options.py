"""The types of the command's options: each turns text into what the program needs, or says what is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import click

from sitemap_action import lazy
from sitemap_action.formats import FORMATS
from sitemap_action.model import Severity
from sitemap_action.model.share import MOST_PARTS, Share
from sitemap_action.values import urls

_LIVE = lazy.pattern(r"https?:", re.IGNORECASE)
_HOST_LIKE = lazy.pattern(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:/\S*)?", re.IGNORECASE)
_HOUR = 3600
_DIGITS = 9
_HEADER = lazy.pattern(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")


def target(value: str) -> Path | urls.Url:
    """An existing file or directory, or the URL of a live origin or sitemap."""
    if _LIVE.match(value):
        return _live(value)
    if not value.strip():
        raise click.BadParameter("an empty name is no target.")
    path = Path(value)
    try:
        path.lstat()
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or "not a path").lower()
        hint = f" For a live site, write https://{value}" if _HOST_LIKE.fullmatch(value) else ""
        raise click.BadParameter(f"{value!r}: {reason}.{hint}") from None
    return path


def _live(value: str) -> urls.Url:
    found = urls.examine(value.strip())
    if isinstance(found, urls.UrlFault):
        raise click.BadParameter(f"{value!r} {found.reason}.")
    if found.credentials:
        raise click.BadParameter("a URL with a user name or password is not taken; pass --header 'Authorization: …'.")
    return found._replace(fragment="")


def default_targets(context: click.Context) -> tuple[Path | urls.Url, ...]:
    """Targets of the environment or the config file, which Click before 8.2 overlooks for arguments."""
    return tuple(target(value) for value in (context.default_map or {}).get("targets", ()))


def site_url(value: str) -> urls.Url:
    """Scheme, host and the path that the build is served below."""
    found = urls.examine(value.strip())
    if isinstance(found, urls.UrlFault):
        raise click.BadParameter(f"{value!r} {found.reason}.")
    if found.query or found.fragment or found.credentials:
        raise click.BadParameter(f"{value!r} must be scheme, host and path only.")
    return found._replace(path=found.path.rstrip("/") + "/")


def host(value: str) -> str:
    found = urls.parse(f"https://{value.strip()}/")
    if found is None or found.path != "/" or found.query or found.credentials or found.port is not None:
        raise click.BadParameter(f"{value!r} is not a host name.")
    return found.host


def score(value: str) -> float:
    """A number from 0 to 1; what is not a number would switch the gate off."""
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise click.BadParameter(f"{value!r} is not a number from 0 to 1.")
    return number


def seconds(value: str) -> float:
    """How long to wait: more than nothing, at most an hour."""
    try:
        number = float(value)
    except ValueError:
        number = 0.0
    if not 0 < number <= _HOUR:
        raise click.BadParameter(f"{value!r} is not a number of seconds, more than 0 and at most {_HOUR}.")
    return number


def share(value: str) -> Share:
    """`2/3`: the second of three parts."""
    index, slash, count = (part.strip() for part in value.partition("/"))
    is_short = slash and index.isdecimal() and count.isdecimal() and max(len(index), len(count)) <= _DIGITS
    if not is_short or not 1 <= int(index) <= int(count) <= MOST_PARTS:
        raise click.BadParameter(f"{value!r} is not I/N, such as 2/3 for the second of three parts.")
    return Share(int(index), int(count))


def header(value: str) -> tuple[str, str]:
    """`Name: value`; the value may be a secret and is not repeated in a message."""
    found = _HEADER.fullmatch(value.strip())
    if found is None or not found[2].isascii():
        raise click.BadParameter("a header is written 'Name: value', in ASCII and on one line.")
    return found[1], found[2].strip()


def user_agent(value: str) -> str:
    if not value.strip() or not value.isascii() or not value.isprintable():
        raise click.BadParameter(f"{value!r} cannot be sent: it must be printable ASCII.")
    return value.strip()


def rule(value: str) -> str:
    """A rule's id; the rules are imported only when one is named."""
    from sitemap_action.rules import all_rules

    if value in all_rules():
        return value
    import difflib

    close = difflib.get_close_matches(value.lower(), list(all_rules()), n=1, cutoff=0.4)
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise click.BadParameter(f"there is no rule {value!r}.{hint}")


def grade(value: str) -> tuple[str, str]:
    name, mark, severity = value.partition("=")
    choices = [*(severity.value for severity in Severity), "off"]
    if not mark or severity not in choices:
        raise click.BadParameter(f"{value!r} is not RULE=SEVERITY with one of {', '.join(choices)}.")
    return rule(name), severity


def output(value: str) -> tuple[str, Path]:
    name, mark, path = value.partition("=")
    if not mark or not path or "\0" in path or name not in FORMATS:
        raise click.BadParameter(f"{value!r} is not FORMAT=PATH with one of {', '.join(FORMATS)}.")
    return name, Path(path)


def explain(context: click.Context, _parameter: click.Parameter, name: str | None) -> None:
    """`--explain RULE` prints its page and ends the program."""
    if name is not None and not context.resilient_parsing:
        from sitemap_action.command.publish import to_stdout
        from sitemap_action.command.rulebook import terminal_page
        from sitemap_action.rules import all_rules

        to_stdout(terminal_page(all_rules()[name]))
        context.exit()


def list_rules(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    """`--list-rules` prints one line per rule and ends the program."""
    if wanted and not context.resilient_parsing:
        from sitemap_action.command.publish import to_stdout
        from sitemap_action.command.rulebook import rule_table

        to_stdout(rule_table())
        context.exit()


def rules_that_ask_the_clock() -> tuple[str, ...]:
    """What cannot be judged without the time of day."""
    from sitemap_action.rules import all_rules

    return tuple(rule.id for rule in all_rules().values() if rule.asks_the_clock)
