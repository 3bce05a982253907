"""Facts about the registry of limits: what is in it, and what the numbers owe each other."""

from __future__ import annotations

import dataclasses
from typing import Literal

import pytest

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes, parse
from storyworld.core.limits.limit import REFUSED, Limit
from storyworld.core.limits.page import limits_json, limits_page, value_text

CONTRACT = {
    "STORY_MAX_ROLES": 24,
    "WORLD_MAX_ROLES": 24,
    "WORLD_AGENTS_PER_ROLE": 1,
    "WORLD_TURN_MAX_ROLES": 3,
    "WORLD_MAX_ROLES_PER_EVENT": 5,
    "MAX_EVENT_FANOUT": 5,
    "STORY_MAX_SECRETS_PER_ROLE": 20,
    "STORY_MAX_GOALS_PER_ROLE": 20,
    "STORY_MAX_SCENES": 100,
    "STORY_MAX_NODES": 200,
    "STORY_MAX_BRANCHES": 200,
    "STORY_MAX_PRECONDITIONS_PER_NODE": 10,
    "STORY_MAX_ENDINGS": 60,
    "STORY_MAX_ESTABLISHED_FACTS": 200,
    "STORY_MAX_CANON": 100,
    "STORY_MAX_CONSTRAINTS": 50,
    "STORY_MAX_FLAGS": 50,
    "STORY_MAX_INITIAL_RELATIONS": 50,
    "STORY_MAX_SERIES": 24,
    "STORY_MAX_ENDING_RULES_PER_EPISODE": 20,
    "STORY_MAX_CONDITIONS_PER_ENDING_RULE": 10,
    "STORY_MAX_TURN_BUDGET": 200,
    "STORY_MAX_TEXT_CHARS": 500,
    "STORY_PACKAGE_MAX_BYTES": 900_000,
    "WORLD_PATCH_MAX_OPERATIONS": 20,
    "WORLD_STATE_MAX_ENTITIES": 50,
    "WORLD_STATE_MAX_RELATIONS": 50,
    "WORLD_STATE_MAX_NOTES_PER_ROLE": 20,
    "WORLD_MAX_BRANCH_OPTIONS": 5,
    "WORLD_BRIEF_MAX_RELATION_IDS": 8,
    "WORLD_TURN_MAX_LINES_HEARD": 2,
    "DELIBERATION_MAX_CANDIDATES": 2,
    "DELIBERATION_MAX_ROLES": 3,
    "SCRIPT_IMPORT_MAX_CHARS": 16_000,
    "SCRIPT_DRAFT_MAX_BEATS": 500,
    "PROJECT_MAX_ACTIVE_WORLDS": 1000,
    "PROJECT_MAX_ACTIVE_STORY_PACKAGES": 1000,
}


def test_the_numbers_of_the_contract_are_the_numbers_of_the_product() -> None:
    assert {limit.name: limit.value for limit in limits.ALL if limit.origin == "contract"} == CONTRACT


def test_the_contract_stands_first_and_the_numbers_of_our_own_after_it() -> None:
    origins = [limit.origin for limit in limits.ALL]
    assert origins == sorted(origins)


def test_every_limit_is_reached_by_its_name() -> None:
    assert all(limits.BY_NAME[limit.name] is limit is vars(limits)[limit.name] for limit in limits.ALL)


@pytest.mark.parametrize("limit", limits.ALL, ids=lambda limit: limit.name)
def test_every_limit_says_why_and_what_happens_in_both_languages(limit: Limit) -> None:
    for english in (limit.reason, limit.behaviour):
        assert english.endswith(".")
        assert english.isascii()
    for chinese in (limit.reason_zh, limit.behaviour_zh):
        assert chinese.endswith("。")
        assert any("一" <= character <= "鿿" for character in chinese)


def test_the_word_of_a_message_is_the_last_name_of_where_a_limit_applies() -> None:
    assert limits.STORY_MAX_ROLES.field == "roles"
    assert limits.STORY_MAX_GOALS_PER_ROLE.field == "goals"
    assert limits.PROJECT_MAX_ACTIVE_WORLDS.field == "active worlds"


def test_a_limit_that_allows_nothing_cannot_be_declared() -> None:
    with pytest.raises(AssertionError, match="allows nothing"):
        dataclasses.replace(limits.STORY_MAX_ROLES, value=0)


def test_a_limit_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        limits.STORY_MAX_ROLES.value = 25  # type: ignore[misc]


def test_what_is_sent_over_a_limit_is_refused_and_never_cut() -> None:
    assert limits.STORY_MAX_ROLES.outcome is REFUSED
    assert "nothing is cut" in limits.STORY_MAX_ROLES.behaviour


def test_a_world_holds_as_many_roles_as_a_story_and_a_focus_can_name_them_all() -> None:
    assert limits.STORY_MAX_ROLES.value == limits.WORLD_MAX_ROLES.value == limits.TRIGGER_MAX_FOCUS_ROLES.value


def test_an_event_wakes_as_many_roles_as_the_router_delivers() -> None:
    assert limits.WORLD_MAX_ROLES_PER_EVENT.value == limits.MAX_EVENT_FANOUT.value


def test_a_story_starts_with_no_more_relations_than_its_state_can_hold() -> None:
    assert limits.STORY_MAX_INITIAL_RELATIONS.value == limits.WORLD_STATE_MAX_RELATIONS.value


def test_the_last_seat_hears_all_lines_before_it() -> None:
    assert limits.WORLD_TURN_MAX_LINES_HEARD.value == limits.WORLD_TURN_MAX_ROLES.value - 1


def test_a_beat_makes_one_model_call_a_seat_and_a_candidate_has_the_seats_of_a_beat() -> None:
    seats = limits.WORLD_TURN_MAX_ROLES.value
    assert limits.WORLD_TURN_MAX_MODEL_CALLS.value == limits.DELIBERATION_MAX_ROLES.value == seats


def test_the_longest_episode_can_be_turned_into_one_script() -> None:
    assert limits.STORY_MAX_TURN_BUDGET.value <= limits.SCRIPT_DRAFT_MAX_BEATS.value


def test_a_package_fits_a_document_of_one_mebibyte_and_one_that_is_too_large_still_arrives() -> None:
    assert limits.STORY_PACKAGE_MAX_BYTES.value < 1_048_576 < limits.REQUEST_MAX_BYTES.value


def test_seats_that_do_as_asked_never_meet_the_cap_of_a_patch() -> None:
    asked = limits.WORLD_PATCH_ASKED_OPERATIONS.value * limits.WORLD_TURN_MAX_ROLES.value
    assert asked <= limits.WORLD_PATCH_MAX_OPERATIONS.value == limits.EVENT_MAX_EFFECTS.value


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_of_limits_shows_every_limit_once_with_its_number_and_its_reason(lang: Literal["en", "zh"]) -> None:
    rows = [line for line in limits_page(lang).splitlines() if line.startswith("| `")]
    assert len(rows) == len(limits.ALL)
    for limit in limits.ALL:
        [row] = [row for row in rows if row.startswith(f"| `{limit.name}` |")]
        assert f"{limit.value:,}" in row
        assert (limit.reason if lang == "en" else limit.reason_zh) in row
        assert row.count("|") == 7


def test_a_number_is_shown_with_its_unit_in_the_language_of_the_page() -> None:
    assert value_text(limits.STORY_PACKAGE_MAX_BYTES, "en") == "900,000 bytes"
    assert value_text(limits.STORY_PACKAGE_MAX_BYTES, "zh") == "900,000 字节"
    assert value_text(limits.STORY_MAX_SCENES, "en") == "100"


def test_the_limits_as_data_name_the_contract_and_can_be_written_as_json() -> None:
    value = limits_json()
    assert value["contractVersion"] == "1.48.0"
    assert [(item["name"], item["value"]) for item in value["limits"]] == [
        (item.name, item.value) for item in limits.ALL
    ]
    assert parse(canonical_bytes(value)) == value
