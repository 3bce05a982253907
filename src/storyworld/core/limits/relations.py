"""What limits owe each other: facts that must stay true when a number changes, asserted on import."""

from __future__ import annotations

from storyworld.core.limits import contract, ours_content, ours_runtime

MEBIBYTE = 1_048_576

# One story, one cast.
assert contract.STORY_MAX_ROLES.value == contract.WORLD_MAX_ROLES.value
assert ours_runtime.TRIGGER_MAX_FOCUS_ROLES.value == contract.STORY_MAX_ROLES.value
assert contract.WORLD_TURN_MAX_ROLES.value <= contract.STORY_MAX_ROLES.value
# What the router delivers is what a world may ask for, and a woken cast may be larger than the stage.
assert contract.WORLD_MAX_ROLES_PER_EVENT.value == contract.MAX_EVENT_FANOUT.value
# A beat: one call a seat, and the last seat hears all the others.
assert ours_runtime.WORLD_TURN_MAX_MODEL_CALLS.value == contract.WORLD_TURN_MAX_ROLES.value
assert contract.WORLD_TURN_MAX_LINES_HEARD.value == contract.WORLD_TURN_MAX_ROLES.value - 1
assert contract.DELIBERATION_MAX_ROLES.value == contract.WORLD_TURN_MAX_ROLES.value
# What a story starts with must fit the state that it starts in.
assert contract.STORY_MAX_INITIAL_RELATIONS.value == contract.WORLD_STATE_MAX_RELATIONS.value
assert ours_runtime.WORLD_BRIEF_MAX_ENTITY_IDS.value <= contract.WORLD_STATE_MAX_ENTITIES.value
assert contract.WORLD_BRIEF_MAX_RELATION_IDS.value < contract.WORLD_MAX_ROLES.value
# Seats that obey the prompt, or an event's effects, never meet the cap of a patch by themselves.
assert (
    ours_runtime.WORLD_PATCH_ASKED_OPERATIONS.value * contract.WORLD_TURN_MAX_ROLES.value
    <= contract.WORLD_PATCH_MAX_OPERATIONS.value
)
assert ours_runtime.EVENT_MAX_EFFECTS.value == contract.WORLD_PATCH_MAX_OPERATIONS.value
# An episode of full length can be turned into one script.
assert contract.STORY_MAX_TURN_BUDGET.value <= contract.SCRIPT_DRAFT_MAX_BEATS.value
# A package fits the document that stores it, and a body may hold one that is too large, so that it can be explained.
assert contract.STORY_PACKAGE_MAX_BYTES.value < MEBIBYTE
assert contract.STORY_PACKAGE_MAX_BYTES.value < ours_runtime.REQUEST_MAX_BYTES.value
# What a player says may be as long as what a role says.
assert ours_runtime.TRIGGER_MAX_TEXT_CHARS.value == ours_runtime.LINE_MAX_CHARS.value
assert ours_content.RELATION_MAX_VALUE.value <= ours_content.INTEGER_MAX.value
assert ours_runtime.SEED_MAX.value == ours_content.INTEGER_MAX.value
assert contract.SCRIPT_IMPORT_MAX_CHARS.value <= ours_runtime.SCRIPT_IMPORT_BY_RULES_MAX_CHARS.value
