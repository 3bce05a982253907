"""Agents: who voices roles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, Parameter, unjudged
from storyworld.api.pages import PAGED, page
from storyworld.api.shapes.parts import INTEGER, RESOURCE_ID, TIME, answer
from storyworld.api.shapes.parts import page as page_of
from storyworld.application.agents import (
    AgentView,
    create_agent,
    delete_agent,
    list_agents,
    read_agent,
    replace_agent,
)
from storyworld.core import schema
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import resource_id

_BODY: Final = unjudged(schema.AGENT_CONTENT)
_AGENT: Final = answer(
    "Agent",
    "An agent; each change adds one to its revision.",
    {"id": RESOURCE_ID, "revision": INTEGER, "createdAt": TIME, **schema.AGENT_CONTENT["properties"]},
    optional=("contextWindow",),
)
_ID: Final = Parameter("path", "id", resource_id("The agent."), "agent_not_found")


async def _create(asked: Asked) -> Answer | Refusal:
    made = await create_agent(asked.house, asked.project_id, asked.body)
    return made if isinstance(made, Refusal) else Answer(201, _written(made))


async def _list(asked: Asked) -> Answer | Refusal:
    async def fetch(limit: int, after: str | None) -> Sequence[AgentView] | Refusal:
        return await list_agents(asked.house, asked.project_id, limit, after)

    return await page(asked, fetch, _written, lambda agent: agent.agent_id)


async def _read(asked: Asked) -> Answer | Refusal:
    found = await read_agent(asked.house, asked.project_id, asked.path["id"])
    return found if isinstance(found, Refusal) else Answer(200, _written(found))


async def _replace(asked: Asked) -> Answer | Refusal:
    changed = await replace_agent(asked.house, asked.project_id, asked.path["id"], asked.body)
    return changed if isinstance(changed, Refusal) else Answer(200, _written(changed))


async def _delete(asked: Asked) -> Answer | Refusal:
    return await delete_agent(asked.house, asked.project_id, asked.path["id"]) or Answer(204)


async def _is_missing(asked: Asked) -> Refusal | None:
    found = await read_agent(asked.house, asked.project_id, asked.path["id"])
    return found if isinstance(found, Refusal) else None


def _written(agent: AgentView) -> dict[str, Any]:
    return {"id": agent.agent_id, "revision": agent.revision, "createdAt": agent.created_at, **agent.content}


OPERATIONS: Final = (
    Operation(
        method="POST",
        path="/v1/agents",
        operation_id="createAgent",
        tag="Agents",
        summary="Create an agent.",
        access=Access.WRITE,
        handler=_create,
        answers={201: Answered("The agent.", _AGENT)},
        refusals=("agent_refused",),
        body=_BODY,
        description='The providers "rehearsal" (offline, without a model) and "human" are built in.',
    ),
    Operation(
        method="GET",
        path="/v1/agents",
        operation_id="listAgents",
        tag="Agents",
        summary="The agents of the project.",
        access=Access.READ,
        handler=_list,
        answers={200: Answered("A page of agents.", page_of("AgentPage", _AGENT))},
        parameters=PAGED,
    ),
    Operation(
        method="GET",
        path="/v1/agents/{id}",
        operation_id="getAgent",
        tag="Agents",
        summary="One agent.",
        access=Access.READ,
        handler=_read,
        answers={200: Answered("The agent.", _AGENT)},
        parameters=(_ID,),
    ),
    Operation(
        method="PUT",
        path="/v1/agents/{id}",
        operation_id="replaceAgent",
        tag="Agents",
        summary="Change an agent. Worlds that are published keep it as it was.",
        access=Access.WRITE,
        handler=_replace,
        answers={200: Answered("The agent.", _AGENT)},
        refusals=("agent_refused",),
        parameters=(_ID,),
        body=_BODY,
        owner=_is_missing,
    ),
    Operation(
        method="DELETE",
        path="/v1/agents/{id}",
        operation_id="deleteAgent",
        tag="Agents",
        summary="Delete an agent. Worlds that are published play on with their copy of it.",
        access=Access.WRITE,
        handler=_delete,
        answers={204: Answered("It is deleted.")},
        parameters=(_ID,),
    ),
)
