"""The OpenAPI document as one page for people: no script, no picture, nothing from another address."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from storyworld.api.openapi import openapi_document
from storyworld.api.operation import Operation

_STYLE: Final = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8886; border-radius: 0.4rem; }
details { margin: 0.4rem 0; padding: 0.4rem 0.75rem; border: 1px solid #8886; border-radius: 0.4rem; }
summary { cursor: pointer; }
summary b { display: inline-block; min-width: 4.5rem; }
"""
_METHODS: Final = ("get", "post", "put", "delete")


def docs_page(operations: tuple[Operation, ...]) -> bytes:
    """The page of these operations."""
    document = openapi_document(operations)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
        f"<title>storyworld API</title><style>{_STYLE}</style></head><body>",
        f"<h1>storyworld API {escape(document['info']['version'])}</h1>",
        f"<p>{escape(document['info']['description'])} The same as data: <a href='/openapi.json'>openapi.json</a>.</p>",
    ]
    for tag in document["tags"]:
        parts.append(f"<h2>{escape(tag['name'])}</h2>")
        parts += _operations(document["paths"], tag["name"])
    parts.append("<h2>Schemas</h2>")
    parts += [
        f"<details id='schema-{escape(name)}'><summary><code>{escape(name)}</code></summary>{_pre(part)}</details>"
        for name, part in document["components"]["schemas"].items()
    ]
    parts.append("</body></html>")
    return "\n".join(parts).encode()


def _operations(paths: Mapping[str, Mapping[str, Any]], tag: str) -> Iterator[str]:
    for path, methods in paths.items():
        for method in _METHODS:
            operation = methods.get(method)
            if operation is not None and tag in operation["tags"]:
                yield f"<details id='{escape(operation['operationId'])}'>"
                yield f"<summary><b>{method.upper()}</b> <code>{escape(path)}</code> "
                yield f"{escape(operation['summary'])}</summary>"
                yield f"<p>{escape(operation['description'])}</p>"
                yield from _parts(operation)
                yield "</details>"


def _parts(operation: Mapping[str, Any]) -> Iterator[str]:
    if operation["parameters"]:
        rows = "".join(
            f"<li><code>{escape(one['name'])}</code> in {escape(one['in'])}. {escape(one['description'])}</li>"
            for one in operation["parameters"]
        )
        yield f"<ul>{rows}</ul>"
    if "requestBody" in operation:
        yield f"<p>Body</p>{_pre(operation['requestBody']['content'])}"
    for status, response in operation["responses"].items():
        yield f"<p><b>{escape(status)}</b> {escape(response['description'])}</p>"
        if not status.startswith(("4", "5")) and response.get("content"):
            yield _pre(response["content"])


def _pre(value: Any) -> str:
    return f"<pre>{escape(json.dumps(value, ensure_ascii=False, indent=2))}</pre>"
