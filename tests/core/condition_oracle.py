"""A second reader of conditions, apart from the product's: it parses the author's own text by recursive descent.

`Oracle(text, world).answer()` is True, False, None where the evaluation fails, or raises Refused where the condition
may not be published. It knows the flags, nodes, branches and roles of `World`, and nothing of slots or of the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

INT64 = 2**63


class Refused(Exception):
    """The condition may not be published."""


class Failed(Exception):
    """The evaluation has no answer."""


@dataclass(frozen=True)
class World:
    flags: Mapping[str, bool | int | str]
    nodes: Mapping[str, bool]
    branches: Mapping[str, bool]
    facts: frozenset[str]
    entities: frozenset[str]
    roles: frozenset[str]
    relations: Mapping[tuple[str, str, str], int]
    beat: int
    episode_beat: int


Type = Any
Node = tuple[Type, Callable[[], Any]]
LEXEME = re.compile(
    r"""(?P<skip>(?:\s|//[^\n]*)+)|(?P<raw>[rR]"[^"\n]*")|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<number>[0-9]+(?![.0-9a-zA-Z]))|(?P<word>[A-Za-z_]\w*)|(?P<mark>&&|\|\||[!=<>]=|[-+*/%!<>?:,.()\[\]])""",
    re.ASCII,
)
ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", '"': '"', "'": "'", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
ESCAPES |= {"?": "?", "`": "`"}


def unescape(body: str) -> str:
    def one(match: re.Match[str]) -> str:
        code = match[1]
        if code in ESCAPES:
            return ESCAPES[code]
        if re.fullmatch(r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}", code):
            return chr(int(code[1:], 16))
        if re.fullmatch(r"[0-3][0-7]{2}", code):
            return chr(int(code, 8))
        raise Refused

    return re.sub(r"\\(x.{0,2}|u.{0,4}|[0-3].{0,2}|.)", one, body, flags=re.DOTALL)


def lexemes(text: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    at = 0
    while at < len(text):
        match = LEXEME.match(text, at)
        if match is None:
            raise Refused
        at = match.end()
        kind, lexeme = str(match.lastgroup), match[0]
        if kind == "raw":
            found.append(("text", lexeme[2:-1]))
        elif kind == "text":
            found.append(("text", unescape(lexeme[1:-1])))
        elif kind == "number":
            if int(lexeme) > 2**53 - 1:
                raise Refused
            found.append(("number", int(lexeme)))
        elif kind != "skip":
            found.append((kind, lexeme))
    return [*found, ("end", "")]


def checked(value: int) -> int:
    if not -INT64 <= value < INT64:
        raise Failed
    return value


def contains(item: object, items: list[object]) -> bool:
    return item in items


def divide(left: int, right: int) -> int:
    if right == 0:
        raise Failed
    quotient = abs(left) // abs(right)
    return checked(quotient if (left < 0) == (right < 0) else -quotient)


def remainder(left: int, right: int) -> int:
    if right == 0 or (left == -INT64 and right == -1):
        raise Failed
    return left - right * divide(left, right)


def same(left: Type, right: Type) -> Type:
    """The type that two types share; a list of nothing is a list of anything."""
    if isinstance(left, list) and isinstance(right, list):
        return left if left[0] is not None else right
    if left != right:
        raise Refused
    return left


class Oracle:
    def __init__(self, text: str, world: World) -> None:
        self.world = world
        self.lexemes = lexemes(text)
        self.at = 0

    def answer(self) -> bool | None:
        type_, value = self.choice()
        if self.lexemes[self.at][0] != "end" or type_ != "boolean":
            raise Refused
        try:
            return bool(value())
        except Failed:
            return None

    def next_is(self, *marks: str) -> bool:
        kind, lexeme = self.lexemes[self.at]
        return kind in {"mark", "word"} and lexeme in marks

    def took(self, *marks: str) -> str | None:
        if not self.next_is(*marks):
            return None
        self.at += 1
        return str(self.lexemes[self.at - 1][1])

    def need(self, mark: str) -> None:
        if self.took(mark) is None:
            raise Refused

    def text(self) -> str:
        kind, lexeme = self.lexemes[self.at]
        self.at += 1
        if kind != "text":
            raise Refused
        return str(lexeme)

    def choice(self) -> Node:
        test = self.either()
        if not self.took("?"):
            return test
        yes = self.either()
        self.need(":")
        no = self.choice()
        if test[0] != "boolean":
            raise Refused
        return same(yes[0], no[0]), lambda: yes[1]() if test[1]() else no[1]()

    def either(self) -> Node:
        return self.logic("||", self.both, settles=True)

    def both(self) -> Node:
        return self.logic("&&", self.comparison, settles=False)

    def logic(self, mark: str, part: Callable[[], Node], *, settles: bool) -> Node:
        parts = [part()]
        while self.took(mark):
            parts.append(part())
        if len(parts) == 1:
            return parts[0]
        if any(type_ != "boolean" for type_, _ in parts):
            raise Refused

        def value() -> bool:
            failed = False
            for _, one in parts:
                try:
                    answer: bool = one()
                    if answer == settles:
                        return answer
                except Failed:
                    failed = True
            if failed:
                raise Failed
            return not settles

        return "boolean", value

    def comparison(self) -> Node:
        left = self.sum()
        while mark := self.took("==", "!=", "<", "<=", ">", ">=", "in"):
            left = self.compare(left, mark, self.sum())
        return left

    @staticmethod
    def compare(left: Node, mark: str, right: Node) -> Node:
        a, b = left[1], right[1]
        if mark == "in":
            if not isinstance(right[0], list):
                raise Refused
            if right[0][0] is not None:
                same(left[0], right[0][0])
            return "boolean", lambda: contains(a(), b())
        type_ = same(left[0], right[0])
        if mark not in {"==", "!="} and isinstance(type_, list):
            raise Refused
        operators: dict[str, Callable[[Any, Any], bool]] = {
            "==": lambda x, y: x == y,
            "!=": lambda x, y: x != y,
            "<": lambda x, y: x < y,
            "<=": lambda x, y: x <= y,
            ">": lambda x, y: x > y,
            ">=": lambda x, y: x >= y,
        }
        return "boolean", lambda: operators[mark](a(), b())

    def sum(self) -> Node:
        left = self.product()
        while mark := self.took("+", "-"):
            left = self.add(left, mark, self.product())
        return left

    @staticmethod
    def add(left: Node, mark: str, right: Node) -> Node:
        type_ = same(left[0], right[0])
        a, b = left[1], right[1]
        if mark == "-":
            if type_ != "integer":
                raise Refused
            return type_, lambda: checked(a() - b())
        if type_ == "boolean":
            raise Refused
        return type_, (lambda: checked(a() + b())) if type_ == "integer" else (lambda: a() + b())

    def product(self) -> Node:
        left = self.sign()
        while mark := self.took("*", "/", "%"):
            right = self.sign()
            if left[0] != "integer" or right[0] != "integer":
                raise Refused
            left = self.multiply(left, mark, right)
        return left

    @staticmethod
    def multiply(left: Node, mark: str, right: Node) -> Node:
        a, b = left[1], right[1]
        operators: dict[str, Callable[[int, int], int]] = {
            "*": lambda x, y: checked(x * y),
            "/": divide,
            "%": remainder,
        }
        return "integer", lambda: operators[mark](a(), b())

    def sign(self) -> Node:
        mark = "!" if self.next_is("!") else "-"
        count = 0
        while self.took(mark):
            count += 1
        type_, value = self.member()
        if count == 0:
            return type_, value
        if type_ != ("boolean" if mark == "!" else "integer"):
            raise Refused
        if count % 2 == 0:
            return type_, value
        return type_, (lambda: not value()) if mark == "!" else (lambda: checked(-value()))

    def member(self) -> Node:
        node = self.primary()
        while self.took("."):
            method = self.took("size", "contains", "startsWith", "endsWith")
            self.need("(")
            node = self.size(node) if method == "size" else self.method(node, method, self.choice())
            self.need(")")
        return node

    @staticmethod
    def size(node: Node) -> Node:
        if node[0] != "text" and not isinstance(node[0], list):
            raise Refused
        return "integer", lambda: len(node[1]())

    @staticmethod
    def method(node: Node, method: str | None, argument: Node) -> Node:
        if node[0] != "text" or argument[0] != "text" or method is None:
            raise Refused
        a, b = node[1], argument[1]
        operators: dict[str, Callable[[str, str], bool]] = {
            "contains": lambda x, y: y in x,
            "startsWith": lambda x, y: x.startswith(y),
            "endsWith": lambda x, y: x.endswith(y),
        }
        return "boolean", lambda: operators[method](a(), b())

    def primary(self) -> Node:
        if self.took("("):
            node = self.choice()
            self.need(")")
            return node
        if self.took("["):
            return self.list()
        if self.took("size"):
            self.need("(")
            node = self.size(self.choice())
            self.need(")")
            return node
        return self.atom()

    def list(self) -> Node:
        elements: list[Node] = []
        while not self.next_is("]", ","):
            elements.append(self.element())
            if not self.took(","):
                break
        else:
            self.took(",")
        self.need("]")
        type_: Type = elements[0][0] if elements else None
        for element in elements:
            same(type_, element[0])
        return [type_], lambda: [value() for _, value in elements]

    def element(self) -> Node:
        """A list holds literals and references, with + and - between and before them."""
        left = self.signed()
        while mark := self.took("+", "-"):
            left = self.add(left, mark, self.signed())
        return left

    def signed(self) -> Node:
        negative = False
        signed = False
        while self.took("-"):
            negative, signed = not negative, True
        type_, value = self.atom()
        if signed and type_ != "integer":
            raise Refused
        return type_, (lambda: checked(-value())) if negative else value

    def atom(self) -> Node:
        kind, lexeme = self.lexemes[self.at]
        self.at += 1
        if kind == "text":
            return "text", lambda: lexeme
        if kind == "number":
            return "integer", lambda: lexeme
        if kind != "word":
            raise Refused
        world = self.world
        match lexeme:
            case "true" | "false":
                return "boolean", lambda: lexeme == "true"
            case "beat":
                return "integer", lambda: world.beat
            case "episodeBeat":
                return "integer", lambda: world.episode_beat
            case "flags":
                return self.flag()
            case "visited" | "taken" | "hasFact" | "hasEntity" | "relation":
                return self.call(lexeme)
            case _:
                raise Refused

    def flag(self) -> Node:
        if self.took("["):
            flag_id = self.text()
            self.need("]")
        else:
            self.need(".")
            kind, flag_id = self.lexemes[self.at]
            self.at += 1
            if kind != "word":
                raise Refused
        if flag_id not in self.world.flags:
            raise Refused
        value = self.world.flags[flag_id]
        names = {bool: "boolean", int: "integer", str: "text"}
        return names[type(value)], lambda: value

    def call(self, name: str) -> Node:
        self.need("(")
        ids = [self.text()]
        while self.took(","):
            ids.append(self.text())
        self.need(")")
        world = self.world
        if len(ids) != (3 if name == "relation" else 1) or not all(
            re.fullmatch(r"[a-z0-9][a-z0-9_-]*", i) for i in ids
        ):
            raise Refused
        if name == "relation":
            if not {ids[0], ids[1]} <= world.roles:
                raise Refused
            return "integer", lambda: world.relations.get((ids[0], ids[1], ids[2]), 0)
        if name == "hasFact":
            return "boolean", lambda: ids[0] in world.facts
        if name == "hasEntity":
            return "boolean", lambda: ids[0] in world.entities
        known = world.nodes if name == "visited" else world.branches
        if ids[0] not in known:
            raise Refused
        return "boolean", lambda: known[ids[0]]
