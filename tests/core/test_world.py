"""A world revision is stored with its agents copied in, and read back the same."""

from __future__ import annotations

import pytest

from storyworld.core.canonical import canonical_bytes, parse
from storyworld.core.world import (
    Agent,
    Binding,
    Model,
    Settings,
    World,
    read_agent,
    read_world,
    write_agent,
    write_world,
)

PLAIN = Agent("agt_1", "Player", "Speaks softly.", Model("rehearsal"))
FULL = Agent("agt_2", "阿宁", "低声。", Model("house", "small-1", "0.75", 300), 8192)
WORLD = World(
    "House cast",
    "pkg_1",
    3,
    "sha256:0",
    (Binding("ada", PLAIN), Binding("ben", FULL, ("bell", "fire"))),
    Settings(0, "director", "mentions"),
)


@pytest.mark.parametrize("agent", [PLAIN, FULL], ids=["plain", "full"])
def test_an_agent_is_stored_and_read_back(agent: Agent) -> None:
    assert read_agent(agent.id, parse(canonical_bytes(write_agent(agent)))) == agent


def test_what_an_agent_leaves_open_is_left_out_and_its_output_tokens_are_written_out() -> None:
    assert write_agent(PLAIN) == {
        "name": "Player",
        "persona": "Speaks softly.",
        "model": {"provider": "rehearsal", "maxOutputTokens": 1024},
    }
    assert write_agent(FULL) == {
        "name": "阿宁",
        "persona": "低声。",
        "model": {"provider": "house", "maxOutputTokens": 300, "name": "small-1", "temperature": "0.75"},
        "contextWindow": 8192,
    }


def test_an_agent_without_a_number_of_output_tokens_has_1024() -> None:
    bare = {"name": "Player", "persona": "Speaks softly.", "model": {"provider": "rehearsal"}}
    assert read_agent("agt_1", bare).model.max_output_tokens == 1024


def test_a_world_is_stored_with_its_agents_and_read_back() -> None:
    stored = write_world(WORLD)
    assert read_world(parse(canonical_bytes(stored))) == WORLD
    assert stored["roles"][1] == {
        "roleId": "ben",
        "agentId": "agt_2",
        "agent": write_agent(FULL),
        "subscriptions": ["bell", "fire"],
    }
    assert stored["settings"] == {"memoryBeats": 0, "branching": "director", "focus": "mentions"}


def test_a_world_plays_with_12_beats_of_memory_and_branches_by_its_roles_unless_it_says_otherwise() -> None:
    assert World("A", "pkg_1", 1, "sha256:0", ()).settings == Settings(12, "roles", "declared")


def test_a_binding_is_found_by_its_role() -> None:
    assert WORLD.binding_by_role["ben"].agent == FULL
