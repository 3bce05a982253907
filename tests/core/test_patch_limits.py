"""How much one beat may change and a running state may hold; a patch is applied whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core import limits
from storyworld.core.patch import Fallen, Operation, Powers, Refused, Working, apply_operations, propose
from storyworld.core.state import Entity, Note, State, initial_state, read_state, write_state
from storyworld.core.story import Fact, Relation
from tests.core.builders import package

PACKAGE = package()
START = initial_state(PACKAGE)
TRUSTED = Powers(role_id=None, options=("away", "down"))
OPEN: Operation = {"op": "setFlag", "flagId": "open", "value": True}
PUT: Operation = {"op": "putEntity", "id": "bucket", "kind": "tool", "name": "A bucket", "attributes": {}}
RELATE: Operation = {"op": "setRelation", "fromRoleId": "cy", "toRoleId": "dot", "kind": "debt", "value": 1}
NOTE: Operation = {"op": "addNote", "roleId": "ada", "text": "Remember."}
FACT: Operation = {"op": "establishFact", "id": "wet", "text": "It rained."}


def entities(count: int) -> State:
    return replace(START, entities=tuple(Entity(f"e{number}", "thing", "A thing", {}) for number in range(count)))


def relations(count: int) -> State:
    return replace(START, relations=tuple(Relation("ada", "ben", f"k{number}", number) for number in range(count)))


def notes(count: int) -> State:
    return replace(START, notes={"ada": tuple(Note(f"n{number}", "Old.") for number in range(1, count + 1))})


def facts(count: int) -> State:
    return replace(START, facts=tuple(Fact(f"f{number}", "So.") for number in range(count)))


def outcome(state: State, *operations: object, already: int = 0) -> Working | Fallen:
    proposals = [propose(TRUSTED, operation) for operation in operations]
    return apply_operations(PACKAGE, Working(state), proposals, already=already)


def after(state: State, *operations: object) -> State:
    working = outcome(state, *operations)
    assert isinstance(working, Working), working
    return working.state


@pytest.mark.parametrize(
    ("cap", "filled", "operation", "code"),
    [
        (limits.WORLD_STATE_MAX_ENTITIES, entities, PUT, "entity_cap"),
        (limits.WORLD_STATE_MAX_RELATIONS, relations, RELATE, "relation_cap"),
        (limits.WORLD_STATE_MAX_NOTES_PER_ROLE, notes, NOTE, "note_cap"),
        (limits.WORLD_STATE_MAX_FACTS, facts, FACT, "fact_cap"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_a_state_grows_to_its_cap_and_not_one_beyond(cap: Any, filled: Any, operation: Operation, code: str) -> None:
    full = after(filled(cap.value - 1), operation)
    assert write_state(full) != write_state(filled(cap.value - 1))
    assert outcome(filled(cap.value), operation) == Fallen(0, Refused(code))


def test_the_caps_are_50_entities_50_relations_20_notes_of_a_role_and_200_facts() -> None:
    assert [
        limits.WORLD_STATE_MAX_ENTITIES.value,
        limits.WORLD_STATE_MAX_RELATIONS.value,
        limits.WORLD_STATE_MAX_NOTES_PER_ROLE.value,
        limits.WORLD_STATE_MAX_FACTS.value,
    ] == [50, 50, 20, 200]


def test_a_removal_earlier_in_the_patch_makes_room() -> None:
    assert len(after(entities(50), {"op": "removeEntity", "id": "e3"}, PUT).entities) == 50
    drop = {"op": "removeRelation", "fromRoleId": "ada", "toRoleId": "ben", "kind": "k3"}
    assert len(after(relations(50), drop, RELATE).relations) == 50
    assert len(after(notes(20), {"op": "removeNote", "roleId": "ada", "id": "n3"}, NOTE).notes["ada"]) == 20


def test_a_removal_later_in_the_patch_makes_none() -> None:
    assert outcome(entities(50), PUT, {"op": "removeEntity", "id": "e3"}) == Fallen(0, Refused("entity_cap"))


def test_the_notes_of_one_role_leave_the_room_of_another() -> None:
    assert len(after(notes(20), {**NOTE, "roleId": "ben"}).notes["ben"]) == 1


def test_a_cap_counts_the_facts_of_the_running_story_alone() -> None:
    established = [{"id": f"given-{number}", "text": "So."} for number in range(200)]
    told = package(establishedFacts=established)
    applied = apply_operations(told, Working(facts(199)), [propose(TRUSTED, FACT)])
    assert isinstance(applied, Working)


def test_a_state_that_is_already_over_a_cap_plays_on() -> None:
    crowd = after(entities(60), {**PUT, "id": "e59", "name": "Renamed"}, {"op": "removeEntity", "id": "e0"}, OPEN)
    assert (len(crowd.entities), crowd.entities[-1].name) == (59, "Renamed")
    assert outcome(crowd, PUT) == Fallen(0, Refused("entity_cap"))
    tied = after(relations(60), {**RELATE, "fromRoleId": "ada", "toRoleId": "ben", "kind": "k59"})
    assert (len(tied.relations), tied.relations[-1].value) == (60, 1)
    assert outcome(tied, RELATE) == Fallen(0, Refused("relation_cap"))
    assert len(after(notes(25), {"op": "removeNote", "roleId": "ada", "id": "n25"}).notes["ada"]) == 24


def test_a_beat_applies_20_operations_and_not_one_more() -> None:
    cap = limits.WORLD_PATCH_MAX_OPERATIONS
    assert isinstance(outcome(START, *[OPEN] * cap.value), Working)
    assert outcome(START, *[OPEN] * (cap.value + 1)) == Fallen(20, Refused("operation_cap"))


def test_the_effects_of_an_event_count_with_the_operations_of_its_roles() -> None:
    assert isinstance(outcome(START, *[OPEN] * 8, already=12), Working)
    assert outcome(START, *[OPEN] * 9, already=12) == Fallen(8, Refused("operation_cap"))
    assert outcome(START, OPEN, already=20) == Fallen(0, Refused("operation_cap"))


def test_the_21st_operation_is_one_too_many_whatever_it_is() -> None:
    assert outcome(START, *[OPEN] * 20, {"op": "explode"}) == Fallen(20, Refused("operation_cap"))
    assert outcome(START, *[OPEN] * 19, {"op": "explode"}) == Fallen(19, Refused("op_unknown"))


def test_one_bad_operation_changes_nothing() -> None:
    working = Working(START)
    proposals = [
        propose(TRUSTED, operation) for operation in (OPEN, PUT, NOTE, {"op": "removeEntity", "id": "x"}, FACT)
    ]
    before = write_state(START)
    assert apply_operations(PACKAGE, working, proposals) == Fallen(3, Refused("entity_unknown", "/id"))
    assert write_state(working.state) == before


IDS = st.sampled_from(["e1", "e2", "zoe", "dry"])
ROLES = st.sampled_from(["ada", "ben", "cy", "zoe"])


def operation(op: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"op": st.just(op), **fields})


OPERATIONS = st.one_of(
    operation("setFlag", flagId=st.sampled_from(["open", "depth", "zoe"]), value=st.sampled_from([True, 3, "x"])),
    operation("putEntity", id=IDS, kind=st.just("k"), name=st.just("N"), attributes=st.just({"a": 1})),
    operation("removeEntity", id=IDS),
    operation("setRelation", fromRoleId=ROLES, toRoleId=ROLES, kind=st.just("k"), value=st.sampled_from([1, 100, 101])),
    operation("removeRelation", fromRoleId=ROLES, toRoleId=ROLES, kind=st.just("k")),
    operation("addNote", roleId=ROLES, text=st.just("T")),
    operation("removeNote", roleId=ROLES, id=st.sampled_from(["n1", "n2"])),
    operation("establishFact", id=IDS, text=st.just("T")),
    operation("takeBranch", branchId=st.sampled_from(["away", "down", "back"])),
    operation("explode"),
)


@given(st.lists(OPERATIONS, max_size=24))
def test_a_patch_is_its_operations_one_after_another_or_nothing_at_all(proposed: Sequence[Operation]) -> None:
    before = write_state(START)
    whole = outcome(START, *proposed)
    assert write_state(START) == before
    working: Working | Fallen = Working(START)
    for index, one in enumerate(proposed):
        assert isinstance(working, Working)
        step = apply_operations(PACKAGE, working, [propose(TRUSTED, one)], already=index)
        if isinstance(step, Fallen):
            assert whole == Fallen(index, step.refused)
            return
        working = step
    assert whole == working
    assert isinstance(whole, Working)
    assert read_state(write_state(whole.state)) == whole.state
