"""Holds requests, and what the mock answers, to GitHub's OpenAPI description, where scripts/github_openapi.py has got it."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from github_api import Exchange
from jsonschema import Draft202012Validator

from scripts.github_openapi import EXCERPT

MISSING = "needs GitHub's OpenAPI description: `python scripts/github_openapi.py` fetches it with npm"


def is_here() -> bool:
    return EXCERPT.is_file()


def hold_to_openapi(exchanges: list[Exchange]) -> None:
    """Without the description nothing is held to it; the tests that are about it are skipped then."""
    if is_here():
        for exchange in exchanges:
            hold(exchange)


def hold(exchange: Exchange) -> None:
    asked = exchange.asked
    operation = _operation(asked.method, asked.path)
    parameters = [_resolved(parameter) for parameter in operation.get("parameters", ())]
    known = {each["name"]: each["schema"] for each in parameters if each["in"] == "query"}
    assert set(asked.query) <= set(known), f"{asked.path} knows no such parameter: {asked.query}"
    for name, value in asked.query.items():
        _validate(int(value) if known[name]["type"] == "integer" else value, known[name])
    if "requestBody" in operation:
        _validate(asked.body, operation["requestBody"]["content"]["application/json"]["schema"], strict=True)
    else:
        assert asked.body is None
    if not exchange.is_scripted:
        _hold_answer(exchange, operation["responses"])


def _hold_answer(exchange: Exchange, responses: dict[str, Any]) -> None:
    """Any operation may answer 401; not all of them say so."""
    if exchange.status == 401 and "401" not in responses:
        return
    response = _resolved(responses[str(exchange.status)])
    _validate(exchange.body, response["content"]["application/json"]["schema"])


@cache
def excerpt() -> dict[str, Any]:
    """Of a repository, which has about ninety required properties, the mock shows a few."""
    data: dict[str, Any] = json.loads(EXCERPT.read_text(encoding="utf-8"))
    del data["components"]["schemas"]["repository"]["required"]
    return data


def _operation(method: str, path: str) -> dict[str, Any]:
    for template, operations in excerpt()["paths"].items():
        if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template)), path) and method.lower() in operations:
            operation: dict[str, Any] = operations[method.lower()]
            return operation
    raise AssertionError(f"GitHub's API has no {method} {path}, or scripts/github_openapi.py does not know that we ask")


def _resolved(node: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        _, _, kind, name = node["$ref"].split("/")
        node = excerpt()["components"][kind][name]
    return node


def _validate(value: Any, schema: dict[str, Any], *, strict: bool = False) -> None:
    closed = {**schema, "additionalProperties": False} if strict else schema
    Draft202012Validator({"components": excerpt()["components"], "allOf": [closed]}).validate(value)
