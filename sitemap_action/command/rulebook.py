"""The rules written down: `--explain`, `--list-rules` and docs/rules.md follow from the classes."""

from __future__ import annotations

from sitemap_action.rules import all_rules
from sitemap_action.rules.base import Rule, explanation_of


def rule_table() -> str:
    """One line per rule: id, severity, step, what it says."""
    rules = all_rules().values()
    room = max(len(rule.id) for rule in rules)
    return "".join(
        f"{rule.id:{room}}  {_severity(rule):13}  {rule.step.id:13}  {explanation_of(rule).summary}\n" for rule in rules
    )


def _severity(rule: type[Rule]) -> str:
    return f"{rule.severity.value}{' (off)' if rule.off_by_default else ''}"


def terminal_page(rule: type[Rule]) -> str:
    """A rule's page as plain text."""
    about = explanation_of(rule)
    blocks = [f"{rule.id}: {about.summary}", f"{_severity(rule)}, step {rule.step.id}", about.why, f"Fix: {about.fix}"]
    blocks += [f"Bad:\n{_indented(example)}" for example in about.bad]
    blocks += [f"Good:\n{_indented(example)}" for example in about.good]
    blocks.append(f"See {rule.spec}")
    return "\n\n".join(blocks) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def markdown() -> str:
    """docs/rules.md: annotations, reports and comments link to its headings."""
    rules = all_rules()
    lines = [
        "# Rules",
        "",
        "Generated from the rules' own docstrings by `python scripts/write_docs.py`; do not edit.",
        "**error**: the document cannot serve as a sitemap, or an entry will be dropped. **warning**: a valid",
        "sitemap with something wrong in it. **notice**: advice, never gating.",
        "",
        "| rule | severity | step | what |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| [`{rule.id}`](#{rule.id}) | {_severity(rule)} | {rule.step.id} | {explanation_of(rule).summary} |"
        for rule in rules.values()
    ]
    for rule in rules.values():
        lines += ["", *_section(rule)]
    return "\n".join(lines) + "\n"


def _section(rule: type[Rule]) -> list[str]:
    about = explanation_of(rule)
    lines = [f"## {rule.id}", "", about.summary, "", about.why, "", f"**Fix:** {about.fix}", ""]
    for title, examples in (("Bad", about.bad), ("Good", about.good)):
        for example in examples:
            lines += [f"{title}:", "", "```xml", example, "```", ""]
    lines.append(f"{_severity(rule)}, step {rule.step.id} · [source]({rule.spec})")
    return lines
