"""All rules, found by walking this package: a rule is listed nowhere else."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module

from sitemap_action.rules.base import Rule


@lru_cache(maxsize=1)
def all_rules() -> dict[str, type[Rule]]:
    """Every rule by its id, in the order of the modules and of the classes in them."""
    found: dict[str, type[Rule]] = {}
    for module_info in sorted(pkgutil.iter_modules(__path__), key=lambda info: info.name):
        module = import_module(f"{__name__}.{module_info.name}")
        for item in vars(module).values():
            if isinstance(item, type) and issubclass(item, Rule) and "id" in vars(item):
                found[item.id] = item
    return found
