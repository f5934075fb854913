"""action.yml follows from the command: each option is an input, and reaches the program by the environment."""

from __future__ import annotations

import json

import click

from sitemap_action.cli import main as command
from sitemap_action.command.config import NOT_INPUTS, public_name

_OUTPUTS = {
    "verdict": "pass, warn, fail or inconclusive.",
    "score": "From 0 to 1.",
    "errors": "How many errors were found.",
    "warnings": "How many warnings were found.",
    "urls": "How many URLs the sitemaps list.",
    "report-json": "The path of the JSON report.",
    "sarif-file": "The path of the SARIF report.",
}
_TARGET = (
    "What to check: the URL of a live site or sitemap, a directory, or files; one per line. "
    "Default: the built site under the working directory."
)
_TOKEN = "Writes the comment on the pull request; needs the permission `pull-requests: write`."
_TEXT = """\
# Written by `python scripts/write_docs.py` from the options of the command; do not edit.
name: sitemap-action
description: Checks the sitemaps of a live or a built site, with file and line, the cause in words, and how to mend it.
author: the sitemap-action authors
branding: {{icon: map, color: green}}

inputs:
{inputs}
outputs:
{outputs}
runs:
  using: composite
  steps:
    - id: install
      shell: bash
      env: {{NO_COLOR: "1", PIP_NO_COLOR: "1"}}
      run: bash "$GITHUB_ACTION_PATH/action/find_python.sh" install.py
    - id: check
      shell: bash
      env:
        PYTHON: ${{{{ steps.install.outputs.python }}}}
        LIBRARY: ${{{{ steps.install.outputs.library }}}}
{variables}
      run: exec "$PYTHON" -I -X utf8 "$GITHUB_ACTION_PATH/action/main.py"
"""


def inputs() -> dict[str, str]:
    """Each input with what it is for; a default here would beat the config file."""
    options = [item for item in command.params if isinstance(item, click.Option) and item.name not in NOT_INPUTS]
    return {"target": _TARGET, **{public_name(option.name or ""): _about(option) for option in options}}


def _about(option: click.Option) -> str:
    text = option.help or ""
    if option.show_default:
        text += f" Default: {option.default}."
    if option.multiple:
        text += " One value per line."
    if option.is_flag:
        text += " true or false."
    return text


def _variable(name: str) -> str:
    return f"SITEMAP_ACTION_{name.upper().replace('-', '_')}"


def value(name: str) -> str:
    """An input that is not given leaves the variable of the job as it is; to set it here to nothing would hide it."""
    return f"${{{{ inputs.{name} || env.{_variable(name)} }}}}"


def text() -> str:
    given = inputs()
    described = "".join(f"  {name}:\n    description: {json.dumps(about)}\n" for name, about in given.items())
    token = f"  token:\n    description: {json.dumps(_TOKEN)}\n    default: ${{{{ github.token }}}}\n"
    outputs = "".join(
        f"  {name}:\n    description: {about}\n    value: ${{{{ steps.check.outputs.{name} }}}}\n"
        for name, about in _OUTPUTS.items()
    )
    variables = "\n".join(f"        {_variable(name)}: {value(name)}" for name in [*given, "token"])
    return _TEXT.format(inputs=described + token, outputs=outputs, variables=variables)
