"""Replies as models give them: where there is a line it is kept, and what was mended or left out is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from storyworld.core import limits
from storyworld.core.errors import CATALOGUE
from storyworld.core.reply import LeftOut, Reading, read_reply


def read(text: str, *, name: str = "Ada", cut: bool = False) -> Reading:
    return read_reply(text, role_name=name, role_id="ada", cut=cut)


def reply(**fields: Any) -> str:
    return json.dumps(fields, ensure_ascii=False)


# One of each shape that models are known for: what the role says, what was mended, what was left out.
SHAPES: dict[str, tuple[str, str | None, tuple[str, ...], tuple[str, ...]]] = {
    "as asked": ('{"line": "Hold the rope."}', "Hold the rope.", (), ()),
    "fenced": ('```json\n{"line": "Hold.", "tone": "low"}\n```', "Hold.", ("fence_removed",), ("unknown_key",)),
    "prose, then a fence": (
        'Here is the turn.\n~~~\n{"line": "Hold the rope."}\n~~~\nI hope it fits.',
        "Hold the rope.",
        ("fence_removed",),
        ("text_outside",),
    ),
    "reasoning, then JSON": (
        '<think>She would say {"line": "no"}.</think>\n{"line": "Yes."}',
        "Yes.",
        ("reasoning_removed",),
        (),
    ),
    "only the closing tag": ('She hesitates.\n</think>{"line": "Yes."}', "Yes.", ("reasoning_removed",), ()),
    "reasoning that never ends": ('<think>Either {"line": "yes"} or', None, ("reasoning_removed",), ()),
    "trailing commas": ('{"line": "Hold, on,}", "operations": [{"a": 1,},],}', "Hold, on,}", ("commas_removed",), ()),
    "unescaped quotes": (
        '{"line": "The "old" well, I mean.", "tone": "low"}',
        'The "old" well, I mean.',
        ("json_repaired",),
        ("unknown_key",),
    ),
    "curly quotes as grammar": (
        "{“line”: “绳子断了。”,”tone”:”低”}",
        "绳子断了。",
        ("quotes_straightened",),
        ("unknown_key",),
    ),
    "a doubled opening quote": (
        '[{"line": ""绳子断了"}, {"line": ""快跑"}]',
        "绳子断了",
        ("json_repaired", "wrapper_removed"),
        ("other_object",),
    ),
    "cut within the line": ('{"line": "Hold the rope, it is sl', "Hold the rope, it is sl", ("cut",), ()),
    "cut after a key": ('{"line": "Hold the rope.", "tone":\n', "Hold the rope.", ("cut",), ()),
    "two objects": (
        '{"speaker": "Ada", "line": "Hold."}\n{"speaker": "Ben", "line": "I do."}',
        "Hold.",
        (),
        ("other_object",),
    ),
    "text after the object": ('{"line": "Hold."}\n(Ben is silent.)', "Hold.", (), ("text_outside",)),
    "braces in the prose": ('I fill in {line} and {action:}.\n{"line": "Hold."}', "Hold.", (), ("text_outside",)),
    "raw line breaks": ('{"line": "One.\n\tTwo."}', "One.\n\tTwo.", ("breaks_escaped",), ()),
    "escaped underscores": ('{"line\\_text": "Hold \\*on\\*."}', "Hold *on*.", ("escapes_mended", "keys_renamed"), ()),
    "a Python literal": (
        "{'line': \"It's wet.\", 'loud': True, 'to': None}",
        "It's wet.",
        ("json_repaired",),
        ("unknown_key", "unknown_key"),
    ),
    "wrapped in a type name": ('{"Reply": {"line": "Hold."}}', "Hold.", ("wrapper_removed",), ()),
    "a list": ('[{"line": "Hold."}]', "Hold.", ("wrapper_removed",), ()),
    "channels": (
        '<|channel|>analysis<|message|>She {"line": "no"}<|end|><|channel|>final<|message|>{"line": "Yes."}<|return|>',
        "Yes.",
        ("reasoning_removed",),
        (),
    ),
    "a refusal": ("I'm sorry, I can't write that.", None, (), ()),
    "translated keys": (
        '{"说话人": "艾达", "台词": "抓住。", "动作": "拉绳"}',
        "抓住。",
        ("keys_renamed",),
        ("speaker_differs",),
    ),
    "backticks in a text": ('{"line": "Say `open` and ``` wait."}', "Say `open` and ``` wait.", (), ()),
    "repeating until cut": ('{"tones": ["low", "low", "low", "lo', None, (), ()),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_where_there_is_a_line_it_is_kept_and_what_was_done_is_told(shape: str) -> None:
    text, line, repairs, left_out = SHAPES[shape]
    reading = read(text)
    assert (reading.line, reading.repairs) == (line, repairs)
    assert tuple(entry.code for entry in reading.left_out) == left_out


# The stem of each real file, with the line in it.
KETTLE = "The kettle is on."
IN_FILES: dict[str, str | None] = {
    **dict.fromkeys(("01", "02", "03", "04", "06", "11", "13", "14", "16", "18", "19", "20"), KETTLE),
    "05": None,
    "07": 'He called it a "picnic", and we laughed.',
    "08": "水开了，请坐。",
    "09": "茶还热着呢",
    "10": "The kettle is on and the rain has st",
    "12": "Sit down.",
    "15": "Three things:\n\n1. **Tea**\n2. A chair\n\tand a blanket\n3. Quiet",
    "17": "Don't touch the kettle.",
    "21": None,
    "22": "水开了。",
    "23": "Type `open door` and wait.",
    "24": None,
}


def test_every_real_reply_gives_the_line_that_is_in_it(cases: Callable[[str], Path]) -> None:
    found = {path.name[:2]: path for path in cases("llm_output").iterdir()}
    assert found.keys() == IN_FILES.keys()
    lines = {number: read(path.read_bytes().decode(), name="Nell").line for number, path in found.items()}
    assert lines == IN_FILES


def test_prose_is_no_line() -> None:
    assert read("Hold the rope.") == Reading(None)
    assert read("") == Reading(None)
    assert read('"Hold the rope."') == Reading(None)


def test_an_action_and_operations_are_taken_as_they_are() -> None:
    operation = {"op": "addNote", "text": "wet"}
    assert read(reply(line=" Hold.\r\n", action="She pulls.", operations=[operation, 7])) == Reading(
        "Hold.", "She pulls.", (operation, 7)
    )
    assert read(reply(line="Hold.", action=None, operations=None)) == Reading("Hold.")


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("Line", "a"), ("LINE_TEXT", "a"), ("dialogue", "a"), ("spoken-line", "a"), ("ｌｉｎｅ", "a"), ("text", "a"),
        ("台词", "好"), ("對白", "好"), ("セリフ", "はい"), ("대사", "네"), ("réplique", "oui"), ("реплика", "да"),
    ],
)  # fmt: skip
def test_known_and_translated_names_of_the_line_are_read(key: str, line: str) -> None:
    assert read(reply(**{key: line})) == Reading(line, repairs=("keys_renamed",))


def test_of_several_names_for_one_part_the_one_that_was_asked_for_counts() -> None:
    reading = read('{"say": "a", "line": "b", "text": "c", "动作": "d", "action": "e", "ops": [], "operations": [1]}')
    assert (reading.line, reading.action, reading.operations) == ("b", "e", (1,))
    assert [entry.path for entry in reading.left_out] == ["/say", "/text", "/动作", "/ops"]


def test_a_line_that_says_nothing_gives_way_to_one_that_does() -> None:
    assert read(reply(line=None, say=" ", text="Hold.")).line == "Hold."


@pytest.mark.parametrize(
    "line", ["", "  ", "\u200b\u2060\ufeff", "\u3164", "\u2800", "\0", "\u0301", None, 7, True, {}, []]
)
def test_a_line_of_which_nothing_can_be_seen_is_none(line: object) -> None:
    assert read(json.dumps({"line": line})).line is None


def test_a_line_given_as_a_list_of_texts_is_said_line_by_line() -> None:
    assert read(reply(line=["One.", "Two."])).line == "One.\nTwo."
    assert read(reply(line=["One.", 2])).line is None


def test_characters_that_no_text_can_hold_are_replaced_and_told() -> None:
    reading = read('{"line": "a\\u0000b\\ud800c\\ud83d\\ude00\\u0007\\u0041"}')
    assert (reading.line, reading.repairs) == ("a\ufffdb\ufffdc😀A", ("characters_replaced",))
    assert read('{"line": "a\ud800b"}').line == "a\ufffdb"
    assert read('\ufeff{"line": "a"}') == Reading("a")


def test_a_repeated_key_counts_as_it_stands_last() -> None:
    assert read('{"line": "a", "line": "b"}') == Reading("b", repairs=("keys_repeated",))
    faulty = read('{"line": "a", "operations": [{"n": 1, "n": 2}],}')
    assert (faulty.operations, faulty.repairs) == (({"n": 2},), ("commas_removed", "keys_repeated"))


def test_a_key_that_nobody_asked_for_is_told_with_its_place_and_weight() -> None:
    reading = read(reply(line="a", mood="calm", options=["go", {"why": "late"}], n=7))
    assert reading.left_out == (
        LeftOut("unknown_key", "/mood", 4),
        LeftOut("unknown_key", "/options", 9),
        LeftOut("unknown_key", "/n", 0),
    )
    assert read('{"line": "a", "not/plain": 1}').left_out == (LeftOut("unknown_key", "", 0),)


def test_at_most_20_parts_are_told_one_by_one() -> None:
    keys = {f"key-{number}": "xy" for number in range(25)}
    left_out = read(reply(line="a", **keys)).left_out
    assert len(left_out) == limits.REPLY_MAX_LEFT_OUT.value + 1
    assert left_out[-1] == LeftOut("more_left_out", characters=10)


def test_an_action_that_is_no_text_is_left_out() -> None:
    reading = read(reply(line="a", action={"body": "sits"}))
    assert (reading.action, reading.left_out) == (None, (LeftOut("not_speakable", "/action", 8),))
    assert read(reply(line="a", action="\u200b")).left_out == (LeftOut("not_speakable", "/action", 1),)


def test_operations_that_are_no_list_are_left_out() -> None:
    reading = read(reply(line="a", operations={"op": "addNote"}))
    assert (reading.operations, reading.left_out) == ((), (LeftOut("operations_not_listed", "/operations"),))


@pytest.mark.parametrize(
    "value", ["1.5", "9007199254740992", "NaN", "1e3", "[" * 70 + "]" * 70, '{"a":' * 70 + "1" + "}" * 70]
)
def test_an_operation_that_no_record_can_hold_stands_as_none(value: str) -> None:
    reading = read(f'{{"line": "a", "operations": [{{"op": "setFlag", "value": {value}}}, null, true]}}')
    assert (reading.line, reading.operations) == ("a", (None, None, True))
    assert reading.left_out == (LeftOut("operation_unreadable", "/operations/0"),)


@pytest.mark.parametrize("innermost", [{}, [], {"a": 1}, [[]], 1, "a"])
def test_an_operation_nests_32_deep_and_no_deeper(innermost: Any) -> None:
    def kept(deep: int) -> bool:
        operation = innermost
        for level in range(deep):
            operation = [operation] if level % 2 else {"in": operation}
        return read_reply(reply(line="Hm.", operations=[operation]), role_name="Ada", role_id="ada").operations != (
            None,
        )

    own = 0 if isinstance(innermost, int | str) else 2 if innermost == [[]] else 1
    assert kept(32 - own)
    assert not kept(33 - own)


def test_an_operation_with_a_lost_character_stands_as_none() -> None:
    reading = read('{"line": "a", "operations": [{"op": "addNote", "text": "\\ud800"}, {"op\ud800": 1}]}')
    assert reading.operations == ({"op": "addNote", "text": "\ufffd"}, {"op\ufffd": 1})
    guessed = read("{'line': 'a', 'operations': [{'text': '\\u0000'}]}")
    assert guessed.line == "a"


@pytest.mark.parametrize(
    ("part", "bound"), [("line", limits.LINE_MAX_CHARS.value), ("action", limits.ACTION_MAX_CHARS.value)]
)
def test_a_text_over_its_bound_keeps_its_whole_sentences(part: str, bound: int) -> None:
    at_the_bound = "x" * (bound - 4) + ".yz."
    whole = read(reply(**{"line": "a", part: at_the_bound}))
    assert (getattr(whole, part), whole.left_out) == (at_the_bound, ())
    one_over = "井" * (bound - 2) + "。”" + "水"
    kept = read(reply(**{"line": "a", part: one_over}))
    assert (getattr(kept, part), kept.left_out) == (one_over[:bound], (LeftOut("too_long", f"/{part}", 1),))
    endless = read(reply(**{"line": "a", part: "井" * (bound + 1)}))
    assert (getattr(endless, part), endless.left_out) == (None, (LeftOut("too_long", f"/{part}", bound + 1),))


def test_only_the_beginning_of_an_endless_reply_is_looked_at() -> None:
    fitting = reply(line="a", x="x" * (limits.REPLY_MAX_CHARS.value - 22))
    assert (len(fitting), [entry.code for entry in read(fitting).left_out]) == (
        limits.REPLY_MAX_CHARS.value,
        ["unknown_key"],
    )
    reading = read(reply(line="a", x="x" * limits.REPLY_MAX_CHARS.value))
    assert (reading.line, reading.repairs) == ("a", ("cut",))
    assert reading.left_out[0] == LeftOut("reply_too_long", characters=22)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 1_000_000, "[{" * 500_000, "{}" * 500_000, '"' * 1_000_000, "{'" * 50_000, '{"line":"' + "." * 90_000,
        "<think>" * 100_000, "</think>" * 100_000, "<th<think></think>ink>" * 5_000, "<think " * 20_000,
        '{"line": "' + ".x" * 40_000 + '"}', '{"line": "' + "!)" * 40_000 + '"}', '{“' * 50_000, "<|channel|>" * 10_000,
        '{"line": "a" b"' * 7_000, '{"line":"a","operations":[' + "[" * 9_000, '{"line":"a"}\n' * 8_000,
        '{"a":"' + "\\" * 99_000,
    ],
)  # fmt: skip
def test_no_reply_holds_up_the_beat(text: str) -> None:
    # A reading that were quadratic in its text would take minutes; the suite's own timeout then ends it.
    assert read(text) == read(text)


def test_what_was_left_out_stands_in_the_record_with_the_role() -> None:
    assert LeftOut("too_long", "/line", 7).to_json("ada") == {
        "roleId": "ada",
        "code": "too_long",
        "path": "/line",
        "characters": 7,
    }
    assert LeftOut("text_outside").to_json("ada") == {"roleId": "ada", "code": "text_outside"}


def test_every_code_of_a_reading_stands_in_the_catalogue() -> None:
    for text, _, repairs, left_out in SHAPES.values():
        assert CATALOGUE.keys() >= {*repairs, *left_out, *read(text).repairs}
