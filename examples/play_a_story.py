"""Publish a story, cast it with the rehearsal, play ten beats, verify them, and save the script.

STORYWORLD_URL=http://127.0.0.1:8080 STORYWORLD_KEY=sw_… python examples/play_a_story.py
"""

from __future__ import annotations

import json
import os

from storyworld.client import Client, api
from storyworld.stories import read_story

content = json.loads(read_story("eleven-tons"))

with Client(os.environ["STORYWORLD_URL"], os.environ["STORYWORLD_KEY"]) as client:
    package = client.send(api.packages.create(content))
    roles = []
    for role in content["roles"]:
        agent = client.send(api.create_agent(role["name"], "You are an actor.", {"provider": "rehearsal"}))
        roles.append({"roleId": role["id"], "agentId": agent["id"], "subscriptions": []})
    world = client.send(
        api.worlds.create({"name": content["title"], "packageId": package["id"], "packageRevision": 1, "roles": roles})
    )
    session = client.send(api.start_session(world["id"], seed=4))
    for _ in range(10):
        beat = client.send(api.take_turn(session["id"], {"kind": "advance"}))
        for line in beat["lines"]:
            print(f"{line['roleId']}: {line['text']}")
    verification = client.send(api.verify(session["id"]))
    print(f"verified: {verification['ok']}, {verification['beats']} beats")
    draft = client.send(api.draft_script(session["id"]))
    print(client.send(api.script_file(session["id"], draft["id"], "fountain")).decode()[:200])
