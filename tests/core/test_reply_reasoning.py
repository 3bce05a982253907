"""Reasoning is never spoken, however it is marked."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.reply import read_reply, reasoning
from storyworld.core.reply.reasoning import without_reasoning

SECRET = "SHE SOLD IT"
REPLY = '{"line": "Yes."}'

TAGS = [
    *((f"<{name}>", f"</{name}>") for name in (
        "think", "thinking", "THINK", "Thought", "thoughts", "reasoning", "reason", "analysis", "reflection",
        "scratchpad", "inner_monologue", "chain_of_thought", "seed:think", "antThinking", "思考", "推理", "思维链",
    )),
    ("< think >", "</ think >"), ("<think foo='bar'>", "</think>"), ("<think\n>", "<\\/think>"),
    ("＜think＞", "＜/think＞"),
    ("◁think▷", "◁/think▷"), ("&lt;think&gt;", "&lt;/think&gt;"), ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"), ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|think|>", "<|/think|>"),
    ("<｜begin▁of▁thinking｜>", "<｜end▁of▁thinking｜>"), ("<|thinking_start|>", "<|thinking_end|>"),
    ("<|channel>thought\n", "<channel|>"), ("<unused94>thought\n", "<unused95>"), ("<think>", "</thinking>"),
]  # fmt: skip


def line_of(text: str) -> str | None:
    return read_reply(text, role_name="Ada", role_id="ada").line


@pytest.mark.parametrize(("opening", "closing"), TAGS)
def test_reasoning_of_every_spelling_is_removed(opening: str, closing: str) -> None:
    draft = f'{{"line": "{SECRET}"}}'
    assert line_of(f"{opening}\n{draft}\n{closing}\n{REPLY}") == "Yes."
    assert line_of(f"{opening}{opening}a{closing}{draft}{closing}{REPLY}") == "Yes."
    assert line_of(f"{draft}{closing}{REPLY}") == "Yes."
    assert line_of(f"{opening}{draft}") is None
    assert line_of(f"{REPLY}{opening}{draft}") == "Yes."
    assert line_of(json.dumps({"line": f"{opening}{SECRET}{closing}Yes."})) == "Yes."
    assert line_of(json.dumps({"line": f"Yes.{opening}{SECRET}"})) == "Yes."


@pytest.mark.parametrize("closing", ["", "</think>"])
def test_at_every_cut_of_a_reply_with_reasoning_nothing_of_it_is_spoken(closing: str) -> None:
    text = f'<think>"{SECRET}" {{"line": "{SECRET}"}} {closing}{{"line": "Yes, yes."}}'
    for end in range(len(text) + 1):
        line = line_of(text[:end])
        assert line is None or "Yes, yes.".startswith(line)


@given(st.from_regex(reasoning._TAG, fullmatch=True))
def test_the_first_look_finds_whatever_the_long_search_would(tag: str) -> None:
    assert reasoning._MAY_BE_TAG.match(tag) is not None


def test_a_tag_that_closes_itself_holds_nothing() -> None:
    assert without_reasoning("a<think/>b<think>c<think/>d</think>e") == "abe"


def test_a_tag_put_together_by_taking_another_away_is_one_too() -> None:
    assert without_reasoning(f"<th<think></think>ink>{SECRET}</think>a") == "a"
    deep = "<think/>"
    for _ in range(6):
        deep = f"<th{deep}ink/>"
    assert without_reasoning(f"<th{deep}ink>{SECRET}") == ""
    assert line_of(json.dumps({"line": f"a<thi\u0007nk>{SECRET}"})) == "a"


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>", "b"),
        ("analysis<|message|>a<|end|><|channel|>final <|constrain|>json<|message|>b", "b"),
        ("<|channel|>commentary to=x<|message|>a<|call|><|channel|>final<|message|>b<|end|>c", "b"),
        ("<|channel|>analysis<|message|>a", ""),
        ("<|channel|>analysis", ""),
        ("analysisShe thinks.assistantfinalb", "b"),
        ("analysisShe thinks.", ""),
        ("analysis of the scene", "analysis of the scene"),
    ],
)
def test_only_the_final_channel_is_spoken(text: str, spoken: str) -> None:
    assert without_reasoning(text) == spoken


@pytest.mark.parametrize("text", ["I think <so>.", "a < b > c", "the [reason]", "<thinker>x</thinker>", "<b>loud</b>"])
def test_other_words_are_left_alone(text: str) -> None:
    assert without_reasoning(text) == text
