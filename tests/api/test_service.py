from __future__ import annotations

from storyworld.core import limits
from tests.api.asking import Server, serve


def test_a_server_says_that_it_lives_and_takes_beats() -> None:
    async def work(server: Server) -> None:
        assert (await server.ask("GET", "/healthz", key=None)).json() == {"status": "ok"}
        assert (await server.ask("GET", "/readyz", key=None)).json() == {"status": "ready"}

    serve(work)


def test_every_limit_is_told_with_its_reason_in_both_languages() -> None:
    async def work(server: Server) -> None:
        value = (await server.ask("GET", "/v1/limits", key=None)).json()
        assert value["contractVersion"] == "1.48.0"
        assert {one["name"]: one["value"] for one in value["limits"]} == {one.name: one.value for one in limits.ALL}
        assert all(one["reason"] and one["reasonZh"] for one in value["limits"])

    serve(work)


def test_the_page_of_the_document_asks_for_nothing_from_another_address() -> None:
    async def work(server: Server) -> None:
        page = await server.ask("GET", "/docs", key=None)
        assert "default-src 'none'" in page.headers["content-security-policy"]
        assert "<script" not in page.text
        assert "https://" not in page.text.replace("https://json-schema.org", "")
        assert "StoryPackageContent" in page.text

    serve(work)
