"""The language of conditions: references, places, and what may not stand in a text."""

from __future__ import annotations

import pytest

from storyworld.core.condition_text import Declared, Reference, read_condition

DECLARED = Declared(
    flags={"lamp": "boolean", "coins": "integer", "door-x": "text", "in": "boolean", "size": "boolean"},
    node_ids={"cave"},
    branch_ids={"row"},
    role_ids={"ana", "bo"},
)


def codes(text: str) -> list[str]:
    return [mistake.code for mistake in read_condition(text, DECLARED).mistakes]


def places(text: str) -> list[tuple[str, int, int]]:
    return [(mistake.code, mistake.line, mistake.column) for mistake in read_condition(text, DECLARED).mistakes]


def test_a_reference_is_replaced_without_moving_anything_else() -> None:
    text = 'flags.lamp && (\n flags [ "door-x"\n ] == "flags.lamp" || beat > 2) // visited("cave")'
    reading = read_condition(text, DECLARED)
    assert reading.text == 'b0         && (\n s0              \n   == "flags.lamp" || i0   > 2) // visited("cave")'
    assert len(reading.text) == len(text)
    assert not reading.mistakes


def test_the_same_thing_is_one_slot_however_it_is_written() -> None:
    reading = read_condition('flags.lamp || flags["lamp"] || flags[r\'lamp\'] || flags["""lamp"""]', DECLARED)
    assert reading.slots == {Reference("flag", ("lamp",)): "b0"}


def test_every_kind_of_reference_is_found() -> None:
    text = (
        'visited("cave") && taken("row") && hasFact("tide") && hasEntity("boat") && beat > 1 && episodeBeat < 9 '
        '&& relation("ana", "bo", "trust") > 0'
    )
    assert list(read_condition(text, DECLARED).slots) == [
        Reference("visited", ("cave",)),
        Reference("taken", ("row",)),
        Reference("hasFact", ("tide",)),
        Reference("hasEntity", ("boat",)),
        Reference("beat"),
        Reference("episodeBeat"),
        Reference("relation", ("ana", "bo", "trust")),
    ]


def test_a_comment_inside_a_reference_does_no_harm() -> None:
    reading = read_condition('visited( // the first\n"cave") && beat > 1', DECLARED)
    assert not reading.mistakes
    assert reading.text.split("\n")[1] == "        && i0   > 1"


def test_any_flag_may_be_named_after_a_word_of_the_language() -> None:
    assert codes("flags.in && flags.size") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flags.lmap", ("condition_flag_unknown", 1, 7)),
        ('flags["lmap"]', ("condition_flag_unknown", 1, 7)),
        ('beat > 1 &&\n  visited("crypt")', ("condition_node_unknown", 2, 11)),
        ('"🚢" == "门" || taken("swim")', ("condition_branch_unknown", 1, 21)),
        ('relation("ana", "cy", "trust") > 1', ("condition_role_unknown", 1, 17)),
        ('relation("cy", "bo", "trust") > 1', ("condition_role_unknown", 1, 10)),
        ('hasFact("The tide")', ("condition_id_form", 1, 9)),
        ('hasEntity("")', ("condition_id_form", 1, 11)),
        ('relation("ana", "bo", "深")', ("condition_id_form", 1, 23)),
        ("flags.Lamp", ("condition_id_form", 1, 7)),
        ('visited("\\x63ave")', ("condition_id_form", 1, 9)),
        ("flags == 1", ("condition_flags_form", 1, 1)),
        ("flags.", ("condition_flags_form", 1, 1)),
        ("flags[0]", ("condition_flags_form", 1, 1)),
        ('flags["lamp"', ("condition_flags_form", 1, 1)),
        ("hasFact()", ("condition_argument", 1, 1)),
        ('hasFact("a", "b")', ("condition_argument", 1, 1)),
        ('relation("ana", "bo")', ("condition_argument", 1, 1)),
        ("hasFact(flags.lamp)", ("condition_argument", 1, 1)),
        ("visited", ("condition_argument", 1, 1)),
        ("lamp", ("condition_name_unknown", 1, 1)),
        ("flags.lamp-lit", ("condition_name_unknown", 1, 12)),
        ("beat.lamp", ("condition_name_unknown", 1, 6)),
        ('"a".visited("cave")', ("condition_name_unknown", 1, 5)),
        ("b0", ("condition_name_unknown", 1, 1)),
        ("灯亮 && beat > 1", ("condition_character", 1, 1)),
        ("beat > 1；", ("condition_character", 1, 9)),
        ("beat = 1", ("condition_character", 1, 6)),
        ("beat > 1\x00", ("condition_character", 1, 9)),
        ('flags["door-x"] == "open', ("condition_text_open", 1, 20)),
        ("'a\n' == 'b'", ("condition_text_open", 1, 1)),
        ("beat > 1.5", ("condition_number_off", 1, 8)),
        ("beat > .5", ("condition_number_off", 1, 8)),
        ("beat > 1e3", ("condition_number_off", 1, 8)),
        ("beat > 1u", ("condition_number_off", 1, 8)),
        ("beat > 0xFFu", ("condition_number_off", 1, 8)),
        ("beat > 9007199254740992", ("condition_integer_range", 1, 8)),
        ("beat > 0x20000000000000", ("condition_integer_range", 1, 8)),
        ("beat > " + "9" * 5000, ("condition_integer_range", 1, 8)),
        ("b'a' == b'a'", ("condition_bytes_off", 1, 1)),
        ("has(flags.lamp)", ("condition_macro_off", 1, 1)),
        ("[1].exists(beat, true)", ("condition_macro_off", 1, 5)),
        ("cel.bind(beat, 1, true)", ("condition_macro_off", 1, 1)),
        ("'a'.matches('a')", ("condition_function_off", 1, 5)),
        ("double(beat) > 1", ("condition_function_off", 1, 1)),
        ("timestamp('now') == 1", ("condition_function_off", 1, 1)),
        ("null == null", ("condition_function_off", 1, 1)),
        ("{1: 2} == 1", ("condition_map_off", 1, 1)),
        ("beat[0] == 1", ("condition_index_off", 1, 5)),
        ("[1, 2][0] == 1", ("condition_index_off", 1, 7)),
        ("(beat)[0] == 1", ("condition_index_off", 1, 7)),
        ("beat in [1, 'a']", ("condition_list", 1, 9)),
        ("beat in [[1], [2]]", ("condition_list", 1, 9)),
        ("beat in [(1)]", ("condition_list", 1, 9)),
        ("beat in [size('a')]", ("condition_list", 1, 9)),
        ("beat in [1, 2", ("condition_list", 1, 9)),
    ],
)
def test_a_mistake_is_named_with_its_place(text: str, expected: tuple[str, int, int]) -> None:
    assert places(text)[0] == expected


@pytest.mark.parametrize(
    "text",
    [
        "beat in [1, -2, 0x10, flags.coins, relation('ana', 'bo', 'x'), beat + 1]",
        "flags['door-x'] in ['a', \"b\", r'\\c', '''d''']",
        "flags.lamp in [true, false, visited('cave')]",
        "beat in []",
        "beat == 9007199254740991",
        "size(flags['door-x']) == flags['door-x'].size()",
        'flags["door-x"].contains("a\\"b {1.5} \\u95e8")',
        'r"\\" == """\n"quoted" \\"."""  // 注释 { 1.5',
    ],
)
def test_what_the_language_has_is_taken(text: str) -> None:
    assert codes(text) == []


def test_a_wrong_element_of_a_list_is_reported_once() -> None:
    assert codes("beat in [flags.lmap, 1]") == ["condition_flag_unknown"]


def test_two_unknown_roles_are_both_named() -> None:
    reading = read_condition('relation("cy", "di", "trust") > 1', DECLARED)
    assert [mistake.actual for mistake in reading.mistakes] == ["cy", "di"]


def test_nothing_is_said_about_what_follows_an_open_text() -> None:
    assert codes("beat > 'lamp {") == ["condition_text_open"]
