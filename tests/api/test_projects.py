from __future__ import annotations

from tests.api.asking import OPERATOR_KEY, Server, serve


def test_the_operator_creates_a_project_whose_key_makes_and_revokes_others() -> None:
    async def work(server: Server) -> None:
        made = await server.ask("POST", "/v1/projects", {"name": "潮"}, key=OPERATOR_KEY)
        assert made.status_code == 201
        first = made.json()["key"]
        assert first.startswith(f"sw_{made.json()['id']}.")
        reader = (await server.ask("POST", "/v1/keys", {"scope": "read"}, key=first)).json()
        assert (await server.ask("GET", "/v1/agents", key=reader["key"])).status_code == 200
        assert (await server.ask("GET", "/v1/keys", key=reader["key"])).status_code == 403
        listed = (await server.ask("GET", "/v1/keys", key=first)).json()["items"]
        assert sorted(one["scope"] for one in listed) == ["read", "write"]
        assert all("key" not in one for one in listed)
        revoked = await server.ask("DELETE", f"/v1/keys/{reader['id']}", key=first)
        assert (revoked.status_code, revoked.content) == (204, b"")
        assert (await server.ask("GET", "/v1/agents", key=reader["key"])).status_code == 401
        again = await server.ask("DELETE", f"/v1/keys/{reader['id']}", key=first)
        assert (again.status_code, again.json()["code"]) == (404, "key_not_found")
        projects = (await server.ask("GET", "/v1/projects", key=OPERATOR_KEY)).json()["items"]
        assert {one["name"] for one in projects} == {"潮", "Salt"}

    serve(work)


def test_a_page_ends_where_it_is_asked_to_and_the_next_one_goes_on() -> None:
    async def work(server: Server) -> None:
        for number in range(5):
            await server.ask("POST", "/v1/projects", {"name": f"P{number}"}, key=OPERATOR_KEY)
        names: list[str] = []
        cursor = ""
        while True:
            page = (await server.ask("GET", f"/v1/projects?limit=2{cursor}", key=OPERATOR_KEY)).json()
            names += [one["name"] for one in page["items"]]
            if page["nextCursor"] is None:
                break
            assert len(page["items"]) == 2
            cursor = f"&cursor={page['nextCursor']}"
        assert sorted(names) == ["P0", "P1", "P2", "P3", "P4", "Salt"]

    serve(work)


def test_a_project_needs_a_name_that_fits() -> None:
    async def work(server: Server) -> None:
        refused = (await server.ask("POST", "/v1/projects", {"name": "n" * 201}, key=OPERATOR_KEY)).json()
        assert [one["message"] for one in refused["errors"]] == ["name exceeds 200 characters"]

    serve(work)
