"""What GitHub's runner would do with a log: the two ways of writing a command, and how to switch them off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from conftest import Outcome

OUR_OWN = {"error", "warning", "notice"}
# Each would be a command, or start a line with one, if it reached a log as it is.
COMMANDS = [
    "::error::forged",
    "  ::warning file=a,line=1::forged",
    "\t::notice::forged",
    "\u3000::error::forged",
    "::add-mask::e",
    "::stop-commands::token",
    "::set-output name=errors::0",
    "::group::forged",
    "##[error]forged",
    "in the middle ##[set-output name=errors;]0",
    "###[add-mask]e",
    "##[stop-commands]token",
    "a\r::error::forged",
    "a\n::error::forged",
    "a\r\n##[group]forged",
    "a%0D::error::forged%0A::error::forged",
    "a\x0b::error::forged\x0c::error::forged",
    "a\x85::error::forged\u2028::error::forged",
    "\x1b]0;title\x07\x1b[31m::error::forged",
    "\ufeff::error::forged",
    "\x00::error::forged",
]


@dataclass(frozen=True)
class Command:
    """A command as the runner understands it: unescaped."""

    name: str
    message: str = ""
    properties: dict[str, str] = field(default_factory=dict)


def log(outcome: Outcome) -> str:
    """Both streams, as the runner reads them."""
    return f"{outcome.stdout}\n{outcome.stderr}"


def commands(text: str) -> list[Command]:
    """Every command of a log, whether its name is known or not; none between `stop-commands` and its token."""
    return list(_commands(text))


def forged(text: str) -> list[Command]:
    """Commands that we never give."""
    return [given for given in commands(text) if given.name not in OUR_OWN or "forged" in given.message[:6]]


def annotated(text: str, level: str | None = None) -> list[Command]:
    return [given for given in commands(text) if given.name in ({level} if level else OUR_OWN)]


def _commands(text: str) -> Iterator[Command]:
    token = ""
    for line in re.split("\r\n|\r|\n", text):
        found = _modern(line) or _legacy(line)
        if found is None or (token and found.name != token):
            continue
        token = found.message if found.name == "stop-commands" else ""
        yield found


def _modern(line: str) -> Command | None:
    """`::name key=value,key=value::message`, with nothing but white space before it."""
    found = re.fullmatch(r"\s*::(.*?)::(.*)", line, re.DOTALL)
    if found is None:
        return None
    name, _, given = found[1].partition(" ")
    pairs = [pair.partition("=") for pair in given.strip().split(",") if "=" in pair]
    properties = {key: unescape(value, "%0D %0A %3A %2C %25") for key, _, value in pairs}
    return Command(name, unescape(found[2], "%0D %0A %25"), properties)


def _legacy(line: str) -> Command | None:
    """`##[name key=value;key=value]message`, anywhere."""
    found = re.search(r"##\[([^\]]*)\](.*)", line, re.DOTALL)
    if found is None:
        return None
    name, _, given = found[1].partition(" ")
    pairs = [pair.partition("=") for pair in given.split(";") if "=" in pair]
    return Command(name, found[2], {key: value for key, _, value in pairs})


def unescape(text: str, codes: str) -> str:
    """The percent sign comes last, as it came first on the way in."""
    for code in codes.split():
        text = text.replace(code, chr(int(code[1:], 16)))
    return text
