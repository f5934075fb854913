"""Options in, exit code out."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from sitemap_action import __version__, clock
from sitemap_action.command import config, options
from sitemap_action.command.arguments import CommandForFiles, words_of
from sitemap_action.command.machine import made_do
from sitemap_action.command.publish import harmless_messages, let_output_hold_any_character, said_if_full, tell
from sitemap_action.command.request import Request, request_of_parts
from sitemap_action.formats import FORMATS
from sitemap_action.github.step import Wishes
from sitemap_action.net.manners import Manners
from sitemap_action.report.sieve import Policy
from sitemap_action.run import check

# What is not said is as these have it.
_MANNERS, _REQUEST = Manners(), Request._field_defaults


def _load_config(context: click.Context, _parameter: click.Parameter, value: str | None) -> None:
    try:
        folder = Path.cwd()
    except OSError:
        raise click.UsageError("The current directory does not exist any more.") from None
    context.default_map = config.load(context.command, value, os.environ, folder, words_of(context))


class _Command(CommandForFiles):
    """Messages about a request may quote a file name or a config file: nothing of them is a command to a runner."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        with made_do():
            let_output_hold_any_character()
            return super().main(*arguments, **extra)

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        with harmless_messages(), said_if_full():  # help and pages of rules are printed here
            return super().make_context(*arguments, **extra)

    def invoke(self, context: click.Context) -> Any:
        with harmless_messages():
            return super().invoke(context)


# No docstring: Python leaves those out under -OO.
_ABOUT = """Check sitemaps: those of a live site, of a built site in a directory, or single files.

A TARGET is the URL of a site (https://example.com) or of one of its sitemaps, a directory, or a file.
Without a TARGET, the built site under the current directory is checked: the first of public, dist,
_site, build, out, site, docs and the directory itself that holds a sitemap.
"""


@click.command(
    cls=_Command, help=_ABOUT, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.argument("targets", metavar="[TARGET]...", nargs=-1, type=options.target)
@click.option(
    "--config",
    metavar="PATH",
    is_eager=True,
    expose_value=False,
    callback=_load_config,
    help="Config file. Default: .sitemap-action.toml, or [tool.sitemap-action] in pyproject.toml, "
    "found from the current directory upwards.",
)
@click.option(
    "--site-url",
    type=options.site_url,
    metavar="URL",
    help="Where the files, or a preview, will be served. Default: inferred, or the live target itself.",
)
@click.option(
    "--allow-host",
    "allow_host",
    multiple=True,
    type=options.host,
    metavar="HOST",
    help="Entries on this host are in scope too.",
)
@click.option(
    "--pages/--no-pages",
    default=None,
    help="Check the listed pages too: the built HTML (default for a directory), or live ones (by default not).",
)
@click.option(
    "--pages-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most so many pages, an even sample. Default: all in a directory, 1000 live.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning", "never"]),
    default=_REQUEST["fail_on"],
    show_default=True,
    help="The least severity that makes the exit code 1.",
)
@click.option("--min-score", type=options.score, metavar="FLOAT", help="Also fail below this score.")
@click.option("--ignore", multiple=True, type=options.rule, metavar="RULE", help="Switch a rule off.")
@click.option("--select", multiple=True, type=options.rule, metavar="RULE", help="Run only these rules.")
@click.option(
    "--severity",
    multiple=True,
    type=options.grade,
    metavar="RULE=SEVERITY",
    help="Re-grade a rule: error, warning, notice or off.",
)
@click.option("--ignore-url", multiple=True, metavar="GLOB", help="Drop findings about matching URLs; `*` crosses `/`.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="What goes to standard output. Default: text; in GitHub Actions github, which is text and annotations.",
)
@click.option(
    "--output", multiple=True, type=options.output, metavar="FORMAT=PATH", help="Also write that format to a file."
)
@click.option(
    "--max-findings",
    type=click.IntRange(min=0),
    default=Policy.max_findings,
    show_default=True,
    metavar="N",
    help="Findings listed per rule and document; 0 lists all.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(1, 2**40),
    default=_MANNERS.max_bytes,
    show_default=True,
    metavar="N",
    help="The most bytes read of one document, inflated.",
)
@click.option(
    "--max-sitemaps",
    type=click.IntRange(min=1),
    default=_REQUEST["max_sitemaps"],
    show_default=True,
    metavar="N",
    help="Live: the most sitemaps fetched in a run.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Files: read by so many processes. Default: one for each processor; small sites need no more than one.",
)
@click.option(
    "--shard",
    type=options.share,
    metavar="I/N",
    help="Check every N-th document only; the JSON report is then a part for --merge.",
)
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="REPORT",
    help="Join the JSON reports of all parts, files or folders with them, to the report of the whole.",
)
@click.option(
    "--timeout",
    type=options.seconds,
    default=f"{_MANNERS.timeout:g}",
    show_default=True,
    metavar="SECONDS",
    help="Live: for a whole request, from connecting to the last byte.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    default=_MANNERS.concurrency,
    show_default=True,
    metavar="N",
    help="Live: so many requests at a time.",
)
@click.option(
    "--retries",
    type=click.IntRange(0, 10),
    default=_MANNERS.retries,
    show_default=True,
    metavar="N",
    help="Live: further tries after a broken connection, or 429, 502, 503 and 504.",
)
@click.option(
    "--user-agent",
    type=options.user_agent,
    default=_MANNERS.user_agent,
    show_default=True,
    metavar="TEXT",
    help="Live: what we call ourselves.",
)
@click.option(
    "--header",
    multiple=True,
    type=options.header,
    metavar="'NAME: VALUE'",
    help="Live: sent to the target's own origin, and to no other.",
)
@click.option(
    "--comment",
    type=click.Choice(["never", "on-failure", "always"]),
    default=Wishes().comment,
    show_default=True,
    help="Keep one comment on the pull request up to date; needs a token that may write it.",
)
@click.option(
    "--summary/--no-summary",
    default=None,
    help="Markdown job summary. Default: on when GITHUB_STEP_SUMMARY is set.",
)
@click.option("--urls", is_flag=True, help="Print only the page URLs, one per line.")
@click.option(
    "--explain",
    type=options.rule,
    metavar="RULE",
    is_eager=True,
    expose_value=False,
    callback=options.explain,
    help="Print a rule's page and exit.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=options.list_rules,
    help="Print all rules and exit.",
)
@click.option("--quiet", "-q", is_flag=True, help="Only errors, warnings and the verdict; nothing if all is well.")
@click.option("--verbose", "-v", is_flag=True, help="Also the steps with their evidence, and why each rule matters.")
@click.option(
    "--color/--no-color", default=None, help="Colour in text. Default: on a terminal, unless NO_COLOR is set."
)
@click.version_option(__version__, prog_name="sitemap-action")
def main(**values: Any) -> None:
    if clock.is_wrong():
        tell(clock.complaint())
        values["ignore"] += options.rules_that_ask_the_clock()
    context = click.get_current_context()
    if values["merge"]:
        sys.exit(check(request_of_parts(context, values)))
    values["targets"] = values["targets"] or options.default_targets(context)
    sys.exit(check(Request.from_options(**values)))
