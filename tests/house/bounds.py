"""Where each limit is proven: the test that takes it at the bound and refuses it one over.

A limit of the registry stands in one of the two tables. A test may prove several limits; it names each of them, in its
own body or in a table of its file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_CANONICAL = "tests/core/test_canonical.py::"
_ACTIVE_WORKS = (
    "tests/conformance/test_works.py::test_a_race_for_the_last_active_places_leaves_exactly_as_many_as_there_are"
)
_BRIEFING = "tests/core/test_briefing.py::"
_DELIBERATION = "tests/core/test_deliberation.py::"
_TURN = "tests/core/test_turn.py::"
_CASTING = "tests/core/test_casting.py::"
_CONTENT = "tests/core/test_content.py::"
_JUDGE = "tests/core/test_judge.py::"
_PATCH = "tests/core/test_patch_limits.py::"
_TRIGGER = "tests/core/test_trigger_door.py::"

_ARRAYS_OF_A_PACKAGE = (
    "STORY_MAX_ROLES",
    "STORY_MAX_SCENES",
    "STORY_MAX_NODES",
    "STORY_MAX_BRANCHES",
    "STORY_MAX_ENDINGS",
    "STORY_MAX_ESTABLISHED_FACTS",
    "STORY_MAX_CANON",
    "STORY_MAX_CONSTRAINTS",
    "STORY_MAX_FLAGS",
    "STORY_MAX_INITIAL_RELATIONS",
    "STORY_MAX_SERIES",
    "STORY_MAX_GOALS_PER_ROLE",
    "STORY_MAX_SECRETS_PER_ROLE",
    "STORY_MAX_PRECONDITIONS_PER_NODE",
    "STORY_MAX_CONDITIONS_PER_BRANCH",
    "STORY_MAX_CONDITIONS_PER_ENDING",
    "STORY_MAX_ENDING_RULES_PER_EPISODE",
    "STORY_MAX_CONDITIONS_PER_ENDING_RULE",
)
_TEXTS_OF_A_PACKAGE = (
    "STORY_MAX_NAME_CHARS",
    "STORY_MAX_TEXT_CHARS",
    "STORY_MAX_LOGLINE_CHARS",
    "STORY_MAX_VOICE_CHARS",
    "STORY_MAX_RELATION_NOTE_CHARS",
    "STORY_MAX_FLAG_TEXT_CHARS",
    "LANGUAGE_MAX_CHARS",
    "ID_MAX_CHARS",
)
_FIELDS_OF_AN_AGENT = (
    "AGENT_MAX_NAME_CHARS",
    "AGENT_MAX_PERSONA_CHARS",
    "AGENT_MAX_OUTPUT_TOKENS",
    "AGENT_MAX_CONTEXT_WINDOW",
)
# One over stands in the test that is named; at the bound, in the table of operations of the same file.
_SHAPES_OF_AN_OPERATION = (
    "WORLD_STATE_MAX_ATTRIBUTES",
    "WORLD_STATE_MAX_ATTRIBUTE_CHARS",
    "WORLD_STATE_MAX_ENTITY_NAME_CHARS",
    "WORLD_STATE_MAX_FACT_CHARS",
    "WORLD_STATE_MAX_NOTE_CHARS",
)
_CAPS_OF_A_STATE = (
    "WORLD_STATE_MAX_ENTITIES",
    "WORLD_STATE_MAX_RELATIONS",
    "WORLD_STATE_MAX_NOTES_PER_ROLE",
    "WORLD_STATE_MAX_FACTS",
)
_PARTS_OF_A_TRIGGER = (
    "TRIGGER_MAX_TEXT_CHARS",
    "TRIGGER_MAX_FOCUS_ROLES",
    "LINE_MAX_CHARS",
    "ACTION_MAX_CHARS",
    "EVENT_ID_MAX_CHARS",
    "EVENT_MAX_DATA_CHARS",
    "EVENT_MAX_EFFECTS",
)

PROVEN: Final[Mapping[str, str]] = {
    **dict.fromkeys(_ARRAYS_OF_A_PACKAGE, f"{_CONTENT}test_every_array_is_taken_at_its_limit_and_refused_one_over"),
    **dict.fromkeys(_TEXTS_OF_A_PACKAGE, f"{_CONTENT}test_every_text_is_taken_at_its_limit_and_refused_one_over"),
    "STORY_MAX_TURN_BUDGET": f"{_CONTENT}test_every_number_is_taken_at_its_limit_and_refused_one_over",
    "RELATION_MAX_VALUE": f"{_CONTENT}test_every_number_is_taken_at_its_limit_and_refused_one_over",
    "INTEGER_MAX": f"{_CONTENT}test_an_integer_is_taken_at_its_bound_and_refused_one_over",
    "STORY_PACKAGE_MAX_BYTES": f"{_CONTENT}test_a_larger_package_is_refused_with_its_real_size",
    **dict.fromkeys(_SHAPES_OF_AN_OPERATION, f"{_JUDGE}test_an_operation_beyond_its_shape_says_where"),
    "WORLD_MAX_ROLES": f"{_CASTING}test_a_world_of_24_roles_is_published_and_one_of_25_is_refused",
    "WORLD_AGENTS_PER_ROLE": (f"{_CASTING}test_one_agent_in_two_roles_is_refused_naming_the_agent_and_both_roles"),
    "WORLD_MAX_ROLES_PER_EVENT": (
        f"{_CASTING}test_an_event_that_wakes_5_roles_is_published_and_one_that_would_wake_6_is_refused_naming_it"
    ),
    "MAX_EVENT_FANOUT": (
        f"{_CASTING}test_an_event_that_wakes_5_roles_is_published_and_one_that_would_wake_6_is_refused_naming_it"
    ),
    "WORLD_MAX_SUBSCRIPTIONS_PER_ROLE": f"{_CASTING}test_a_role_subscribes_to_20_event_types_and_no_more",
    "WORLD_MAX_MEMORY_BEATS": f"{_CASTING}test_a_role_remembers_50_beats_and_no_more",
    "WORLD_MAX_NAME_CHARS": f"{_CASTING}test_a_name_of_200_characters_is_taken_and_one_of_201_is_refused",
    "PROBLEMS_MAX_REPORTED": f"{_CASTING}test_at_most_1000_problems_are_told_with_the_number_of_the_others",
    **dict.fromkeys(
        _FIELDS_OF_AN_AGENT, f"{_CASTING}test_each_limit_of_an_agent_holds_at_its_bound_and_refuses_one_over"
    ),
    **dict.fromkeys(_CAPS_OF_A_STATE, f"{_PATCH}test_a_state_grows_to_its_cap_and_not_one_beyond"),
    "WORLD_PATCH_MAX_OPERATIONS": f"{_PATCH}test_a_beat_applies_20_operations_and_not_one_more",
    "WORLD_MAX_BRANCH_OPTIONS": (
        "tests/core/test_branching.py::test_the_first_5_open_branches_are_told_and_the_others_counted"
    ),
    "WORLD_TURN_MAX_ROLES": (
        "tests/core/test_seating.py::"
        "test_three_roles_at_most_are_seated_and_the_others_are_told_that_the_seats_were_taken"
    ),
    **dict.fromkeys(
        _PARTS_OF_A_TRIGGER, f"{_TRIGGER}test_every_limit_of_a_trigger_is_taken_at_its_bound_and_refused_one_over"
    ),
    "PROJECT_MAX_ACTIVE_STORY_PACKAGES": _ACTIVE_WORKS,
    "PROJECT_MAX_ACTIVE_WORLDS": _ACTIVE_WORKS,
    "WORLD_TURN_MAX_LINES_HEARD": f"{_TURN}test_the_third_seat_hears_two_lines_and_the_first_none",
    "WORLD_TURN_MAX_MODEL_CALLS": f"{_TURN}test_a_beat_makes_one_call_for_each_seat_and_three_at_most",
    "WORLD_BRIEF_MAX_RELATION_IDS": (
        f"{_BRIEFING}test_a_brief_lists_8_roles_in_declared_order_and_says_how_many_were_left_out"
    ),
    "WORLD_BRIEF_MAX_ENTITY_IDS": (
        f"{_BRIEFING}test_a_brief_lists_20_entities_in_creation_order_and_says_how_many_were_left_out"
    ),
    "WORLD_PATCH_ASKED_OPERATIONS": f"{_BRIEFING}test_the_prompt_asks_for_6_operations",
    "DELIBERATION_MAX_CANDIDATES": f"{_DELIBERATION}test_more_than_2_candidates_or_3_roles_are_refused_by_name",
    "DELIBERATION_MAX_ROLES": f"{_DELIBERATION}test_more_than_2_candidates_or_3_roles_are_refused_by_name",
    "REPLY_MAX_CHARS": "tests/core/test_reply.py::test_only_the_beginning_of_an_endless_reply_is_looked_at",
    "REPLY_MAX_LEFT_OUT": "tests/core/test_reply.py::test_at_most_20_parts_are_told_one_by_one",
    "SCRIPT_DRAFT_MAX_BEATS": "tests/application/test_draft.py::test_a_draft_covers_500_beats_and_no_more",
    "SCRIPT_IMPORT_BY_RULES_MAX_CHARS": (
        "tests/cli/test_import.py::test_a_script_of_500000_characters_is_taken_and_one_more_is_refused_by_name"
    ),
    "SCRIPT_IMPORT_BY_RULES_MAX_LINES": (
        "tests/cli/test_import.py::test_a_script_of_10000_lines_is_taken_and_one_more_is_refused_by_name"
    ),
    "SEED_MAX": "tests/cli/test_options.py::test_a_seed_is_taken_up_to_its_bound_and_refused_one_over",
    "JSON_MAX_DEPTH": f"{_CANONICAL}test_a_document_nests_64_levels_and_no_more",
    "JSON_MAX_NODES": f"{_CANONICAL}test_a_document_holds_200000_values_and_no_more",
    "REQUEST_MAX_BYTES": f"{_CANONICAL}test_a_request_is_8_mebibytes_and_no_more",
    "IDEMPOTENCY_KEY_MAX_CHARS": "tests/api/test_request_limits.py::test_an_idempotency_key_may_be_so_long",
    "PAGE_MAX_ITEMS": "tests/api/test_request_limits.py::test_a_page_may_have_so_many_items",
    "PROJECT_MAX_NAME_CHARS": "tests/api/test_request_limits.py::test_a_project_may_have_so_long_a_name",
    "SCRIPT_IMPORT_MAX_CHARS": "tests/api/test_request_limits.py::test_a_script_may_be_so_long_for_a_model",
}

# Limits of what this version cannot be asked for yet, with what has to come first.
LATER: Final[Mapping[str, str]] = {}
