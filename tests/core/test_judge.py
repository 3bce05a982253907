"""How faults of shape are named: in words of ours, in order, and never repeating a text that was sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Problem, problem
from storyworld.core.judge import (
    Finding,
    Misshapen,
    find,
    find_in_package,
    judge,
    judge_effect,
    judge_operation,
    report,
    texts_within,
    type_words,
)
from storyworld.core.normalize import normalize_package
from tests.core.package_makers import WHOLE, Content, with_value, without

CANARY = "CANARY never to be repeated"


def faults(name: str, value: object) -> list[tuple[str, str]]:
    return [(found.code, found.path) for found in judge(name, value)]


def package_fault(content: Content) -> Any:
    (fault,) = judge("story_package", normalize_package(content))
    return fault


def test_a_missing_field_is_named() -> None:
    fault = package_fault(without("/roles/1/name"))
    assert (fault.code, fault.path, fault.message) == (
        "field_missing",
        "/roles/1/name",
        "roles/1/name is missing; it is required",
    )


def test_an_unknown_field_is_named_with_those_that_are_allowed() -> None:
    fault = package_fault(with_value("/source/colour", 1))
    assert (fault.code, fault.path) == ("field_unknown", "/source/colour")
    assert fault.message == "source/colour is not a field here; allowed are title, version"


def test_unknown_fields_without_a_plain_name_are_counted_and_not_repeated() -> None:
    content = with_value(f"/source/{CANARY}", 1)
    content["source"]["also/this"] = 2
    fault = package_fault(content)
    assert (fault.code, fault.path, fault.actual) == ("field_unnamed", "/source", 2)
    assert CANARY not in json.dumps(fault.to_json())


def test_an_unknown_field_of_the_whole_without_a_plain_name_is_told_of_the_whole() -> None:
    assert package_fault(with_value("/a b", 1)).message.startswith("story package has 1 field(s) whose names are not")


@pytest.mark.parametrize(
    ("value", "name", "words", "words_zh"),
    [
        (None, "null", "null", " null"),
        (3, "integer", "an integer", "整数"),
        (True, "boolean", "a boolean", "布尔值"),
        ([], "array", "an array", "数组"),
        ({}, "object", "an object", "对象"),
        (0.5, "number", "a number with a fraction", "带小数的数"),
    ],
)
def test_a_value_of_another_type_is_named_by_its_type(value: object, name: str, words: str, words_zh: str) -> None:
    fault = package_fault(with_value("/title", value))
    assert (fault.code, fault.path, fault.actual) == ("type_wrong", "/title", name)
    assert fault.message == f"title is {words}; a text is allowed"
    assert fault.message_zh == f"title 是{words_zh}；这里应为文本"


def test_a_value_of_none_of_several_types_is_told_all_of_them() -> None:
    fault = package_fault(with_value("/flags/0/initial", []))
    assert fault.message == "flags/0/initial is an array; a boolean or an integer or a text is allowed"


def test_a_text_has_its_own_words_too() -> None:
    assert type_words("a") == ("a text", "文本")


@pytest.mark.parametrize(("value", "actual"), [("number", "number"), (CANARY, None)])
def test_a_word_that_is_not_allowed_is_repeated_only_when_shaped_like_an_id(value: str, actual: str | None) -> None:
    fault = package_fault(with_value("/flags/0/type", value))
    assert (fault.code, fault.actual) == ("word_unknown", actual)
    assert fault.message == "flags/0/type is none of the allowed words; allowed are boolean, integer, text"
    assert CANARY not in json.dumps(fault.to_json())


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        ("/startNodeId", "The Yard", "id_shape"),
        ("/language", "en_GB", "language_shape"),
        ("/title", "a\x1b[31m", "control_character"),
        ("/title", "", "text_empty"),
        ("/series/0/endingRules/0/conditions", [], "array_empty"),
        ("/series/0/turnBudget", 201, "number_too_large"),
        ("/series/0/turnBudget", 0, "number_too_small"),
        ("/canon/0/text", "x" * 501, "text_too_long"),
        ("/roles/0/goals", ["x"] * 21, "array_too_long"),
    ],
)
def test_each_fault_of_shape_has_its_code(path: str, value: object, code: str) -> None:
    assert (package_fault(with_value(path, value)).code, package_fault(with_value(path, value)).path) == (code, path)


def test_no_fault_repeats_what_was_sent() -> None:
    for path in ("/startNodeId", "/language", "/flags/0/type", "/series", "/roles/0/id", "/source", "/roles/0"):
        for value in (CANARY, [CANARY], {CANARY: CANARY}):
            for fault in judge("story_package", normalize_package(with_value(path, value))):
                assert CANARY not in json.dumps(fault.to_json())


def test_the_reason_of_a_limit_is_the_one_that_was_declared_with_it() -> None:
    fault = package_fault(with_value("/roles/0/goals", ["x"] * 21))
    assert fault.reason == limits.STORY_MAX_GOALS_PER_ROLE.reason


def test_limits_of_the_whole_come_first_then_those_of_arrays_then_the_order_of_the_document() -> None:
    document = {"b": [{"x": 1}, {}], "a": 2}
    found: list[Finding | Problem] = [
        Finding("/a", "text_empty", 1),
        Finding("/b/1/y", "field_missing"),
        Finding("/b/0/x", "text_empty", 1),
        Finding("/c", "field_missing"),
        Finding("/b/1", "array_too_long", 1),
        Finding("/a/0", "field_missing"),
        problem("package_too_large", "", limit=1, actual=2),
    ]
    told = report(found, document)
    assert [fault.path for fault in told.problems] == ["", "/b/1", "/b/0/x", "/b/1/y", "/a", "/a/0", "/c"]
    assert told.more == 0


def test_many_unknown_fields_are_put_in_order_quickly() -> None:
    content = {f"field-{number}": 1 for number in range(20_000)}
    told = report(find("story_package", content), content)
    assert len(told.problems) == 1000
    assert told.problems[0].path == "/field-0"
    assert told.more == 20_000 + 6 - 1000


def test_a_schema_without_a_name_is_a_bug() -> None:
    with pytest.raises(KeyError):
        find("poem", {})


AGENT = {"name": "A", "persona": "P", "model": {"provider": "house"}}
WORLD = {"name": "W", "packageId": "pkg_1", "packageRevision": 1, "roles": [], "settings": {}}


@pytest.mark.parametrize(
    ("name", "value", "code", "path"),
    [
        (
            "agent",
            {**AGENT, "model": {"provider": "house", "temperature": "3"}},
            "temperature_shape",
            "/model/temperature",
        ),
        ("world", {**WORLD, "packageId": "pkg/1"}, "resource_id_shape", "/packageId"),
        ("event", {"eventId": "a b", "type": "bell"}, "event_id_shape", "/eventId"),
        ("event", {"eventId": "e" * 201, "type": "bell"}, "text_too_long", "/eventId"),
        ("event", {"eventId": "e", "type": "bell", "effects": [{}] * 21}, "array_too_long", "/effects"),
        ("turn_trigger", {"kind": "message", "text": "x" * 2001}, "text_too_long", "/text"),
        ("turn_trigger", {"kind": "advance", "text": "x"}, "field_unknown", "/text"),
        ("turn_trigger", {"kind": "advance", "focusRoles": ["a", "a"]}, "array_repeats", "/focusRoles"),
        (
            "turn_trigger",
            {"kind": "advance", "focusRoles": [f"r{n}" for n in range(25)]},
            "array_too_long",
            "/focusRoles",
        ),
        ("turn_trigger", {"kind": "advance", "lines": {"A": {"line": "x"}}}, "field_name_shape", "/lines"),
        ("turn_trigger", {"kind": "advance", "lines": {CANARY: {}}}, "field_name_shape", "/lines"),
        ("turn_trigger", {"kind": "advance", "lines": {n: {"line": "x"} for n in "abcd"}}, "fields_too_many", "/lines"),
        (
            "turn_trigger",
            {"kind": "advance", "lines": {"a": {"line": "x", "action": "x" * 501}}},
            "text_too_long",
            "/lines/a/action",
        ),
        ("turn_trigger", {"kind": "sing"}, "word_unknown", "/kind"),
        ("turn_trigger", {"kind": 3}, "word_unknown", "/kind"),
        ("turn_trigger", {"text": "x"}, "field_missing", "/kind"),
        ("turn_trigger", [], "type_wrong", ""),
    ],
)
def test_other_doors_name_their_faults_alike(name: str, value: object, code: str, path: str) -> None:
    assert faults(name, value) == [(code, path)]


def test_a_trigger_of_another_type_is_named_as_a_trigger() -> None:
    assert judge("turn_trigger", 3)[0].message == "trigger is an integer; an object is allowed"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agent", AGENT),
        ("world", WORLD),
        ("event", {"eventId": "!" * 200, "type": "bell", "effects": [{"op": "x"}] * 20, "data": {"a": [None, 1]}}),
        ("turn_trigger", {"kind": "message", "text": "井" * 2000, "focusRoles": [f"r{n}" for n in range(24)]}),
        (
            "turn_trigger",
            {"kind": "choice", "branchId": "b", "lines": {"a": {"line": "x" * 2000, "action": "y" * 500}}},
        ),
    ],
)
def test_what_is_within_its_limits_is_taken_by_every_door(name: str, value: object) -> None:
    assert faults(name, value) == []


OPERATIONS: tuple[dict[str, Any], ...] = (
    {"op": "setFlag", "flagId": "a", "value": "x" * limits.STORY_MAX_FLAG_TEXT_CHARS.value},
    {"op": "setFlag", "flagId": "a", "value": ""},
    {
        "op": "putEntity",
        "id": "boat",
        "kind": "thing",
        "name": "x" * limits.WORLD_STATE_MAX_ENTITY_NAME_CHARS.value,
        "attributes": {
            **{f"n{number}": number for number in range(limits.WORLD_STATE_MAX_ATTRIBUTES.value - 1)},
            "text": "x" * limits.WORLD_STATE_MAX_ATTRIBUTE_CHARS.value,
        },
    },
    {"op": "removeEntity", "id": "boat"},
    {"op": "setRelation", "toRoleId": "ben", "kind": "trust", "value": 101, "note": "n"},
    {"op": "removeRelation", "toRoleId": "ben", "kind": "trust"},
    {"op": "addNote", "text": "x" * limits.WORLD_STATE_MAX_NOTE_CHARS.value},
    {"op": "removeNote", "id": "n1"},
    {"op": "establishFact", "id": "f", "text": "x" * limits.WORLD_STATE_MAX_FACT_CHARS.value, "knownBy": ["ben"]},
    {"op": "takeBranch", "branchId": "down"},
)
OWNERS = {"setRelation": "fromRoleId", "removeRelation": "fromRoleId", "addNote": "roleId", "removeNote": "roleId"}


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation["op"] for operation in OPERATIONS])
def test_every_operation_of_a_role_is_taken_at_its_limits(operation: dict[str, Any]) -> None:
    assert judge_operation(operation) is None


@pytest.mark.parametrize("operation", OPERATIONS, ids=[operation["op"] for operation in OPERATIONS])
def test_an_effect_names_its_role_and_a_role_does_not(operation: dict[str, Any]) -> None:
    owner = OWNERS.get(operation["op"])
    if owner is None:
        assert judge_effect(operation) is None
        return
    assert judge_effect(operation) == Misshapen("op_shape", f"/{owner}")
    assert judge_effect({**operation, owner: "ada"}) is None
    assert judge_operation({**operation, owner: "ada"}) == Misshapen("op_shape", f"/{owner}")


@pytest.mark.parametrize(
    ("operation", "path"),
    [
        ({"op": "setFlag", "flagId": "a", "value": "x" * 501}, "/value"),
        ({"op": "setFlag", "flagId": "a", "value": None}, "/value"),
        ({"op": "putEntity", "id": "b", "kind": "k", "name": "x" * 201, "attributes": {}}, "/name"),
        ({"op": "putEntity", "id": "b", "kind": "k", "name": "x", "attributes": {"a": "x" * 501}}, "/attributes/a"),
        (
            {"op": "putEntity", "id": "b", "kind": "k", "name": "x", "attributes": {f"n{n}": n for n in range(21)}},
            "/attributes",
        ),
        ({"op": "putEntity", "id": "b", "kind": "k", "name": "x", "attributes": {"No": 1}}, "/attributes"),
        ({"op": "addNote", "text": "x" * 501}, "/text"),
        ({"op": "establishFact", "id": "f", "text": "x" * 501}, "/text"),
        ({"op": "establishFact", "id": "f", "text": "x", "knownBy": ["a", "a"]}, "/knownBy"),
        ({"op": "takeBranch"}, "/branchId"),
    ],
)
def test_an_operation_beyond_its_shape_says_where(operation: object, path: str) -> None:
    assert judge_operation(operation) == Misshapen("op_shape", path)


@pytest.mark.parametrize("operation", [{"op": "dance"}, {"op": ""}, {"op": "setflag", "flagId": "a", "value": 1}])
def test_an_operation_of_another_name_is_unknown(operation: object) -> None:
    assert judge_operation(operation) == Misshapen("op_unknown")


@pytest.mark.parametrize(
    "operation",
    [
        None,
        3,
        "setFlag",
        [],
        {},
        {"op": 3},
        {"op": ["setFlag"]},
        {"op": "setFlag", "flagId": "a", "value": 5.0},
        {"op": "setFlag", "flagId": "a", "value": float("nan")},
        {"op": "addNote", "text": "half \ud83d"},
        {"op": "addNote", "text": "x", "\udc00": 1},
        {"op": "putEntity", "id": "b", "kind": "k", "name": "x", "attributes": {"a": [[1.5]]}},
    ],
)
def test_what_could_not_be_hashed_or_is_no_operation_has_no_shape(operation: object) -> None:
    assert judge_operation(operation) == Misshapen("op_shape")


def test_an_operation_that_is_wrong_in_one_unrepeatable_place_points_at_the_whole() -> None:
    assert judge_operation({"op": "addNote", "text": "x", CANARY: 1}) == Misshapen("op_shape")


def paths_in(value: object, path: str = "") -> list[str]:
    """The JSON Pointers of everything below a value."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for token, part in members for found in (f"{path}/{token}", *paths_in(part, f"{path}/{token}"))]


# What each pattern and bound is there to refuse, and what comes close to it.
ODD_TEXTS = [
    "",
    "a\n",
    "a\n\n",
    "\na",
    "A",
    "-a",
    "a-\n",
    "en-\n",
    "a\tb\nc",
    '"',
    "\\",
    "\\u0001",
    "é",
    "夜" * 500,
    "夜" * 501,
]
EDGES = [chr(code) for code in (0x00, 0x08, 0x0B, 0x0D, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0xA0, 0x2028)]
NO_TEXTS = [None, True, -101, 101, 2**53 - 1, [], {}, [["a"]], {"a\x7f": 1}, {"": 1}]
ODD_VALUES = st.sampled_from([*ODD_TEXTS, *EDGES, *NO_TEXTS])


@given(st.sampled_from(paths_in(WHOLE)), ODD_VALUES)
def test_a_package_whose_bytes_are_known_is_judged_like_any_other(path: str, value: object) -> None:
    content = normalize_package(WHOLE)
    *way, last = path.removeprefix("/").split("/")
    at: Any = content
    for token in way:
        at = at[int(token)] if isinstance(at, list) else at[token]
    at[int(last) if isinstance(at, list) else last] = value
    assert find_in_package(content, canonical_bytes(content)) == find("story_package", content)


def test_texts_are_measured_in_characters_at_every_depth_and_names_of_fields_are_not() -> None:
    short = texts_within(3)
    assert short({"longer": [1, None, True, {"also longer": "夜夜夜"}], "": "𝒳𝒳𝒳"})
    assert not short({"a": [{"b": ["夜夜夜夜"]}]})
    assert not short("four")
