"""What is refused of a trigger before anything happens, and how it is told."""

from __future__ import annotations

from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import Kind, Refusal
from storyworld.core.trigger import Event, HumanLine, Turn
from storyworld.core.trigger_door import judge_ids, read_event_shape, read_turn_shape
from tests.core.builders import story

EVENT = {"eventId": "e1", "type": "bell"}


def told(refused: object) -> list[tuple[str, str]]:
    assert isinstance(refused, Refusal), refused
    assert (refused.code, refused.kind) == ("trigger_refused", Kind.CONTENT)
    return [(problem.code, problem.path) for problem in refused.problems]


def line(**fields: Any) -> dict[str, Any]:
    return {"kind": "advance", "lines": {"ada": {"line": "Hm.", **fields}}}


def event(**fields: Any) -> dict[str, Any]:
    return {**EVENT, **fields}


def sized(characters: int) -> dict[str, str]:
    """Event data of so many characters as canonical JSON."""
    data = {"t": "井" * (characters - len('{"t":""}'))}
    assert len(canonical_bytes(data).decode()) == characters
    return data


# What is taken


def test_a_turn_is_read_with_its_texts_normalized() -> None:
    sent = {
        "kind": "message",
        "text": " Who?\r\nYou? ",
        "focusRoles": ["cy", "ada"],
        "lines": {"ada": {"line": " No. ", "action": "She turns.", "operations": [{"op": "anything"}]}},
    }
    lines = {"ada": HumanLine("No.", "She turns.", ({"op": "anything"},))}
    assert read_turn_shape(sent) == Turn("message", "Who?\nYou?", focus_roles=("cy", "ada"), lines=lines)
    assert read_turn_shape({"kind": "choice", "branchId": "away"}) == Turn("choice", branch_id="away")
    assert read_turn_shape({"kind": "advance"}) == Turn("advance")


def test_an_event_is_read_and_wakes_unless_it_says_otherwise() -> None:
    assert read_event_shape(EVENT) == Event("e1", "bell")
    assert read_event_shape(event(wake=False, data={"a": [1]}, effects=[{"op": "any"}])) == Event(
        "e1", "bell", {"a": [1]}, ({"op": "any"},), wake=False
    )


# What is refused for its shape

TAKEN_AND_REFUSED: list[tuple[Any, Any, str, str]] = [
    (
        limits.TRIGGER_MAX_TEXT_CHARS,
        lambda size: read_turn_shape({"kind": "message", "text": "井" * size}),
        "text_too_long",
        "/text",
    ),
    (
        limits.TRIGGER_MAX_FOCUS_ROLES,
        lambda size: read_turn_shape({"kind": "advance", "focusRoles": [f"r{number}" for number in range(size)]}),
        "array_too_long",
        "/focusRoles",
    ),
    (limits.LINE_MAX_CHARS, lambda size: read_turn_shape(line(line="井" * size)), "text_too_long", "/lines/ada/line"),
    (
        limits.ACTION_MAX_CHARS,
        lambda size: read_turn_shape(line(action="井" * size)),
        "text_too_long",
        "/lines/ada/action",
    ),
    (
        limits.WORLD_TURN_MAX_ROLES,
        lambda size: read_turn_shape({"kind": "advance", "lines": {f"r{i}": {"line": "x"} for i in range(size)}}),
        "fields_too_many",
        "/lines",
    ),
    (limits.EVENT_ID_MAX_CHARS, lambda size: read_event_shape(event(eventId="~" * size)), "text_too_long", "/eventId"),
    (limits.EVENT_MAX_DATA_CHARS, lambda size: read_event_shape(event(data=sized(size))), "text_too_long", "/data"),
    (
        limits.EVENT_MAX_EFFECTS,
        lambda size: read_event_shape(event(effects=[{"op": "any"}] * size)),
        "array_too_long",
        "/effects",
    ),
]


@pytest.mark.parametrize(
    ("limit", "read", "code", "path"), TAKEN_AND_REFUSED, ids=lambda value: getattr(value, "name", "")
)
def test_every_limit_of_a_trigger_is_taken_at_its_bound_and_refused_one_over(
    limit: Any, read: Any, code: str, path: str
) -> None:
    assert isinstance(read(limit.value), Turn | Event)
    refused = read(limit.value + 1)
    assert told(refused) == [(code, path)]
    [problem] = refused.problems
    assert (problem.limit, problem.actual, problem.reason) == (limit.value, limit.value + 1, limit.reason)


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (None, "type_wrong", ""),
        ([], "type_wrong", ""),
        ({}, "field_missing", "/kind"),
        ({"kind": "opening"}, "word_unknown", "/kind"),
        ({"kind": "message"}, "field_missing", "/text"),
        ({"kind": "message", "text": " \n"}, "text_empty", "/text"),
        ({"kind": "message", "text": "a\x1b"}, "control_character", "/text"),
        ({"kind": "message", "text": "Hm.", "branchId": "away"}, "field_unknown", "/branchId"),
        ({"kind": "choice", "branchId": "Away!"}, "id_shape", "/branchId"),
        ({"kind": "advance", "focusRoles": []}, "array_empty", "/focusRoles"),
        ({"kind": "advance", "focusRoles": ["ada", "ada"]}, "array_repeats", "/focusRoles"),
        ({"kind": "advance", "focusRoles": None}, "type_wrong", "/focusRoles"),
        (line(line=""), "text_empty", "/lines/ada/line"),
        (line(operations="all"), "type_wrong", "/lines/ada/operations"),
        ({"kind": "advance", "lines": {"Ada Lovelace": {"line": "Hm."}}}, "field_name_shape", "/lines"),
    ],
)
def test_a_turn_of_another_shape_is_refused_where_it_differs(value: object, code: str, path: str) -> None:
    assert told(read_turn_shape(value)) == [(code, path)]


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (3, "type_wrong", ""),
        ({"type": "bell"}, "field_missing", "/eventId"),
        ({"eventId": "e1"}, "field_missing", "/type"),
        (event(eventId="e 1"), "event_id_shape", "/eventId"),
        (event(eventId="钟"), "event_id_shape", "/eventId"),
        (event(eventId=""), "text_empty", "/eventId"),
        (event(type="Bell"), "id_shape", "/type"),
        (event(data=[]), "type_wrong", "/data"),
        (event(wake="yes"), "type_wrong", "/wake"),
        (event(effects=["op"]), "type_wrong", "/effects/0"),
        (event(kind="event"), "field_unknown", "/kind"),
    ],
)
def test_an_event_of_another_shape_is_refused_where_it_differs(value: object, code: str, path: str) -> None:
    assert told(read_event_shape(value)) == [(code, path)]


def test_every_problem_of_a_trigger_is_told_at_once() -> None:
    sent = event(type="", data=sized(4001), wake=1, lines={"ada": {}})
    assert told(read_event_shape(sent)) == [
        ("id_shape", "/type"),
        ("text_too_long", "/data"),
        ("type_wrong", "/wake"),
        ("field_missing", "/lines/ada/line"),
    ]


def test_of_thousands_of_problems_the_first_are_told_and_the_others_counted() -> None:
    refused = read_turn_shape({"kind": "advance", **{f"f{number}": 1 for number in range(1200)}})
    assert len(told(refused)) == limits.PROBLEMS_MAX_REPORTED.value
    assert isinstance(refused, Refusal)
    assert refused.more_problems == 200


# Ids


def test_a_turn_names_branches_and_roles_of_the_story() -> None:
    tale = story(humans=["ada"])
    lines = {"ada": HumanLine("Hm.")}
    assert judge_ids(Turn("choice", branch_id="away", focus_roles=("cy", "ada"), lines=lines), tale) is None
    assert judge_ids(Event("e1", "bell", lines=lines), tale) is None
    assert judge_ids(Turn("advance"), tale) is None


def test_every_id_that_the_story_does_not_have_is_told_at_once() -> None:
    lines = {"zoe": HumanLine("Hm."), "ben": HumanLine("Hm."), "ada": HumanLine("Hm.")}
    turn = Turn("choice", branch_id="nowhere", focus_roles=("ada", "yan", "zoe"), lines=lines)
    assert told(judge_ids(turn, story(humans=["ada"]))) == [
        ("branch_unknown", "/branchId"),
        ("focus_unknown", "/focusRoles/1"),
        ("focus_unknown", "/focusRoles/2"),
        ("focus_unknown", "/lines/zoe"),
        ("line_not_human", "/lines/ben"),
    ]


def test_a_line_with_an_event_is_for_a_role_that_a_person_plays() -> None:
    assert told(judge_ids(Event("e1", "bell", lines={"ada": HumanLine("Hm.")}), story())) == [
        ("line_not_human", "/lines/ada")
    ]


def test_no_problem_repeats_a_text_that_was_sent() -> None:
    canary = "Never repeat this text"
    sent = {"kind": canary, "text": canary, canary: canary, "focusRoles": [canary], "lines": {canary: canary}}
    for refused in (read_turn_shape(sent), read_turn_shape({**sent, "kind": "message"}), read_event_shape(sent)):
        assert isinstance(refused, Refusal)
        assert canary not in str([problem.to_json() for problem in refused.problems])
