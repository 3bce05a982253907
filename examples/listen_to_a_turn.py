"""Hear a turn while it is made, with the asynchronous client.

STORYWORLD_URL=http://127.0.0.1:8080 STORYWORLD_KEY=sw_… python examples/listen_to_a_turn.py
"""

from __future__ import annotations

import asyncio
import json
import os

from storyworld.client import AsyncClient, BeatCommitted, BeatDiscarded, LineCompleted, LineDelta, api
from storyworld.stories import read_story

content = json.loads(read_story("borrowed-voice"))


async def main() -> None:
    """Publish, cast, and listen to one turn."""
    async with AsyncClient(os.environ["STORYWORLD_URL"], os.environ["STORYWORLD_KEY"]) as client:
        package = await client.send(api.packages.create(content))
        roles = []
        for role in content["roles"]:
            agent = await client.send(api.create_agent(role["name"], "你是一名演员。", {"provider": "rehearsal"}))
            roles.append({"roleId": role["id"], "agentId": agent["id"], "subscriptions": []})
        world = await client.send(
            api.worlds.create(
                {"name": content["title"], "packageId": package["id"], "packageRevision": 1, "roles": roles}
            )
        )
        session = await client.send(api.start_session(world["id"]))
        async for event in client.stream_turn(session["id"], {"kind": "message", "text": "有人敲门。"}):
            match event:
                case LineDelta(role_id, text):
                    print(f"{role_id}… {text}")
                case LineCompleted(role_id, text, _):
                    print(f"{role_id}: {text}")
                case BeatCommitted(record):
                    print(f"beat {record['beat']} is committed")
                case BeatDiscarded(problem):
                    print(problem["detail"])
        print(f"verified: {(await client.send(api.verify(session['id'])))['ok']}")


asyncio.run(main())
