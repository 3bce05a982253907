"""Three projects with one of everything, each marked with a word of its own that may stand in no other's answers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from storyworld.application.access import create_key, create_project
from storyworld.application.ports import KeyScope
from tests.api.asking import Server
from tests.application.playhouse import content, well, world_of

ADVANCE = {"trigger": {"kind": "advance"}}


@dataclass
class Tenant:
    """A project, its keys, and the ids of what it has. `ids` is by the kind of thing; `etag` is that of its draft."""

    word: str
    write_key: str
    read_key: str
    ids: dict[str, str] = field(default_factory=dict)
    etag: str = ""


async def new_tenant(server: Server, word: str) -> Tenant:
    """A project with one of everything."""
    first = well(await create_project(server.house, word))
    read = well(await create_key(server.house, first.project_id, KeyScope.READ))
    spare = well(await create_key(server.house, first.project_id, KeyScope.READ))
    tenant = Tenant(word, first.secret, read.secret, {"key": spare.key_id})

    async def made(path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await server.ask("POST", path, body, key=tenant.write_key)
        assert answer.status_code in (200, 201), (path, answer.text)
        value: dict[str, Any] = answer.json()
        return value

    story = content(title=f"The Ferry {word}", logline=f"Of {word}.")
    package = await made("/v1/story-packages", {"content": story})
    agents = {}
    for role in ("ada", "ben"):
        agent = {"name": f"{role} {word}", "persona": f"Knows {word}.", "model": {"provider": "test"}}
        agents[role] = (await made("/v1/agents", agent))["id"]
    spare_agent = {"name": f"Spare {word}", "persona": "Waits.", "model": {"provider": "test"}}
    tenant.ids["agent"] = (await made("/v1/agents", spare_agent))["id"]
    world = await made("/v1/worlds", {"content": {**world_of(package["id"], agents), "name": f"World {word}"}})
    session = await made(f"/v1/worlds/{world['id']}/sessions", {})
    one = f"/v1/sessions/{session['id']}"
    await made(f"{one}/turns", {"trigger": {"kind": "message", "text": f"They say {word}."}})
    await made(f"{one}/episode-runs", {"episodeId": "one"})
    deliberation = await made(f"{one}/deliberations", ADVANCE)
    tenant.ids |= {
        "package": package["id"],
        "world": world["id"],
        "session": session["id"],
        "deliberation": deliberation["id"],
        "run": "run-1",
        "draft": "b0-2",
        "ada": agents["ada"],
        "ben": agents["ben"],
    }
    tenant.etag = world["draft"]["etag"]
    return tenant


def world_content(tenant: Tenant) -> dict[str, Any]:
    """The content of a world of this project."""
    agents = {"ada": tenant.ids["ada"], "ben": tenant.ids["ben"]}
    return world_of(tenant.ids["package"], agents)
