"""Which branches are open, which of them are reported, and whether the story's rules hold.

This file owns reachability. It must not know seats, prompts or who takes a branch.
"""

from __future__ import annotations

from typing import Any

from storyworld.core import limits
from storyworld.core.conditions import Conditions, View
from storyworld.core.state import State
from storyworld.core.story import StoryPackage
from storyworld.core.unchanging import unchanging


@unchanging
class BranchOption:
    """A branch that can be taken now, as it is reported."""

    branch_id: str
    label: str
    to_node_id: str

    def to_json(self) -> dict[str, Any]:
        """The entry of the beat record."""
        return {"branchId": self.branch_id, "label": self.label, "toNodeId": self.to_node_id}


@unchanging
class Options:
    """The first open branches in declaration order, how many more there are, and the conditions that failed to
    evaluate.
    """

    reported: tuple[BranchOption, ...] = ()
    more: int = 0
    failed: tuple[str, ...] = ()


def open_branches(package: StoryPackage, conditions: Conditions, state: State, view: View) -> Options:
    """The branches that are reachable and not completed.

    A branch is reachable when it starts at the current node and its conditions and its target's preconditions hold; it
    is completed once taken, unless it is repeatable. The first `WORLD_MAX_BRANCH_OPTIONS` are reported.
    """
    reported: list[BranchOption] = []
    failed: list[str] = []
    more = 0
    for branch in package.branches_from.get(state.node_id, ()):
        if branch.id in state.taken_branches and not branch.repeatable:
            continue
        verdict = conditions.judge(package.branch_conditions[branch.id], view)
        failed.extend(verdict.failed)
        if not verdict.holds:
            continue
        if len(reported) < limits.WORLD_MAX_BRANCH_OPTIONS.value:
            reported.append(BranchOption(branch.id, branch.label, branch.to_node_id))
        else:
            more += 1
    return Options(tuple(reported), more, tuple(failed))


@unchanging
class RulesVerdict:
    """Whether every constraint's rule holds; `broken` is the JSON Pointer of the first that does not."""

    broken: str | None
    failed: tuple[str, ...]


def judge_rules(package: StoryPackage, conditions: Conditions, view: View) -> RulesVerdict:
    """Judge the rules of all constraints, in the order of declaration, against one state."""
    failed: list[str] = []
    for source in package.rules:
        verdict = conditions.judge((source,), view)
        failed.extend(verdict.failed)
        if not verdict.holds:
            return RulesVerdict(source[0], tuple(failed))
    return RulesVerdict(None, tuple(failed))
