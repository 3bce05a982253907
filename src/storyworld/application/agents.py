"""Agents: who voices roles. A published world keeps the agents as they were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from storyworld.application.faults import faults_refused
from storyworld.application.house import House, reading_rows
from storyworld.application.ports import StoredAgent
from storyworld.application.publish import put_agent
from storyworld.core.canonical import read_stored
from storyworld.core.errors import Refusal, refusal


@dataclass(frozen=True, slots=True)
class AgentView:
    """An agent with its content as a JSON value; each change adds one to its revision."""

    agent_id: str
    revision: int
    content: dict[str, Any]
    created_at: str


@faults_refused
async def create_agent(house: House, project_id: str, value: object) -> AgentView | Refusal:
    """Store a new agent. Refusals as `publish.put_agent`."""
    agent_id = await put_agent(house, project_id, value)
    return agent_id if isinstance(agent_id, Refusal) else await read_agent(house, project_id, agent_id)


@faults_refused
async def replace_agent(house: House, project_id: str, agent_id: str, value: object) -> AgentView | Refusal:
    """Change an agent that is there. Refusals: `agent_not_found`, and those of `publish.put_agent`."""
    if await house.project(project_id).agent(agent_id) is None:
        return refusal("agent_not_found")
    changed = await put_agent(house, project_id, value, agent_id)
    return changed if isinstance(changed, Refusal) else await read_agent(house, project_id, agent_id)


@faults_refused
async def read_agent(house: House, project_id: str, agent_id: str) -> AgentView | Refusal:
    """One agent. Refusal: `agent_not_found`."""
    stored = await house.project(project_id).agent(agent_id)
    return refusal("agent_not_found") if stored is None else _view(stored)


@faults_refused
async def list_agents(house: House, project_id: str, limit: int, after: str | None) -> Sequence[AgentView] | Refusal:
    """Up to `limit` agents in the order of their ids, after the id `after`."""
    return [_view(stored) for stored in await house.project(project_id).agents(limit=limit, after=after)]


@faults_refused
async def delete_agent(house: House, project_id: str, agent_id: str) -> Refusal | None:
    """Delete an agent; published worlds play on with their copy of it. Refusal: `agent_not_found`."""
    return None if await house.project(project_id).delete_agent(agent_id) else refusal("agent_not_found")


def _view(stored: StoredAgent) -> AgentView:
    with reading_rows():
        return AgentView(stored.agent_id, stored.revision, read_stored(stored.content), stored.created_at)
