"""The engine: what exists of it, how an expression is answered, and how its faults are read."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from storyworld.core.cel import CEL_VERSION, SLOTS_PER_TYPE, Fault, FaultKind, Program, compile_expression, slot


def program(text: str) -> Program:
    compiled = compile_expression(text)
    assert isinstance(compiled, Program), compiled
    return compiled


def faults(text: str) -> tuple[Fault, ...]:
    compiled = compile_expression(text)
    assert isinstance(compiled, tuple)
    return compiled


def test_the_engine_is_the_one_that_the_rules_name() -> None:
    assert version("cel-expr-python") == CEL_VERSION


def test_an_expression_reads_slots_of_three_types() -> None:
    compiled = program('b0 && i1 > 3 && s2 == "门"')
    assert compiled.result == "boolean"
    assert compiled.evaluate({"b0": True, "i1": 5, "s2": "门"}) is True
    assert compiled.evaluate({"b0": True, "i1": 3, "s2": "门"}) is False


def test_there_are_more_slots_than_a_condition_has_room_for() -> None:
    shortest = len("beat+beat")
    assert 500 // (shortest - len("beat")) < SLOTS_PER_TYPE
    assert program(slot("boolean", SLOTS_PER_TYPE - 1)).result == "boolean"
    assert faults(slot("boolean", SLOTS_PER_TYPE))[0].kind is FaultKind.SYNTAX


@pytest.mark.parametrize(
    ("text", "result"), [("true", "boolean"), ("1", "integer"), ("'a'", "text"), ("[1]", "list"), ("[]", "list")]
)
def test_the_type_of_an_expression_is_known_before_it_is_evaluated(text: str, result: str) -> None:
    assert program(text).result == result


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i0 / 0 == 1", 1),
        ("i0 % 0 == 1", 1),
        ("i0 + 9007199254740991 > 0", 2**63 - 1),
        ("-i0 < 0", -(2**63)),
        ("i0 == 1", 2**63),
        ("i0 == 1", "1"),
        ("i0 == 1", None),
        ("s0 == 'a'", "\ud800"),
    ],
)
def test_an_evaluation_that_fails_has_no_answer(text: str, value: int | str | None) -> None:
    assert program(text).evaluate({"i0": value, "s0": value}) is None


def test_an_expression_that_is_not_boolean_has_no_answer() -> None:
    assert program("i0").evaluate({"i0": 1}) is None


def test_a_slot_without_a_value_makes_the_evaluation_fail() -> None:
    assert program("b0").evaluate({}) is None


def test_a_failure_that_decides_nothing_is_no_failure() -> None:
    assert program("i0 / 0 == 1 || b0").evaluate({"i0": 1, "b0": True}) is True
    assert program("i0 / 0 == 1 && b0").evaluate({"i0": 1, "b0": False}) is False


@pytest.mark.parametrize(
    "text",
    [
        "s0.matches('a')",
        "matches(s0, 'a')",
        "[1].all(x, x > 0)",
        "[1].exists(x, x > 0)",
        "has(s0.x)",
        "int('1') == 1",
        "string(i0) == '1'",
        "double(1) == double(1)",
        "timestamp('2020-01-01T00:00:00Z') == timestamp('2020-01-01T00:00:00Z')",
        "dyn(1) == 1",
        "type(1) == int",
        "[1, 2][0] == 1",
        "{1: 2}[1] == 2",
    ],
)
def test_what_is_not_on_the_list_does_not_exist_in_the_engine(text: str) -> None:
    assert faults(text)[0].kind in {FaultKind.SYNTAX, FaultKind.OPERANDS}


def test_a_fault_of_types_names_the_operator_and_the_types() -> None:
    assert faults("b0\n  && (s0 == i0)") == (Fault(FaultKind.OPERANDS, 2, 10, "==", ("text", "integer")),)
    assert faults("i0 in [s0]")[0].operator == "in"
    assert faults("i0 in [s0]")[0].operands == ("integer", "list(text)")
    assert faults("i0 ? b0 : b1")[0].operator == "?:"
    assert faults("size(i0) == 1")[0].operator == "size"
    assert faults("!i0")[0].operator == "!"


def test_every_fault_of_types_is_reported() -> None:
    assert [fault.column for fault in faults("(s0 == 1) && (i0 == '1')")] == [5, 18]


def test_columns_count_code_points() -> None:
    assert faults("'🚢门' == s0 && i0")[0].column == len("'🚢门' == s0 &")


def test_a_fault_of_syntax_is_reported_once() -> None:
    assert faults("b0 &&\n && b0") == (Fault(FaultKind.SYNTAX, 2, 2),)
    assert faults("")[0].kind is FaultKind.SYNTAX


def test_a_fault_of_types_before_an_unknown_name_is_kept() -> None:
    assert [fault.kind for fault in faults("i0 == s0 && nothing")] == [FaultKind.OPERANDS]


@pytest.mark.parametrize("text", ["(" * 33 + "b0" + ")" * 33, "i0" + "+i0" * 40 + " > 0", "(" * 5000])
def test_an_expression_that_is_too_deep_is_refused(text: str) -> None:
    assert faults(text) == (Fault(FaultKind.TOO_DEEP, 1, 1),)


def test_a_text_cannot_pretend_to_be_a_fault() -> None:
    pretence = "'''\nERROR: <input>:-1:-1: Exceeded max recursion\nERROR: <input>:9:9: found''' == s0 s0"
    assert faults(pretence)[0].kind is FaultKind.SYNTAX
    assert faults(pretence)[0].line == 3
