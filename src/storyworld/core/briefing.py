"""What one role may know in one beat: the projection from which its prompt is composed, and its powers to change
things.

This is the only place where the story's whole meets a prompt. What is not handed on here cannot reach a model: of a
role that is not speaking that is its id in the effects brief and, for a line heard, its name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from storyworld.core import limits
from storyworld.core.beat import Line, Record, last_refusal
from storyworld.core.branching import BranchOption
from storyworld.core.canonical import canonical_bytes
from storyworld.core.chance import fence_seed
from storyworld.core.kept import kept_apart
from storyworld.core.patch import Powers
from storyworld.core.prompt.brief import (
    Brief,
    Cue,
    EnvelopeBrief,
    FixedBrief,
    FixedPart,
    FlagShown,
    HeardLine,
    OptionShown,
    Refused,
    RememberedBeat,
)
from storyworld.core.prompt.compose import prepare, remember
from storyworld.core.session import Story
from storyworld.core.stage import Stage
from storyworld.core.state import State
from storyworld.core.story import FlagValue, Relation, StoryPackage
from storyworld.core.trigger import Event, Moving, read_trigger
from storyworld.core.unchanging import unchanging


def fixed_part(story: Story, role_id: str) -> FixedPart:
    """The part of a role's prompt that no beat changes; it is prepared once for a pinned story."""
    prepared = story.prepared.get(role_id)
    if prepared is None:
        persona = story.world.binding_by_role[role_id].agent.persona
        prepared = prepare(fixed_brief(story.package, persona, role_id))
        story.prepared[role_id] = prepared
    return prepared


def fixed_brief(package: StoryPackage, persona: str, role_id: str) -> FixedBrief:
    """What a role knows before the story begins: of other roles nothing."""
    return FixedBrief(
        persona=persona,
        title=package.title,
        language=package.language,
        constraints=tuple(constraint.text for constraint in package.constraints),
        canon=tuple(fact.text for fact in package.canon if fact.is_known_to(role_id)),
        facts=tuple(fact.text for fact in package.established_facts if fact.is_known_to(role_id)),
        role=package.role_by_id[role_id],
    )


@unchanging
class EffectsBrief:
    """What a role may change, as two bounded lists of ids, each with the number left out."""

    relation_ids: tuple[str, ...]
    relations_left_out: int
    entity_ids: tuple[str, ...]
    entities_left_out: int


def effects_brief(package: StoryPackage, state: State, role_id: str) -> EffectsBrief:
    """The first 8 roles, in declaration order, to which the role has a relation, and the first 20 entities in
    creation order.
    """
    relations_max = limits.WORLD_BRIEF_MAX_RELATION_IDS.value
    entities_max = limits.WORLD_BRIEF_MAX_ENTITY_IDS.value
    related = _related(package, state.relations, role_id)
    entity_ids = tuple([entity.id for entity in state.entities[:entities_max]])
    return EffectsBrief(
        relation_ids=related[:relations_max],
        relations_left_out=max(0, len(related) - relations_max),
        entity_ids=entity_ids,
        entities_left_out=len(state.entities) - len(entity_ids),
    )


@kept_apart
def _related(package: StoryPackage, relations: Sequence[Relation], role_id: str) -> tuple[str, ...]:
    related = {relation.to_role_id for relation in relations if relation.from_role_id == role_id}
    return tuple(role.id for role in package.roles if role.id in related)


def powers(stage: Stage, role_id: str, heard: Sequence[Line]) -> Powers:
    """What a seated role may change: what stands in its brief, itself, and its ties to whom it has heard in this
    beat.
    """
    brief = effects_brief(stage.story.package, stage.state, role_id)
    return Powers(
        role_id=role_id,
        seats=stage.seating.seats,
        entity_ids=frozenset(brief.entity_ids),
        role_ids=frozenset(brief.relation_ids) | {line.role_id for line in heard},
        options=tuple(option.branch_id for option in stage.options.reported),
        may_branch=stage.story.world.settings.branching == "roles",
    )


def brief_for(stage: Stage, role_id: str, remembered: Sequence[Record], heard: Sequence[Line]) -> Brief:
    """Everything that the role's prompt of this beat is composed from.

    `remembered` holds the records of the last beats in which the role had a seat, oldest first: at least the last one
    where there is one, and as many as the world's memory asks for.
    """
    story = stage.story
    forgotten = max(0, len(remembered) - story.world.settings.memory_beats)
    return Brief(
        fixed=fixed_part(story, role_id),
        memory=tuple([_told(story.package, record) for record in islice(remembered, forgotten, None)]),
        envelope=_envelope(stage, role_id, remembered, heard),
        fence_seed=fence_seed(stage.head.seed, stage.beat, role_id),
    )


def _envelope(stage: Stage, role_id: str, remembered: Sequence[Record], heard: Sequence[Line]) -> EnvelopeBrief:
    package, state = stage.story.package, stage.state
    node = package.node_by_id[state.node_id]
    scene = package.scene_by_id[node.scene_id]
    brief = effects_brief(package, state, role_id)
    return EnvelopeBrief(
        scene_title=scene.title,
        scene_description=scene.description,
        node_title=node.title,
        objective=node.objective,
        new_facts=tuple(fact.text for fact in state.facts if fact.is_known_to(role_id)),
        notes=state.notes.get(role_id, ()),
        flags=_flags_shown(package, state.flags),
        options=_options_shown(package, stage.options.reported),
        relation_ids=brief.relation_ids,
        relations_left_out=brief.relations_left_out,
        entity_ids=brief.entity_ids,
        entities_left_out=brief.entities_left_out,
        refused=_refused(remembered, role_id),
        may_branch=stage.story.world.settings.branching == "roles",
        cue=cue_of(package, stage.trigger),
        lines=tuple(HeardLine(package.role_by_id[line.role_id].name, line.text, line.action) for line in heard),
    )


# The seats of a beat are shown the same flags and options, and tell the same past beats, so each is worked out once.


@kept_apart
def _flags_shown(package: StoryPackage, flags: Mapping[str, FlagValue]) -> tuple[FlagShown, ...]:
    return tuple(FlagShown(flag.id, flag.description, flag.type, _shown(flags[flag.id])) for flag in package.flags)


def _shown(value: FlagValue) -> bool | int | None:
    return None if isinstance(value, str) else value


@kept_apart
def _options_shown(package: StoryPackage, options: Sequence[BranchOption]) -> tuple[OptionShown, ...]:
    return tuple(
        OptionShown(option.branch_id, option.label, package.branch_by_id[option.branch_id].description)
        for option in options
    )


@kept_apart
def _told(package: StoryPackage, record: Record) -> str:
    return remember(package.language, _remembered_beat(package, record))


def _refused(remembered: Sequence[Record], role_id: str) -> Refused | None:
    told = last_refusal(remembered[-1], role_id) if remembered else None
    if told is None:
        return None
    operation, code = told
    return Refused(None if operation is None else canonical_bytes(operation).decode(), code)


def _remembered_beat(package: StoryPackage, record: Record) -> RememberedBeat:
    trigger = read_trigger(record["trigger"])
    assert isinstance(trigger, Moving), "only beats with seats are remembered"
    return RememberedBeat(
        beat=record["beat"],
        cue=cue_of(package, trigger),
        lines=tuple(_heard_line(package, line) for line in record["lines"]),
    )


def _heard_line(package: StoryPackage, line: Mapping[str, Any]) -> HeardLine:
    return HeardLine(package.role_by_id[line["roleId"]].name, line["text"], line.get("action"))


def cue_of(package: StoryPackage, trigger: Moving) -> Cue:
    """What a seated role is told of the trigger: a message's text, a choice's label, an event's type and data."""
    if isinstance(trigger, Event):
        data = None if trigger.data is None else canonical_bytes(trigger.data).decode()
        return Cue("event", None, trigger.type, data)
    text = package.branch_by_id[trigger.branch_id].label if trigger.branch_id is not None else trigger.text
    return Cue(trigger.kind, text, None, None)
