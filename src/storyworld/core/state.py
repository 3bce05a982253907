"""The state of a running story: plain values, their JSON shape and their digest. `patch` changes it, nothing else
does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.kept import kept
from storyworld.core.story import Fact, FlagValue, Relation, StoryPackage, read_fact, read_relation
from storyworld.core.unchanging import unchanging

AttributeValue = bool | int | str


@unchanging
class Entity:
    """A thing of the story: a boat, a letter. It is replaced whole and keeps its place."""

    id: str
    kind: str
    name: str
    attributes: Mapping[str, AttributeValue]


@unchanging
class Note:
    """What a role wrote down for itself; its id is `n1`, `n2`, … within the role."""

    id: str
    text: str


@unchanging
class EpisodeRun:
    """The running play of one episode. `beats_used` counts its beats that had seats."""

    episode_run_id: str
    episode_id: str
    beats_used: int


@unchanging
class State:
    """All that a beat can change. `visited_nodes` and `taken_branches` hold each id once, in order of first time."""

    flags: Mapping[str, FlagValue]
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    notes: Mapping[str, tuple[Note, ...]]
    facts: tuple[Fact, ...]
    node_id: str
    visited_nodes: tuple[str, ...]
    taken_branches: tuple[str, ...]
    ending_id: str | None = None
    episode: EpisodeRun | None = None


def initial_state(package: StoryPackage) -> State:
    """The state at beat 0: flags and relations as declared, at the start node, all else empty."""
    return State(
        flags={flag.id: flag.initial for flag in package.flags},
        entities=(),
        relations=package.initial_relations,
        notes={},
        facts=(),
        node_id=package.start_node_id,
        visited_nodes=(package.start_node_id,),
        taken_branches=(),
    )


def write_state(state: State) -> dict[str, Any]:
    """The state as a JSON value; what is absent is left out."""
    parts = ((part, part.of(state)) for part in _PARTS)
    return {part.name: part.write(held) for part, held in parts if held is not None}


def read_state(value: Mapping[str, Any]) -> State:
    """A state from its stored JSON value. It is trusted: nothing is judged, also where today's caps are lower."""
    episode = value.get("episode")
    return State(
        flags=dict(value["flags"]),
        entities=tuple(
            Entity(item["id"], item["kind"], item["name"], dict(item["attributes"])) for item in value["entities"]
        ),
        relations=tuple(map(read_relation, value["relations"])),
        notes={
            role_id: tuple(Note(note["id"], note["text"]) for note in notes)
            for role_id, notes in value["notes"].items()
        },
        facts=tuple(map(read_fact, value["facts"])),
        node_id=value["nodeId"],
        visited_nodes=tuple(value["visitedNodes"]),
        taken_branches=tuple(value["takenBranches"]),
        ending_id=value.get("endingId"),
        episode=None
        if episode is None
        else EpisodeRun(episode["episodeRunId"], episode["episodeId"], episode["beatsUsed"]),
    )


def state_digest(state: State) -> str:
    """The digest of the canonical object {top-level field: digest of its canonical bytes}.

    A beat changes few of these fields, and what it leaves alone is the same object as before: its digest is kept.
    """
    parts = ((part, part.of(state)) for part in _PARTS)
    return digest(
        canonical_bytes({part.name: _digest_of(part.write, held) for part, held in parts if held is not None})
    )


def write_episode_run(run: EpisodeRun) -> dict[str, Any]:
    """An episode run as a JSON value."""
    return {"episodeRunId": run.episode_run_id, "episodeId": run.episode_id, "beatsUsed": run.beats_used}


def write_relation(relation: Relation) -> dict[str, Any]:
    """A relation as a JSON value."""
    value: dict[str, Any] = {
        "fromRoleId": relation.from_role_id,
        "toRoleId": relation.to_role_id,
        "kind": relation.kind,
        "value": relation.value,
    }
    if relation.note is not None:
        value["note"] = relation.note
    return value


def write_fact(fact: Fact) -> dict[str, Any]:
    """A fact as a JSON value."""
    value: dict[str, Any] = {"id": fact.id, "text": fact.text}
    if fact.known_by is not None:
        value["knownBy"] = list(fact.known_by)
    return value


def _write_entity(entity: Entity) -> dict[str, Any]:
    return {"id": entity.id, "kind": entity.kind, "name": entity.name, "attributes": dict(entity.attributes)}


def _write_notes(notes: Mapping[str, tuple[Note, ...]]) -> dict[str, Any]:
    return {role_id: [{"id": note.id, "text": note.text} for note in kept] for role_id, kept in notes.items()}


@kept
def _digest_of(write: Callable[[Any], object], held: object) -> str:
    return digest(canonical_bytes(write(held)))


class _Part(NamedTuple):
    """A top-level field of a written state: where a state holds it, None where it is absent, and how it is written."""

    name: str
    of: Callable[[State], Any]
    write: Callable[[Any], object]


_PARTS: Final = (
    _Part("flags", lambda state: state.flags, dict),
    _Part("entities", lambda state: state.entities, lambda entities: list(map(_write_entity, entities))),
    _Part("relations", lambda state: state.relations, lambda relations: list(map(write_relation, relations))),
    _Part("notes", lambda state: state.notes, _write_notes),
    _Part("facts", lambda state: state.facts, lambda facts: list(map(write_fact, facts))),
    _Part("nodeId", lambda state: state.node_id, str),
    _Part("visitedNodes", lambda state: state.visited_nodes, list),
    _Part("takenBranches", lambda state: state.taken_branches, list),
    _Part("endingId", lambda state: state.ending_id, str),
    _Part("episode", lambda state: state.episode, write_episode_run),
)
