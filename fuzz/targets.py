"""All targets by name."""

from __future__ import annotations

from fuzz import documents, reports, sites
from fuzz.engine import Target

TARGETS: dict[str, Target] = {target.name: target for target in (*documents.TARGETS, *sites.TARGETS, *reports.TARGETS)}
