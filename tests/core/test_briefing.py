"""What a role is handed of the story, and what it may change."""

from __future__ import annotations

import gc
from dataclasses import replace
from typing import Any
from weakref import ref

from storyworld.core import limits
from storyworld.core.briefing import effects_brief, fixed_part
from storyworld.core.state import Entity, initial_state
from storyworld.core.story import Relation
from storyworld.core.trigger import Turn
from storyworld.core.turn import Settled
from tests.core.builders import CONTENT, StageHand, package, reply, story

CAST = [{"id": f"r{number:02}", "name": f"R{number}", "description": "D"} for number in range(24)]


def brief_of(ties: int, entities: int) -> Any:
    told = package(roles=CAST, establishedFacts=[], initialRelations=[])
    relations = tuple(Relation("r00", f"r{number:02}", "trust", 1) for number in range(ties, 0, -1))
    things = tuple(Entity(f"e{number:02}", "thing", "T", {}) for number in range(entities))
    return effects_brief(told, replace(initial_state(told), relations=relations, entities=things), "r00")


def test_a_brief_lists_8_roles_in_declared_order_and_says_how_many_were_left_out() -> None:
    # WORLD_BRIEF_MAX_RELATION_IDS
    at_bound, one_over = brief_of(8, 0), brief_of(9, 0)
    assert at_bound.relation_ids == one_over.relation_ids == tuple(f"r{number:02}" for number in range(1, 9))
    assert (at_bound.relations_left_out, one_over.relations_left_out) == (0, 1)
    assert len(at_bound.relation_ids) == limits.WORLD_BRIEF_MAX_RELATION_IDS.value


def test_a_brief_lists_20_entities_in_creation_order_and_says_how_many_were_left_out() -> None:
    # WORLD_BRIEF_MAX_ENTITY_IDS
    at_bound, one_over = brief_of(0, 20), brief_of(0, 21)
    assert at_bound.entity_ids == one_over.entity_ids == tuple(f"e{number:02}" for number in range(20))
    assert (at_bound.entities_left_out, one_over.entities_left_out) == (0, 1)
    assert len(at_bound.entity_ids) == limits.WORLD_BRIEF_MAX_ENTITY_IDS.value


def test_two_relations_to_one_role_list_it_once() -> None:
    told = package()
    ties = (Relation("ada", "ben", "trust", 1), Relation("ada", "ben", "debt", 2), Relation("cy", "ada", "trust", 3))
    assert effects_brief(told, replace(initial_state(told), relations=ties), "ada").relation_ids == ("ben",)


def test_the_fixed_part_is_prepared_once_for_a_story() -> None:
    told = story()
    assert fixed_part(told, "ada") is fixed_part(told, "ada")


def test_a_memory_keeps_choices_events_and_messages_as_they_were_heard() -> None:
    play = StageHand(story(subscriptions={"ada": ["bell"], "ben": ["bell"]}))
    assert isinstance(play.turn(Turn("choice", branch_id="away"), ada=reply("We go.", action="nods")), Settled)
    assert isinstance(play.event("bell", data={"loud": True}), Settled)
    assert isinstance(play.turn(Turn("message", text="Stop!")), Settled)
    assert isinstance(play.turn(), Settled)
    text = play.prompt(4, "ben")
    for part in ("Walk away", "We go.", "nods", '{"loud":true}', "bell", "Stop!"):
        assert part in text


def test_a_role_reads_its_own_notes_and_the_facts_it_knows() -> None:
    play = StageHand(story())
    fact = {"op": "establishFact", "id": "f", "text": "It rains now.", "knownBy": ["ada", "cy"]}
    play.turn(ada=reply("Hm.", fact, {"op": "addNote", "text": "Watch Ben."}))
    play.turn()
    assert "It rains now." in play.prompt(2, "ada")
    assert "It rains now." in play.prompt(2, "cy")
    assert "It rains now." not in play.prompt(2, "ben")
    assert "Watch Ben." in play.prompt(2, "ada")
    assert "Watch Ben." not in play.prompt(2, "cy")


def test_the_value_of_a_text_flag_is_never_shown() -> None:
    play = StageHand(story())
    play.turn()
    assert "the password" in play.prompt(1, "ada")
    assert "hush" not in play.prompt(1, "ada")


def test_the_prompt_asks_for_6_operations() -> None:
    play = StageHand(story())
    play.turn()
    # WORLD_PATCH_ASKED_OPERATIONS is what is asked of one role; a beat's bound is another.
    assert f"at most {limits.WORLD_PATCH_ASKED_OPERATIONS.value}," in play.prompt(1, "ada")
    seven = [{"op": "addNote", "text": f"{number}"} for number in range(limits.WORLD_PATCH_ASKED_OPERATIONS.value + 1)]
    made = play.turn(ada=reply("Seven.", *seven))
    assert isinstance(made, Settled)
    assert made.record["patch"]["status"] == "applied"


def test_the_story_is_told_in_its_own_content() -> None:
    assert CONTENT["title"] == story().package.title


def test_a_story_that_was_played_is_not_held_when_everyone_has_forgotten_it() -> None:
    play = StageHand(story())
    play.turn()
    play.turn()
    told = ref(play.story.package)
    del play
    gc.collect()
    assert told() is None
