"""The limits on what a request itself may be: at the bound it is taken, one over it is refused by name."""

from __future__ import annotations

from storyworld.core import limits
from storyworld.core.candidate import Candidate
from tests.api.asking import OPERATOR_KEY, Server, serve
from tests.api.test_sessions import ADVANCE, begun
from tests.application.playhouse import content


class Reading:
    """An assistant that reads anything as the same story."""

    async def candidate_of(self, project_id: str, script: str) -> Candidate:
        return Candidate(content(), {}, ())


def test_an_idempotency_key_may_be_so_long() -> None:
    async def work(server: Server) -> None:
        most = limits.IDEMPOTENCY_KEY_MAX_CHARS.value
        one = await begun(server)
        taken = await server.ask("POST", f"{one}/turns", ADVANCE, headers={"Idempotency-Key": "k" * most})
        assert taken.status_code == 201
        over = await server.ask("POST", f"{one}/turns", ADVANCE, headers={"Idempotency-Key": "k" * (most + 1)})
        assert (over.status_code, over.json()["errors"][0]["message"]) == (
            400,
            f"Idempotency-Key exceeds {most} characters",
        )
        assert (await server.ask("GET", one)).json()["beat"] == 1

    serve(work)


def test_a_page_may_have_so_many_items() -> None:
    async def work(server: Server) -> None:
        most = limits.PAGE_MAX_ITEMS.value
        assert (await server.ask("GET", f"/v1/agents?limit={most}")).status_code == 200
        over = await server.ask("GET", f"/v1/agents?limit={most + 1}")
        assert (over.status_code, over.json()["errors"][0]["message"]) == (400, f"limit exceeds {most}")

    serve(work)


def test_a_project_may_have_so_long_a_name() -> None:
    async def work(server: Server) -> None:
        most = limits.PROJECT_MAX_NAME_CHARS.value
        taken = await server.ask("POST", "/v1/projects", {"name": "字" * most}, key=OPERATOR_KEY)
        assert taken.status_code == 201
        over = await server.ask("POST", "/v1/projects", {"name": "字" * (most + 1)}, key=OPERATOR_KEY)
        assert (over.status_code, over.json()["errors"][0]["message"]) == (400, f"name exceeds {most} characters")

    serve(work)


def test_a_script_may_be_so_long_for_a_model() -> None:
    async def work(server: Server) -> None:
        most = limits.SCRIPT_IMPORT_MAX_CHARS.value
        server.house.assistant = Reading()
        path = "/v1/story-packages/import-candidate"
        taken = await server.ask("POST", path, {"script": "🎭" * most, "assist": "model"})
        assert (taken.status_code, taken.json()["content"]["title"]) == (200, "The Ferry")
        over = await server.ask("POST", path, {"script": "🎭" * (most + 1), "assist": "model"})
        assert (over.status_code, over.json()["code"]) == (400, "script_too_long")
        assert over.json()["detail"].startswith(f"script exceeds {most} characters")

    serve(work)
