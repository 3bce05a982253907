"""What one part of a package says wrongly of another is told, wherever both are well-formed."""

from __future__ import annotations

import pytest

from storyworld.core.content import judge_package
from storyworld.core.references import condition_sources, declared_for_conditions, find_faults
from tests.core.package_makers import whole, with_value


def faults(path: str, value: object) -> list[tuple[str, str]]:
    return [(problem.code, problem.path) for problem in judge_package(with_value(path, value)).problems]


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/startNodeId", "nodes"),
        ("/nodes/0/sceneId", "scenes"),
        ("/branches/0/fromNodeId", "nodes"),
        ("/branches/0/toNodeId", "nodes"),
        ("/initialRelations/0/fromRoleId", "roles"),
        ("/initialRelations/0/toRoleId", "roles"),
        ("/series/0/startNodeId", "nodes"),
        ("/series/0/endingRules/0/endingId", "endings"),
        ("/establishedFacts/0/knownBy/0", "roles"),
        ("/canon/0/knownBy/1", "roles"),
    ],
)
def test_every_reference_names_something_declared(path: str, target: str) -> None:
    (problem,) = judge_package(with_value(path, "nobody")).problems
    assert (problem.code, problem.path, problem.actual) == ("reference_unknown", path, "nobody")
    assert problem.message == f"{path[1:]} is nobody, which {target} does not declare"


@pytest.mark.parametrize(
    "name",
    ["roles", "scenes", "nodes", "branches", "endings", "establishedFacts", "canon", "constraints", "flags", "series"],
)
def test_an_id_is_unique_within_its_list(name: str) -> None:
    content = whole()
    content[name] = [*content[name], content[name][0]]
    place = len(content[name]) - 1
    (problem,) = judge_package(content).problems
    assert (problem.code, problem.path) == ("id_repeated", f"/{name}/{place}/id")
    assert problem.message == (
        f"{name}/{place}/id is {content[name][0]['id']}, as is {name}/0/id; an id is unique in its list"
    )


def test_the_same_id_may_stand_in_two_lists() -> None:
    assert faults("/canon/0/id", "dry") == []


def test_a_role_is_named_once_among_those_that_know() -> None:
    (problem,) = judge_package(with_value("/canon/0/knownBy", ["ada", "ben", "ada"])).problems
    assert (problem.code, problem.path) == ("role_repeated", "/canon/0/knownBy/2")
    assert problem.message == "canon/0/knownBy/2 is ada, as is canon/0/knownBy/0; a role is named there once"


def test_a_fact_may_be_known_to_nobody() -> None:
    assert faults("/canon/0/knownBy", []) == []


def test_a_relation_joins_two_roles() -> None:
    (problem,) = judge_package(with_value("/initialRelations/0/toRoleId", "ada")).problems
    assert (problem.code, problem.path) == ("relation_to_itself", "/initialRelations/0/toRoleId")


def test_a_relation_is_unique_by_its_roles_and_its_kind() -> None:
    relation = whole()["initialRelations"][0]
    others = [
        {**relation, "value": 20},
        {**relation, "kind": "debt"},
        {**relation, "fromRoleId": "ben", "toRoleId": "ada"},
    ]
    (problem,) = judge_package(with_value("/initialRelations", [relation, *others])).problems
    assert (problem.code, problem.path) == ("relation_repeated", "/initialRelations/1")
    assert problem.message.startswith("initialRelations/1 has the two roles and the kind of initialRelations/0;")


@pytest.mark.parametrize(
    ("flag", "value", "found"), [(0, 1, "an integer"), (1, True, "a boolean"), (2, 0, "an integer")]
)
def test_a_flag_starts_with_a_value_of_its_type(flag: int, value: object, found: str) -> None:
    (problem,) = judge_package(with_value(f"/flags/{flag}/initial", value)).problems
    assert (problem.code, problem.path) == ("flag_initial_type", f"/flags/{flag}/initial")
    flag_type = whole()["flags"][flag]["type"]
    assert problem.message == f"flags/{flag}/initial is {found}; the flag's type is {flag_type}"


def test_a_reference_to_an_id_of_a_wrong_shape_is_one_fault_where_it_is_declared() -> None:
    content = with_value("/scenes/0/id", "The Farm")
    content["nodes"] = [{**node, "sceneId": "The Farm"} for node in content["nodes"]]
    codes = {problem.code for problem in judge_package(content).problems}
    assert codes == {"id_shape"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("roles", 3),
        ("roles", [3, {"id": []}, {"id": "ada"}]),
        ("flags", [{"id": 3}, {"id": "a", "type": "boolean", "initial": None}, {"id": "b", "type": []}]),
        ("initialRelations", [{}, {"fromRoleId": "ada"}, {"fromRoleId": "ada", "toRoleId": "ben"}]),
        ("canon", [{"knownBy": 3}, {"knownBy": ["ada", [], 3, "Not An Id"]}]),
        ("series", [{"endingRules": [3, {"endingId": {}}]}, {"endingRules": {}}]),
        ("startNodeId", {}),
    ],
)
def test_what_is_not_well_formed_is_left_to_the_schema(name: str, value: object) -> None:
    content = {**whole(), name: value}
    own = [finding for finding in find_faults(content) if finding.path.startswith(f"/{name}")]
    assert own == []


def test_conditions_stand_in_five_places() -> None:
    assert dict(condition_sources(whole())) == {
        "/nodes/1/preconditions/0": "flags.open",
        "/branches/0/conditions/0": "beat > 1",
        "/endings/0/conditions/0": 'visited("shaft") && flags.depth > 2',
        "/constraints/0/rule": "flags.depth < 9",
        "/series/0/endingRules/0/conditions/0": "episodeBeat > 3",
    }


def test_a_condition_that_is_no_text_or_is_empty_is_left_to_the_schema() -> None:
    content = {"branches": [{"conditions": [3, "", "true"]}, {"conditions": 3}], "constraints": [{"rule": ""}, {}]}
    assert list(condition_sources(content)) == [("/branches/0/conditions/2", "true")]


def test_conditions_beyond_the_limit_of_their_list_are_not_read() -> None:
    content = {
        "branches": [{"conditions": ["true"] * 11}] * 201,
        "nodes": [{"preconditions": ["true"] * 11}] * 201,
        "endings": [{"conditions": ["true"] * 11}] * 61,
        "constraints": [{"rule": "true"}] * 51,
        "series": [{"endingRules": [{"conditions": ["true"] * 11}] * 21}] * 25,
    }
    assert sum(1 for _ in condition_sources(content)) == (200 + 200 + 60) * 10 + 50 + 24 * 20 * 10


def test_a_flag_of_an_unknown_type_is_still_declared_to_conditions() -> None:
    flags = [
        {"id": "a", "type": "colour", "initial": True},
        {"id": "b", "initial": 3},
        {"id": "c", "type": []},
        {"id": "d", "type": "text", "initial": 3},
        {"id": "No Id"},
    ]
    assert declared_for_conditions({"flags": flags}).flags == {"a": "boolean", "b": "integer", "c": "text", "d": "text"}
