from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest

from storyworld.application.house import House
from tests.api.asking import Server, serve
from tests.api.test_works import made_agent, made_package, made_world
from tests.application.playhouse import Failing, Speaking, open_house, run, world_of

ADVANCE = {"trigger": {"kind": "advance"}}


async def begun(server: Server, **more: Any) -> str:
    world = await made_world(server)
    started = await server.ask("POST", f"/v1/worlds/{world['id']}/sessions", more)
    assert started.status_code == 201, started.text
    return f"/v1/sessions/{started.json()['id']}"


async def with_person(server: Server) -> str:
    package = await made_package(server)
    agents = {"ada": await made_agent(server, "human"), "ben": await made_agent(server)}
    world = await server.ask("POST", "/v1/worlds", {"content": world_of(package["id"], agents)})
    started = await server.ask("POST", f"/v1/worlds/{world.json()['id']}/sessions")
    return f"/v1/sessions/{started.json()['id']}"


def house_with(performer: Any) -> House:
    return run(open_house(performer))


def test_a_session_is_started_played_read_forked_verified_and_drafted() -> None:
    async def work(server: Server) -> None:
        one = await begun(server, seed=7)
        session = (await server.ask("GET", one)).json()
        assert (session["seed"], session["beat"], session["status"]) == (7, 0, "active")
        assert [option["branchId"] for option in session["branchOptions"]] == ["board"]
        beat = await server.ask("POST", f"{one}/turns", {"trigger": {"kind": "choice", "branchId": "board"}})
        assert (beat.status_code, beat.json()["nodeId"], beat.json()["beat"]) == (201, "boat", 1)
        assert (await server.ask("POST", f"{one}/turns", ADVANCE)).json()["beat"] == 2
        beats = (await server.ask("GET", f"{one}/beats?limit=2")).json()
        assert ([one["beat"] for one in beats["items"]], beats["nextCursor"]) == ([0, 1], "1")
        rest = (await server.ask("GET", f"{one}/beats?cursor=1")).json()
        assert ([one["beat"] for one in rest["items"]], rest["nextCursor"]) == ([2], None)
        assert (await server.ask("GET", f"{one}/beats/1")).json() == beat.json()
        assert (await server.ask("GET", f"{one}/beats/3")).json()["code"] == "beat_unknown"
        assert (await server.ask("GET", f"{one}/state")).json()["state"]["nodeId"] == "boat"
        assert (await server.ask("GET", f"{one}/state?beat=0")).json()["state"]["nodeId"] == "quay"
        fork = await server.ask("POST", f"{one}/forks", {"beat": 1})
        assert fork.json()["forkedFrom"]["beat"] == 1
        forked = f"/v1/sessions/{fork.json()['id']}"
        for path, beats_ in ((one, 3), (forked, 3)):
            verified = (await server.ask("POST", f"{path}/replay/verify", {})).json()
            assert verified == {"ok": True, "level": "full", "end": "not_proven", "beats": beats_}
        assert len((await server.ask("GET", "/v1/sessions")).json()["items"]) == 2

    serve(work)


def test_the_exact_prompt_of_a_role_is_shown_again() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        beat = (await server.ask("POST", f"{one}/turns", ADVANCE)).json()
        prompt = (await server.ask("GET", f"{one}/beats/1/prompts/ben")).json()
        assert prompt["digest"] == beat["promptDigests"]["ben"]
        assert prompt["characters"] == sum(len(section["text"]) for section in prompt["sections"])
        assert any("A passenger." in section["text"] for section in prompt["sections"])
        for path in ("beats/0/prompts/ben", "beats/1/prompts/nobody"):
            assert (await server.ask("GET", f"{one}/{path}")).json()["code"] == "prompt_unknown"
        assert (await server.ask("GET", f"{one}/beats/9/prompts/ben")).json()["code"] == "beat_unknown"
        knowledge = (await server.ask("GET", f"{one}/knowledge")).json()
        assert {"kind": "beat", "id": "1", "since": 1} in knowledge["roles"]["ada"]
        assert (await server.ask("GET", f"{one}/leaks")).json() == {"leaks": []}

    serve(work)


def test_a_retry_with_its_key_gets_the_same_bytes_and_another_body_is_refused() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        key = {"Idempotency-Key": "k-1"}
        first = await server.ask("POST", f"{one}/turns", ADVANCE, headers=key)
        again = await server.ask("POST", f"{one}/turns", ADVANCE, headers=key)
        assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
        assert "idempotent-replayed" not in first.headers
        other = await server.ask("POST", f"{one}/turns", {**ADVANCE, "expectedBeat": 1}, headers=key)
        assert (other.status_code, other.json()["code"]) == (422, "key_reused")
        streamed = await server.ask("POST", f"{one}/turns", ADVANCE, headers={**key, "Accept": "text/event-stream"})
        assert streamed.text.startswith("event: beat.committed\n")
        assert (await server.ask("GET", one)).json()["beat"] == 1
        for bad in ("", "k" * 201, "k k"):
            refused = await server.ask("POST", f"{one}/turns", ADVANCE, headers={"Idempotency-Key": bad})
            assert (refused.status_code, refused.json()["code"]) == (400, "request_refused"), bad

    serve(work)


@pytest.mark.parametrize(
    ("body", "status", "code", "path"),
    [
        ({}, 400, "request_refused", "/trigger"),
        ({"trigger": {"kind": "message"}}, 400, "trigger_refused", "/trigger/text"),
        ({"trigger": {"kind": "message", "text": "字" * 2001}}, 400, "trigger_refused", "/trigger/text"),
        ({"trigger": {"kind": "choice", "branchId": "nowhere"}}, 400, "trigger_refused", "/trigger/branchId"),
        ({"trigger": {"kind": "advance", "focusRoles": []}}, 400, "trigger_refused", "/trigger/focusRoles"),
        ({"trigger": {"kind": "advance", "focusRoles": ["x"]}}, 400, "trigger_refused", "/trigger/focusRoles/0"),
        ({"trigger": {"kind": "advance"}, "expectedBeat": 4}, 409, "stale_beat", None),
        ({"trigger": {"kind": "advance"}, "expected": 4}, 400, "request_refused", "/expected"),
        ({"deliberationId": "dlb_none", "candidate": 1}, 404, "deliberation_unknown", None),
        ({"deliberationId": "dlb_none", "candidate": 3}, 400, "request_refused", "/candidate"),
    ],
)
def test_a_turn_that_cannot_be_taken_says_why(body: dict[str, Any], status: int, code: str, path: str | None) -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        refused = await server.ask("POST", f"{one}/turns", body)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
        assert [found["path"] for found in refused.json()["errors"]] == ([] if path is None else [path])
        assert (await server.ask("GET", one)).json()["beat"] == 0
        assert (await server.ask("POST", "/v1/sessions/ses_none/turns", body)).json()["code"] == "session_unknown"

    serve(work)


def test_a_turn_is_told_as_it_is_made() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        told = await server.ask("POST", f"{one}/turns", ADVANCE, headers={"Accept": "text/event-stream"})
        names = [line.removeprefix("event: ") for line in told.text.splitlines() if line.startswith("event: ")]
        seat = ["line.delta", "line.completed"]
        assert names == ["beat.started", *seat, *seat, "beat.committed"]
        assert told.headers["content-type"].startswith("text/event-stream")
        refused = await server.ask("POST", f"{one}/turns", {}, headers={"Accept": "text/event-stream"})
        assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")

    serve(work)


@pytest.mark.parametrize(("timed_out", "status", "code"), [(False, 502, "model_failed"), (True, 504, "model_timeout")])
def test_a_beat_without_a_line_is_discarded_with_its_problem(timed_out: bool, status: int, code: str) -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        plain = await server.ask("POST", f"{one}/turns", ADVANCE)
        assert (plain.status_code, plain.json()["code"]) == (status, code)
        told = await server.ask("POST", f"{one}/turns", ADVANCE, headers={"Accept": "text/event-stream"})
        assert told.status_code == 200
        assert told.text.count("event: line.discarded") == 2
        assert told.text.rpartition("event: ")[2].startswith("beat.discarded")
        assert f'"code":"{code}"' in told.text

    serve(work, house=house_with(Failing(timed_out=timed_out)))


def test_a_person_speaks_in_their_seat_and_is_awaited() -> None:
    async def work(server: Server) -> None:
        one = await with_person(server)
        said = await server.ask(
            "POST", f"{one}/turns", {"trigger": {"kind": "advance", "lines": {"ada": {"line": "我来了。"}}}}
        )
        assert [line["text"] for line in said.json()["lines"]] == ["我来了。", "Aye."]
        silent = (await server.ask("POST", f"{one}/turns", ADVANCE)).json()
        assert [entry["code"] for entry in silent["skippedRoles"]] == ["awaiting_human"]
        assert silent["skippedRoles"][0]["detail"]
        alone = await server.ask("POST", f"{one}/turns", {"trigger": {"kind": "advance", "focusRoles": ["ada"]}})
        assert (alone.status_code, alone.json()["code"]) == (409, "awaiting_human")
        wrong = await server.ask(
            "POST", f"{one}/turns", {"trigger": {"kind": "advance", "lines": {"ben": {"line": "x"}}}}
        )
        assert [found["code"] for found in wrong.json()["errors"]] == ["line_not_human"]

    serve(work)


def test_an_event_happens_once_however_often_it_is_delivered() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        sent = {"eventId": "e-1", "type": "bell", "effects": [{"op": "setFlag", "flagId": "lamp", "value": True}]}
        first = await server.ask("POST", f"{one}/events", sent)
        assert (first.status_code, first.json()["beat"]["beat"]) == (201, 1)
        again = await server.ask("POST", f"{one}/events", dict(reversed(sent.items())))
        assert (again.status_code, again.json()) == (200, {**first.json(), "duplicate": True})
        other = await server.ask("POST", f"{one}/events", {**sent, "type": "flood"})
        assert (other.status_code, other.json()["code"]) == (422, "event_reused")
        refused = await server.ask(
            "POST",
            f"{one}/events",
            {**sent, "eventId": "e-2", "effects": [{"op": "setFlag", "flagId": "x", "value": 1}]},
        )
        assert (refused.status_code, refused.json()["code"]) == (400, "effects_refused")
        unseen = await server.ask("POST", f"{one}/events", {"eventId": "e-2", "type": "bell", "wake": False})
        assert unseen.json()["beat"]["seats"] == []
        wordless = await server.ask("POST", f"{one}/events", {"type": "bell"})
        assert [found["path"] for found in wordless.json()["errors"]] == ["/eventId"]
        assert (await server.ask("POST", f"{one}/events", [1])).json()["code"] == "trigger_refused"

    serve(work)


def test_an_episode_is_run_to_the_end_of_its_budget_and_drafted_by_itself() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        key = {"Idempotency-Key": "episode"}
        started = await server.ask("POST", f"{one}/episode-runs", {"episodeId": "one"}, headers=key)
        assert started.status_code == 201
        assert started.json() == {
            "episodeRunId": "run-1", "episodeId": "one", "turnBudget": 2, "beatsUsed": 0, "firstBeat": 1,
            "lastBeat": None, "ended": None,
        }  # fmt: skip
        running = await server.ask("POST", f"{one}/episode-runs", {"episodeId": "one"})
        assert (running.status_code, running.json()["code"]) == (409, "episode_running")
        for _ in range(2):
            await server.ask("POST", f"{one}/turns", ADVANCE)
        run_ = (await server.ask("GET", f"{one}/episode-runs/run-1")).json()
        assert (run_["beatsUsed"], run_["lastBeat"], run_["ended"]["reason"]) == (2, 3, "turn_budget_used")
        assert (await server.ask("GET", f"{one}/episode-runs")).json()["items"] == [run_]
        assert (await server.ask("GET", f"{one}/episode-runs/run-2")).json()["code"] == "episode_run_unknown"
        assert (await server.ask("POST", f"{one}/episode-runs", {"episodeId": "two"})).json()[
            "code"
        ] == "episode_unknown"
        again = await server.ask("POST", f"{one}/episode-runs", {"episodeId": "one"}, headers=key)
        assert (again.json(), again.headers["idempotent-replayed"]) == (started.json(), "true")
        draft = (await server.ask("POST", f"{one}/script-drafts", {"episodeRunId": "run-1"})).json()
        assert (draft["id"], draft["fromBeat"], draft["toBeat"]) == ("b1-3", 1, 3)

    serve(work)


def test_a_draft_is_written_in_every_format_under_the_storys_name() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        await server.ask("POST", f"{one}/turns", {"trigger": {"kind": "message", "text": "A bell."}})
        draft = (await server.ask("POST", f"{one}/script-drafts")).json()
        assert (draft["id"], draft["title"]) == ("b0-1", "The Ferry")
        assert all("beat" in element for element in draft["elements"])
        path = f"{one}/script-drafts/b0-1"
        assert (await server.ask("GET", path)).json() == draft
        for written_as, begins in (("fountain", b"Title"), ("fdx", b"<?xml"), ("md", b"#"), ("pdf", b"%PDF")):
            file = await server.ask("GET", f"{path}.{written_as}")
            assert (file.status_code, file.content[: len(begins)]) == (200, begins)
            name = file.headers["content-disposition"].partition("filename*=UTF-8''")[2]
            assert unquote(name) == f"The Ferry.{written_as}"
        for unknown in ("b0-9", "b1-0", "b01-1", "x", "b0-1.txt"):
            gone = await server.ask("GET", f"{one}/script-drafts/{unknown}")
            assert (gone.status_code, gone.json()["code"]) == (404, "draft_unknown"), unknown
        both = await server.ask("POST", f"{one}/script-drafts", {"fromBeat": 0, "episodeRunId": "run-1"})
        assert (both.status_code, both.json()["code"]) == (400, "draft_range_and_run")

    serve(work)


def test_candidates_are_worked_out_and_one_becomes_the_beat_without_another_call() -> None:
    speaking = Speaking()

    async def work(server: Server) -> None:
        one = await begun(server)
        asked = {"trigger": {"kind": "advance"}, "candidates": 2, "roles": 1}
        made = await server.ask("POST", f"{one}/deliberations", asked)
        assert made.status_code == 201
        deliberation = made.json()
        assert [candidate["candidate"] for candidate in deliberation["candidates"]] == [1, 2]
        assert all(len(candidate["lines"]) == 1 for candidate in deliberation["candidates"])
        assert [entry["code"] for entry in deliberation["candidates"][0]["skippedRoles"]] == ["role_cap_reached"]
        assert (deliberation["status"], deliberation["beat"], len(speaking.calls)) == ("open", 0, 2)
        chosen = {"deliberationId": deliberation["id"], "candidate": 2}
        beat = await server.ask("POST", f"{one}/turns", chosen, headers={"Idempotency-Key": "c"})
        assert (beat.status_code, beat.json()["deliberation"]) == (201, chosen)
        assert len(speaking.calls) == 2
        again = await server.ask("POST", f"{one}/turns", chosen, headers={"Idempotency-Key": "c"})
        assert again.content == beat.content
        none = await server.ask("POST", f"{one}/turns", {**chosen, "deliberationId": "dlb_none"})
        assert (none.status_code, none.json()["code"]) == (404, "deliberation_unknown")
        stale = await server.ask("POST", f"{one}/turns", {**chosen, "candidate": 1})
        assert (stale.status_code, stale.json()["code"]) == (409, "stale_deliberation")
        found = (await server.ask("GET", f"{one}/deliberations/{deliberation['id']}")).json()
        assert (found["status"], found["committedBeat"]) == ("committed", 1)
        listed = (await server.ask("GET", f"{one}/deliberations")).json()["items"]
        assert [entry["id"] for entry in listed] == [deliberation["id"]]
        assert (await server.ask("POST", f"{one}/replay/verify")).json()["ok"] is True

    serve(work, house=house_with(speaking))


def test_a_candidate_that_was_not_worked_out_cannot_be_chosen() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        made = (await server.ask("POST", f"{one}/deliberations", {**ADVANCE, "candidates": 1})).json()
        refused = await server.ask("POST", f"{one}/turns", {"deliberationId": made["id"], "candidate": 2})
        assert (refused.status_code, refused.json()["code"]) == (400, "candidate_unknown")

    serve(work)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"candidates": 3}, "candidates exceeds 2"),
        ({"roles": 4}, "roles exceeds 3"),
        ({"roles": 0}, "roles is 0; at least 1 is allowed"),
    ],
)
def test_a_deliberation_may_ask_for_fewer_and_never_for_more(asked: dict[str, int], message: str) -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        refused = await server.ask("POST", f"{one}/deliberations", {"trigger": {"kind": "advance"}, **asked})
        assert refused.status_code == 400
        assert [found["message"] for found in refused.json()["errors"]] == [message]

    serve(work)


def test_a_spent_budget_asks_no_model_any_more() -> None:
    async def work(server: Server) -> None:
        one = await begun(server, tokenBudget=3)
        assert (await server.ask("POST", f"{one}/turns", ADVANCE)).status_code == 201
        session = (await server.ask("GET", one)).json()
        assert (session["tokenBudget"], session["tokensSpent"]) == (3, 4)
        spent = await server.ask("POST", f"{one}/turns", ADVANCE)
        assert (spent.status_code, spent.json()["code"]) == (409, "token_budget_exhausted")
        assert spent.json()["facts"] == {"tokenBudget": 3, "tokensSpent": 4}
        deliberated = await server.ask("POST", f"{one}/deliberations", ADVANCE)
        assert deliberated.json()["code"] == "token_budget_exhausted"
        quiet = await server.ask("POST", f"{one}/events", {"eventId": "e", "type": "bell", "wake": False})
        assert quiet.status_code == 201
        fork = (await server.ask("POST", f"{one}/forks", {"beat": 1})).json()
        assert (fork["tokenBudget"], fork["tokensSpent"]) == (None, 0)
        assert (await server.ask("POST", f"{one}/end")).json()["trigger"]["kind"] == "end"

    serve(work)


def test_an_ended_session_takes_no_more_beats_and_is_read_for_ever() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        key = {"Idempotency-Key": "end"}
        ended = await server.ask("POST", f"{one}/end", {}, headers=key)
        assert (ended.status_code, ended.json()["beat"]) == (201, 1)
        assert (await server.ask("POST", f"{one}/end", {}, headers=key)).content == ended.content
        for path, body in (("turns", ADVANCE), ("end", {}), ("deliberations", ADVANCE)):
            refused = await server.ask("POST", f"{one}/{path}", body)
            assert (refused.status_code, refused.json()["code"]) == (409, "session_ended")
        assert (await server.ask("GET", one)).json()["status"] == "ended"
        assert (await server.ask("POST", f"{one}/replay/verify")).json()["ok"] is True

    serve(work)


def test_an_archived_or_unpublished_world_starts_no_session() -> None:
    async def work(server: Server) -> None:
        world = await made_world(server)
        sessions = f"/v1/worlds/{world['id']}/sessions"
        started = (await server.ask("POST", sessions)).json()
        await server.ask("POST", f"/v1/worlds/{world['id']}/archive")
        refused = await server.ask("POST", sessions)
        assert (refused.status_code, refused.json()["code"]) == (409, "world_archived")
        assert (await server.ask("POST", f"/v1/sessions/{started['id']}/turns", ADVANCE)).status_code == 201
        draft = (await server.ask("POST", "/v1/worlds", {"draft": {}})).json()
        unpublished = await server.ask("POST", f"/v1/worlds/{draft['id']}/sessions")
        assert (unpublished.status_code, unpublished.json()["code"]) == (409, "world_unpublished")
        assert (await server.ask("POST", "/v1/worlds/wld_none/sessions")).json()["code"] == "world_unknown"
        unknown = await server.ask("POST", sessions, {"worldRevision": 9})
        assert unknown.json()["code"] == "world_archived"

    serve(work)


def test_a_server_that_stops_takes_no_new_beats_and_answers_old_keys() -> None:
    async def work(server: Server) -> None:
        one = await begun(server)
        key = {"Idempotency-Key": "k"}
        first = await server.ask("POST", f"{one}/turns", ADVANCE, headers=key)
        server.house.stop()
        refused = await server.ask("POST", f"{one}/turns", ADVANCE)
        assert (refused.status_code, refused.json()["code"]) == (503, "stopping")
        assert int(refused.headers["retry-after"]) > 0
        assert (await server.ask("POST", f"{one}/turns", ADVANCE, headers=key)).content == first.content
        assert (await server.ask("POST", f"{one}/deliberations", ADVANCE)).json()["code"] == "stopping"
        ready = await server.ask("GET", "/readyz", key=None)
        assert (ready.status_code, ready.json()["code"]) == (503, "stopping")

    serve(work)
