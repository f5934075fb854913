"""The bill of materials of the lock, as CycloneDX: `python scripts/write_docs.py` writes it beside the lock."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from scripts.environment import ROOT
from sitemap_action import __version__

LOCK = ROOT / "action" / "requirements.txt"
SBOM = ROOT / "action" / "sbom.cdx.json"
_LINE = re.compile(r"(?P<name>[\w.-]+)==(?P<version>\S+)(?: ; (?P<marker>[^\\]+?))?(?= \\|$)")
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_REQUIRED = re.compile(r'^  "([\w-]+)>=', re.MULTILINE)


def text() -> str:
    """Nothing in it changes but with the lock: no date, and no number that is drawn anew."""
    found = list(_components(LOCK.read_text(encoding="utf-8")))
    references = {component["name"]: component["bom-ref"] for component in found}
    itself = f"pkg:pypi/sitemap-action@{__version__}"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("\ndependencies = [")[2].partition("]")[0]
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": itself,
                "name": "sitemap-action",
                "version": __version__,
                "licenses": [{"license": {"id": "MIT"}}],
                "purl": itself,
            }
        },
        "components": found,
        "dependencies": [{"ref": itself, "dependsOn": [references[name] for name in _REQUIRED.findall(project)]}],
    }
    return json.dumps(bill, indent=1) + "\n"


def _components(lock: str) -> Iterator[dict[str, Any]]:
    """A package has many files, one for each system: their hashes stand with the place that they come from."""
    for block in re.split(r"\n(?=\S)", lock.strip()):
        found = _LINE.match(block)
        if found is None:
            raise SystemExit(f"Not understood in {LOCK.name}: {block.splitlines()[0]}")
        purl = f"pkg:pypi/{found['name']}@{found['version']}"
        component: dict[str, Any] = {
            "type": "library",
            "bom-ref": purl,
            "name": found["name"],
            "version": found["version"],
            "purl": purl,
            "externalReferences": [
                {
                    "type": "distribution",
                    "url": f"https://pypi.org/simple/{found['name']}/",
                    "hashes": [{"alg": "SHA-256", "content": value} for value in _HASH.findall(block)],
                }
            ],
        }
        if found["marker"]:
            component["properties"] = [{"name": "python:environment-marker", "value": found["marker"].strip()}]
        yield component
