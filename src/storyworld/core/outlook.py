"""What can still happen in a story, whatever its roles do: which nodes, branches and endings are possible at all.

It owns the reasoning about the graph of nodes and branches, and about conditions whose outcome is settled. Every answer
is safe: "impossible" is certain, "possible" only means that nothing rules it out. It must not know what is warned of.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from storyworld.core import limits
from storyworld.core.conditions import Conditions, References, view
from storyworld.core.state import initial_state
from storyworld.core.story import ConditionSource, StoryPackage

# Each round may rule out branches, which may rule out more in the next. Stopping early leaves some of them possible.
_ROUNDS: Final = 8


@dataclass(frozen=True, slots=True)
class _Moment:
    """What is settled of the past: the nodes that certainly were visited; the nodes and branches that may have been."""

    visited: frozenset[str]
    perhaps_visited: AbstractSet[str]
    perhaps_taken: AbstractSet[str]


class Outlook:
    """What is possible in one package.

    `reachable` are the nodes that a path may reach, from the start node or an episode's; `hidden` the branches that are
    never reported, since enough repeatable ones before them are always open; `possible_endings` those that may come.
    """

    def __init__(self, package: StoryPackage, conditions: Conditions) -> None:
        self._package = package
        self._settled = _Settled(package, conditions)
        self._starts = tuple(dict.fromkeys([package.start_node_id, *(item.start_node_id for item in package.series)]))
        self._impossible: set[str] = set()
        self._takeable: AbstractSet[str] = package.branch_by_id.keys()
        self.hidden: set[str] = set()
        self.reachable: AbstractSet[str] = frozenset()
        self._rule_out_branches()
        self._steps = self._possible_steps()
        self._before = self._nodes_before()
        self.possible_endings = frozenset(
            ending_id for ending_id, sources in self._ways_to_end() if not self._never(sources, None)
        )

    def outcome(self, text: str, node_id: str | None) -> bool | None:
        """What a condition says whenever it is asked, at one node if one is given; None where that may change."""
        return self._settled.outcome(text, self._moment(node_id))

    def is_dead_end(self, node_id: str) -> bool:
        """Whether no branch can ever lead on from a node, and no ending can be reached while the story stays there."""
        if any(branch.id not in self._impossible for branch in self._package.branches_from.get(node_id, ())):
            return False
        ways_to_end = [sources for _, sources in self._ways_to_end()]
        if not ways_to_end:
            return True
        before = _search([node_id], self._before)
        moment = replace(self._moment(node_id), perhaps_visited=before, perhaps_taken=self._taken_from(before))
        return all(self._never(sources, moment) for sources in ways_to_end)

    def cycles(self) -> Iterator[tuple[str, ...]]:
        """For each knot of nodes that lead back to each other, a shortest way around from the one declared first.

        Knots come in the order in which these first nodes are declared.
        """
        after = self._steps
        if not _leads_back(after):
            return
        knot_of = {node_id: knot for knot in _knots(self._package.node_by_id, after) for node_id in knot}
        told: set[str] = set()
        for node_id in self._package.node_by_id:
            if node_id in knot_of and node_id not in told:
                knot = knot_of[node_id]
                told |= knot
                yield _way_around(node_id, {start: [end for end in after[start] if end in knot] for start in knot})

    def _moment(self, node_id: str | None) -> _Moment:
        visited = {self._package.start_node_id} if node_id is None else {self._package.start_node_id, node_id}
        return _Moment(frozenset(visited), self.reachable, self._takeable)

    def _taken_from(self, nodes: AbstractSet[str]) -> AbstractSet[str]:
        """The branches that may have been taken by whoever has been at these nodes only."""
        return {b.id for b in self._package.branches if b.id not in self._impossible and b.from_node_id in nodes}

    def _possible_steps(self) -> Mapping[str, Sequence[str]]:
        """By reachable node, where the branches lead that may be taken from it."""
        branches_from = self._package.branches_from
        return {
            node_id: [b.to_node_id for b in branches_from.get(node_id, ()) if b.id not in self._impossible]
            for node_id in self._package.node_by_id
            if node_id in self.reachable
        }

    def _rule_out_branches(self) -> None:
        """Rule out branches until no more follow: those with a condition that never holds, and those never reported."""
        self.reachable = self._package.node_by_id.keys()
        for _ in range(_ROUNDS):
            self.reachable = _search(self._starts, self._possible_steps())
            self._takeable = self._taken_from(self.reachable)
            ruled_out = {branch_id for node_id in self.reachable for branch_id in self._ruled_out_at(node_id)}
            if ruled_out <= self._impossible:
                return
            self._impossible |= ruled_out

    def _ruled_out_at(self, node_id: str) -> Iterator[str]:
        branches = self._package.branches_from.get(node_id, ())
        options_max = limits.WORLD_MAX_BRANCH_OPTIONS.value
        if len(branches) <= options_max and not any(self._package.branch_conditions[b.id] for b in branches):
            return
        moment = self._moment(node_id)
        always_open = 0
        for branch in branches:
            sources = self._package.branch_conditions[branch.id]
            outcomes = {self._settled.outcome(text, moment) for _, text in sources}
            if always_open >= options_max:
                self.hidden.add(branch.id)
                yield branch.id
            elif False in outcomes:
                yield branch.id
            elif branch.repeatable and outcomes <= {True}:
                always_open += 1

    def _nodes_before(self) -> Mapping[str, Sequence[str]]:
        """By node, the nodes from which a single step may lead to it; an episode can be started from anywhere."""
        before: dict[str, list[str]] = {node_id: [] for node_id in self.reachable}
        for node_id, targets in self._steps.items():
            for target in targets:
                before[target].append(node_id)
        for episode in self._package.series:
            before[episode.start_node_id].extend(self.reachable)
        return before

    def _ways_to_end(self) -> Iterator[tuple[str, tuple[ConditionSource, ...]]]:
        yield from self._package.ending_conditions.items()
        for rules in self._package.rule_conditions.values():
            yield from rules

    def _never(self, sources: Sequence[ConditionSource], moment: _Moment | None) -> bool:
        at = self._moment(None) if moment is None else moment
        return any(self._settled.outcome(text, at) is False for _, text in sources)


class _Settled:
    """The outcomes of conditions that read nothing but what is settled."""

    def __init__(self, package: StoryPackage, conditions: Conditions) -> None:
        self._package = package
        self._conditions = conditions
        self._established = {fact.id for fact in package.established_facts}
        self._references: dict[str, References | None] = {}
        self._outcomes: dict[tuple[str, frozenset[str]], bool] = {}

    def outcome(self, text: str, moment: _Moment) -> bool | None:
        """What the condition says at such a moment, whatever else happens; None where that is not settled."""
        read = self._read(text)
        if read is None:
            return None
        visited = read.nodes & moment.visited
        if (read.nodes - visited) & moment.perhaps_visited or read.branches & moment.perhaps_taken:
            return None
        key = (text, visited)
        if key not in self._outcomes:
            state = replace(initial_state(self._package), visited_nodes=tuple(visited))
            seen = view(state, self._package, 0, 0)
            self._outcomes[key] = self._conditions.judge((("", text),), seen).holds
        return self._outcomes[key]

    def _read(self, text: str) -> References | None:
        """What a condition reads; None where a role or an event can change some of it at any time."""
        if text not in self._references:
            read = self._conditions.references(text)
            changes = read.flags or read.entities or read.relations or read.uses_beat or read.facts - self._established
            self._references[text] = None if changes else read
        return self._references[text]


def _search(
    starts: Sequence[str], after: Mapping[str, Sequence[str]], without: AbstractSet[str] = frozenset()
) -> AbstractSet[str]:
    """All that can be reached from the starts, these included, without passing through some."""
    found = set(starts)
    waiting = list(starts)
    while waiting:
        for target in after.get(waiting.pop(), ()):
            if target not in found and target not in without:
                found.add(target)
                waiting.append(target)
    return found


def _leads_back(after: Mapping[str, Sequence[str]]) -> bool:
    """Whether any nodes lead back to each other. Those to which no way leads are taken away, until none is left."""
    ways_to = Counter(chain.from_iterable(after.values()))
    waiting = [node_id for node_id in after if node_id not in ways_to]
    taken_away = 0
    while waiting:
        taken_away += 1
        for target in after[waiting.pop()]:
            ways_to[target] -= 1
            if not ways_to[target]:
                waiting.append(target)
    return taken_away < len(after)


def _knots(nodes: Mapping[str, object], after: Mapping[str, Sequence[str]]) -> Iterator[AbstractSet[str]]:
    """The sets of nodes that lead back to each other (strongly connected, with a cycle), after Kosaraju."""
    before: dict[str, list[str]] = {}
    for node_id, targets in after.items():
        for target in targets:
            before.setdefault(target, []).append(node_id)
    placed: set[str] = set()
    for node_id in reversed(_finished(nodes, after)):
        if node_id not in placed:
            knot = _search([node_id], before, without=placed)
            placed |= knot
            if len(knot) > 1 or node_id in after.get(node_id, ()):
                yield knot


def _finished(nodes: Mapping[str, object], after: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes in the order in which a depth-first walk is done with them."""
    done: list[str] = []
    seen: set[str] = set()
    for start in nodes:
        if start in seen:
            continue
        seen.add(start)
        walk = [(start, iter(after.get(start, ())))]
        while walk:
            node_id, targets = walk[-1]
            target = next((target for target in targets if target not in seen), None)
            if target is None:
                done.append(node_id)
                walk.pop()
            else:
                seen.add(target)
                walk.append((target, iter(after.get(target, ()))))
    return done


def _way_around(first: str, after: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """A shortest way from a node back to itself, without its return; there is one."""
    came_from: dict[str, str] = {}
    waiting = deque([first])
    while first not in came_from:
        node_id = waiting.popleft()
        for target in after[node_id]:
            if target not in came_from:
                came_from[target] = node_id
                waiting.append(target)
    way = [came_from[first]]
    while way[-1] != first:
        way.append(came_from[way[-1]])
    return tuple(reversed(way))
