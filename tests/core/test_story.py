"""A package as it is read from stored content: nothing is lost, nothing is judged, order is the author's."""

from __future__ import annotations

from typing import Any

from storyworld.core.story import (
    Branch,
    Ending,
    EndingRule,
    Fact,
    Flag,
    Node,
    Relation,
    Role,
    Scene,
    Source,
    read_package,
    read_relation,
)
from tests.core.builders import CONTENT, package


def test_every_field_of_a_package_is_read() -> None:
    told = package(logline="A well.", source={"title": "The Book", "version": "2"})
    assert (told.title, told.language, told.start_node_id, told.logline) == ("The Well", "en", "yard", "A well.")
    assert told.source == Source("The Book", "2")
    assert told.roles[0] == Role("ada", "Ada", "Keeps the well.", ("keep it shut",), ("the rope is cut",))
    assert told.scenes == (Scene("farm", "The farm", "Dust."),)
    assert told.nodes[1] == Node("shaft", "farm", "The shaft", "Go down.", ("flags.open",))
    assert told.branches[2] == Branch("back", "road", "yard", "Come back", repeatable=True)
    assert told.endings[0] == Ending("wet", "Wet", "Water.", ('visited("shaft")', "flags.depth > 2"))
    assert told.established_facts[1] == Fact("debt", "Ada owes Ben.", ("ada", "ben"))
    assert told.canon == (Fact("law", "Wells are shared."),)
    assert [constraint.rule for constraint in told.constraints] == [None, "flags.depth < 9"]
    assert told.flags[2] == Flag("word", "the password", "text", "hush")
    assert told.initial_relations == (Relation("ada", "ben", "trust", 10),)
    assert told.series[0].ending_rules == (EndingRule("wet", ("flags.open", "episodeBeat >= 2")),)
    assert (told.series[0].start_node_id, told.series[0].turn_budget) == ("yard", 3)


def test_what_is_optional_and_absent_stays_absent() -> None:
    told = package()
    assert (told.logline, told.source, told.roles[0].voice, told.branches[0].description) == (None, None, None, None)


def test_optional_texts_are_read_where_they_stand() -> None:
    role = {**CONTENT["roles"][0], "voice": "Low."}
    branch = {**CONTENT["branches"][0], "description": "By the rope.", "conditions": ["flags.open"]}
    told = package(roles=[role], branches=[branch])
    assert told.roles[0].voice == "Low."
    assert (told.branches[0].description, told.branches[0].conditions) == ("By the rope.", ("flags.open",))
    relation = {"fromRoleId": "ada", "toRoleId": "ben", "kind": "debt", "value": -3, "note": "since spring"}
    assert read_relation(relation) == Relation("ada", "ben", "debt", -3, "since spring")
    assert read_relation(relation).key == ("ada", "ben", "debt")


def test_a_fact_is_known_to_those_it_names_and_to_everyone_where_it_names_no_one() -> None:
    assert Fact("a", "So.").is_known_to("cy")
    assert Fact("a", "So.", ("ada",)).is_known_to("ada")
    assert not Fact("a", "So.", ("ada",)).is_known_to("cy")
    assert not Fact("a", "So.", ()).is_known_to("ada")


def test_everything_is_found_by_its_id_in_the_order_of_declaration() -> None:
    told = package()
    assert list(told.role_by_id) == ["ada", "ben", "cy", "dot"]
    assert list(told.scene_by_id) == ["farm"]
    assert list(told.node_by_id) == ["yard", "shaft", "road"]
    assert list(told.branch_by_id) == ["down", "away", "back"]
    assert list(told.ending_by_id) == ["wet", "never"]
    assert list(told.flag_by_id) == ["open", "depth", "word"]
    assert list(told.episode_by_id) == ["noon"]


def test_branches_are_found_by_the_node_that_they_start_at() -> None:
    starting = {node: [branch.id for branch in branches] for node, branches in package().branches_from.items()}
    assert starting == {"yard": ["down", "away"], "road": ["back"]}


def test_a_branch_asks_its_own_conditions_and_then_those_of_its_target() -> None:
    branches: list[dict[str, Any]] = [{**CONTENT["branches"][0], "conditions": ["beat > 1", "!flags.open"]}]
    assert package(branches=branches).branch_conditions == {
        "down": (
            ("/branches/0/conditions/0", "beat > 1"),
            ("/branches/0/conditions/1", "!flags.open"),
            ("/nodes/1/preconditions/0", "flags.open"),
        )
    }


def test_conditions_are_named_by_where_they_stand() -> None:
    told = package()
    assert told.ending_conditions == {
        "wet": (("/endings/0/conditions/0", 'visited("shaft")'), ("/endings/0/conditions/1", "flags.depth > 2"))
    }
    assert told.rule_conditions == {
        "noon": (
            (
                "wet",
                (
                    ("/series/0/endingRules/0/conditions/0", "flags.open"),
                    ("/series/0/endingRules/0/conditions/1", "episodeBeat >= 2"),
                ),
            ),
        )
    }
    assert told.rules == (("/constraints/1/rule", "flags.depth < 9"),)


def test_stored_content_is_read_as_it_is_also_beyond_the_limits_of_today() -> None:
    roles = [{**CONTENT["roles"][0], "id": f"r{number}", "goals": ["g"] * 30} for number in range(40)]
    stored = {
        **CONTENT,
        "nodes": [],
        "branches": [],
        "endings": [],
        "series": [],
        "roles": roles,
        "startNodeId": "gone",
    }
    told = read_package(stored)
    assert (len(told.roles), len(told.roles[39].goals), told.start_node_id) == (40, 30, "gone")
