"""The one form in which content is judged, measured, hashed and stored."""

from __future__ import annotations

import copy
import sys
import unicodedata

import pytest

from storyworld.core.normalize import (
    normalize_agent,
    normalize_package,
    normalize_package_in_place,
    normalize_text,
    normalize_texts,
    normalize_world,
)

# The Unicode property White_Space, spelled out from PropList.txt.
WHITE_SPACE = [
    *range(0x09, 0x0E),
    0x20,
    0x85,
    0xA0,
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
]


@pytest.mark.parametrize(("text", "normalized"), [("a\r\nb\rc\n\rd", "a\nb\nc\n\nd"), ("a\r\n", "a"), ("\r", "")])
def test_every_line_end_is_one_line_feed(text: str, normalized: str) -> None:
    assert normalize_text(text) == normalized


def test_exactly_the_characters_with_the_property_white_space_are_trimmed() -> None:
    trimmed = [code for code in range(sys.maxunicode + 1) if normalize_text(chr(code)) == ""]
    assert trimmed == WHITE_SPACE


def test_texts_in_a_value_are_trimmed_by_the_same_characters() -> None:
    texts = [f"{chr(code)}a{chr(code)}" for code in range(sys.maxunicode + 1)]
    assert normalize_texts(texts) == [normalize_text(text) for text in texts]


def test_white_space_inside_a_text_stays() -> None:
    assert normalize_text("\u3000a  b\u00a0c \n") == "a  b\u00a0c"


def test_characters_are_not_composed() -> None:
    decomposed = unicodedata.normalize("NFD", "é")
    assert normalize_text(decomposed) == decomposed


def test_texts_are_normalized_at_every_depth_and_names_of_fields_are_not() -> None:
    value = {" a ": [" b ", {"c": " d ", "e": [" f "]}], "g": 1, "h": None, "i": True}
    assert normalize_texts(value) == {" a ": ["b", {"c": "d", "e": ["f"]}], "g": 1, "h": None, "i": True}
    assert normalize_texts(" a ") == "a"


def test_absent_arrays_and_defaults_of_a_package_are_written_out_and_absent_texts_stay_absent() -> None:
    normalized = normalize_package(
        {"roles": [{"id": "a"}], "nodes": [{"id": "b"}], "branches": [{"id": "c"}], "endings": [{}], "series": [{}]}
    )
    assert normalized == {
        "roles": [{"id": "a", "goals": [], "secrets": []}],
        "nodes": [{"id": "b", "preconditions": []}],
        "branches": [{"id": "c", "conditions": [], "repeatable": False}],
        "endings": [{"conditions": []}],
        "series": [{"endingRules": []}],
        "establishedFacts": [],
        "canon": [],
        "constraints": [],
        "flags": [],
        "initialRelations": [],
    }


def test_a_package_is_normalized_in_place_like_in_a_copy() -> None:
    sent = {
        "title": " a\r\n",
        "roles": [{"id": " b ", "goals": [" c", [{"d": "e "}], []]}],
        "nodes": [7, {}],
        "flags": {},
    }
    kept = copy.deepcopy(sent)
    copied = normalize_package(sent)
    assert sent == kept
    assert normalize_package_in_place(sent) == copied
    assert sent == copied
    assert normalize_package_in_place(" a ") == normalize_package(" a ") == "a"


def test_a_default_that_is_written_out_is_not_shared() -> None:
    first, second = normalize_package({}), normalize_package({})
    first["canon"].append("x")
    assert second["canon"] == []


@pytest.mark.parametrize("value", [None, 3, [], "", {"roles": 3, "branches": [3], "series": {}}])
def test_what_has_another_shape_passes_through(value: object) -> None:
    normalized = normalize_package(value)
    assert normalized == value if not isinstance(value, dict) else normalized["roles"] == 3


def test_the_settings_of_a_world_are_written_out() -> None:
    assert normalize_world({"name": " w ", "roles": [{}]}) == {
        "name": "w",
        "roles": [{"subscriptions": []}],
        "settings": {"memoryBeats": 12, "branching": "roles", "focus": "declared"},
    }
    assert normalize_world({"settings": {"memoryBeats": 0}})["settings"]["memoryBeats"] == 0


def test_the_most_output_tokens_of_an_agent_are_written_out() -> None:
    assert normalize_agent({"model": {"provider": "rehearsal"}}) == {
        "model": {"provider": "rehearsal", "maxOutputTokens": 1024}
    }
