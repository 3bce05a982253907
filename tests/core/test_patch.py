"""What each operation does to the state, whose it is, and why one is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from storyworld.core.patch import (
    Fallen,
    Powers,
    Proposal,
    Refused,
    Working,
    apply_operations,
    enter_node,
    propose,
    take_branch,
)
from storyworld.core.state import Entity, Note, State, initial_state, write_state
from storyworld.core.story import Fact, Relation
from tests.core.builders import package

PACKAGE = package()
START = initial_state(PACKAGE)
TRUSTED = Powers(role_id=None, options=("away", "down"))
LAMP = Entity("lamp", "tool", "A lamp", {"lit": True})
BUCKET = {"op": "putEntity", "id": "bucket", "kind": "tool", "name": "A bucket", "attributes": {}}


def ada(**changes: Any) -> Powers:
    """Ada on stage with Ben and Cy: Ben and the lamp stand in her brief, two ways in her prompt."""
    powers = Powers(
        role_id="ada",
        seats=("ada", "ben", "cy"),
        entity_ids=frozenset({"lamp"}),
        role_ids=frozenset({"ben"}),
        options=("away", "down"),
    )
    return replace(powers, **changes)


def outcome(*operations: object, powers: Powers | None = None, state: State = START, already: int = 0) -> Any:
    by = ada() if powers is None else powers
    proposals = [propose(by, operation) for operation in operations]
    return apply_operations(PACKAGE, Working(state), proposals, already=already)


def after(*operations: object, powers: Powers | None = None, state: State = START) -> State:
    working = outcome(*operations, powers=powers, state=state)
    assert isinstance(working, Working), working
    return working.state


def refused(*operations: object, powers: Powers | None = None, state: State = START) -> tuple[int, str, str | None]:
    fallen = outcome(*operations, powers=powers, state=state)
    assert isinstance(fallen, Fallen), fallen
    return fallen.index, fallen.refused.code, fallen.refused.path


def set_flag(flag_id: str, value: object) -> dict[str, object]:
    return {"op": "setFlag", "flagId": flag_id, "value": value}


def set_relation(to: str, value: object = 5, kind: str = "trust", **more: object) -> dict[str, object]:
    return {"op": "setRelation", "toRoleId": to, "kind": kind, "value": value, **more}


def remove_relation(to: str, kind: str = "trust", **more: object) -> dict[str, object]:
    return {"op": "removeRelation", "toRoleId": to, "kind": kind, **more}


def fact(fact_id: str, **more: object) -> dict[str, object]:
    return {"op": "establishFact", "id": fact_id, "text": "It is so.", **more}


def take(branch_id: str) -> dict[str, object]:
    return {"op": "takeBranch", "branchId": branch_id}


def holding(*entities: Entity) -> State:
    return replace(START, entities=entities)


def many_entities(count: int) -> State:
    return holding(*(Entity(f"e{number}", "thing", "A thing", {}) for number in range(count)))


# Flags


@pytest.mark.parametrize(
    ("flag_id", "value"), [("open", True), ("depth", -(2**53) + 1), ("word", "芝麻开门"), ("word", "")]
)
def test_a_flag_takes_a_value_of_its_type(flag_id: str, value: object) -> None:
    assert after(set_flag(flag_id, value)).flags == {**START.flags, flag_id: value}


@pytest.mark.parametrize(
    ("flag_id", "value"),
    [("open", 1), ("open", "true"), ("depth", True), ("depth", "3"), ("word", 3), ("word", False)],
)
def test_a_flag_takes_no_value_of_another_type(flag_id: str, value: object) -> None:
    assert refused(set_flag(flag_id, value)) == (0, "flag_type", "/value")


def test_an_undeclared_flag_is_never_made() -> None:
    assert refused(set_flag("shut", True)) == (0, "flag_unknown", "/flagId")


# Entities


def test_a_new_entity_stands_last_with_its_attributes() -> None:
    put = {**BUCKET, "attributes": {"full": False, "litres": 9, "colour": "red"}}
    made = Entity("bucket", "tool", "A bucket", {"full": False, "litres": 9, "colour": "red"})
    assert after(put, state=holding(LAMP)).entities == (LAMP, made)


def test_a_replaced_entity_is_replaced_whole_and_keeps_its_place() -> None:
    stone = Entity("stone", "thing", "A stone", {})
    put = {"op": "putEntity", "id": "lamp", "kind": "light", "name": "The lamp", "attributes": {"oil": 2}}
    assert after(put, state=holding(LAMP, stone)).entities == (Entity("lamp", "light", "The lamp", {"oil": 2}), stone)


def test_an_entity_of_the_brief_can_be_removed() -> None:
    stone = Entity("stone", "thing", "A stone", {})
    assert after({"op": "removeEntity", "id": "lamp"}, state=holding(LAMP, stone)).entities == (stone,)


def test_an_entity_that_is_not_there_cannot_be_removed() -> None:
    assert refused({"op": "removeEntity", "id": "lamp"}) == (0, "entity_unknown", "/id")
    twice = ({"op": "removeEntity", "id": "lamp"},) * 2
    assert refused(*twice, state=holding(LAMP)) == (1, "entity_unknown", "/id")


@pytest.mark.parametrize("operation", [BUCKET, {"op": "removeEntity", "id": "bucket"}])
def test_an_entity_outside_the_brief_is_not_the_roles_to_change(operation: Mapping[str, object]) -> None:
    there = holding(LAMP, Entity("bucket", "tool", "Old bucket", {}))
    assert refused(operation, state=there) == (0, "not_yours", "/id")
    assert after(operation, state=there, powers=TRUSTED).entities != there.entities


def test_what_a_role_makes_it_may_change_in_the_same_beat() -> None:
    renamed = {**BUCKET, "name": "My bucket"}
    assert [entity.name for entity in after(BUCKET, renamed).entities] == ["My bucket"]
    assert after(BUCKET, {"op": "removeEntity", "id": "bucket"}).entities == ()


def test_what_one_role_makes_another_may_not_change_in_the_same_beat() -> None:
    proposals = [propose(ada(), BUCKET), propose(ada(role_id="ben"), {"op": "removeEntity", "id": "bucket"})]
    assert apply_operations(PACKAGE, Working(START), proposals) == Fallen(1, Refused("not_yours", "/id"))


def test_an_entity_that_was_removed_can_be_made_again_by_anyone() -> None:
    proposals = [
        propose(ada(), {"op": "removeEntity", "id": "lamp"}),
        propose(ada(role_id="ben", entity_ids=frozenset()), {**BUCKET, "id": "lamp"}),
    ]
    working = apply_operations(PACKAGE, Working(holding(LAMP)), proposals)
    assert isinstance(working, Working)
    assert [entity.name for entity in working.state.entities] == ["A bucket"]


# Relations


def test_a_role_sets_its_own_relation_and_the_relation_keeps_its_place() -> None:
    first = Relation("ada", "ben", "trust", 10)
    second = Relation("ada", "ben", "debt", 3, "since spring")
    state = after(set_relation("ben", 3, "debt", note="since spring"), set_relation("ben", -100))
    assert START.relations == (first,)
    assert state.relations == (replace(first, value=-100), second)


def test_a_relation_that_is_set_again_without_a_note_has_none() -> None:
    state = after(set_relation("ben", 1, note="hm"), set_relation("ben", 2))
    assert state.relations == (Relation("ada", "ben", "trust", 2),)


def test_the_relation_of_another_role_to_this_one_is_another_relation() -> None:
    heard = ada(role_id="ben", role_ids=frozenset({"ada"}))
    assert after(set_relation("ada", 5), powers=heard).relations == (
        Relation("ada", "ben", "trust", 10),
        Relation("ben", "ada", "trust", 5),
    )


def test_a_relation_can_be_removed_and_set_anew_at_the_end() -> None:
    state = after(set_relation("ben", 1, "debt"), remove_relation("ben"), set_relation("ben", 7))
    assert [relation.key[2] for relation in state.relations] == ["debt", "trust"]


@pytest.mark.parametrize("make", [set_relation, remove_relation])
def test_a_relation_is_to_another_declared_role_that_the_prompt_named(make: Any) -> None:
    assert refused(make("zoe")) == (0, "role_unknown", "/toRoleId")
    assert refused(make("ada")) == (0, "relation_self", "/toRoleId")
    assert refused(make("cy")) == (0, "not_yours", "/toRoleId")


def test_a_relation_that_is_not_there_cannot_be_removed() -> None:
    assert refused(remove_relation("ben", "love")) == (0, "relation_unknown", "/kind")


@pytest.mark.parametrize("value", [101, -101, 2**53 - 1])
def test_a_relation_beyond_its_range_is_refused(value: int) -> None:
    assert refused(set_relation("ben", value)) == (0, "relation_range", "/value")


@pytest.mark.parametrize("value", [100, -100, 0])
def test_a_relation_at_its_bounds_is_taken(value: int) -> None:
    assert after(set_relation("ben", value)).relations[0].value == value


def test_an_effect_names_whose_relation_it_is_and_may_name_any() -> None:
    state = after(set_relation("dot", 9, fromRoleId="cy"), remove_relation("ben", fromRoleId="ada"), powers=TRUSTED)
    assert state.relations == (Relation("cy", "dot", "trust", 9),)
    stranger = set_relation("dot", 9, fromRoleId="zoe")
    assert refused(stranger, powers=TRUSTED) == (0, "role_unknown", "/fromRoleId")
    assert refused(remove_relation("cy", fromRoleId="cy"), powers=TRUSTED) == (0, "relation_self", "/toRoleId")


def test_a_role_does_not_name_whose_relation_it_is() -> None:
    assert refused(set_relation("ben", fromRoleId="ada")) == (0, "op_shape", "/fromRoleId")
    assert refused(set_relation("ben"), powers=TRUSTED) == (0, "op_shape", "/fromRoleId")


# Notes


def add_note(text: str = "Remember.", **more: object) -> dict[str, object]:
    return {"op": "addNote", "text": text, **more}


def remove_note(note_id: str, **more: object) -> dict[str, object]:
    return {"op": "removeNote", "id": note_id, **more}


def noted(**notes: Sequence[str]) -> State:
    return replace(START, notes={role: tuple(Note(note_id, "Old.") for note_id in ids) for role, ids in notes.items()})


def note_ids(state: State) -> dict[str, list[str]]:
    return {role_id: [note.id for note in notes] for role_id, notes in state.notes.items()}


def test_a_note_is_numbered_one_above_the_highest_that_is_there() -> None:
    assert note_ids(after(add_note(), add_note())) == {"ada": ["n1", "n2"]}
    assert note_ids(after(add_note(), state=noted(ada=["n2", "n9"], ben=["n30"]))) == {
        "ada": ["n2", "n9", "n10"],
        "ben": ["n30"],
    }
    assert note_ids(after(remove_note("n9"), add_note(), state=noted(ada=["n2", "n9"]))) == {"ada": ["n2", "n3"]}


def test_a_role_drops_only_notes_of_its_own() -> None:
    assert refused(remove_note("n1"), state=noted(ben=["n1"])) == (0, "note_unknown", "/id")
    assert refused(remove_note("n2"), state=noted(ada=["n1"])) == (0, "note_unknown", "/id")


def test_a_role_without_notes_stands_in_no_list_of_notes() -> None:
    state = after(remove_note("n1"), state=noted(ada=["n1"], ben=["n1"]))
    assert note_ids(state) == {"ben": ["n1"]}
    assert write_state(after(add_note(), remove_note("n1"))) == write_state(START)


def test_an_effect_names_whose_note_it_is() -> None:
    state = after(add_note(roleId="dot"), remove_note("n1", roleId="ben"), state=noted(ben=["n1"]), powers=TRUSTED)
    assert note_ids(state) == {"dot": ["n1"]}
    for operation in (add_note(roleId="zoe"), remove_note("n1", roleId="zoe")):
        assert refused(operation, powers=TRUSTED) == (0, "role_unknown", "/roleId")


# Facts


def test_a_fact_that_a_role_establishes_is_known_to_the_seats_of_the_beat() -> None:
    assert after(fact("wet")).facts == (Fact("wet", "It is so.", ("ada", "ben", "cy")),)


def test_a_fact_can_be_kept_among_some_of_the_seats() -> None:
    facts = after(fact("wet", knownBy=["cy", "ada"]), fact("lost", knownBy=[])).facts
    assert [known.known_by for known in facts] == [("cy", "ada"), ()]


@pytest.mark.parametrize("absent", ["dot", "zoe"])
def test_a_fact_is_never_given_to_a_role_without_a_seat(absent: str) -> None:
    assert refused(fact("wet", knownBy=["ada", absent])) == (0, "known_by_absent", "/knownBy")


def test_a_fact_names_each_role_once() -> None:
    assert refused(fact("wet", knownBy=["ada", "ada"])) == (0, "op_shape", "/knownBy")


def test_what_is_established_stays() -> None:
    assert refused(fact("dry")) == (0, "fact_exists", "/id")
    assert refused(fact("wet"), fact("wet")) == (1, "fact_exists", "/id")
    assert refused(fact("debt"), powers=TRUSTED) == (0, "fact_exists", "/id")


def test_canon_is_not_a_fact_of_the_story_so_its_ids_are_free() -> None:
    assert [known.id for known in after(fact("law")).facts] == ["law"]


def test_an_effect_may_let_every_role_know_or_any_it_names() -> None:
    facts = after(fact("wet"), fact("lost", knownBy=["dot"]), powers=TRUSTED).facts
    assert [known.known_by for known in facts] == [None, ("dot",)]
    assert refused(fact("wet", knownBy=["dot", "zoe"]), powers=TRUSTED) == (0, "role_unknown", "/knownBy")


# Branches


def test_a_branch_leads_to_its_node_which_is_visited_from_then_on() -> None:
    state = after(take("away"))
    assert (state.node_id, state.visited_nodes, state.taken_branches) == ("road", ("yard", "road"), ("away",))


def test_a_node_and_a_repeatable_branch_are_written_down_once_in_order_of_first_time() -> None:
    working = Working(START)
    for branch_id in ("away", "back", "away", "back"):
        working = take_branch(PACKAGE, working, branch_id)
    assert working.state.visited_nodes == ("yard", "road")
    assert working.state.taken_branches == ("away", "back")
    assert working.state.node_id == "yard"
    assert enter_node(working.state, "shaft").visited_nodes == ("yard", "road", "shaft")


def test_only_an_option_of_the_prompt_can_be_taken() -> None:
    assert refused(take("back")) == (0, "branch_not_open", "/branchId")
    assert refused(take("nowhere")) == (0, "branch_not_open", "/branchId")
    assert refused(take("away"), powers=ada(options=())) == (0, "branch_not_open", "/branchId")


def test_the_same_branch_taken_again_is_agreement_and_another_is_a_conflict() -> None:
    proposals = [propose(ada(), take("away")), propose(ada(role_id="ben"), take("away"))]
    agreed = apply_operations(PACKAGE, Working(START), proposals)
    assert isinstance(agreed, Working)
    assert agreed.state == after(take("away"))
    assert refused(take("away"), take("down")) == (1, "branch_conflict", "/branchId")


def test_where_the_director_branches_no_role_does() -> None:
    assert refused(take("away"), powers=ada(may_branch=False)) == (0, "branching_director", None)


def test_an_effect_takes_one_of_the_options_that_were_reported() -> None:
    assert after(take("down"), powers=TRUSTED).node_id == "shaft"
    assert refused(take("back"), powers=TRUSTED) == (0, "branch_not_open", "/branchId")


# Shapes


def test_an_operation_of_no_known_name_is_refused() -> None:
    assert refused({"op": "explode"}) == (0, "op_unknown", None)


@pytest.mark.parametrize("value", [None, 3, "setFlag", [], {}, {"op": 7}, {"op": None}])
def test_what_is_no_operation_at_all_is_refused_for_its_shape(value: object) -> None:
    assert refused(value) == (0, "op_shape", None)


@pytest.mark.parametrize(
    ("operation", "path"),
    [
        ({"op": "setFlag", "flagId": "open"}, "/value"),
        ({**set_flag("open", True), "because": "x"}, "/because"),
        (set_flag("open", None), "/value"),
        (set_relation("ben", True), "/value"),
        (add_note(""), "/text"),
        (add_note("a\0b"), "/text"),
        ({**BUCKET, "attributes": {"lit": [1]}}, "/attributes/lit"),
        (set_flag("OPEN", True), "/flagId"),
    ],
)
def test_an_operation_with_other_fields_than_its_own_says_where(operation: object, path: str) -> None:
    assert refused(operation) == (0, "op_shape", path)


@pytest.mark.parametrize("value", [1.0, 1.5, float("nan"), "\ud800"])
def test_what_cannot_be_hashed_is_refused_for_its_shape(value: object) -> None:
    assert refused(set_flag("depth", value)) == (0, "op_shape", None)


def test_an_operation_is_recorded_with_its_proposer_and_an_unreadable_one_without_its_text() -> None:
    assert propose(ada(), take("away")).to_json() == {"proposer": "ada", "op": "takeBranch", "branchId": "away"}
    assert propose(ada(), {"op": "explode", "text": "secret"}).to_json() == {"proposer": "ada", "op": "unreadable"}
    assert propose(TRUSTED, None) == Proposal(TRUSTED, {"op": "unreadable"}, Refused("op_shape"))
