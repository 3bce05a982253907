"""The OpenAPI document: that it says what the registry of limits says, and that it is the one that is checked in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from storyworld.api.examples import EXAMPLES
from storyworld.api.openapi import openapi_document
from storyworld.api.operations import TABLE
from storyworld.api.problems import shared_codes
from storyworld.core import limits, schema
from storyworld.core.casting import judge_agent
from storyworld.core.content import judge_package
from storyworld.core.errors import CATALOGUE
from storyworld.core.judge import judge
from storyworld.core.normalize import normalize_world
from storyworld.core.schema.parts import X_LIMITS
from tests.api.asking import Server, serve

DOCUMENT = openapi_document(TABLE)
CHECKED_IN = Path(__file__).parents[2] / "docs" / "openapi.json"


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of the document."""
    if isinstance(value, dict):
        yield value
        for below in value.values():
            yield from parts(below)
    elif isinstance(value, list):
        for below in value:
            yield from parts(below)


def test_the_served_document_is_the_one_that_is_checked_in() -> None:
    async def work(server: Server) -> None:
        served = (await server.ask("GET", "/openapi.json", key=None)).json()
        assert served == json.loads(CHECKED_IN.read_text("utf-8"))

    serve(work)


def test_every_limit_in_the_document_is_that_of_the_registry() -> None:
    found = set()
    for part in parts(DOCUMENT):
        for keyword, name in part.get(X_LIMITS, {}).items() if isinstance(part.get(X_LIMITS), dict) else ():
            value = limits.BY_NAME[name].value
            assert part[keyword] in (value, -value, 0, 1), (keyword, name)
            assert keyword in ("minimum", "minLength") or part[keyword] == value, (keyword, name)
            found.add(name)
    judged_by_schema = {name for value in vars(schema).values() for name in limits_of(value)}
    assert judged_by_schema <= found
    assert {"IDEMPOTENCY_KEY_MAX_CHARS", "PAGE_MAX_ITEMS", "PROJECT_MAX_NAME_CHARS"} <= found


def limits_of(value: Any) -> set[str]:
    """The names of the limits in a schema."""
    return {name for part in parts(value) for name in part.get(X_LIMITS, {}).values()}


def test_the_package_says_how_large_it_may_be() -> None:
    package = DOCUMENT["components"]["schemas"]["StoryPackageContent"]
    assert package["x-pouchy-max-bytes"] == limits.STORY_PACKAGE_MAX_BYTES.value == 900_000
    assert package["properties"]["roles"]["maxItems"] == 24
    assert package["properties"]["nodes"]["maxItems"] == 200


def test_the_schema_that_judges_is_the_one_that_is_published() -> None:
    published = DOCUMENT["components"]["schemas"]
    for name, judged in (("StoryPackageContent", schema.STORY_PACKAGE_CONTENT), ("WorldContent", schema.WORLD_CONTENT)):
        assert {**published[name], "$schema": judged["$schema"]} == judged


def test_every_code_that_an_operation_may_answer_with_is_in_the_catalogue_and_is_told() -> None:
    for operation in TABLE:
        for code in (*operation.refusals, *shared_codes(operation)):
            assert code in CATALOGUE, (operation.operation_id, code)


def test_operations_have_names_of_their_own_and_a_summary() -> None:
    names = [operation.operation_id for operation in TABLE]
    assert len(set(names)) == len(names)
    assert all(operation.summary.endswith(".") for operation in TABLE)
    assert len({(operation.method, operation.path) for operation in TABLE}) == len(TABLE)


def test_each_example_is_taken_by_its_schema() -> None:
    bodies = [operation for operation in TABLE if operation.body is not None]
    examples = 0
    for operation in bodies:
        told = DOCUMENT["paths"][operation.path][operation.method.lower()]["requestBody"]["content"]
        for name, example in told["application/json"].get("examples", {}).items():
            assert operation.body is not None
            assert operation.body.find(example["value"]) == [], (operation.operation_id, name)
            examples += 1
    assert examples >= len(bodies)


def test_the_contents_of_the_examples_could_be_published() -> None:
    for bodies in EXAMPLES.values():
        for body in bodies.values():
            content = body.get("content", {})
            if "startNodeId" in content:
                assert judge_package(content).problems == ()
            elif "packageRevision" in content:
                assert judge("world", normalize_world(content)) == ()
            elif "persona" in body:
                assert judge_agent("agt_1", body).problems == ()
