"""The state at the start, as it is stored, and what its digest depends on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from storyworld.core.canonical import canonical_bytes, digest, parse
from storyworld.core.state import (
    Entity,
    EpisodeRun,
    Note,
    State,
    initial_state,
    read_state,
    state_digest,
    write_state,
)
from storyworld.core.story import Fact, Relation
from tests.core.builders import package

START = initial_state(package())
FULL = replace(
    START,
    flags={"open": True, "depth": -3, "word": "芝麻"},
    entities=(Entity("lamp", "tool", "A lamp", {"lit": True, "oil": 2, "colour": "red"}),),
    relations=(Relation("ada", "ben", "trust", 10), Relation("ben", "ada", "debt", -5, "since spring")),
    notes={"ben": (Note("n1", "Wait."), Note("n4", "Go.")), "ada": (Note("n2", "Hm."),)},
    facts=(Fact("wet", "It rained."), Fact("lost", "The key is lost.", ("cy",)), Fact("void", "Nobody knows.", ())),
    node_id="road",
    visited_nodes=("yard", "road"),
    taken_branches=("away",),
    ending_id="wet",
    episode=EpisodeRun("run-2", "noon", 1),
)


def test_a_story_starts_with_what_its_package_declares_and_nothing_else() -> None:
    assert write_state(START) == {
        "flags": {"open": False, "depth": 0, "word": "hush"},
        "entities": [],
        "relations": [{"fromRoleId": "ada", "toRoleId": "ben", "kind": "trust", "value": 10}],
        "notes": {},
        "facts": [],
        "nodeId": "yard",
        "visitedNodes": ["yard"],
        "takenBranches": [],
    }


@pytest.mark.parametrize("state", [START, FULL], ids=["start", "full"])
def test_a_state_is_stored_and_read_back(state: State) -> None:
    assert read_state(parse(canonical_bytes(write_state(state)))) == state


def test_a_full_state_is_stored_with_these_names() -> None:
    value = write_state(FULL)
    assert value["notes"]["ben"] == [{"id": "n1", "text": "Wait."}, {"id": "n4", "text": "Go."}]
    assert value["relations"][1]["note"] == "since spring"
    assert value["facts"] == [
        {"id": "wet", "text": "It rained."},
        {"id": "lost", "text": "The key is lost.", "knownBy": ["cy"]},
        {"id": "void", "text": "Nobody knows.", "knownBy": []},
    ]
    assert value["endingId"] == "wet"
    assert value["episode"] == {"episodeRunId": "run-2", "episodeId": "noon", "beatsUsed": 1}


def test_the_digest_is_that_of_the_digests_of_the_fields() -> None:
    parts = {field: digest(canonical_bytes(value)) for field, value in write_state(FULL).items()}
    assert state_digest(FULL) == digest(canonical_bytes(parts))


def test_the_digest_of_a_state_that_went_on_is_that_of_the_state_read_anew() -> None:
    steps: list[dict[str, Any]] = [
        {"flags": {**FULL.flags, "depth": 4}},
        {"notes": {}},
        {"flags": dict(FULL.flags)},
        {"ending_id": None},
        {"facts": FULL.facts[:1], "entities": ()},
        {"episode": None},
    ]
    state = FULL
    for step in steps:
        state = replace(state, **step)
        assert state_digest(state) == state_digest(read_state(write_state(state)))


def test_every_field_of_a_state_changes_its_digest() -> None:
    changed = [FULL, *(replace(FULL, **{field: getattr(START, field)}) for field in FULL.__dataclass_fields__)]
    assert len({state_digest(state) for state in changed}) == len(changed)


def test_the_order_of_entities_counts_and_that_of_flags_and_notes_does_not() -> None:
    stone = Entity("stone", "thing", "A stone", {})
    two = replace(FULL, entities=(*FULL.entities, stone))
    assert state_digest(two) != state_digest(replace(two, entities=two.entities[::-1]))
    turned = replace(FULL, flags=dict(reversed([*FULL.flags.items()])), notes=dict(reversed([*FULL.notes.items()])))
    assert state_digest(turned) == state_digest(FULL)


def test_a_digest_stays_the_same_for_ever() -> None:
    assert state_digest(START) == "sha256:2a9a1814a670d7bcaa331dd9e99bd04e6ca78787ec51139f482074d070bb2a72"
    assert state_digest(FULL) == "sha256:e5e167a45ab14dbe1baa39ff7d3034bfa15a839641b134998b997f550b1c8550"
