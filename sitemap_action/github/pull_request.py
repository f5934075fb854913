"""Which pull request a run belongs to: the event says so, or the commit does."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from sitemap_action.github.api import Api
from sitemap_action.github.context import Context

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


class _Head(NamedTuple):
    """What a run is about; its branch is one of the repository `source`, its commit may also be `shared` by others."""

    sha: str
    branch: str
    source: str
    shared: bool = False


def find(context: Context, api: Api) -> int | None:
    """The number of the open pull request; None if there is none."""
    event = context.event
    stated = _number(event.get("pull_request")) or _of_issue(event.get("issue"))
    if stated is not None:
        return stated
    run = event.get("workflow_run")
    if isinstance(run, dict):
        return _of_workflow_run(run, context, api)
    if context.get("REF_TYPE") == "tag":  # of a version, whose name may be that of a branch as well
        return None
    # A deployment is one of a fork's commit, too; a push is to a branch of ours.
    is_push = context.get("EVENT_NAME") == "push"
    return _of_commit(_Head(context.get("SHA"), _branch(context), context.get("REPOSITORY"), not is_push), context, api)


def _number(item: Any) -> int | None:
    number = item.get("number") if isinstance(item, dict) else None
    return number if type(number) is int and number > 0 else None


def _of_issue(issue: Any) -> int | None:
    """A comment on a pull request is an event of an issue that has one."""
    return _number(issue) if isinstance(issue, dict) and issue.get("pull_request") else None


def _of_workflow_run(run: dict[str, Any], context: Context, api: Api) -> int | None:
    """For a fork GitHub names none, so it is looked for by branch and commit; nothing of the fork's own is believed."""
    named = run.get("pull_requests")
    for item in named if isinstance(named, list) else ():
        if _number(item) is not None and _is_ours(item, context):
            return _number(item)
    sha, branch = str(run.get("head_sha") or ""), str(run.get("head_branch") or "")
    repository = run.get("head_repository")
    owner = repository.get("owner") if isinstance(repository, dict) else None
    login = owner.get("login") if isinstance(owner, dict) else None
    source = str(repository.get("full_name") or "") if isinstance(repository, dict) else ""
    head = _Head(sha, branch, source, shared=not source)
    if login and branch:
        found = api.get(f"/repos/{context.get('REPOSITORY')}/pulls", state="open", head=f"{login}:{branch}")
        number = _open_one(found, head, context)
        if number is not None:
            return number
    return _of_commit(head, context, api)


def _is_ours(item: dict[str, Any], context: Context) -> bool:
    """A run in a fork may name the pull request that the branch has in the repository above, with a number of there."""
    node: Any = item
    for name in ("base", "repo", "url"):
        node = node.get(name) if isinstance(node, dict) else None
    return not isinstance(node, str) or node.lower().endswith(f"/repos/{context.get('REPOSITORY').lower()}")


def _branch(context: Context) -> str:
    return context.get("HEAD_REF") or context.get("REF_NAME")


def _of_commit(head: _Head, context: Context, api: Api) -> int | None:
    """An event may say anything: what is no commit is not asked for."""
    if not _COMMIT.fullmatch(head.sha) or not context.get("REPOSITORY"):
        return None
    found = api.get(f"/repos/{context.get('REPOSITORY')}/commits/{head.sha}/pulls", per_page=100)
    return _open_one(found, head, context)


def _open_one(found: Any, head: _Head, context: Context) -> int | None:
    """The commit may be part of several: the one whose head it is counts, then the one of the branch.

    Other repositories have branches of the same name.
    """
    pulls = [pull for pull in found if isinstance(pull, dict)] if isinstance(found, list) else []
    pulls = [pull for pull in pulls if pull.get("state", "open") == "open" and _is_ours(pull, context)]
    theirs: list[Any] = [pull.get("head") if isinstance(pull.get("head"), dict) else {} for pull in pulls]
    for key, value, is_shared in (("sha", head.sha, head.shared), ("ref", head.branch, False)):
        for pull, each in zip(pulls, theirs, strict=True):
            if value and each.get(key) == value and (is_shared or _is_of(head.source, each)):
                return _number(pull)
    return None


def _is_of(source: str, head: dict[str, Any]) -> bool:
    repository = head.get("repo")
    name = repository.get("full_name") if isinstance(repository, dict) else None
    return bool(source) and str(name).lower() == source.lower()
