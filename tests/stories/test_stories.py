"""The stories that come along: sound, without a warning, and never stuck, whatever the roles do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.core.branching import judge_rules, open_branches
from storyworld.core.content import Judged, judge_package_bytes
from storyworld.core.ending import close_beat, view_of
from storyworld.core.playtest.draws import Draws
from storyworld.core.session import Story
from storyworld.core.state import EpisodeRun, State, initial_state
from storyworld.core.story import StoryPackage
from storyworld.core.world import Agent, Binding, Model, World
from storyworld.stories import DEFAULT_STORY, read_story, story_names

BEATS_MAX = 60
# The Chinese story has an interval, from which one may go out and come back: that is meant.
MEANT_WARNINGS = {"borrowed-voice": [("cycle", "interval")]}


def judged(name: str) -> Judged:
    return judge_package_bytes(read_story(name))


def package(name: str = DEFAULT_STORY) -> StoryPackage:
    content = judged(name).package
    assert content is not None
    return content


def cast(content: StoryPackage) -> Story:
    agents = (Agent(f"agt_{role.id}", role.name, "An actor.", Model("rehearsal")) for role in content.roles)
    bindings = tuple(Binding(role.id, agent) for role, agent in zip(content.roles, agents, strict=True))
    return Story(content, World("A night", "pkg_1", 1, "sha256:0", bindings), "sha256:1")


def stirred(state: State, story: Story, draws: Draws) -> State:
    """The state after roles have turned one flag and one relation as they liked, if the rules of the story allow it."""
    flags = dict(state.flags)
    flag = draws.pick(story.package.flags)
    if flag.type == "boolean":
        flags[flag.id] = draws.once_in(2)
    elif flag.type == "integer":
        flags[flag.id] = draws.between(0, 20)
    else:
        flags[flag.id] = draws.pick([role.id for role in story.package.roles])
    relation = draws.pick(state.relations)
    turned = replace(relation, value=draws.between(-100, 100))
    relations = tuple(turned if item is relation else item for item in state.relations)
    changed = replace(state, flags=flags, relations=relations)
    seen = view_of(story, changed, 1, has_seats=True)
    return state if judge_rules(story.package, story.conditions, seen).broken else changed


def played(story: Story, seed: int, state: State) -> tuple[str | None, int]:
    """How a run went by itself: the ending, and the beat that reached it. An option is taken in every third beat."""
    draws = Draws(seed)
    for beat in range(1, BEATS_MAX + 1):
        state = stirred(state, story, draws)
        options = open_branches(
            story.package, story.conditions, state, view_of(story, state, beat, has_seats=True)
        ).reported
        if options and beat % 3 == 0:
            option = draws.pick(options)
            state = replace(
                state,
                node_id=option.to_node_id,
                visited_nodes=tuple(dict.fromkeys((*state.visited_nodes, option.to_node_id))),
                taken_branches=(*state.taken_branches, option.branch_id),
            )
        closing = close_beat(story, state, beat, has_seats=True)
        state = closing.state
        if closing.ending is not None:
            return closing.ending["endingId"], beat
        if closing.episode_run is not None and "ended" in closing.episode_run:
            return closing.episode_run["ended"].get("endingId"), beat
    return None, BEATS_MAX


def last_node(content: StoryPackage) -> str:
    """The node where a story is over: the only one that nothing leads on from."""
    (last,) = (node.id for node in content.nodes if not content.branches_from.get(node.id))
    return last


@pytest.mark.parametrize("name", story_names())
def test_a_story_that_comes_along_has_no_problem_and_no_warning_that_is_not_meant(name: str) -> None:
    found = judged(name)
    assert found.problems == ()
    assert [(warning.code, warning.actual) for warning in found.warnings] == MEANT_WARNINGS.get(name, [])


def test_a_name_that_is_no_story_is_refused_with_the_names_that_are() -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no story 'missing'; there are .*eleven-tons"):
        read_story("missing")
    with pytest.raises(FileNotFoundError):
        read_story("../stories/eleven-tons")


@pytest.mark.parametrize("name", story_names())
def test_a_story_that_comes_along_uses_everything_that_a_package_can_have(name: str) -> None:
    content = package(name)
    assert len(content.roles) >= 6
    assert all(role.goals and role.secrets and role.voice for role in content.roles)
    assert len(content.nodes) >= 14
    assert len(content.branches) >= 18
    assert len(content.endings) >= 4
    assert {flag.type for flag in content.flags} == {"boolean", "integer", "text"}
    assert len(content.series) == 2
    assert all(episode.ending_rules for episode in content.series)
    assert content.rules
    assert any(relation.note for relation in content.initial_relations)
    assert content.canon
    assert any(fact.known_by is not None for fact in content.established_facts)


@pytest.mark.parametrize("name", story_names())
def test_from_every_node_but_the_last_a_way_is_always_open(name: str) -> None:
    content = package(name)
    for node in content.nodes:
        ways = [content.branch_conditions[branch.id] for branch in content.branches_from.get(node.id, ())]
        assert () in ways or node.id == last_node(content)


@pytest.mark.parametrize("name", story_names())
def test_whichever_way_leads_to_the_last_node_an_ending_holds_there(name: str) -> None:
    content = package(name)
    story = cast(content)
    last = last_node(content)
    for branch in content.branches:
        if branch.to_node_id == last:
            state = replace(initial_state(content), visited_nodes=(content.start_node_id, branch.from_node_id, last))
            assert close_beat(story, state, 1, has_seats=False).ending is not None, branch.id


@pytest.mark.parametrize("name", story_names())
def test_a_story_that_comes_along_reaches_every_ending_of_its_session_and_always_within_60_beats(name: str) -> None:
    story = cast(package(name))
    endings = [played(story, seed, initial_state(story.package)) for seed in range(700)]
    session_endings = set(story.package.ending_conditions) - {"still-talking"}
    assert session_endings <= {ending for ending, _ in endings}
    assert sum(beat for _, beat in endings) / len(endings) < BEATS_MAX * 2 / 3


@pytest.mark.parametrize("name", story_names())
def test_a_night_of_talk_ends_when_it_is_light(name: str) -> None:
    story = cast(package(name))
    closing = close_beat(story, initial_state(story.package), BEATS_MAX, has_seats=True)
    assert closing.ending == {"endingId": "still-talking"}


@pytest.mark.parametrize(
    ("name", "episode_id"), [(name, episode.id) for name in story_names() for episode in package(name).series]
)
def test_each_episode_of_a_story_that_comes_along_can_reach_each_of_its_endings(name: str, episode_id: str) -> None:
    story = cast(package(name))
    episode = story.package.episode_by_id[episode_id]
    start = replace(
        initial_state(story.package),
        node_id=episode.start_node_id,
        visited_nodes=tuple(dict.fromkeys((story.package.start_node_id, episode.start_node_id))),
        episode=EpisodeRun("run-1", episode_id, 0),
    )
    endings = {played(story, seed, start)[0] for seed in range(300)}
    assert {rule.ending_id for rule in episode.ending_rules} <= endings


@pytest.mark.parametrize("name", story_names())
def test_no_role_can_read_a_secret_of_another_in_what_every_role_is_given(name: str) -> None:
    content = package(name)
    shared = " ".join(
        [
            *(fact.text for fact in (*content.canon, *content.established_facts)),
            *(constraint.text for constraint in content.constraints),
            *(f"{node.title} {node.objective}" for node in content.nodes),
            *(f"{scene.title} {scene.description}" for scene in content.scenes),
            *(f"{branch.label} {branch.description}" for branch in content.branches),
        ]
    )
    assert [secret for role in content.roles for secret in role.secrets if secret in shared] == []


def test_half_a_load_of_salt_for_each_road_is_an_ending_even_where_nobody_arrived() -> None:
    content = package("eleven-tons")
    ending = close_beat(cast(content), replace(initial_state(content), visited_nodes=("morning",)), 1, has_seats=False)
    assert ending.ending == {"endingId": "glass"}


def test_in_the_interval_of_the_chinese_story_the_water_can_be_looked_at_again_and_again() -> None:
    story = cast(package("borrowed-voice"))
    for node_id, branch_id in (("interval", "look-at-the-water"), ("steps", "back-up-the-steps")):
        state = replace(initial_state(story.package), node_id=node_id, taken_branches=(branch_id,) * 3)
        seen = view_of(story, state, 9, has_seats=True)
        options = open_branches(story.package, story.conditions, state, seen).reported
        assert branch_id in [option.branch_id for option in options]


def test_in_the_chinese_story_the_water_never_falls_by_more_than_a_wave() -> None:
    story = cast(package("borrowed-voice"))
    state = initial_state(story.package)
    assert state.flags["steps-dry"] == 9
    for steps, broken in ((10, None), (11, "/constraints/0/rule"), (-1, "/constraints/0/rule")):
        seen = view_of(story, replace(state, flags={**state.flags, "steps-dry": steps}), 1, has_seats=True)
        assert judge_rules(story.package, story.conditions, seen).broken == broken
