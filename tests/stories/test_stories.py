"""The stories that come along: sound, without a warning, and never stuck, whatever the roles do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.core.branching import open_branches
from storyworld.core.content import Judged, judge_package_bytes
from storyworld.core.ending import close_beat, view_of
from storyworld.core.playtest.draws import Draws
from storyworld.core.session import Story
from storyworld.core.state import EpisodeRun, State, initial_state
from storyworld.core.story import StoryPackage
from storyworld.core.world import Agent, Binding, Model, World
from storyworld.stories import DEFAULT_STORY, read_story, story_names

BEATS_MAX = 60


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
    """The state after roles have turned one flag and one relation as they liked, within the rules of the story."""
    flags = dict(state.flags)
    flag = draws.pick(story.package.flags)
    if flag.type == "boolean":
        flags[flag.id] = draws.once_in(2)
    elif flag.type == "integer":
        flags[flag.id] = draws.between(0, 20)
    else:
        flags[flag.id] = draws.pick([role.id for role in story.package.roles if role.id != "joss"])
    relation = draws.pick(state.relations)
    turned = replace(relation, value=draws.between(-100, 100))
    return replace(
        state, flags=flags, relations=tuple(turned if item is relation else item for item in state.relations)
    )


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


@pytest.mark.parametrize("name", story_names())
def test_a_story_that_comes_along_has_no_problem_and_no_warning(name: str) -> None:
    assert (judged(name).problems, judged(name).warnings) == ((), ())


def test_a_name_that_is_no_story_is_refused_with_the_names_that_are() -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no story 'missing'; there are .*eleven-tons"):
        read_story("missing")
    with pytest.raises(FileNotFoundError):
        read_story("../stories/eleven-tons")


def test_the_default_story_uses_everything_that_a_package_can_have() -> None:
    content = package()
    assert len(content.roles) >= 6
    assert all(role.goals and role.secrets and role.voice for role in content.roles)
    assert len(content.nodes) >= 14
    assert len(content.branches) >= 18
    assert len(content.endings) >= 4
    assert {flag.type for flag in content.flags} == {"boolean", "integer", "text"}
    assert len(content.series) == 2
    assert all(episode.ending_rules for episode in content.series)
    assert content.rules
    assert content.initial_relations
    assert content.canon
    assert any(fact.known_by is not None for fact in content.established_facts)


def test_from_every_node_of_the_default_story_a_way_is_always_open_until_an_ending_holds() -> None:
    content = package()
    ending = close_beat(cast(content), replace(initial_state(content), visited_nodes=("morning",)), 1, has_seats=False)
    assert ending.ending == {"endingId": "glass"}
    for node in content.nodes:
        ways = [content.branch_conditions[branch.id] for branch in content.branches_from.get(node.id, ())]
        assert () in ways or node.id == "morning"


def test_the_default_story_reaches_every_ending_of_its_session_and_always_within_60_beats() -> None:
    story = cast(package())
    endings = [played(story, seed, initial_state(story.package)) for seed in range(700)]
    session_endings = set(story.package.ending_conditions) - {"still-talking"}
    assert session_endings <= {ending for ending, _ in endings}
    assert sum(beat for _, beat in endings) / len(endings) < BEATS_MAX * 2 / 3


def test_a_night_of_talk_ends_when_it_is_light() -> None:
    story = cast(package())
    closing = close_beat(story, initial_state(story.package), BEATS_MAX, has_seats=True)
    assert closing.ending == {"endingId": "still-talking"}


@pytest.mark.parametrize("episode_id", [episode.id for episode in package().series])
def test_each_episode_of_the_default_story_can_reach_each_of_its_endings(episode_id: str) -> None:
    story = cast(package())
    episode = story.package.episode_by_id[episode_id]
    start = replace(
        initial_state(story.package),
        node_id=episode.start_node_id,
        visited_nodes=(story.package.start_node_id, episode.start_node_id),
        episode=EpisodeRun("run-1", episode_id, 0),
    )
    endings = {played(story, seed, start)[0] for seed in range(300)}
    assert {rule.ending_id for rule in episode.ending_rules} <= endings


def test_no_role_of_the_default_story_can_read_a_secret_of_another_in_what_every_role_is_given() -> None:
    content = package()
    shared = " ".join(
        [
            *(fact.text for fact in (*content.canon, *content.established_facts)),
            *(constraint.text for constraint in content.constraints),
            *(node.objective for node in content.nodes),
            *(f"{branch.label} {branch.description}" for branch in content.branches),
        ]
    )
    assert [secret for role in content.roles for secret in role.secrets if secret in shared] == []
