"""Facts about casts: which worlds and agents may be published, and what is told about those that may not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.canonical import digest, parse
from storyworld.core.casting import JudgedWorld, judge_agent, judge_world
from storyworld.core.limits.limit import Limit
from storyworld.core.prompt_size import LargestPrompts
from storyworld.core.story import Node, Role, Scene, StoryPackage
from storyworld.core.world import Agent, Model, Settings, read_world, write_world

DIGEST = "sha256:" + "0" * 64


def package_of(count: int) -> StoryPackage:
    return StoryPackage(
        title="The Ferry",
        language="en",
        start_node_id="quay",
        roles=tuple(Role(f"role-{number}", f"Role {number}", "Waits for the ferry.") for number in range(count)),
        scenes=(Scene("harbour", "The harbour", "Fog."),),
        nodes=(Node("quay", "harbour", "The quay", "Find the lamp."),),
    )


def agents_of(count: int, **fields: Any) -> Mapping[str, Agent]:
    return {
        f"agt_{number}": Agent(f"agt_{number}", "Player", "Speaks softly.", Model("rehearsal"), **fields)
        for number in range(count)
    }


def world_of(count: int, **fields: Any) -> dict[str, Any]:
    return {
        "name": "House cast",
        "packageId": "pkg_1",
        "packageRevision": 3,
        "roles": [{"roleId": f"role-{number}", "agentId": f"agt_{number}"} for number in range(count)],
        **fields,
    }


def judged(world: object, roles: int = 3, agents: int = 24) -> JudgedWorld:
    return judge_world(world, package_of(roles), DIGEST, agents_of(agents))


def told(result: JudgedWorld) -> list[tuple[str, str]]:
    assert (result.world, result.canonical, result.digest) == (None, b"", "")
    return [(found.code, found.path) for found in result.problems]


def test_a_world_is_published_with_its_agents_copied_in() -> None:
    world = world_of(3, settings={"memoryBeats": 0, "branching": "director", "focus": "mentions"})
    world["roles"][1]["subscriptions"] = ["bell", "flood"]
    result = judged(world)
    assert (result.problems, result.more_problems, result.warnings) == ((), 0, ())
    assert result.world is not None
    assert result.world.package_digest == DIGEST
    assert result.world.settings == Settings(0, "director", "mentions")
    assert result.world.binding_by_role["role-1"].agent == agents_of(24)["agt_1"]
    assert result.world.binding_by_role["role-1"].subscriptions == ("bell", "flood")
    assert result.digest == digest(result.canonical)
    assert read_world(parse(result.canonical)) == result.world
    assert parse(result.canonical) == write_world(result.world)


def test_absent_subscriptions_and_settings_are_written_out() -> None:
    short = judged(world_of(1), roles=1)
    world = world_of(1, settings={"memoryBeats": 12, "branching": "roles", "focus": "declared"})
    world["roles"][0]["subscriptions"] = []
    assert short.digest == judged(world, roles=1).digest
    assert short.digest == judged(world_of(1, settings={"focus": "declared"}), roles=1).digest


def test_a_name_is_normalized_and_what_was_sent_stays_as_it_was() -> None:
    world = world_of(1, name=" House cast\r\n")
    assert judged(world, roles=1).digest == judged(world_of(1), roles=1).digest
    assert world == world_of(1, name=" House cast\r\n")


def test_the_order_of_a_world_is_kept() -> None:
    world = world_of(3)
    world["roles"].reverse()
    result = judged(world)
    assert result.world is not None
    assert [binding.role_id for binding in result.world.bindings] == ["role-2", "role-1", "role-0"]


def test_a_world_of_24_roles_is_published_and_one_of_25_is_refused() -> None:
    most = limits.WORLD_MAX_ROLES.value
    assert judged(world_of(most), roles=most).problems == ()
    result = judge_world(world_of(most + 1), package_of(most + 1), DIGEST, agents_of(most + 1))
    assert [found.message for found in result.problems] == ["roles exceeds 24"]
    assert (result.problems[0].limit, result.problems[0].actual) == (24, 25)


def test_every_role_of_the_package_must_be_bound() -> None:
    result = judged(world_of(1))
    assert told(result) == [("role_not_bound", "/roles"), ("role_not_bound", "/roles")]
    assert [found.actual for found in result.problems] == ["role-1", "role-2"]
    assert result.problems[0].message == "roles lacks the role role-1; every role of the story package must be bound"


def test_only_roles_of_the_package_can_be_bound() -> None:
    result = judged(world_of(4))
    assert told(result) == [("role_not_in_package", "/roles/3/roleId")]
    assert result.problems[0].actual == "role-3"


def test_a_role_is_bound_once() -> None:
    world = world_of(3)
    world["roles"].append({"roleId": "role-1", "agentId": "agt_7"})
    result = judged(world)
    assert told(result) == [("role_bound_twice", "/roles/3/roleId")]
    assert "after roles/1;" in result.problems[0].message


def test_an_agent_that_the_project_does_not_have_is_refused() -> None:
    result = judged(world_of(3), agents=2)
    assert told(result) == [("agent_unknown", "/roles/2/agentId")]
    assert result.problems[0].actual == "agt_2"


def test_one_agent_in_two_roles_is_refused_naming_the_agent_and_both_roles() -> None:
    world = world_of(3)
    world["roles"][2]["agentId"] = "agt_0"
    result = judged(world)
    assert told(result) == [("agent_bound_twice", "/roles/2/agentId")]
    assert result.problems[0].message == (
        "roles/2/agentId binds the agent agt_0 to role-2, after role-0; an agent performs 1 role"
    )
    assert (result.problems[0].limit, result.problems[0].actual) == (limits.WORLD_AGENTS_PER_ROLE.value, "agt_0")


def test_the_same_binding_twice_is_one_role_too_many_and_not_one_agent_too_many() -> None:
    world = world_of(3)
    world["roles"].append(world["roles"][0])
    assert told(judged(world)) == [("role_bound_twice", "/roles/3/roleId")]


def test_an_agent_in_a_binding_whose_role_cannot_be_read_is_named_by_its_place() -> None:
    world = world_of(3)
    world["roles"].append({"roleId": "Not An Id", "agentId": "agt_0", "subscriptions": ["bell"]})
    result = judged(world)
    assert ("agent_bound_twice", "/roles/3/agentId") in told(result)
    assert "to roles/3, after role-0" in result.problems[-1].message
    assert all("Not An Id" not in str(found.to_json()) for found in result.problems)


def test_an_event_that_wakes_5_roles_is_published_and_one_that_would_wake_6_is_refused_naming_it() -> None:
    world = world_of(6)
    most = limits.WORLD_MAX_ROLES_PER_EVENT.value
    for role in world["roles"][:most]:
        role["subscriptions"] = ["flood", "bell"]
    assert judged(world, roles=6).problems == ()
    world["roles"][5]["subscriptions"] = ["bell"]
    result = judged(world, roles=6)
    assert told(result) == [("event_wakes_too_many", "/roles")]
    assert result.problems[0].message == (
        "event bell wakes 6 roles (role-0, role-1, role-2, role-3, role-4, role-5); the limit is 5"
    )
    assert (result.problems[0].limit, result.problems[0].actual) == (5, 6)
    assert limits.MAX_EVENT_FANOUT.value == result.problems[0].limit


def test_a_role_subscribes_to_an_event_once() -> None:
    world = world_of(3)
    world["roles"][1]["subscriptions"] = ["bell", "flood", "bell"]
    result = judged(world)
    assert told(result) == [("subscription_twice", "/roles/1/subscriptions/2")]
    assert result.problems[0].actual == "bell"


def test_a_role_subscribes_to_20_event_types_and_no_more() -> None:
    most = limits.WORLD_MAX_SUBSCRIPTIONS_PER_ROLE.value
    world = world_of(1)
    world["roles"][0]["subscriptions"] = [f"event-{number}" for number in range(most)]
    assert judged(world, roles=1).problems == ()
    world["roles"][0]["subscriptions"].append("bell")
    assert [found.message for found in judged(world, roles=1).problems] == ["roles/0/subscriptions exceeds 20"]


def test_a_role_remembers_50_beats_and_no_more() -> None:
    most = limits.WORLD_MAX_MEMORY_BEATS.value
    assert judged(world_of(1, settings={"memoryBeats": most}), roles=1).problems == ()
    result = judged(world_of(1, settings={"memoryBeats": most + 1}), roles=1)
    assert [found.message for found in result.problems] == ["settings/memoryBeats exceeds 50"]


def test_a_name_of_200_characters_is_taken_and_one_of_201_is_refused() -> None:
    most = limits.WORLD_MAX_NAME_CHARS.value
    assert judged(world_of(1, name="夜" * most), roles=1).problems == ()
    result = judged(world_of(1, name="夜" * (most + 1)), roles=1)
    assert [found.message for found in result.problems] == ["name exceeds 200 characters"]


def test_every_problem_of_a_world_is_told_at_once() -> None:
    world = world_of(6, extra=1)
    for role in world["roles"]:
        role["subscriptions"] = ["bell"]
    world["roles"][1]["agentId"] = "agt_0"
    world["roles"][2]["agentId"] = "nobody"
    codes = [found.code for found in judged(world, roles=7).problems]
    assert codes == ["event_wakes_too_many", "role_not_bound", "agent_bound_twice", "agent_unknown", "field_unknown"]


@pytest.mark.parametrize(
    "world",
    [
        None,
        [],
        {},
        {"roles": None, "settings": None},
        world_of(0, roles=[1, [], {"subscriptions": 5}, {"roleId": 1, "agentId": {}, "subscriptions": [1, "No"]}]),
    ],
    ids=["null", "an array", "nothing", "nulls", "bindings of other shapes"],
)
def test_whatever_its_shape_a_world_is_refused_with_problems(world: object) -> None:
    result = judged(world, roles=1)
    assert result.world is None
    assert result.problems


def test_at_most_1000_problems_are_told_with_the_number_of_the_others() -> None:
    most = limits.PROBLEMS_MAX_REPORTED.value
    result = judged(world_of(most + 50, roles=[{"roleId": f"x-{n}", "agentId": f"y-{n}"} for n in range(most)]))
    assert len(result.problems) == most
    # One for the length of the array, three for the roles left unbound, and two for each binding.
    assert result.more_problems == 4 + 2 * most - most


def test_a_largest_prompt_that_may_not_fit_its_agents_window_is_warned_of() -> None:
    agents = dict(agents_of(3))
    answer_max = agents["agt_0"].model.max_output_tokens
    needed = LargestPrompts(package_of(3)).tokens("role-0", agents["agt_0"].persona) + answer_max
    agents["agt_0"] = replace(agents["agt_0"], context_window=needed)
    agents["agt_1"] = replace(agents["agt_1"], context_window=needed - 1)
    result = judge_world(world_of(3), package_of(3), DIGEST, agents)
    assert result.world is not None
    [warning] = result.warnings
    assert (warning.code, warning.path) == ("prompt_may_not_fit", "/roles/1/agentId")
    assert (warning.limit, warning.actual) == (needed - 1, needed)


AGENT: dict[str, Any] = {"name": "Player", "persona": "Speaks softly.", "model": {"provider": "rehearsal"}}


def test_an_agent_is_taken_with_its_model_and_its_window() -> None:
    model = {"provider": "house", "name": "large", "temperature": "0.7", "maxOutputTokens": 256}
    result = judge_agent("agt_1", {**AGENT, "model": model, "contextWindow": 8192})
    assert result.problems == ()
    assert result.agent == Agent("agt_1", "Player", "Speaks softly.", Model("house", "large", "0.7", 256), 8192)
    assert judge_agent("agt_1", {**AGENT, "name": "Player\u3000"}).agent == Agent(
        "agt_1", "Player", "Speaks softly.", Model("rehearsal")
    )


@pytest.mark.parametrize(
    ("limit", "at_the_bound", "message"),
    [
        (limits.AGENT_MAX_NAME_CHARS, lambda size: {"name": "a" * size}, "name exceeds 200 characters"),
        (limits.AGENT_MAX_PERSONA_CHARS, lambda size: {"persona": "夜" * size}, "persona exceeds 8000 characters"),
        (
            limits.AGENT_MAX_OUTPUT_TOKENS,
            lambda size: {"model": {"provider": "house", "maxOutputTokens": size}},
            "model/maxOutputTokens exceeds 32768",
        ),
        (limits.AGENT_MAX_CONTEXT_WINDOW, lambda size: {"contextWindow": size}, "contextWindow exceeds 10000000"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_each_limit_of_an_agent_holds_at_its_bound_and_refuses_one_over(
    limit: Limit, at_the_bound: Callable[[int], dict[str, Any]], message: str
) -> None:
    assert judge_agent("agt_1", {**AGENT, **at_the_bound(limit.value)}).problems == ()
    result = judge_agent("agt_1", {**AGENT, **at_the_bound(limit.value + 1)})
    assert [found.message for found in result.problems] == [message]
    assert result.agent is None


@pytest.mark.parametrize("temperature", ["0", "1", "2", "0.7", "1.25", "2.00"])
def test_a_temperature_is_decimal_text_from_0_to_2(temperature: str) -> None:
    model = {"provider": "house", "temperature": temperature}
    assert judge_agent("agt_1", {**AGENT, "model": model}).problems == ()


@pytest.mark.parametrize("temperature", ["2.01", "3", "-1", "0.125", ".5", "1.", "", "hot", 1, None])
def test_any_other_temperature_is_refused(temperature: object) -> None:
    model = {"provider": "house", "temperature": temperature}
    result = judge_agent("agt_1", {**AGENT, "model": model})
    assert {found.path for found in result.problems} == {"/model/temperature"}
