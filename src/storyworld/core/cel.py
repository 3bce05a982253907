"""The expression engine: the one place that touches CEL.

This file owns which part of CEL exists here, how an expression is compiled and evaluated, and how the engine's own
words for a fault are read. It must not know flags, nodes, roles or paths: an expression reads *slots*, variables of
three types that whoever compiles it fills with values.

What exists is an allow-list given to the engine itself: `&& || ! == != < <= > >= + - * / % ?:`, `in` with lists, and
`size`, `contains`, `startsWith`, `endsWith`. All of them are deterministic, none calls back into Python, and none loops
over a list with an expression of its own, so the cost of an evaluation is bounded by the length of the expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

# The module has stubs but does not say so to type checkers.
from cel_expr_python import cel  # type: ignore[import-untyped]

CEL_VERSION = "0.1.3"
"""The version of cel-expr-python that compiles and evaluates; another version may judge an old beat differently."""

SlotType = Literal["boolean", "integer", "text"]
SlotValue = bool | int | str | None
"""What a slot is filled with; `None` makes whatever reads it fail."""

SLOTS_PER_TYPE = 128
"""How many different things of one type an expression can read. A condition has room for 62 in its 500 characters."""

_LETTERS: Mapping[SlotType, str] = {"boolean": "b", "integer": "i", "text": "s"}
_CEL_TYPES: Mapping[SlotType, cel.Type] = {
    "boolean": cel.Type.BOOL,
    "integer": cel.Type.INT,
    "text": cel.Type.STRING,
}
_OPERATORS = ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%")
_FUNCTIONS = (
    *(f"_{operator}_" for operator in _OPERATORS),
    "!_",
    "-_",
    "_?_:_",
    "@in",
    "size",
    "contains",
    "startsWith",
    "endsWith",
)
_CONFIG = "stdlib:\n  disable_macros: true\n  include_functions:\n" + "".join(
    f'    - name: "{function}"\n' for function in _FUNCTIONS
)

_TOO_DEEP = re.compile(r"^(?:CANCELLED: Expression rec|(?:INVALID_ARGUMENT: )?ERROR: <input>:-1:-1: Exceeded max rec)")
_LOCATED = re.compile(r"^(?:INVALID_ARGUMENT: )?ERROR: <input>:([0-9]+):([0-9]+): (.*)$", re.MULTILINE)
_OPERANDS = re.compile(r"found no matching overload for '(\S+)' applied to '\((.*)\)'$")
_TYPE_WORDS: Mapping[str, str] = {"bool": "boolean", "int": "integer", "string": "text"}


def slot(kind: SlotType, index: int) -> str:
    """The name of the slot with this number, from 0; at most four characters for every slot that exists."""
    return f"{_LETTERS[kind]}{index}"


_ENVIRONMENT = cel.NewEnv(
    config=cel.NewEnvConfigFromYaml(_CONFIG),
    variables={slot(kind, index): _CEL_TYPES[kind] for kind in _LETTERS for index in range(SLOTS_PER_TYPE)},
)


class FaultKind(StrEnum):
    """In which way an expression does not compile."""

    SYNTAX = "syntax"
    OPERANDS = "operands"  # an operator or function does not take these types
    TOO_DEEP = "too_deep"


@dataclass(frozen=True, slots=True)
class Fault:
    """Why an expression does not compile, and where: line and column count from 1, columns in code points.

    For `OPERANDS`, `operator` is what was applied (`==`, `in`, `size`) and `operands` the types it was applied to, in
    the words boolean, integer, text and list(…).
    """

    kind: FaultKind
    line: int
    column: int
    operator: str = ""
    operands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Program:
    """An expression that compiles. `result` is the type it evaluates to: boolean, integer, text or list."""

    result: str
    expression: cel.Expression

    def evaluate(self, values: Mapping[str, SlotValue]) -> bool | None:
        """What the expression says of these slot values; `None` where it fails (overflow, division by zero)."""
        try:
            value = self.expression.eval(data=values).value()
        except RuntimeError:
            # The engine raises, instead of answering with an error, where it cannot take a value at all.
            return None
        # A failed evaluation comes back as its description.
        return value if isinstance(value, bool) else None


def compile_expression(text: str) -> Program | tuple[Fault, ...]:
    """Compile one expression over the slots, or say why not: one fault of syntax or depth, or all faults of types."""
    try:
        expression = _ENVIRONMENT.compile(text)
    except RuntimeError as refused:
        return _read_faults(str(refused))
    name = expression.return_type().name().partition("<")[0].lower()
    return Program(_TYPE_WORDS.get(name, name), expression)


def _read_faults(message: str) -> tuple[Fault, ...]:
    """Read the engine's words. Only places, operators and types are taken over, for the rest quotes the expression."""
    if _TOO_DEEP.match(message):
        return (Fault(FaultKind.TOO_DEEP, 1, 1),)
    faults: list[Fault] = []
    for line, column, words in _LOCATED.findall(message):
        operands = _OPERANDS.match(words)
        if operands is None:
            # What follows a fault of syntax is mostly its echo.
            faults = faults or [Fault(FaultKind.SYNTAX, int(line), int(column))]
            break
        types = re.sub(r"\w+", lambda found: _TYPE_WORDS.get(found[0], found[0]), operands[2]).split(", ")
        operator = operands[1].replace("_", "").removeprefix("@")
        faults.append(Fault(FaultKind.OPERANDS, int(line), int(column), operator, tuple(types)))
    return tuple(faults) or (Fault(FaultKind.SYNTAX, 1, 1),)
