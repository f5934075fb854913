"""The run of a workflow, as the runner's environment tells of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sitemap_action.repository.workspace import Workspace


class Context(NamedTuple):
    """What the variables of a runner say; outside of GitHub they say nothing."""

    variables: Mapping[str, str] = MappingProxyType({})

    def get(self, name: str) -> str:
        return self.variables.get(f"GITHUB_{name}", "")

    @property
    def is_active(self) -> bool:
        return self.get("ACTIONS").lower() == "true"

    @property
    def token(self) -> str:
        """Never an option: those can be seen by other users of the machine."""
        return (self.variables.get("SITEMAP_ACTION_TOKEN") or self.get("TOKEN")).strip()

    @property
    def api(self) -> str:
        return (self.get("API_URL") or "https://api.github.com").rstrip("/")

    @property
    def repository_url(self) -> str:
        server = (self.get("SERVER_URL") or "https://github.com").rstrip("/")
        return f"{server}/{self.get('REPOSITORY')}" if self.get("REPOSITORY") else ""

    @property
    def run_url(self) -> str:
        if not self.repository_url or not self.get("RUN_ID"):
            return ""
        attempt = self.get("RUN_ATTEMPT")
        return f"{self.repository_url}/actions/runs/{self.get('RUN_ID')}" + (f"/attempts/{attempt}" if attempt else "")

    @property
    def workspace(self) -> Workspace:
        """Files are shown at the commit that was checked out, unless the workflow says nothing of one."""
        if not self.is_active:
            return Workspace()
        top = self.get("WORKSPACE")
        known = self.repository_url and self.get("SHA")
        return Workspace(
            Path(top).absolute() if top else None, f"{self.repository_url}/blob/{self.get('SHA')}" if known else ""
        )

    @property
    def event(self) -> dict[str, Any]:
        """What set the workflow off; a file that cannot be read tells nothing."""
        import json

        try:
            data = json.loads(Path(self.get("EVENT_PATH")).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return data if isinstance(data, dict) else {}
