"""What an author wrote: the values of a story package, and nothing that judges them.

This file owns the shape of a package in memory. It must not know limits, errors, schemas or conditions: whether
content may be published is decided once, on write, in `content`; what is stored is only read here, never judged again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

FlagValue = bool | int | str
FlagType = Literal["boolean", "integer", "text"]
ConditionSource = tuple[str, str]
"""Where a condition stands (a JSON Pointer into the package), and its text."""


@dataclass(frozen=True, slots=True)
class Role:
    """A character. Its description, goals, secrets and voice reach only its own prompt."""

    id: str
    name: str
    description: str
    goals: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    voice: str | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A place where nodes happen."""

    id: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the story. It is entered by a branch, when all its preconditions hold."""

    id: str
    scene_id: str
    title: str
    objective: str
    preconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A way from one node to another, open when its conditions and its target's preconditions hold."""

    id: str
    from_node_id: str
    to_node_id: str
    label: str
    description: str | None = None
    conditions: tuple[str, ...] = ()
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """A way the story can end. Without conditions it never happens by itself."""

    id: str
    title: str
    description: str
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so: canon, an established fact, or a fact of the running story.

    `known_by` names the roles that know it; `None` means every role.
    """

    id: str
    text: str
    known_by: tuple[str, ...] | None = None

    def is_known_to(self, role_id: str) -> bool:
        """Whether the text may stand in this role's prompt."""
        return self.known_by is None or role_id in self.known_by


@dataclass(frozen=True, slots=True)
class Constraint:
    """A law of the story. With a `rule`, the engine refuses every patch that would break it."""

    id: str
    text: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """A typed variable of the story."""

    id: str
    description: str
    type: FlagType
    initial: FlagValue


@dataclass(frozen=True, slots=True)
class Relation:
    """How one role stands to another: unique by (from, to, kind), its value from -100 to 100."""

    from_role_id: str
    to_role_id: str
    kind: str
    value: int
    note: str | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes the relation the same relation."""
        return (self.from_role_id, self.to_role_id, self.kind)


@dataclass(frozen=True, slots=True)
class EndingRule:
    """In an episode: the ending that is reached when all conditions hold."""

    ending_id: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Episode:
    """One part of the series, with its own start, budget (in beats that have seats) and ending rules."""

    id: str
    title: str
    objective: str
    start_node_id: str
    turn_budget: int
    ending_rules: tuple[EndingRule, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """What the story was made from: cited, never embedded."""

    title: str
    version: str


@dataclass(frozen=True)
class StoryPackage:
    """The content of one package revision. Order is the author's, and means something: seats and options follow it."""

    title: str
    language: str
    start_node_id: str
    roles: tuple[Role, ...]
    scenes: tuple[Scene, ...]
    nodes: tuple[Node, ...]
    branches: tuple[Branch, ...] = ()
    endings: tuple[Ending, ...] = ()
    established_facts: tuple[Fact, ...] = ()
    canon: tuple[Fact, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    flags: tuple[Flag, ...] = ()
    initial_relations: tuple[Relation, ...] = ()
    series: tuple[Episode, ...] = ()
    logline: str | None = None
    source: Source | None = None

    @cached_property
    def role_by_id(self) -> Mapping[str, Role]:
        """Roles by id, in the order of declaration."""
        return {role.id: role for role in self.roles}

    @cached_property
    def scene_by_id(self) -> Mapping[str, Scene]:
        """Scenes by id, in the order of declaration."""
        return {scene.id: scene for scene in self.scenes}

    @cached_property
    def node_by_id(self) -> Mapping[str, Node]:
        """Nodes by id, in the order of declaration."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def branch_by_id(self) -> Mapping[str, Branch]:
        """Branches by id, in the order of declaration."""
        return {branch.id: branch for branch in self.branches}

    @cached_property
    def flag_by_id(self) -> Mapping[str, Flag]:
        """Flags by id, in the order of declaration."""
        return {flag.id: flag for flag in self.flags}

    @cached_property
    def ending_by_id(self) -> Mapping[str, Ending]:
        """Endings by id, in the order of declaration."""
        return {ending.id: ending for ending in self.endings}

    @cached_property
    def episode_by_id(self) -> Mapping[str, Episode]:
        """Episodes by id, in the order of declaration."""
        return {episode.id: episode for episode in self.series}

    @cached_property
    def branches_from(self) -> Mapping[str, tuple[Branch, ...]]:
        """The branches that start at a node, in the order of declaration; nodes without any are absent."""
        found: dict[str, list[Branch]] = {}
        for branch in self.branches:
            found.setdefault(branch.from_node_id, []).append(branch)
        return {node_id: tuple(branches) for node_id, branches in found.items()}

    @cached_property
    def branch_conditions(self) -> Mapping[str, tuple[ConditionSource, ...]]:
        """For each branch, all that must hold for it to be open: its own conditions, then its target's
        preconditions.
        """
        places = {node.id: place for place, node in enumerate(self.nodes)}
        sources: dict[str, tuple[ConditionSource, ...]] = {}
        for index, branch in enumerate(self.branches):
            target = places[branch.to_node_id]
            sources[branch.id] = (
                *_sources(f"/branches/{index}/conditions", branch.conditions),
                *_sources(f"/nodes/{target}/preconditions", self.nodes[target].preconditions),
            )
        return sources

    @cached_property
    def ending_conditions(self) -> Mapping[str, tuple[ConditionSource, ...]]:
        """The conditions of each ending that has any, in the order of declaration."""
        return {
            ending.id: _sources(f"/endings/{index}/conditions", ending.conditions)
            for index, ending in enumerate(self.endings)
            if ending.conditions
        }

    @cached_property
    def rule_conditions(self) -> Mapping[str, tuple[tuple[str, tuple[ConditionSource, ...]], ...]]:
        """For each episode, its ending rules in order: the ending they reach and the conditions that must hold."""
        return {
            episode.id: tuple(
                (rule.ending_id, _sources(f"/series/{index}/endingRules/{place}/conditions", rule.conditions))
                for place, rule in enumerate(episode.ending_rules)
            )
            for index, episode in enumerate(self.series)
        }

    @cached_property
    def rules(self) -> tuple[ConditionSource, ...]:
        """The rules of all constraints that have one, in the order of declaration."""
        return tuple(
            (f"/constraints/{index}/rule", constraint.rule)
            for index, constraint in enumerate(self.constraints)
            if constraint.rule is not None
        )


def _sources(path: str, texts: tuple[str, ...]) -> tuple[ConditionSource, ...]:
    return tuple([(f"{path}/{index}", text) for index, text in enumerate(texts)]) if texts else ()


def read_package(value: Mapping[str, Any]) -> StoryPackage:
    """Turn normalized content (JSON values in camelCase) into a package. Stored content is trusted: nothing is
    judged.
    """
    source = value.get("source")
    return StoryPackage(
        title=value["title"],
        language=value["language"],
        logline=value.get("logline"),
        source=None if source is None else Source(source["title"], source["version"]),
        start_node_id=value["startNodeId"],
        roles=tuple(map(_read_role, value["roles"])),
        scenes=tuple(Scene(scene["id"], scene["title"], scene["description"]) for scene in value["scenes"]),
        nodes=tuple(map(_read_node, value["nodes"])),
        branches=tuple(map(_read_branch, value["branches"])),
        endings=tuple(map(_read_ending, value["endings"])),
        established_facts=tuple(map(read_fact, value["establishedFacts"])),
        canon=tuple(map(read_fact, value["canon"])),
        constraints=tuple(Constraint(item["id"], item["text"], item.get("rule")) for item in value["constraints"]),
        flags=tuple(Flag(flag["id"], flag["description"], flag["type"], flag["initial"]) for flag in value["flags"]),
        initial_relations=tuple(map(read_relation, value["initialRelations"])),
        series=tuple(map(_read_episode, value["series"])),
    )


def _read_role(value: Mapping[str, Any]) -> Role:
    return Role(
        id=value["id"],
        name=value["name"],
        description=value["description"],
        goals=tuple(value["goals"]),
        secrets=tuple(value["secrets"]),
        voice=value.get("voice"),
    )


def _read_node(value: Mapping[str, Any]) -> Node:
    return Node(
        id=value["id"],
        scene_id=value["sceneId"],
        title=value["title"],
        objective=value["objective"],
        preconditions=tuple(value["preconditions"]),
    )


def _read_branch(value: Mapping[str, Any]) -> Branch:
    return Branch(
        id=value["id"],
        from_node_id=value["fromNodeId"],
        to_node_id=value["toNodeId"],
        label=value["label"],
        description=value.get("description"),
        conditions=tuple(value["conditions"]),
        repeatable=value["repeatable"],
    )


def _read_ending(value: Mapping[str, Any]) -> Ending:
    return Ending(value["id"], value["title"], value["description"], tuple(value["conditions"]))


def _read_episode(value: Mapping[str, Any]) -> Episode:
    return Episode(
        id=value["id"],
        title=value["title"],
        objective=value["objective"],
        start_node_id=value["startNodeId"],
        turn_budget=value["turnBudget"],
        ending_rules=tuple(EndingRule(rule["endingId"], tuple(rule["conditions"])) for rule in value["endingRules"]),
    )


def read_fact(value: Mapping[str, Any]) -> Fact:
    """A fact from its JSON value; `knownBy` absent means that every role knows it."""
    known_by = value.get("knownBy")
    return Fact(value["id"], value["text"], None if known_by is None else tuple(known_by))


def read_relation(value: Mapping[str, Any]) -> Relation:
    """A relation from its JSON value."""
    return Relation(value["fromRoleId"], value["toRoleId"], value["kind"], value["value"], value.get("note"))
