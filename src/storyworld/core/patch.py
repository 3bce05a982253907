"""What an operation does to the state, and why it is refused.

This file owns the table of operations of a state patch. A patch is all or nothing: `apply_operations` returns a whole
new state or the first refusal. It must not know who is seated, what a prompt is, or where operations come from: a
proposer's powers are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from storyworld.core import limits
from storyworld.core.judge import judge_effect, judge_operation
from storyworld.core.state import Entity, Note, State
from storyworld.core.story import Fact, FlagValue, Relation, StoryPackage
from storyworld.core.unchanging import unchanging

Operation = Mapping[str, Any]
UNREADABLE = "unreadable"


@unchanging
class Refused:
    """Why one operation falls, and the whole patch with it. `path` points into the operation where that says more."""

    code: str
    path: str | None = None


@unchanging
class Powers:
    """What one proposer may change.

    `role_id` None means trusted: effects of an event may change anything for any role. `entity_ids` and `role_ids` are
    those of the effects brief (and, for roles, of the lines heard); `options` are the branches that stood in the
    prompt.
    """

    role_id: str | None
    seats: tuple[str, ...] = ()
    entity_ids: frozenset[str] = frozenset()
    role_ids: frozenset[str] = frozenset()
    options: tuple[str, ...] = ()
    may_branch: bool = True

    @property
    def trusted(self) -> bool:
        """Whether anything may be changed for any role."""
        return self.role_id is None


@unchanging
class Proposal:
    """One proposed operation: well shaped, or refused for its shape before anything else is asked."""

    powers: Powers
    operation: Operation
    misshapen: Refused | None = None

    def to_json(self) -> dict[str, Any]:
        """The entry of the beat record; an operation that cannot be read stands as `unreadable`."""
        return {"proposer": self.powers.role_id, **self.operation}


def propose(powers: Powers, value: object) -> Proposal:
    """Read one proposed operation: any JSON value, or None for one that could not even be kept as JSON."""
    judged = judge_effect(value) if powers.trusted else judge_operation(value)
    if judged is None:
        assert isinstance(value, Mapping), "the schema takes objects only"
        return Proposal(powers, value)
    return Proposal(powers, {"op": UNREADABLE}, Refused(judged.code, judged.path))


@unchanging
class Working:
    """A state on its way through a batch: with the branch that the beat has taken, and the entities each proposer
    made.
    """

    state: State
    branch_taken: str | None = None
    made: frozenset[tuple[str | None, str]] = frozenset()


@unchanging
class Fallen:
    """The whole batch is refused: the place of the operation at fault, and why."""

    index: int
    refused: Refused


def apply_operations(
    package: StoryPackage, working: Working, proposals: Sequence[Proposal], *, already: int = 0
) -> Working | Fallen:
    """Judge and apply the operations one by one, in order; the first that is refused refuses them all.

    `already` is the number of operations that the beat has applied before (an event's effects): together with these
    they may not exceed `WORLD_PATCH_MAX_OPERATIONS`.
    """
    draft = _Draft(working)
    for index, proposal in enumerate(proposals):
        if already + index >= limits.WORLD_PATCH_MAX_OPERATIONS.value:
            return Fallen(index, Refused("operation_cap"))
        refused = _apply(package, draft, proposal)
        if refused is not None:
            return Fallen(index, refused)
    return draft.working()


class _Draft:
    """What a batch makes of a state, field by field, until it stands as a whole. No value in it is changed in place, so
    a batch that falls leaves nothing behind.

    `at` is where the story stands and what the beat has taken; its state has the other fields as they were before.
    """

    __slots__ = ("at", "entities", "facts", "flags", "made", "notes", "relations")

    def __init__(self, working: Working) -> None:
        self.at = working
        self.flags = working.state.flags
        self.entities = working.state.entities
        self.relations = working.state.relations
        self.notes = working.state.notes
        self.facts = working.state.facts
        self.made = working.made

    def working(self) -> Working:
        state = replace(
            self.at.state,
            flags=self.flags,
            entities=self.entities,
            relations=self.relations,
            notes=self.notes,
            facts=self.facts,
        )
        return Working(state, self.at.branch_taken, self.made)


def _apply(package: StoryPackage, draft: _Draft, proposal: Proposal) -> Refused | None:
    if proposal.misshapen is not None:
        return proposal.misshapen
    return _OPERATIONS[proposal.operation["op"]](package, draft, proposal.powers, proposal.operation)


_FLAG_TYPES: Mapping[str, type[object]] = {"boolean": bool, "integer": int, "text": str}


def _set_flag(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    flag = package.flag_by_id.get(operation["flagId"])
    if flag is None:
        return Refused("flag_unknown", "/flagId")
    value: FlagValue = operation["value"]
    # `bool` is an `int` in Python, so types are compared and not asked for.
    if type(value) is not _FLAG_TYPES[flag.type]:
        return Refused("flag_type", "/value")
    draft.flags = {**draft.flags, flag.id: value}
    return None


def _put_entity(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    entities = draft.entities
    entity = Entity(operation["id"], operation["kind"], operation["name"], dict(operation["attributes"]))
    place = next((index for index, present in enumerate(entities) if present.id == entity.id), None)
    if place is not None:
        if not _may_change_entity(draft, powers, entity.id):
            return Refused("not_yours", "/id")
        draft.entities = (*entities[:place], entity, *entities[place + 1 :])
        return None
    if len(entities) >= limits.WORLD_STATE_MAX_ENTITIES.value:
        return Refused("entity_cap")
    draft.entities = (*entities, entity)
    draft.made |= {(powers.role_id, entity.id)}
    return None


def _remove_entity(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    entity_id = operation["id"]
    kept = tuple(entity for entity in draft.entities if entity.id != entity_id)
    if len(kept) == len(draft.entities):
        return Refused("entity_unknown", "/id")
    if not _may_change_entity(draft, powers, entity_id):
        return Refused("not_yours", "/id")
    draft.entities = kept
    return None


def _may_change_entity(draft: _Draft, powers: Powers, entity_id: str) -> bool:
    return powers.trusted or entity_id in powers.entity_ids or (powers.role_id, entity_id) in draft.made


def _relation_ends(package: StoryPackage, powers: Powers, operation: Operation) -> tuple[str, str] | Refused:
    from_role_id = operation["fromRoleId"] if powers.role_id is None else powers.role_id
    to_role_id = operation["toRoleId"]
    if from_role_id not in package.role_by_id:
        return Refused("role_unknown", "/fromRoleId")
    if to_role_id not in package.role_by_id:
        return Refused("role_unknown", "/toRoleId")
    if from_role_id == to_role_id:
        return Refused("relation_self", "/toRoleId")
    if not powers.trusted and to_role_id not in powers.role_ids:
        return Refused("not_yours", "/toRoleId")
    return from_role_id, to_role_id


def _set_relation(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    ends = _relation_ends(package, powers, operation)
    if isinstance(ends, Refused):
        return ends
    if abs(operation["value"]) > limits.RELATION_MAX_VALUE.value:
        return Refused("relation_range", "/value")
    relation = Relation(*ends, operation["kind"], operation["value"], operation.get("note"))
    relations = draft.relations
    place = next((index for index, present in enumerate(relations) if present.key == relation.key), None)
    if place is not None:
        draft.relations = (*relations[:place], relation, *relations[place + 1 :])
    elif len(relations) >= limits.WORLD_STATE_MAX_RELATIONS.value:
        return Refused("relation_cap")
    else:
        draft.relations = (*relations, relation)
    return None


def _remove_relation(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    ends = _relation_ends(package, powers, operation)
    if isinstance(ends, Refused):
        return ends
    key = (*ends, operation["kind"])
    kept = tuple(relation for relation in draft.relations if relation.key != key)
    if len(kept) == len(draft.relations):
        return Refused("relation_unknown", "/kind")
    draft.relations = kept
    return None


def _note_owner(package: StoryPackage, powers: Powers, operation: Operation) -> str | Refused:
    role_id: str = operation["roleId"] if powers.role_id is None else powers.role_id
    return role_id if role_id in package.role_by_id else Refused("role_unknown", "/roleId")


def _give_notes(draft: _Draft, role_id: str, notes: tuple[Note, ...]) -> None:
    others = {owner: kept for owner, kept in draft.notes.items() if owner != role_id}
    draft.notes = {**others, role_id: notes} if notes else others


def _add_note(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    owner = _note_owner(package, powers, operation)
    if isinstance(owner, Refused):
        return owner
    notes = draft.notes.get(owner, ())
    if len(notes) >= limits.WORLD_STATE_MAX_NOTES_PER_ROLE.value:
        return Refused("note_cap")
    number = 1 + max((int(note.id.removeprefix("n")) for note in notes), default=0)
    _give_notes(draft, owner, (*notes, Note(f"n{number}", operation["text"])))
    return None


def _remove_note(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    owner = _note_owner(package, powers, operation)
    if isinstance(owner, Refused):
        return owner
    notes = draft.notes.get(owner, ())
    kept = tuple(note for note in notes if note.id != operation["id"])
    if len(kept) == len(notes):
        return Refused("note_unknown", "/id")
    _give_notes(draft, owner, kept)
    return None


def _establish_fact(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    fact_id = operation["id"]
    facts = draft.facts
    if any(fact.id == fact_id for fact in (*package.established_facts, *facts)):
        return Refused("fact_exists", "/id")
    if len(facts) >= limits.WORLD_STATE_MAX_FACTS.value:
        return Refused("fact_cap")
    known_by = operation.get("knownBy")
    if powers.trusted:
        if known_by is not None and not package.role_by_id.keys() >= set(known_by):
            return Refused("role_unknown", "/knownBy")
        fact = Fact(fact_id, operation["text"], None if known_by is None else tuple(known_by))
    else:
        if known_by is not None and not set(known_by) <= set(powers.seats):
            return Refused("known_by_absent", "/knownBy")
        fact = Fact(fact_id, operation["text"], powers.seats if known_by is None else tuple(known_by))
    draft.facts = (*facts, fact)
    return None


def _take_branch(package: StoryPackage, draft: _Draft, powers: Powers, operation: Operation) -> Refused | None:
    if not powers.may_branch:
        return Refused("branching_director")
    branch_id = operation["branchId"]
    if branch_id not in powers.options:
        return Refused("branch_not_open", "/branchId")
    taken = draft.at.branch_taken
    # The same branch taken again in the beat is agreement.
    if taken not in (None, branch_id):
        return Refused("branch_conflict", "/branchId")
    if taken is None:
        draft.at = take_branch(package, draft.at, branch_id)
    return None


def take_branch(package: StoryPackage, working: Working, branch_id: str) -> Working:
    """Follow a declared branch: the state moves to its target node. Whether it is open is not judged here."""
    branch = package.branch_by_id[branch_id]
    state = enter_node(working.state, branch.to_node_id)
    if branch_id not in state.taken_branches:
        state = replace(state, taken_branches=(*state.taken_branches, branch_id))
    return Working(state, branch_id, working.made)


def enter_node(state: State, node_id: str) -> State:
    """The state at another node, which is visited from now on."""
    visited = state.visited_nodes if node_id in state.visited_nodes else (*state.visited_nodes, node_id)
    return replace(state, node_id=node_id, visited_nodes=visited)


_Apply = Callable[[StoryPackage, _Draft, Powers, Operation], Refused | None]
_OPERATIONS: Mapping[str, _Apply] = {
    "setFlag": _set_flag,
    "putEntity": _put_entity,
    "removeEntity": _remove_entity,
    "setRelation": _set_relation,
    "removeRelation": _remove_relation,
    "addNote": _add_note,
    "removeNote": _remove_note,
    "establishFact": _establish_fact,
    "takeBranch": _take_branch,
}
