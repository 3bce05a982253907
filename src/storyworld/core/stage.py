"""A beat that has begun: the trigger has acted, the options are worked out, and the seats are filled.

Opening a beat is pure and cheap, so it is done once before the first call and again in every replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from storyworld.core import limits
from storyworld.core.branching import Options, judge_rules, open_branches
from storyworld.core.ending import view_of
from storyworld.core.errors import Refusal, problem, refusal
from storyworld.core.patch import Fallen, Powers, Working, apply_operations, enter_node, propose, take_branch
from storyworld.core.seating import Seating, fill_seats
from storyworld.core.session import Head, Story
from storyworld.core.state import EpisodeRun, State
from storyworld.core.trigger import EpisodeStart, Event, Moving, Turn
from storyworld.core.unchanging import unchanging


@unchanging
class Stage:
    """All that is fixed before the first call of a beat.

    `working` holds the state after the trigger; `options` are those that stand in every prompt of the beat: none when
    the trigger took a branch, or when only the director takes them.
    """

    story: Story
    head: Head
    trigger: Moving
    beat: int
    working: Working
    effects: int
    options: Options
    seating: Seating
    failed: tuple[str, ...]

    @property
    def state(self) -> State:
        """The state after the trigger acted, before any role spoke."""
        return self.working.state


def open_beat(
    story: Story, head: Head, trigger: Moving, *, seats_max: int = limits.WORLD_TURN_MAX_ROLES.value
) -> Stage | Refusal:
    """Let the trigger act and fill the seats; or say why nothing happens.

    Refusals: `session_ended`; for a choice `branch_not_offered` and `rule_broken`; for an event `effects_refused` with
    the effect at fault; for a human's line `line_without_seat`.
    """
    if head.status == "ended":
        return refusal("session_ended")
    seating = fill_seats(story, trigger, seats_max=seats_max)
    unseated = [role_id for role_id in trigger.lines if role_id not in seating.seats]
    if unseated:
        problems = tuple(problem("line_without_seat", f"/lines/{role_id}", actual=role_id) for role_id in unseated)
        return refusal("trigger_refused", problems=problems)
    beat = head.beat + 1
    acted = _act(story, head, trigger, beat, has_seats=bool(seating.seats))
    if isinstance(acted, Refusal):
        return acted
    working, failed = acted
    options = Options()
    if working.branch_taken is None and story.world.settings.branching == "roles" and seating.seats:
        seen = view_of(story, working.state, beat, has_seats=True)
        options = open_branches(story.package, story.conditions, working.state, seen)
    effects = len(trigger.effects) if isinstance(trigger, Event) else 0
    return Stage(story, head, trigger, beat, working, effects, options, seating, (*failed, *options.failed))


_Acted = tuple[Working, tuple[str, ...]]


def _act(story: Story, head: Head, trigger: Moving, beat: int, *, has_seats: bool) -> _Acted | Refusal:
    if isinstance(trigger, Event):
        return (
            _apply_effects(story, head, trigger.effects, beat, has_seats=has_seats)
            if trigger.effects
            else (
                Working(head.state),
                (),
            )
        )
    if trigger.kind == "choice":
        return _choose(story, head, trigger, beat)
    return Working(head.state), ()


def _choose(story: Story, head: Head, turn: Turn, beat: int) -> _Acted | Refusal:
    branch_id = turn.branch_id
    assert branch_id is not None
    offered = [option.branch_id for option in head.options]
    if branch_id not in offered:
        return refusal("branch_not_offered", branch=branch_id, facts={"branchId": branch_id, "offered": offered})
    working = take_branch(story.package, Working(head.state), branch_id)
    rules = judge_rules(story.package, story.conditions, view_of(story, working.state, beat, has_seats=True))
    if rules.broken is not None:
        return refusal("rule_broken", facts={"path": rules.broken}, path=rules.broken)
    return working, rules.failed


def _apply_effects(
    story: Story, head: Head, effects: Sequence[Mapping[str, Any]], beat: int, *, has_seats: bool
) -> _Acted | Refusal:
    powers = Powers(role_id=None, options=tuple(option.branch_id for option in head.options))
    applied = apply_operations(story.package, Working(head.state), [propose(powers, effect) for effect in effects])
    if isinstance(applied, Fallen):
        path = f"/effects/{applied.index}{applied.refused.path or ''}"
        return refusal("effects_refused", problems=(problem(applied.refused.code, path, role=path),))
    rules = judge_rules(story.package, story.conditions, view_of(story, applied.state, beat, has_seats=has_seats))
    if rules.broken is not None:
        return refusal("effects_refused", problems=(problem("rule_broken", rules.broken),))
    return applied, rules.failed


def start_episode(story: Story, head: Head, start: EpisodeStart) -> tuple[State, tuple[str, ...]] | Refusal:
    """The state in which an episode run begins: at its start node, all else as it was.

    Refusals: `session_ended`, `episode_unknown`, `episode_running`, `rule_broken`.
    """
    if head.status == "ended":
        return refusal("session_ended")
    episode = story.package.episode_by_id.get(start.episode_id)
    if episode is None:
        return refusal("episode_unknown", episode=start.episode_id, facts={"episodeId": start.episode_id})
    if head.state.episode is not None:
        running = head.state.episode.episode_run_id
        return refusal("episode_running", run=running, facts={"episodeRunId": running})
    entered = enter_node(head.state, episode.start_node_id)
    state = replace(entered, episode=EpisodeRun(start.episode_run_id, episode.id, 0))
    rules = judge_rules(story.package, story.conditions, view_of(story, state, head.beat + 1, has_seats=False))
    if rules.broken is not None:
        return refusal("rule_broken", facts={"path": rules.broken}, path=rules.broken)
    return state, rules.failed
