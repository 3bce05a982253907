from __future__ import annotations

from typing import Any

import pytest

from storyworld.application.publish import publish
from tests.api.asking import Server, serve
from tests.application.playhouse import PACKAGE, PROJECT, content, package_bytes, well, world_of

PACKAGES = "/v1/story-packages"
WORLDS = "/v1/worlds"


async def made_agent(server: Server, provider: str = "test") -> str:
    agent = {"name": "Player", "persona": "Speaks softly.", "model": {"provider": provider}}
    made = await server.ask("POST", "/v1/agents", agent)
    assert made.status_code == 201, made.text
    agent_id: str = made.json()["id"]
    return agent_id


async def made_package(server: Server, **more: Any) -> dict[str, Any]:
    made = await server.ask("POST", PACKAGES, {"content": content(**more)})
    assert made.status_code == 201, made.text
    value: dict[str, Any] = made.json()
    return value


async def made_world(server: Server, **more: Any) -> dict[str, Any]:
    package = await made_package(server, **more)
    agents = {"ada": await made_agent(server), "ben": await made_agent(server)}
    made = await server.ask("POST", WORLDS, {"content": world_of(package["id"], agents)})
    assert made.status_code == 201, made.text
    value: dict[str, Any] = made.json()
    return value


def test_a_story_is_written_judged_published_and_read_back() -> None:
    async def work(server: Server) -> None:
        judged = (await server.ask("POST", f"{PACKAGES}/validate", {"content": content()})).json()
        assert judged["problems"] == []
        package = await made_package(server)
        assert (package["revision"], package["digest"], package["bytes"]) == (1, judged["digest"], judged["bytes"])
        again = await server.ask("POST", f"{PACKAGES}/{package['id']}/publish", {"content": content(title="Two")})
        assert (again.status_code, again.json()["revision"]) == (201, 2)
        revisions = (await server.ask("GET", f"{PACKAGES}/{package['id']}/revisions")).json()["items"]
        assert [one["revision"] for one in revisions] == [1, 2]
        second = (await server.ask("GET", f"{PACKAGES}/{package['id']}/revisions/2")).json()
        assert second["content"]["title"] == "Two"
        assert (await server.ask("GET", f"{PACKAGES}/{package['id']}/revisions/3")).status_code == 404

    serve(work)


def test_every_problem_is_told_and_a_refused_request_stores_nothing() -> None:
    async def work(server: Server) -> None:
        many = [{"id": f"r{n}", "name": "R", "description": "R."} for n in range(25)]
        wrong = content(roles=many, title="")
        for path in (PACKAGES, f"{PACKAGES}/validate", f"{PACKAGES}/import-candidate/validate"):
            refused = await server.ask("POST", path, {"content": wrong})
            assert (refused.status_code, refused.json()["code"]) == (400, "package_refused")
            assert [one["message"] for one in refused.json()["errors"]] == [
                "roles exceeds 24",
                "title is empty; it needs at least 1 character",
            ]
        assert (await server.ask("GET", PACKAGES)).json()["items"] == []

    serve(work)


def test_a_draft_is_saved_whatever_is_wrong_with_it_and_says_what() -> None:
    async def work(server: Server) -> None:
        made = await server.ask("POST", PACKAGES, {"draft": {"title": "", "无": [None]}})
        assert (made.status_code, made.json()["revision"]) == (201, None)
        assert made.json()["draft"]["problems"] != []
        one = f"{PACKAGES}/{made.json()['id']}"
        draft = await server.ask("GET", f"{one}/draft")
        assert draft.json()["content"] == {"title": "", "无": [None]}
        assert draft.headers["etag"] == f'"{made.json()["draft"]["etag"]}"' == made.headers["etag"]
        refused = await server.ask("POST", f"{one}/publish")
        assert (refused.status_code, refused.json()["code"]) == (400, "package_refused")
        saved = await server.ask(
            "PUT", f"{one}/draft", {"content": content()}, headers={"If-Match": draft.headers["etag"]}
        )
        assert (saved.status_code, saved.json()["problems"]) == (200, [])
        assert (await server.ask("POST", f"{one}/publish")).json()["revision"] == 1

    serve(work)


def test_two_editors_never_overwrite_each_other_in_silence() -> None:
    async def work(server: Server) -> None:
        package = await made_package(server)
        draft = f"{PACKAGES}/{package['id']}/draft"
        mine = {"If-Match": f'"{package["draft"]["etag"]}"'}
        saved = await server.ask("PUT", draft, {"content": content(title="Mine")}, headers=mine)
        assert saved.status_code == 200
        theirs = await server.ask("PUT", draft, {"content": content(title="Theirs")}, headers=mine)
        assert (theirs.status_code, theirs.json()["code"]) == (412, "etag_differs")
        assert theirs.json()["facts"] == {"etag": saved.json()["etag"]}
        stale = await server.ask("POST", f"{PACKAGES}/{package['id']}/publish", {}, headers=mine)
        assert stale.status_code == 412
        for headers in ({}, {"If-Match": "*"}, {"If-Match": "unquoted"}):
            blind = await server.ask("PUT", draft, {"content": content()}, headers=headers)
            assert (blind.status_code, blind.json()["code"]) == (428, "etag_missing")
        absent = await server.ask("PUT", draft, {"content": content()}, headers={"If-None-Match": "*"})
        assert absent.status_code == 412
        assert (await server.ask("GET", draft)).json()["content"]["title"] == "Mine"

    serve(work)


def test_a_work_without_a_draft_says_so_and_takes_its_first() -> None:
    async def work(server: Server) -> None:
        published = well(await publish(server.house, PROJECT, PACKAGE, package_bytes()))
        one = f"{PACKAGES}/{published.work_id}"
        for method, path in (("GET", "draft"), ("POST", "publish")):
            missing = await server.ask(method, f"{one}/{path}")
            assert (missing.status_code, missing.json()["code"]) == (409, "draft_missing")
        first = await server.ask("PUT", f"{one}/draft", {"content": {}}, headers={"If-None-Match": "*"})
        assert first.status_code == 200
        assert (await server.ask("GET", f"{PACKAGES}/pkg_none/draft")).json()["code"] == "package_unknown"

    serve(work)


def test_a_world_is_cast_and_published_and_says_what_it_lacks() -> None:
    async def work(server: Server) -> None:
        world = await made_world(server)
        assert world["revision"] == 1
        package = await made_package(server)
        lacking = await server.ask("POST", WORLDS, {"content": world_of(package["id"], {"ada": "agt_none"})})
        assert (lacking.status_code, lacking.json()["code"]) == (400, "world_refused")
        assert {one["code"] for one in lacking.json()["errors"]} == {"role_not_bound", "agent_unknown"}
        nowhere = await server.ask("POST", WORLDS, {"content": world_of("pkg_none", {})})
        assert (nowhere.status_code, nowhere.json()["code"]) == (404, "package_unknown")
        draft = await server.ask("POST", WORLDS, {"draft": world_of("pkg_none", {})})
        assert [one["code"] for one in draft.json()["draft"]["problems"]] == ["package_unknown"]

    serve(work)


def test_archived_work_is_told_as_such_and_restored() -> None:
    async def work(server: Server) -> None:
        package = await made_package(server)
        one = f"{PACKAGES}/{package['id']}"
        assert (await server.ask("POST", f"{one}/archive")).json()["archived"] is True
        assert (await server.ask("GET", one)).json()["archived"] is True
        assert (await server.ask("POST", f"{one}/restore")).json()["archived"] is False
        assert (await server.ask("POST", f"{PACKAGES}/pkg_none/restore")).status_code == 404

    serve(work)


def test_the_thousand_and_first_active_package_is_refused_until_another_is_archived() -> None:
    async def work(server: Server) -> None:
        made = [(await server.ask("POST", PACKAGES, {"draft": {}})).json()["id"] for _ in range(1000)]
        over = await server.ask("POST", PACKAGES, {"draft": {}})
        assert (over.status_code, over.json()["detail"]) == (400, "active story packages exceeds 1000")
        assert (await server.ask("POST", PACKAGES, {"content": content()})).json()["code"] == "active_packages_cap"
        assert (await server.ask("POST", f"{PACKAGES}/{made[-1]}/archive")).status_code == 200
        assert (await server.ask("POST", PACKAGES, {"draft": {}})).status_code == 201
        back = await server.ask("POST", f"{PACKAGES}/{made[-1]}/restore")
        assert (back.status_code, back.json()["code"]) == (400, "active_packages_cap")

    serve(work)


def test_agents_are_listed_changed_and_deleted() -> None:
    async def work(server: Server) -> None:
        agent_id = await made_agent(server)
        changed = await server.ask(
            "PUT", f"/v1/agents/{agent_id}", {"name": "新", "persona": "Slow.", "model": {"provider": "human"}}
        )
        assert (changed.json()["revision"], changed.json()["name"]) == (2, "新")
        assert [one["id"] for one in (await server.ask("GET", "/v1/agents")).json()["items"]] == [agent_id]
        assert (await server.ask("DELETE", f"/v1/agents/{agent_id}")).status_code == 204
        for method in ("GET", "DELETE"):
            gone = await server.ask(method, f"/v1/agents/{agent_id}")
            assert (gone.status_code, gone.json()["code"]) == (404, "agent_not_found")
        gone = await server.ask("PUT", f"/v1/agents/{agent_id}", {})
        assert (gone.status_code, gone.json()["code"]) == (404, "agent_not_found")

    serve(work)


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        ({"model": {"provider": "nowhere"}}, "/model/provider", "provider_unknown"),
        ({"persona": "p" * 8001}, "/persona", "text_too_long"),
        ({"url": "http://localhost"}, "/url", "field_unknown"),
    ],
)
def test_an_agent_that_cannot_be_taken_says_why(change: dict[str, Any], path: str, code: str) -> None:
    async def work(server: Server) -> None:
        agent = {"name": "Player", "persona": "Speaks softly.", "model": {"provider": "test"}, **change}
        refused = (await server.ask("POST", "/v1/agents", agent)).json()
        assert (refused["status"], refused["code"]) == (400, "agent_refused")
        assert [(one["path"], one["code"]) for one in refused["errors"]] == [(path, code)]

    serve(work)


def test_a_script_becomes_a_candidate_that_says_where_each_item_comes_from() -> None:
    async def work(server: Server) -> None:
        script = "Title: 渡口\n\nINT. 渡口 - 夜\n\n= 等船。\n\n@艾达\n船来了。\n\n@本\n上船。\n"
        found = (await server.ask("POST", f"{PACKAGES}/import-candidate", {"script": script})).json()
        assert [role["name"] for role in found["content"]["roles"]] == ["艾达", "本"]
        assert found["sources"]["/roles/0"] == [[7, 8]]
        assert found["problems"] == []
        judged = await server.ask("POST", f"{PACKAGES}/import-candidate/validate", {"content": found["content"]})
        assert judged.status_code == 200
        assert (await server.ask("GET", PACKAGES)).json()["items"] == []

    serve(work)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"script": " \n"}, "script_empty"),
        ({"script": "", "assist": "model"}, "script_empty"),
        ({"script": "a" * 16_001, "assist": "model"}, "script_too_long"),
        ({"script": "a" * 16_000, "assist": "model"}, "assist_unavailable"),
        ({"script": "a" * 500_001}, "request_refused"),
        ({"script": "a\n" * 10_001}, "script_has_too_many_lines"),
        ({"script": "<FinalDraft", "format": "fdx"}, "script_fdx_malformed"),
        ({"script": "a", "format": "pdf"}, "request_refused"),
    ],
)
def test_a_script_that_cannot_be_taken_says_why(body: dict[str, Any], code: str) -> None:
    async def work(server: Server) -> None:
        refused = (await server.ask("POST", f"{PACKAGES}/import-candidate", body)).json()
        assert refused["code"] == code

    serve(work)
