"""Which object is the reply: in wrappers, lists and company, cut, or written as text."""

from __future__ import annotations

import pytest

from storyworld.core import limits
from storyworld.core.reply import LeftOut, Reading, read_reply

NOTE = '{"op": "addNote", "text": "wet"}'


def read(text: str, *, cut: bool = False) -> Reading:
    return read_reply(text, role_name="Ada", role_id="ada-1", cut=cut)


def test_of_several_objects_the_roles_own_is_kept() -> None:
    ben, ada = '{"speaker": "Ben", "line": "No."}', '{"speaker": "ADA", "line": "Yes."}'
    assert read(f"{ben} and {ada}") == Reading(
        "Yes.", left_out=(LeftOut("other_object", characters=len(ben)), LeftOut("text_outside", characters=3))
    )
    assert read(f"[{ben}, {ada}]").left_out == (LeftOut("other_object", "/0", 17),)
    assert read(f'{ben} {{"roleId": "ada-1", "text": "Yes."}}').line == "Yes."
    assert read(f'{ben} {{"line": "Perhaps."}}').line == "Perhaps."
    assert read(f'{{"speaker": 7, "line": "Perhaps."}} {ben}').line == "Perhaps."


def test_the_roles_own_broken_object_comes_before_anothers_whole_one() -> None:
    text = """{'speaker': 'Ada', 'line': 'Yes.'} {"speaker": "Ben", "line": "No."}"""
    assert (read(text).line, read(text).repairs) == ("Yes.", ("json_repaired",))
    around = """{'speaker': 'Ada', 'line': 'Yes.', 'to': {"speaker": "Ben", "line": "No."}"""
    assert read(around).line == "Yes."


def test_a_line_under_another_name_is_kept_and_the_name_is_told() -> None:
    assert read('{"speaker": "Ben", "line": "No."}') == Reading(
        "No.", left_out=(LeftOut("speaker_differs", "/speaker"),)
    )


def test_a_wrapper_of_any_name_is_removed() -> None:
    assert read('{"turn": {"reply": [{"line": "Yes.", "mood": "low"}], "id": 3}}') == Reading(
        "Yes.",
        repairs=("wrapper_removed",),
        left_out=(LeftOut("unknown_key", "/turn/id", 0), LeftOut("unknown_key", "/turn/reply/0/mood", 3)),
    )
    assert read('{"line": {"text": "Yes."}}').line == "Yes."
    assert read('[{"text": "Yes."}]').line == "Yes."


@pytest.mark.parametrize(
    "text",
    [
        NOTE,
        f'{{"operations": [{NOTE}]}}',
        '{"operations": [{"line": "Yes."}]}',
        '{"choices": [{"text": "sit"}]}',
        '[{"text": "sit"}, {"text": "stand"}]',
        '{"thinking": {"line": "No one may know."}}',
        '{"a": {"b": {"c": {"d": {"e": {"line": "Yes."}}}}}}',
        '{"a": [1, "line"]}',
        '{ then [{"text": "sit"}]',
    ],
)
def test_a_text_that_is_not_the_roles_line_is_not_spoken(text: str) -> None:
    assert read(text).line is None


def test_a_reply_written_as_text_is_read() -> None:
    assert read('"{\\"line\\": \\"Yes.\\"}"') == Reading("Yes.", repairs=("wrapper_removed",))
    inner = '{\\"line\\": \\"Yes.\\"}'
    assert read(f'{{"line": "{inner}", "operations": [{NOTE}]}}') == Reading(
        "Yes.", operations=({"op": "addNote", "text": "wet"},), repairs=("wrapper_removed",)
    )
    assert read('{"line": "{\\"a\\": 1}"}').line == '{"a": 1}'
    assert read('{"line": "{wet}"}').line == "{wet}"


def test_an_operation_that_was_cut_is_left_out_and_those_before_it_are_kept() -> None:
    begun = f'{{"line": "Yes.", "operations": [{NOTE}, '
    kept = ({"op": "addNote", "text": "wet"},)
    assert read(begun) == Reading("Yes.", operations=kept, repairs=("cut",))
    for half in ('{"op": "addNote", "text": "w', '{"op": "addNote"', '"addN', '{"op": "x", "a": ["b"'):
        reading = read(begun + half)
        assert (reading.line, reading.operations, reading.repairs) == ("Yes.", kept, ("cut",))
        assert reading.left_out == (LeftOut("cut_off", "/operations/1"),)
    closed = read(f'{{"line": "Yes.", "operations": [{NOTE}], "mood": ["lo')
    assert (closed.operations, closed.left_out) == (kept, (LeftOut("unknown_key", "/mood", 2),))
    assert read(f'[{{"line": "Yes.", "operations": [{NOTE}]').operations == kept


def test_an_action_that_was_cut_is_left_out() -> None:
    reading = read('{"line": "Yes.", "action": "She raises her h')
    assert (reading.action, reading.left_out) == (None, (LeftOut("cut_off", "/action", 16),))
    assert read('{"line": "Yes.", "action": "She nods."').action == "She nods."
    assert read('{"action": "She nods.", "line": "Ye').action == "She nods."


def test_a_cut_reply_in_a_wrapper_or_with_faults_keeps_what_there_is() -> None:
    assert read('```json\n{"turn": {"line": "Yes, and').repairs == ("fence_removed", "cut", "wrapper_removed")
    assert read('{"line": "Yes,\nand').repairs == ("breaks_escaped", "cut")
    late = read("{'operations': [{'op': 'addNote'}], 'line': 'Yes, a")
    assert (late.line, late.operations) == ("Yes, a", ({"op": "addNote"},))
    guessed = read("{'line': 'Yes.', 'operations': [{'op': 'addNote'")
    assert (guessed.line, guessed.operations) == ("Yes.", ())
    assert guessed.repairs == ("cut", "json_repaired")
    assert read("{'a': 1").line is None


@pytest.mark.parametrize("end", ["\\", "\\u", "\\u00e", "\\ud83d"])
def test_half_an_escape_at_the_cut_is_no_character(end: str) -> None:
    line = read('{"line": "Yes' + end).line
    assert line is not None
    assert line.rstrip("\ufffd") == "Yes"


def test_an_escaped_backslash_at_the_cut_is_a_character() -> None:
    assert read('{"line": "Yes\\\\').line == "Yes\\"


def test_an_answer_that_the_provider_cut_is_told_as_cut_also_where_its_object_is_whole() -> None:
    assert read('{"line": "Yes."}', cut=True) == Reading("Yes.", repairs=("cut",))


def test_a_quote_too_many_does_not_hide_the_line() -> None:
    assert read('{"line": "A 5" rope.", "action": "She nods."} Done.').line == 'A 5" rope.'


def test_brackets_that_never_close_do_not_hide_the_reply() -> None:
    assert read('A face :{ and [a note. {"line": "Yes."}').line == "Yes."
    assert read(': ] } {"line": "Yes."}').line == "Yes."
    assert read('{"line": "Yes.", "operations": [}').line == "Yes."


def test_what_is_too_long_or_too_deep_is_not_guessed_at() -> None:
    assert read("{'line': 'Yes.', 'x': '" + "x" * 20_000 + "'}").line is None
    assert read("{'line': 'Yes.', 'x': " + "[" * 100 + "]" * 100 + "}").line is None
    assert read("{'line': 'Yes.', 'x': " + "{" * 100).line is None
    assert read("{'line': 'Yes.' " + "/*" * 100 + "}").line is None


def test_a_guess_that_fails_is_no_guess() -> None:
    # The library asserts that a key is a text, and here it is none.
    assert read("{'```json{```") == Reading(None)


def test_a_known_fault_beside_a_guess_is_told_too() -> None:
    assert read("{'a': \"b\nc\", 'line': \"Yes.\"").line == "Yes."


def test_a_reply_whose_line_cannot_be_kept_does_and_proposes_nothing() -> None:
    endless = "x" * (limits.LINE_MAX_CHARS.value + 1)
    assert read(f'{{"line": "{endless}", "action": "She nods.", "operations": [{NOTE}]}}') == Reading(
        None, left_out=(LeftOut("too_long", "/line", len(endless)),)
    )
