"""Whatever a model gives, reading it raises nothing and gives only what a record can hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.errors import CATALOGUE
from storyworld.core.reply import read_reply
from storyworld.core.reply.reasoning import without_reasoning

PIECES = st.sampled_from(
    (
        "{", "}", "[", "]", '"', "'", ",", ":", "\\", "\\u00", "\n", "```", "```json\n", "“", "”", "/*", "//", "-", " ",
        '"line"', '"line": "', '"text": "', "'line': '", '"action": "', '"operations": [',
        '{"op": "addNote", "text": "wet"}',
        '{"line": "Yes."}', '"台词": "好。"', "speaker", '"speaker": "Ben", ', "Ada", "<think>", "</think>", "[THINK]",
        "<|channel|>", "analysis", "final", "<|message|>", "assistantfinal", "1.5", "1e999", "NaN", "null", "True",
        "9" * 20,        "\\ud800", "\ud800", "\0", "\u200b",
    )
)  # fmt: skip
REPLIES = st.lists(PIECES | st.text(max_size=6), max_size=25).map("".join)


@given(REPLIES, st.booleans())
def test_any_text_is_read_without_raising_and_the_same_way_twice(text: str, cut: bool) -> None:
    reading = read_reply(text, role_name="Ada", role_id="ada", cut=cut)
    assert reading == read_reply(text, role_name="Ada", role_id="ada", cut=cut)
    canonical_bytes([reading.line, reading.action, *reading.operations, [e.to_json("ada") for e in reading.left_out]])
    assert CATALOGUE.keys() >= {*reading.repairs, *(entry.code for entry in reading.left_out)}
    assert reading.line is None or 0 < len(reading.line) <= limits.LINE_MAX_CHARS.value
    assert reading.line is None or without_reasoning(reading.line).strip() == reading.line
    assert reading.line is not None or (reading.action is None and reading.operations == ())


@given(st.text(max_size=30), st.text(alphabet="abc井 {}\"'", max_size=20))
def test_reasoning_before_a_reply_never_changes_what_is_said(thought: str, line: str) -> None:
    said = canonical_bytes({"line": line}).decode()
    plain = read_reply(said, role_name="Ada", role_id="ada")
    thinking = read_reply(f"<think>{thought}</think>{said}", role_name="Ada", role_id="ada")
    assert thinking.line == plain.line
