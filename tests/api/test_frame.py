from __future__ import annotations

import json
from typing import Any

import pytest

from storyworld.api.operation import Access, Answer, Answered, Asked, Operation, Parameter, body
from storyworld.core import limits
from storyworld.core.errors import Refusal, refusal
from storyworld.core.schema.parts import integer, resource_id, text
from tests.api.asking import OPERATOR_KEY, Server, serve

ANSWERED = {200: Answered("Well.")}


async def _echo(asked: Asked) -> Answer | Refusal:
    return Answer(200, {"path": dict(asked.path), "query": dict(asked.query), "body": asked.body})


async def _break(asked: Asked) -> Answer | Refusal:
    raise RuntimeError("the secret of the house")


async def _missing(asked: Asked) -> Refusal | None:
    return refusal("session_unknown") if asked.path["id"] == "gone" else None


ID = Parameter("path", "id", resource_id("Its id."), "session_unknown")
NOTE = body("NoteRequest", "A note.", {"text": text(limits.WORLD_STATE_MAX_NOTE_CHARS, "It.")})
OPTIONAL = body(
    "Nothing", "Nothing much.", {"text": NOTE.schema["properties"]["text"]}, optional=("text",), required=False
)
COUNT = Parameter("query", "count", {**integer(limits.PAGE_MAX_ITEMS, "How many.", minimum=1), "default": 3})
WORD = Parameter("query", "word", text(limits.STORY_MAX_NAME_CHARS, "A word."))
BEAT = Parameter("path", "beat", integer(limits.INTEGER_MAX, "A beat.", minimum=0), "session_unknown")
OPERATIONS = (
    Operation(
        "GET", "/things/{id}", "getThing", "Sessions", "A thing.", Access.READ, _echo, ANSWERED, (), (ID, COUNT, WORD)
    ),
    Operation(
        "PUT",
        "/things/{id}",
        "putThing",
        "Sessions",
        "A thing.",
        Access.WRITE,
        _echo,
        ANSWERED,
        (),
        (ID,),
        NOTE,
        _missing,
    ),
    Operation(
        "POST", "/things/{id}/poke", "poke", "Sessions", "Poke.", Access.WRITE, _echo, ANSWERED, (), (ID,), OPTIONAL
    ),
    Operation(
        "GET", "/things/{id}/{beat}", "getBeat", "Sessions", "A beat.", Access.READ, _echo, ANSWERED, (), (ID, BEAT)
    ),
    Operation("GET", "/broken", "broken", "Service", "Breaks.", Access.OPEN, _break, ANSWERED),
    Operation("GET", "/operator", "operator", "Service", "For the operator.", Access.OPERATOR, _echo, ANSWERED),
)


def asked(*args: Any, **more: Any) -> tuple[int, dict[str, Any], dict[str, str]]:
    """The status, the JSON value and the headers of one answer."""

    async def work(server: Server) -> tuple[int, dict[str, Any], dict[str, str]]:
        key = {"write": server.write_key, "read": server.read_key}.get(more.get("key", "write"), more.get("key"))
        answer = await server.ask(*args, **{**more, "key": key})
        return answer.status_code, json.loads(answer.content or b"null"), dict(answer.headers)

    return serve(work, operations=OPERATIONS)


def test_what_is_asked_reaches_the_handler_typed() -> None:
    status, value, headers = asked("GET", "/things/a-1?word=%E7%81%AF&count=7")
    assert (status, value) == (200, {"path": {"id": "a-1"}, "query": {"count": 7, "word": "灯"}, "body": None})
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-request-id"].startswith("req_")


def test_an_absent_parameter_is_its_default_or_nothing() -> None:
    assert asked("GET", "/things/a")[1]["query"] == {"count": 3, "word": None}


@pytest.mark.parametrize(
    ("query", "problems"),
    [
        ("count=101", [("/count", "number_too_large")]),
        ("count=0", [("/count", "number_too_small")]),
        ("count=ten", [("/count", "query_not_integer")]),
        ("count=1e1", [("/count", "query_not_integer")]),
        ("count=", [("/count", "query_not_integer")]),
        ("count=99999999999999999999", [("/count", "query_not_integer")]),
        ("count=1&count=2", [("/count", "query_repeated")]),
        ("cuont=1", [("/cuont", "query_unknown")]),
        ("%3Cscript%3E=1", [("", "query_unknown")]),
        ("word=%00&count=101", [("/count", "number_too_large"), ("/word", "control_character")]),
        ("word=", [("/word", "text_empty")]),
    ],
)
def test_every_wrong_parameter_is_told(query: str, problems: list[tuple[str, str]]) -> None:
    status, value, _ = asked("GET", f"/things/a?{query}")
    assert (status, value["code"]) == (400, "request_refused")
    assert [(one["path"], one["code"]) for one in value["errors"]] == problems


@pytest.mark.parametrize("path", ["/things/-a", "/things/a%00", "/things/" + "a" * 65, "/things/a/-1", "/things/a/one"])
def test_an_id_that_nothing_can_have_is_answered_as_one_that_nothing_has(path: str) -> None:
    status, value, _ = asked("GET", path)
    assert (status, value["code"]) == (404, "session_unknown")


@pytest.mark.parametrize("path", ["/nothing", "/things/", "/things/a%2Fb/c/d", "//things/a", "/THINGS/a"])
def test_an_address_without_an_operation_is_told(path: str) -> None:
    status, value, headers = asked("GET", path)
    assert (status, value["code"], value["requestId"]) == (404, "route_unknown", headers["x-request-id"])


@pytest.mark.parametrize("method", ["POST", "PATCH", "TRACE", "OPTIONS", "PURGE"])
def test_a_method_that_an_address_does_not_take_is_told_with_those_that_it_takes(method: str) -> None:
    status, value, headers = asked(method, "/things/a")
    assert (status, value["code"], headers["allow"]) == (405, "method_unknown", "GET, HEAD, PUT")


def test_a_fault_of_ours_is_told_by_the_id_of_the_request_alone() -> None:
    async def work(server: Server) -> None:
        answer = await server.ask("GET", "/broken", key=None)
        value = answer.json()
        assert (answer.status_code, value["code"]) == (500, "fault")
        assert "secret" not in answer.text
        [exchange] = server.heard.exchanges
        assert exchange.request_id == value["requestId"]
        assert isinstance(exchange.fault, RuntimeError)

    serve(work, operations=OPERATIONS)


@pytest.mark.parametrize("key", [None, "nonsense", "sw_salt.key_1.wrong", OPERATOR_KEY])
def test_without_a_key_of_the_project_nothing_opens(key: str | None) -> None:
    status, value, headers = asked("GET", "/things/a", key=key)
    assert (status, value["code"], headers["www-authenticate"]) == (401, "key_unknown", "Bearer")


def test_a_key_that_may_read_may_not_write() -> None:
    assert asked("GET", "/things/a", key="read")[0] == 200
    status, value, _ = asked("PUT", "/things/a", {"text": "So."}, key="read")
    assert (status, value["code"]) == (403, "scope_missing")


def test_what_is_the_operators_opens_to_the_operator_only() -> None:
    assert asked("GET", "/operator", key=OPERATOR_KEY)[0] == 200
    assert asked("GET", "/operator", key="write")[0] == 401

    async def work(server: Server) -> int:
        return (await server.ask("GET", "/operator", key=OPERATOR_KEY)).status_code

    assert serve(work, operations=OPERATIONS, operator_key=None) == 401


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "json_syntax"),
        (b"{", "json_syntax"),
        (b'{"text": "a", "text": "b"}', "json_duplicate_key"),
        (b'{"text": NaN}', "json_syntax"),
        (b'{"text": "\\ud800"}', "json_surrogate"),
        (b'{"text": "\xff"}', "json_encoding"),
        (b"[" * 65 + b"]" * 65, "json_depth"),
        (b"[]", "type_wrong"),
        (b'{"text": null}', "type_wrong"),
        (b'{"text": "a", "txet": "b"}', "field_unknown"),
        (b"{}", "field_missing"),
        (('{"text": "' + "字" * 501 + '"}').encode(), "text_too_long"),
    ],
)
def test_a_body_that_cannot_be_taken_says_why(content: bytes, code: str) -> None:
    status, value, _ = asked("PUT", "/things/a", content=content)
    assert (status, value["code"], [one["code"] for one in value["errors"]]) == (400, "request_refused", [code])


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/json; charset=utf-16"},
        {"Content-Type": "multipart/form-data; boundary=a"},
        {"Content-Encoding": "gzip"},
    ],
)
def test_a_body_in_another_form_is_refused(headers: dict[str, str]) -> None:
    status, value, _ = asked("PUT", "/things/a", {"text": "So."}, headers=headers)
    assert (status, value["code"]) == (415, "media_type_unknown")


def test_a_body_over_the_cap_names_both_numbers() -> None:
    most = limits.REQUEST_MAX_BYTES.value
    status, value, _ = asked("PUT", "/things/a", content=b" " * (most + 1))
    assert (status, value["code"]) == (413, "request_body_too_large")
    assert value["facts"] == {"limit": most, "actual": most + 1}
    assert asked("PUT", "/things/a", content=b" " * (most - 13) + b'{"text": "a"}')[0] == 200


def test_what_the_path_names_is_looked_for_before_the_body_is_judged() -> None:
    status, value, _ = asked("PUT", "/things/gone", content=b"{")
    assert (status, value["code"]) == (404, "session_unknown")


def test_a_body_that_may_be_absent_is_the_empty_object() -> None:
    assert asked("POST", "/things/a/poke")[1]["body"] == {}
    assert asked("POST", "/things/a/poke", {"text": "So."})[1]["body"] == {"text": "So."}


def test_observers_are_told_of_operations_and_codes_and_of_nothing_that_was_sent() -> None:
    async def work(server: Server) -> None:
        await server.ask("GET", "/things/a?word=private")
        await server.ask("GET", "/nothing/private")
        told = [(one.method, one.operation, one.status, one.code, one.project_id) for one in server.heard.exchanges]
        assert told == [("GET", "getThing", 200, None, "salt"), ("GET", None, 404, "route_unknown", "")]

    serve(work, operations=OPERATIONS)


def test_a_number_beyond_what_every_reader_holds_is_told() -> None:
    status, value, _ = asked("GET", "/things/a?count=9007199254740992")
    assert (status, [one["code"] for one in value["errors"]]) == (400, ["query_not_integer"])
    assert asked("GET", "/things/a/9007199254740991")[0] == 200
    assert asked("GET", "/things/a/9007199254740992")[1]["code"] == "session_unknown"
