"""Get GitHub's own description of its REST API, cut to what we ask for: `python scripts/github_openapi.py`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts.environment import FOLDER, say

VERSION = "23.0.2"
EXCERPT = FOLDER / "openapi" / "excerpt.json"
USED = {
    "/repos/{owner}/{repo}/issues/{issue_number}/comments": ("get", "post"),
    "/repos/{owner}/{repo}/issues/comments/{comment_id}": ("patch",),
    "/repos/{owner}/{repo}/commits/{commit_sha}/pulls": ("get",),
    "/repos/{owner}/{repo}/pulls": ("get",),
    "/user": ("get",),
}
_WHOLE = "package/generated/api.github.com.json"
_PATIENCE = 180


def main() -> int:
    if not prepare():
        say("Could not get GitHub's description of its API: the tests that need it are skipped.")
    return 0


def prepare() -> bool:
    """Have the excerpt of this version at hand; False where npm or a network is missing."""
    if EXCERPT.is_file() and json.loads(EXCERPT.read_text(encoding="utf-8"))["version"] == VERSION:
        return True
    npm = shutil.which("npm")
    if npm is None:
        return False
    say(f"Fetching GitHub's OpenAPI description {VERSION}")
    EXCERPT.parent.mkdir(parents=True, exist_ok=True)
    package = _pack(npm, EXCERPT.parent)
    if package is None:
        return False
    with tarfile.open(package) as archive:
        member = archive.extractfile(_WHOLE)
        assert member is not None
        excerpt = cut(json.load(member))
    package.unlink()
    EXCERPT.write_text(json.dumps(excerpt, indent=1, sort_keys=True), encoding="utf-8")
    return True


def _pack(npm: str, folder: Path) -> Path | None:
    command = [npm, "pack", "--silent", "--ignore-scripts", f"@octokit/openapi@{VERSION}"]
    try:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = sorted(folder.glob(f"*{VERSION}.tgz"))
    return found[0] if ran.returncode == 0 and found else None


def cut(whole: dict[str, Any]) -> dict[str, Any]:
    """The paths that we use, with everything that they refer to, in the words of JSON Schema."""
    paths = {
        path: {method: _without_examples(whole["paths"][path][method]) for method in methods}
        for path, methods in USED.items()
    }
    components: dict[str, dict[str, Any]] = {}
    waiting = list(_references(paths))
    while waiting:
        _, _, kind, name = waiting.pop().split("/")
        if name not in components.setdefault(kind, {}):
            components[kind][name] = _without_examples(whole["components"][kind][name])
            waiting += _references(components[kind][name])
    return {"version": VERSION, "paths": _nullable(paths), "components": _nullable(components)}


def _references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from _references(item)


def _without_examples(node: Any) -> Any:
    if isinstance(node, dict):
        # A property may have this name too, but then it is described by a schema.
        return {
            key: _without_examples(value)
            for key, value in node.items()
            if not (key == "examples" or (key == "example" and not (isinstance(value, dict) and "type" in value)))
        }
    return [_without_examples(item) for item in node] if isinstance(node, list) else node


def _nullable(node: Any) -> Any:
    """OpenAPI 3.0 has a word for "or null" that JSON Schema does not know."""
    if isinstance(node, list):
        return [_nullable(item) for item in node]
    if not isinstance(node, dict):
        return node
    plain = {key: _nullable(value) for key, value in node.items() if not (key == "nullable" and value is True)}
    return plain if len(plain) == len(node) else {"anyOf": [plain, {"type": "null"}]}


if __name__ == "__main__":
    sys.exit(main())
