from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.reply import read_reply
from storyworld.core.reply.unfolding import Unfolding


def unfold(reply: str, *, sizes: int = 1) -> list[str]:
    unfolding = Unfolding()
    return [unfolding.grow(reply[at : at + sizes]) for at in range(0, len(reply), sizes)]


@given(st.text(max_size=80), st.booleans(), st.integers(1, 9))
def test_what_is_told_of_a_line_is_how_it_begins(line: str, ascii_only: bool, sizes: int) -> None:
    reply = json.dumps({"line": line, "action": "Nods."}, ensure_ascii=ascii_only)
    told = "".join(unfold(reply, sizes=sizes))
    read = read_reply(reply.encode("utf-8", "replace").decode(), role_name="Ada", role_id="ada").line
    assert read is None or read.startswith(told)


@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_plain_line_is_told_as_it_comes(ascii_only: bool) -> None:
    line = '“Ａé,\n\t灯🏮” — she said "no" \\ yes'
    reply = json.dumps({"line": f"  {line}  "}, ensure_ascii=ascii_only)
    assert "".join(unfold(reply)) == line
    assert len([piece for piece in unfold(reply) if piece]) > 10


@pytest.mark.parametrize(
    "reply",
    [
        'Sure! {"line": "Ah."}',
        "Ah.",
        '<think>{"line": "secret"}</think>{"line": "Ah."}',
        '```json\n{"line": "Ah."}\n```',
        '{"action": "Nods.", "line": "Ah."}',
        '[{"line": "Ah."}]',
        " " * 200 + '{"line": "Ah."}',
    ],
)
def test_nothing_is_told_of_a_reply_that_does_not_plainly_begin_with_its_line(reply: str) -> None:
    assert "".join(unfold(reply)) == ""


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("Ah<think>hm", "Ah"),
        ("Ah\\u0000.", "Ah"),
        ("Ah\\ud83d.", "Ah"),
        ("Ah\rhm", "Ah"),
        ("Ah\\x", "Ah"),
        ('Ah"', "Ah"),
    ],
)
def test_what_may_still_be_changed_is_waited_for(written: str, told: str) -> None:
    assert "".join(unfold(f'{{"line": "{written}')) == told


def test_a_line_over_the_bound_is_told_no_further() -> None:
    told = "".join(unfold(json.dumps({"line": "a" * 2_500})))
    assert len(told) == 2_000


def test_a_piece_that_goes_over_the_bound_is_not_told() -> None:
    assert unfold(json.dumps({"line": "a" * 2_500}), sizes=4_000) == [""]
