"""Every trigger stands in its beat just as it was, and is read back from there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from storyworld.core.canonical import canonical_bytes, parse
from storyworld.core.trigger import (
    End,
    EpisodeStart,
    Event,
    ForkedFrom,
    HumanLine,
    Opening,
    Trigger,
    Turn,
    read_event,
    read_trigger,
    read_turn,
)

WAIT: Mapping[str, Any] = {"op": "addNote", "text": "Wait."}
LINES = {"ada": HumanLine("Hm."), "ben": HumanLine("No.", "He turns.", (WAIT,))}
LINES_JSON = {"ada": {"line": "Hm."}, "ben": {"line": "No.", "action": "He turns.", "operations": [WAIT]}}

TRIGGERS: list[tuple[Trigger, dict[str, Any]]] = [
    (Turn("advance"), {"kind": "advance"}),
    (Turn("message", text="阿宁？"), {"kind": "message", "text": "阿宁？"}),
    (Turn("choice", branch_id="away"), {"kind": "choice", "branchId": "away"}),
    (
        Turn("advance", focus_roles=("cy", "ada"), lines=LINES),
        {"kind": "advance", "focusRoles": ["cy", "ada"], "lines": LINES_JSON},
    ),
    (Event("e1", "bell"), {"kind": "event", "eventId": "e1", "type": "bell", "wake": True}),
    (
        Event("e1", "bell", {}, (WAIT,), wake=False, lines=LINES),
        {
            "kind": "event",
            "eventId": "e1",
            "type": "bell",
            "wake": False,
            "data": {},
            "effects": [WAIT],
            "lines": LINES_JSON,
        },
    ),
    (EpisodeStart("noon", "run-2"), {"kind": "episode", "episodeId": "noon", "episodeRunId": "run-2"}),
    (End(), {"kind": "end"}),
    (Opening("sha256:0", 7), {"kind": "opening", "worldRevisionDigest": "sha256:0", "seed": 7}),
    (
        Opening("sha256:0", 0, ForkedFrom("ses_1", 4, "sha256:9")),
        {
            "kind": "opening",
            "worldRevisionDigest": "sha256:0",
            "seed": 0,
            "forkedFrom": {"sessionId": "ses_1", "beat": 4, "hash": "sha256:9"},
        },
    ),
]


@pytest.mark.parametrize(("trigger", "stored"), TRIGGERS, ids=[str(stored["kind"]) for _, stored in TRIGGERS])
def test_a_trigger_is_stored_and_read_back(trigger: Trigger, stored: dict[str, Any]) -> None:
    assert trigger.to_json() == stored
    assert read_trigger(parse(canonical_bytes(stored))) == trigger


def test_an_empty_focus_is_not_the_same_as_none() -> None:
    assert Turn("advance", focus_roles=()).to_json() == {"kind": "advance", "focusRoles": []}
    assert read_turn({"kind": "advance", "focusRoles": []}).focus_roles == ()
    assert read_turn({"kind": "advance"}).focus_roles is None


def test_an_event_wakes_whoever_subscribes_unless_it_says_otherwise() -> None:
    assert read_event({"eventId": "e1", "type": "bell"}).wake
    assert not read_event({"eventId": "e1", "type": "bell", "wake": False}).wake
