"""The limits of a package and the runtime caps of the contract, as a client meets them over HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.limits.limit import Limit
from tests.api.asking import Server, serve
from tests.api.test_sessions import house_with
from tests.api.test_works import PACKAGES, WORLDS, made_agent
from tests.application.playhouse import Speaking, content
from tests.core.package_makers import of_bytes, with_value
from tests.core.test_content import ARRAYS, TEXTS, Make

ADA = {"trigger": {"kind": "advance", "focusRoles": ["ada"]}}
BOTH = {"trigger": {"kind": "advance"}}


@pytest.mark.parametrize(
    ("limit", "path", "make", "unit"),
    [
        *((limit, path, make, "") for limit, path, make in ARRAYS),
        *((limit, path, make, " characters") for limit, path, make in TEXTS),
    ],
    ids=[path for _, path, _ in (*ARRAYS, *TEXTS)],
)
def test_a_package_over_a_limit_is_refused_by_name_and_nothing_is_stored(
    limit: Limit, path: str, make: Make, unit: str
) -> None:
    async def work(server: Server) -> None:
        over = {"content": with_value(path, make(limit.value + 1))}
        for where in (PACKAGES, f"{PACKAGES}/validate"):
            refused = await server.ask("POST", where, over)
            assert (refused.status_code, refused.json()["code"]) == (400, "package_refused")
            assert f"{path[1:]} exceeds {limit.value}{unit}" in {one["message"] for one in refused.json()["errors"]}
        assert (await server.ask("GET", PACKAGES)).json()["items"] == []
        taken = await server.ask("POST", f"{PACKAGES}/validate", {"content": with_value(path, make(limit.value))})
        assert taken.status_code == 200, taken.text

    serve(work)


def test_a_package_of_900000_bytes_is_taken_and_one_more_names_both_numbers() -> None:
    async def work(server: Server) -> None:
        assert (await server.ask("POST", PACKAGES, {"content": of_bytes(900_000)})).status_code == 201
        over = await server.ask("POST", PACKAGES, {"content": of_bytes(900_001)})
        assert over.status_code == 400
        assert [one["message"] for one in over.json()["errors"]] == [
            "story package is 900001 bytes; the limit is 900000"
        ]

    serve(work)


async def played(server: Server, **more: Any) -> str:
    """A session of the story, in which everyone says the same."""
    package = (await server.ask("POST", PACKAGES, {"content": content(endings=[], series=[], **more)})).json()
    roles = [role["id"] for role in content(**more)["roles"]]
    bound = [{"roleId": role_id, "agentId": await made_agent(server), "subscriptions": []} for role_id in roles]
    world = {"name": "Caps", "packageId": package["id"], "packageRevision": 1, "roles": bound}
    made = (await server.ask("POST", WORLDS, {"content": world})).json()
    return f"/v1/sessions/{(await server.ask('POST', WORLDS + '/' + made['id'] + '/sessions')).json()['id']}"


def proposing(*operations: dict[str, Any]) -> Speaking:
    """Everyone proposes these operations in every beat."""
    return Speaking(json.dumps({"line": "Aye.", "operations": operations}))


async def filled(server: Server, one: str, effects: list[dict[str, Any]]) -> None:
    """Events with these effects, as many at a time as an event may have."""
    most = limits.EVENT_MAX_EFFECTS.value
    for first in range(0, len(effects), most):
        sent = {"eventId": f"e{first}", "type": "bell", "wake": False, "effects": effects[first : first + most]}
        assert (await server.ask("POST", f"{one}/events", sent)).status_code == 201


THING = {"op": "putEntity", "kind": "thing", "name": "Thing", "attributes": {}}
CAPS: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str]] = {
    "entities": ([{**THING, "id": f"t{number}"} for number in range(50)], {**THING, "id": "one-more"}, "entity_cap"),
    "relations": (
        [
            {"op": "setRelation", "fromRoleId": "ada", "toRoleId": "ben", "kind": f"k{number}", "value": 1}
            for number in range(50)
        ],
        {"op": "setRelation", "toRoleId": "ben", "kind": "one-more", "value": 1},
        "relation_cap",
    ),
    "notes": (
        [{"op": "addNote", "roleId": "ada", "text": f"Note {number}."} for number in range(20)],
        {"op": "addNote", "text": "One more."},
        "note_cap",
    ),
}


@pytest.mark.parametrize("cap", CAPS)
def test_an_operation_that_would_go_over_a_cap_rejects_the_whole_patch_and_the_lines_stand(cap: str) -> None:
    full, one_more, code = CAPS[cap]
    lamp = {"op": "setFlag", "flagId": "lamp", "value": True}

    async def work(server: Server) -> None:
        one = await played(server)
        await filled(server, one, full)
        beat = (await server.ask("POST", f"{one}/turns", ADA)).json()
        assert (beat["patch"]["status"], beat["patch"]["rejected"]["code"]) == ("rejected", code)
        assert beat["patch"]["rejected"]["reason"]
        assert [line["text"] for line in beat["lines"]] == ["Aye."]
        assert (await server.ask("GET", f"{one}/state")).json()["state"]["flags"] == {"lamp": False}

    serve(work, house=house_with(proposing(lamp, one_more)))


def test_the_twenty_first_operation_of_a_beat_rejects_them_all() -> None:
    lamp = {"op": "setFlag", "flagId": "lamp", "value": True}

    async def work(server: Server) -> None:
        one = await played(server)
        alone = (await server.ask("POST", f"{one}/turns", ADA)).json()
        assert (alone["patch"]["status"], len(alone["patch"]["operations"])) == ("applied", 11)
        both = (await server.ask("POST", f"{one}/turns", BOTH)).json()
        assert (both["patch"]["status"], both["patch"]["rejected"]["code"]) == ("rejected", "operation_cap")
        effects = [{"op": "setFlag", "flagId": "lamp", "value": True}] * 21
        event = await server.ask("POST", f"{one}/events", {"eventId": "e", "type": "bell", "effects": effects})
        assert event.status_code == 400
        assert [found["message"] for found in event.json()["errors"]] == ["effects exceeds 20"]

    serve(work, house=house_with(proposing(*[lamp] * 11)))


def test_five_options_are_reported_and_the_rest_are_counted() -> None:
    ways = [{"id": f"way-{n}", "fromNodeId": "quay", "toNodeId": "boat", "label": f"Way {n}"} for n in range(8)]

    async def work(server: Server) -> None:
        session = (await server.ask("GET", await played(server, branches=ways))).json()
        assert [option["branchId"] for option in session["branchOptions"]] == [f"way-{n}" for n in range(5)]
        assert session["moreBranchOptions"] == 3

    serve(work)


def test_a_role_is_told_of_eight_others_and_how_many_are_left_out_and_of_nobody_else_at_all() -> None:
    others = [{"id": f"role-{n}", "name": f"Named {n}", "description": f"Described {n}."} for n in range(11)]
    roles = [*content()["roles"], *others]
    ties = [{"fromRoleId": "ada", "toRoleId": f"role-{n}", "kind": "debt", "value": n} for n in range(11)]

    async def work(server: Server) -> None:
        one = await played(server, roles=roles, initialRelations=ties)
        beat = (await server.ask("POST", f"{one}/turns", BOTH)).json()
        assert beat["seats"] == ["ada", "ben", "role-0"]
        assert [entry["code"] for entry in beat["skippedRoles"]] == ["role_cap_reached"] * 10
        assert len(beat["usage"]) == limits.WORLD_TURN_MAX_ROLES.value
        prompt = (await server.ask("GET", f"{one}/beats/1/prompts/ada")).json()
        text = "\n".join(section["text"] for section in prompt["sections"])
        assert [n for n in range(11) if f"role-{n}" in text.replace("role-10", "")] == list(range(8))
        assert "3" in next(section["text"] for section in prompt["sections"] if "role-7" in section["text"])
        assert "Named" not in text
        assert "Described" not in text

    serve(work)


def test_a_world_whose_event_would_wake_a_sixth_role_is_refused_at_publish() -> None:
    others = [{"id": f"role-{n}", "name": "R", "description": "R."} for n in range(4)]

    async def work(server: Server) -> None:
        told = content(roles=[*content()["roles"], *others])
        package = (await server.ask("POST", PACKAGES, {"content": told})).json()
        bound = [
            {"roleId": role["id"], "agentId": await made_agent(server), "subscriptions": ["bell"]}
            for role in told["roles"]
        ]
        world = {"name": "Six", "packageId": package["id"], "packageRevision": 1, "roles": bound}
        refused = (await server.ask("POST", WORLDS, {"content": world})).json()
        assert (refused["status"], refused["code"]) == (400, "world_refused")
        assert [(found["limit"], found["actual"]) for found in refused["errors"]] == [(5, 6)]
        bound[0]["subscriptions"] = []
        assert (await server.ask("POST", WORLDS, {"content": world})).status_code == 201

    serve(work)


def test_one_agent_cannot_play_two_roles() -> None:
    async def work(server: Server) -> None:
        package = (await server.ask("POST", PACKAGES, {"content": content()})).json()
        agent_id = await made_agent(server)
        bound = [{"roleId": role_id, "agentId": agent_id} for role_id in ("ada", "ben")]
        world = {"name": "Two", "packageId": package["id"], "packageRevision": 1, "roles": bound}
        refused = (await server.ask("POST", WORLDS, {"content": world})).json()
        assert [found["code"] for found in refused["errors"]] == ["agent_bound_twice"]

    serve(work)


def test_a_draft_of_501_beats_is_refused_with_the_advice_to_draft_by_episode() -> None:
    async def work(server: Server) -> None:
        one = await played(server)
        for number in range(500):
            sent = {"eventId": f"e{number}", "type": "bell", "wake": False}
            assert (await server.ask("POST", f"{one}/events", sent)).status_code == 201
        over = await server.ask("POST", f"{one}/script-drafts", {})
        assert (over.status_code, over.json()["code"]) == (400, "draft_too_long")
        assert over.json()["facts"] == {"limit": 500, "actual": 501}
        assert "episode" in over.json()["remedy"]
        assert (await server.ask("POST", f"{one}/script-drafts", {"fromBeat": 1})).status_code == 201

    serve(work)
