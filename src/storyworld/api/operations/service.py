"""What the server says of itself: whether it lives, its limits, its document, its figures."""

from __future__ import annotations

from functools import cache
from typing import Final

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation
from storyworld.api.shapes.parts import ANY_OBJECT, COUNT, TEXT, answer, listed, told
from storyworld.application.serving import is_ready
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Refusal
from storyworld.core.limits.page import limits_json

_LIMIT = answer(
    "Limit",
    "One limit.",
    {
        "name": TEXT,
        "value": COUNT,
        "unit": TEXT,
        "group": TEXT,
        "where": TEXT,
        "behaviour": told("What happens over it.", TEXT),
        "behaviourZh": TEXT,
        "reason": TEXT,
        "reasonZh": TEXT,
        "origin": {"type": "string", "enum": ["contract", "ours"]},
    },
)
_LIMITS = answer("Limits", "Every limit of the product.", {"contractVersion": TEXT, "limits": listed(_LIMIT)})
_ALIVE = answer("Alive", "The process answers.", {"status": {"type": "string", "const": "ok"}})
_READY = answer("Ready", "The server takes beats.", {"status": {"type": "string", "const": "ready"}})


async def _healthz(asked: Asked) -> Answer | Refusal:
    return Answer(200, {"status": "ok"})


async def _readyz(asked: Asked) -> Answer | Refusal:
    refused = await is_ready(asked.house)
    return refused or Answer(200, {"status": "ready"})


async def _metrics(asked: Asked) -> Answer | Refusal:
    return Answer(200, content=asked.serving.metrics(), media_type="text/plain; version=0.0.4; charset=utf-8")


async def _limits(asked: Asked) -> Answer | Refusal:
    return Answer(200, limits_json())


async def _openapi(asked: Asked) -> Answer | Refusal:
    return Answer(200, content=openapi_bytes())


async def _docs(asked: Asked) -> Answer | Refusal:
    headers = {"Content-Security-Policy": _CSP}
    return Answer(200, content=_docs_bytes(), media_type="text/html; charset=utf-8", headers=headers)


_CSP: Final = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"


@cache
def openapi_bytes() -> bytes:
    """The document of this server, made once."""
    from storyworld.api.openapi import openapi_document
    from storyworld.api.operations import TABLE

    return canonical_bytes(openapi_document(TABLE))


@cache
def _docs_bytes() -> bytes:
    from storyworld.api.docs_page import docs_page
    from storyworld.api.operations import TABLE

    return docs_page(TABLE)


def _json(description: str, shape: dict[str, object]) -> dict[int, Answered]:
    return {200: Answered(description, shape)}


OPERATIONS: Final = (
    Operation(
        "GET",
        "/healthz",
        "health",
        "Service",
        "Whether the process lives.",
        Access.OPEN,
        _healthz,
        _json("It does.", _ALIVE),
    ),
    Operation(
        "GET",
        "/readyz",
        "readiness",
        "Service",
        "Whether the server takes beats.",
        Access.OPEN,
        _readyz,
        _json("It does.", _READY),
        ("storage_unavailable", "stopping"),
    ),
    Operation(
        "GET",
        "/metrics",
        "metrics",
        "Service",
        "Figures for Prometheus.",
        Access.OPEN,
        _metrics,
        {200: Answered("The figures.", other={"text/plain": TEXT})},
    ),
    Operation(
        "GET",
        "/v1/limits",
        "limits",
        "Service",
        "Every limit, with its reason in English and Chinese.",
        Access.OPEN,
        _limits,
        _json("The limits.", _LIMITS),
    ),
    Operation(
        "GET",
        "/openapi.json",
        "openapi",
        "Service",
        "This document.",
        Access.OPEN,
        _openapi,
        _json("The document.", ANY_OBJECT),
    ),
    Operation(
        "GET",
        "/docs",
        "docs",
        "Service",
        "This document for people; it works without a network.",
        Access.OPEN,
        _docs,
        {200: Answered("The page.", other={"text/html": TEXT})},
    ),
)
