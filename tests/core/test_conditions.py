"""Conditions: checked when a package is validated, answered while a story runs."""

from __future__ import annotations

import string
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from storyworld.core.conditions import (
    Conditions,
    Declared,
    References,
    Verdict,
    View,
    constant,
    view,
)
from storyworld.core.errors import Problem
from storyworld.core.errors.condition_entries import ENTRIES
from storyworld.core.state import Entity, State
from storyworld.core.story import Branch, Fact, Flag, Node, Relation, Role, Scene, StoryPackage
from tests.core.condition_makers import condition
from tests.core.condition_oracle import Oracle, Refused, World

PACKAGE = StoryPackage(
    title="The ferry",
    language="en",
    start_node_id="shore",
    roles=(Role("ana", "Ana", "A ferrywoman."), Role("bo", "Bo", "A passenger.")),
    scenes=(Scene("river", "The river", "Wide."),),
    nodes=(Node("shore", "river", "Shore", "Leave."), Node("cave", "river", "Cave", "Hide.")),
    branches=(Branch("row", "shore", "cave", "Row"), Branch("wait", "shore", "shore", "Wait")),
    established_facts=(Fact("tide", "The tide is high."),),
    flags=(
        Flag("lamp", "Lit?", "boolean", False),
        Flag("dim-light", "Dim?", "boolean", False),
        Flag("coins", "Coins", "integer", 0),
        Flag("debt", "Debt", "integer", 0),
        Flag("door-x", "The door", "text", "shut"),
        Flag("mood", "The mood", "text", ""),
    ),
)
STATE = State(
    flags={"lamp": True, "dim-light": False, "coins": 3, "debt": -(2**53 - 1), "door-x": "open 门", "mood": "🚢"},
    entities=(Entity("boat", "boat", "The boat", {}),),
    relations=(Relation("ana", "bo", "trust", 40),),
    notes={},
    facts=(Fact("storm", "A storm comes."),),
    node_id="shore",
    visited_nodes=("shore",),
    taken_branches=("wait",),
)
DECLARED = Declared.of(PACKAGE)
VIEW = view(STATE, PACKAGE, beat=4, episode_beat=2)


def holds(text: str) -> bool:
    verdict = Conditions(DECLARED).judge([("/c", text)], VIEW)
    assert verdict.failed == ()
    return verdict.holds


def check(text: str) -> list[Problem]:
    return Conditions(DECLARED).check([("/endings/0/conditions/1", text)])


@pytest.mark.parametrize(
    "text",
    [
        "flags.lamp",
        '!flags["dim-light"]',
        "flags.coins == 3 && flags.debt < 0",
        'flags["door-x"].startsWith("open") && size(flags.mood) == 1',
        'visited("shore") && !visited("cave")',
        'taken("wait") && !taken("row")',
        'hasFact("tide") && hasFact("storm") && !hasFact("calm")',
        'hasEntity("boat") && !hasEntity("oar")',
        'relation("ana", "bo", "trust") == 40',
        'relation("bo", "ana", "trust") == 0 && relation("ana", "bo", "fear") == 0',
        "beat == 4 && episodeBeat == 2",
        "flags.coins in [1, 2, 3] ? true : false",
    ],
)
def test_a_condition_reads_the_state_that_it_is_asked_about(text: str) -> None:
    assert check(text) == []
    assert holds(text)


def test_no_conditions_at_all_hold() -> None:
    assert Conditions(DECLARED).judge([], VIEW) == Verdict(holds=True)


def test_all_conditions_of_a_list_must_hold() -> None:
    conditions = Conditions(DECLARED)
    assert conditions.judge([("/a", "true"), ("/b", "beat == 4")], VIEW) == Verdict(holds=True)
    assert conditions.judge([("/a", "true"), ("/b", "beat == 5")], VIEW) == Verdict(holds=False)


def test_the_first_condition_that_does_not_hold_is_the_last_that_is_asked() -> None:
    conditions = Conditions(DECLARED)
    assert conditions.judge([("/a", "false"), ("/b", "1 / 0 == 1")], VIEW).failed == ()
    assert conditions.judge([("/b", "1 / 0 == 1"), ("/c", "2 / 0 == 1")], VIEW).failed == ("/b",)


@pytest.mark.parametrize("text", ["beat / 0 == 1", "flags.debt * flags.debt * beat > 0", "beat % (beat - 4) == 0"])
def test_a_condition_that_cannot_be_evaluated_is_false_and_named(text: str) -> None:
    assert check(text) == []
    assert Conditions(DECLARED).judge([("/x/0", text)], VIEW) == Verdict(holds=False, failed=("/x/0",))


@pytest.mark.parametrize(
    "text", ["", "no such thing", "matches('a', 'a')", "beat", "(" * 9999, "flags.gone", "beat > 1.5"]
)
def test_a_stored_condition_that_no_longer_compiles_is_false_and_named(text: str) -> None:
    conditions = Conditions(DECLARED)
    for _ in range(2):
        assert conditions.judge([("/x", text)], VIEW) == Verdict(holds=False, failed=("/x",))


def test_a_stored_condition_longer_than_today_allows_is_still_answered() -> None:
    assert holds("true" + " && beat == 4" * 100)


def test_a_flag_that_the_state_lacks_makes_its_condition_fail() -> None:
    bare = View(State({}, (), (), {}, (), "shore", ("shore",), ()), (), 1, 0)
    assert Conditions(DECLARED).judge([("/x", "flags.lamp")], bare).failed == ("/x",)


def test_one_value_of_conditions_answers_for_any_moment() -> None:
    conditions = Conditions(DECLARED)
    answers = [conditions.judge([("/x", "beat > 2")], view(STATE, PACKAGE, beat, 0)).holds for beat in range(5)]
    assert answers == [False, False, False, True, True]


def test_a_condition_that_was_answered_is_asked_again_once_what_it_reads_has_changed() -> None:
    conditions = Conditions(DECLARED)
    sources = (("", "10 / flags.coins > 2 && flags.lamp"),)
    told = [
        conditions.judge(
            sources, view(replace(STATE, flags={**STATE.flags, "coins": coins, "lamp": lamp}), PACKAGE, 4, 2)
        )
        for coins, lamp in ((3, True), (3, True), (0, True), (0, True), (3, False), (3, True))
    ]
    assert [verdict.holds for verdict in told] == [True, True, False, False, False, True]
    assert [verdict.failed for verdict in told] == [(), (), ("",), ("",), (), ()]


def test_a_problem_names_the_field_the_line_and_the_column() -> None:
    (found,) = check('flags.lamp &&\n  visited("crypt")')
    assert found.path == "/endings/0/conditions/1"
    assert found.code == "condition_node_unknown"
    assert found.actual == "crypt"
    assert found.message == "endings/0/conditions/1 at line 2, column 11: no node crypt is declared"
    assert found.message_zh == "endings/0/conditions/1 第 2 行第 11 列：没有声明节点 crypt"


PRODUCED = {
    "condition_syntax": "beat > ",
    "condition_character": "beat > 1 ；",
    "condition_text_open": "flags.mood == 'a",
    "condition_too_deep": "(" * 40 + "true" + ")" * 40,
    "condition_not_boolean": "beat + 1",
    "condition_types": "flags.mood == 1",
    "condition_macro_off": "[1].all(x, true)",
    "condition_function_off": "flags.mood.matches('a')",
    "condition_number_off": "beat > 1.5",
    "condition_integer_range": "beat > 9007199254740992",
    "condition_bytes_off": "b'a' == b'a'",
    "condition_map_off": "{} == {}",
    "condition_index_off": "[1][0] == 1",
    "condition_list": "beat in [1, 'a']",
    "condition_name_unknown": "lamp",
    "condition_flags_form": "flags",
    "condition_argument": "visited()",
    "condition_id_form": "hasFact('A fact')",
    "condition_flag_unknown": "flags.lmap",
    "condition_node_unknown": "visited('crypt')",
    "condition_branch_unknown": "taken('swim')",
    "condition_role_unknown": "relation('ana', 'cy', 'trust') > 0",
}


@pytest.mark.parametrize("code", sorted(entry.code for entry in ENTRIES))
def test_every_code_is_produced_and_worded(code: str) -> None:
    found = check(PRODUCED[code])[0]
    assert found.code == code
    for text in (found.message, found.message_zh, found.reason, found.remedy):
        assert text
        assert "{" not in text


def test_types_are_worded_in_both_languages() -> None:
    assert "== is applied to (text, integer)" in check("flags.mood == 1")[0].message
    assert "文字" in check("flags.mood == 1")[0].message_zh
    found = check("[beat]")[0]
    assert (found.actual, "the condition gives list" in found.message, "列表" in found.message_zh) == (
        "list",
        True,
        True,
    )


def test_the_text_of_a_condition_never_stands_in_a_problem() -> None:
    secret = "Ana-drowned-him"
    for text in (f"'{secret}' == 1", f"hasFact('{secret}')", f"{secret}", f"'{secret}", f"'{secret}' '{secret}'"):
        for found in check(text):
            assert secret not in str(found.to_json())


def test_one_condition_gives_at_most_five_problems() -> None:
    assert len(check(" || ".join(f"flags.x{index}" for index in range(20)))) == 5
    assert len(check(" || ".join("flags.mood == 1" for _ in range(20)))) == 5


def test_every_condition_is_reported_in_the_order_of_the_sources() -> None:
    found = Conditions(DECLARED).check([("/b", "flags.x"), ("/a", "true"), ("/c", "flags.x")])
    assert [problem.path for problem in found] == ["/b", "/c"]


def test_a_text_over_the_limit_is_left_to_the_schema() -> None:
    assert check("x" * 501) == []
    assert check("x" * 500) != []


def test_what_a_condition_reads_can_be_listed() -> None:
    text = (
        'flags.lamp && flags["door-x"] == "a" && visited("cave") && taken("row") && hasFact("f") && hasEntity("e") '
        '&& relation("ana", "bo", "trust") > 0 && episodeBeat > 1'
    )
    assert Conditions(DECLARED).references(text) == References(
        nodes=frozenset({"cave"}),
        branches=frozenset({"row"}),
        flags=frozenset({"lamp", "door-x"}),
        facts=frozenset({"f"}),
        entities=frozenset({"e"}),
        relations=frozenset({("ana", "bo", "trust")}),
        uses_beat=True,
    )
    assert not Conditions(DECLARED).references("true").uses_beat
    assert Conditions(DECLARED).references("flags.lamp && nothing").flags == {"lamp"}


def test_a_condition_that_refers_to_nothing_is_constant() -> None:
    assert constant("1 < 2", DECLARED) is True
    assert constant("'a' in ['b']", DECLARED) is False
    assert constant("1 / 0 == 1", DECLARED) is None
    assert constant("beat > 1", DECLARED) is None
    assert constant("nothing", DECLARED) is None


WORLD = World(
    flags=STATE.flags,
    nodes={"shore": True, "cave": False},
    branches={"wait": True, "row": False},
    facts=frozenset({"tide", "storm"}),
    entities=frozenset({"boat"}),
    roles=frozenset({"ana", "bo"}),
    relations={("ana", "bo", "trust"): 40},
    beat=4,
    episode_beat=2,
)


def second_opinion(text: str) -> Any:
    try:
        return Oracle(text, WORLD).answer()
    except Refused:
        return "refused"


def test_a_second_independent_evaluator_agrees_on_thousands_of_conditions() -> None:
    draw = Random(20)
    conditions = Conditions(DECLARED)
    seen = {"refused": 0, True: 0, False: 0, None: 0}
    for _ in range(2500):
        text = condition(draw)
        expected = second_opinion(text)
        problems = [] if len(text) > 500 else check(text)
        if any(found.code == "condition_too_deep" for found in problems):
            continue
        verdict = conditions.judge([("/x", text)], VIEW)
        answer: Any = "refused" if problems else None if verdict.failed else verdict.holds
        if len(text) > 500:
            expected = None if expected == "refused" else expected
        assert answer == expected, text
        seen[answer] += 1
    assert min(seen.values()) > 40, seen


PIECES = [
    *string.punctuation,
    *string.whitespace,
    "&&",
    "||",
    "//",
    '"""',
    "'''",
    "r'",
    'b"',
    "\\u",
    "\\x4",
    "\\",
    "🚢",
    "门",
]
PIECES += [
    "flags",
    "flags.lamp",
    'visited("',
    "beat",
    "0x",
    "1e",
    "9" * 30,
    "in ",
    "true",
    "?:",
    "((((",
    "----",
    "!!!!",
    "[[[",
]


def test_no_text_breaks_the_reader_or_takes_long() -> None:
    draw = Random(7)
    hostile = [piece * (500 // len(piece)) for piece in PIECES]
    hostile += [
        "-" * 499 + "1 == 1",
        "!" * 496 + "true",
        "beat" + "+beat" * 99,
        "1" + "?1:1" * 120,
        "\ufeff",
        "\u2028beat",
    ]
    hostile += ["".join(draw.choices(PIECES, k=draw.randint(1, 60)))[:500] for _ in range(2000)]
    conditions = Conditions(DECLARED)
    for text in hostile:
        problems = check(text)
        verdict = conditions.judge([("/x", text)], VIEW)
        assert not problems or verdict.failed == ("/x",)
        assert all(1 <= len(found.message) < 200 for found in problems)
