"""The published schemas: sound, built from the declared limits, exact about what they take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import pytest

from storyworld.core import limits, schema
from storyworld.core.schema import parts

DOCUMENTS: Mapping[str, schema.Schema] = {
    "StoryPackageContent": schema.STORY_PACKAGE_CONTENT,
    "WorldContent": schema.WORLD_CONTENT,
    "AgentContent": schema.AGENT_CONTENT,
    "Operation": schema.OPERATION,
    "Effect": schema.EFFECT,
    "TurnTrigger": schema.TURN_TRIGGER,
    "Event": schema.EVENT,
}


def every_part(part: Any) -> Iterator[schema.Schema]:
    if isinstance(part, dict):
        if isinstance(part.get("type"), str | list) or "const" in part:
            yield part
        for below in part.values():
            yield from every_part(below)
    elif isinstance(part, list):
        for below in part:
            yield from every_part(below)


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_schema_is_a_sound_document_of_draft_2020_12(title: str) -> None:
    document = DOCUMENTS[title]
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert document["title"] == title
    jsonschema_rs.Draft202012Validator(document)


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_part_says_what_it_is_for(title: str) -> None:
    assert [part for part in every_part(DOCUMENTS[title]) if not part.get("description")] == []


@pytest.mark.parametrize("title", DOCUMENTS)
def test_every_bound_is_a_declared_limit(title: str) -> None:
    for part in every_part(DOCUMENTS[title]):
        for keyword in ("maxItems", "maxLength", "maximum", "maxProperties"):
            assert (keyword in part) == (keyword in part.get("x-limits", {}))
        for keyword, name in part.get("x-limits", {}).items():
            if keyword != "minimum":
                assert part[keyword] == limits.BY_NAME[name].value


@pytest.mark.parametrize("title", DOCUMENTS)
def test_no_text_list_or_number_is_without_a_bound(title: str) -> None:
    unbounded = []
    for part in every_part(DOCUMENTS[title]):
        keyword = {"string": "maxLength", "array": "maxItems", "integer": "maximum"}.get(str(part.get("type")))
        if keyword is not None and keyword not in part and "enum" not in part:
            unbounded.append(part)
    # The operations of a line are counted with the patch of the beat, which rejects itself and not the line.
    assert [part["description"] for part in unbounded] == (
        ["What it proposes for the state; judged with the patch of the beat, its number included."] * len(unbounded)
    )


def test_the_size_of_a_package_stands_on_its_schema() -> None:
    assert schema.STORY_PACKAGE_CONTENT["x-pouchy-max-bytes"] == 900_000


def test_only_what_has_neither_a_default_nor_a_meaning_when_absent_is_required() -> None:
    assert schema.STORY_PACKAGE_CONTENT["required"] == ["title", "language", "startNodeId", "roles", "scenes", "nodes"]
    assert schema.WORLD_CONTENT["required"] == ["name", "packageId", "packageRevision", "roles"]
    assert schema.AGENT_CONTENT["required"] == ["name", "persona", "model"]
    assert schema.EVENT["required"] == ["eventId", "type"]


@pytest.mark.parametrize(
    ("pattern", "taken", "refused"),
    [
        (parts.ID_PATTERN, ["a", "0", "a-b_c", "9-"], ["", "-a", "_a", "A", "a b", "é", "a\n", "\na", "а"]),
        (parts.RESOURCE_ID_PATTERN, ["pkg_A1", "a-b"], ["", "_a", "a b", "a\n", "a/b"]),
        (parts.LANGUAGE_PATTERN, ["en", "zh-Hans-CN", "x-priv"], ["", "en_GB", "en-", "-en", "123456789", "en\n"]),
        (parts.TEMPERATURE_PATTERN, ["0", "0.7", "1.25", "2", "2.0", "2.00"], ["", "2.01", "3", "0.125", "1.", "1\n"]),
        (parts.VISIBLE_ASCII_PATTERN, ["a!~", "-"], ["a b", "é", "a\n", "\x7f"]),
        (parts.TEXT_PATTERN, ["", "a\tb\nc", "井", "\u2028", "\u200d"], ["\x00", "\r", "a\x1b", "\x7f", "\x85"]),
    ],
)
def test_a_pattern_means_the_same_to_the_engine_and_to_other_readers(
    pattern: str, taken: list[str], refused: list[str]
) -> None:
    engine = jsonschema_rs.Draft202012Validator({"pattern": pattern})
    python = re.compile(pattern)
    assert [text for text in taken if not engine.is_valid(text) or not python.search(text)] == []
    assert [text for text in refused if engine.is_valid(text) or python.search(text)] == []


def test_each_operation_of_a_role_and_each_effect_has_a_shape_of_its_own() -> None:
    assert list(schema.OPERATIONS) == list(schema.EFFECTS)
    assert schema.OPERATION["oneOf"] == list(schema.OPERATIONS.values())
    assert schema.EFFECT["oneOf"] == list(schema.EFFECTS.values())


def test_only_an_effect_names_the_role_that_it_acts_for() -> None:
    owners = {
        op: sorted(schema.EFFECTS[op]["properties"].keys() - schema.OPERATIONS[op]["properties"].keys())
        for op in schema.EFFECTS
    }
    assert {op: names for op, names in owners.items() if names} == {
        "setRelation": ["fromRoleId"],
        "removeRelation": ["fromRoleId"],
        "addNote": ["roleId"],
        "removeNote": ["roleId"],
    }
