"""A script gives its replies word for word, each once, and fails when it runs out."""

from __future__ import annotations

import asyncio
import json

import pytest

from storyworld.core.call import Call, Failure, Performance
from storyworld.core.errors import Refusal
from storyworld.core.prompt.compose import compose, estimated_tokens
from storyworld.core.world import Model
from storyworld.models.scripted import Script, read_script
from tests.core.prompt_makers import brief

PROMPT = compose(brief())


def call(beat: int = 1, role_id: str = "ada") -> Call:
    return Call(role_id, beat, 0, PROMPT, Model("scripted"))


def script(*lines: object) -> Script:
    read = read_script("\n".join(json.dumps(line) for line in lines).encode())
    assert isinstance(read, Script)
    return read


def perform(script: Script, asked: Call) -> Performance | Failure:
    heard: list[str] = []
    outcome = asyncio.run(script.perform(asked, heard.append))
    assert "".join(heard) == (outcome.text if isinstance(outcome, Performance) else "")
    return outcome


def text_of(script: Script, asked: Call) -> str | None:
    performance = perform(script, asked)
    return performance.text if isinstance(performance, Performance) else None


def test_replies_are_given_in_their_order_and_each_once() -> None:
    played = script({"reply": "one"}, {"reply": "two"})
    assert [text_of(played, call()) for _ in range(3)] == ["one", "two", None]


def test_a_reply_waits_for_its_beat_and_its_role() -> None:
    played = script(
        {"beat": 2, "reply": "later"}, {"roleId": "ben", "reply": "ben"}, {"beat": 2, "roleId": "ada", "reply": "ada"}
    )
    assert text_of(played, call(1, "ada")) is None
    assert text_of(played, call(1, "ben")) == "ben"
    assert text_of(played, call(2, "ada")) == "later"
    assert text_of(played, call(2, "ben")) is None
    assert text_of(played, call(2, "ada")) == "ada"


def test_a_script_that_runs_out_fails_and_says_for_whom() -> None:
    failure = perform(script(), call(7))
    assert isinstance(failure, Failure)
    assert failure.detail == "The script has no reply left for ada in beat 7."
    assert (failure.timed_out, failure.usage.attempts, failure.usage.completion_tokens) == (False, 1, 0)


def test_an_object_is_given_as_json_text() -> None:
    assert text_of(script({"reply": {"line": "好。"}}), call()) == '{"line":"好。"}'


def test_tokens_are_counted_as_they_are_estimated() -> None:
    performance = perform(script({"reply": "four"}), call())
    assert isinstance(performance, Performance)
    usage = performance.usage
    assert (usage.provider, usage.model, usage.ms) == ("scripted", "scripted", 0)
    assert (usage.prompt_tokens, usage.completion_tokens) == (estimated_tokens(PROMPT), 2)


def test_blank_lines_are_passed_over() -> None:
    read = read_script(b'\n{"reply": "one"}\r\n  \n{"reply": "two"}\n')
    assert isinstance(read, Script)
    assert [text_of(read, call()) for _ in range(2)] == ["one", "two"]


@pytest.mark.parametrize(
    ("line", "code", "path"),
    [
        (b'{"reply": ', "json_syntax", ""),
        (b'{"reply": {"a": 1.5}}', "json_number_form", "/reply/a"),
        (b'["one"]', "script_entry", ""),
        (b'{"reply": "one", "role": "ada"}', "script_entry", ""),
        (b'{"beat": 1}', "script_entry", "/reply"),
        (b'{"reply": 7}', "script_entry", "/reply"),
        (b'{"reply": "one", "beat": 0}', "script_entry", "/beat"),
        (b'{"reply": "one", "beat": true}', "script_entry", "/beat"),
        (b'{"reply": "one", "beat": null}', "script_entry", "/beat"),
        (b'{"reply": "one", "roleId": "Not An Id"}', "script_entry", "/roleId"),
        (b'{"reply": "one", "roleId": null}', "script_entry", "/roleId"),
    ],
)
def test_a_line_that_cannot_be_performed_refuses_the_script_by_its_number(line: bytes, code: str, path: str) -> None:
    refused = read_script(b'{"reply": "one"}\n\n' + line)
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.facts) == ("script_refused", {"line": 3})
    assert "Line 3" in refused.message
    assert [(found.code, found.path) for found in refused.problems] == [(code, path)]


def test_running_out_has_a_word_of_its_own_in_the_catalogue() -> None:
    from storyworld.core.errors import CATALOGUE

    assert CATALOGUE["scripted_exhausted"].kind == "model"
