"""What the text of a condition says: its tokens, the things of the story it refers to, and what it may not contain.

This file owns the language of conditions as an author writes it, up to the point where only plain CEL over slots is
left. It must not know the engine's words for a fault, the state of a story, or paths into a package.

Every reference (`flags.lamp`, `visited("cave")`, `beat`) is replaced by a slot of its type, filled up with spaces to
the length of what it replaces, its line breaks kept. So whatever the engine says about a line and a column is true of
the author's own text, and no function of ours is ever called by the engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from storyworld.core import limits
from storyworld.core.cel import SlotType, slot
from storyworld.core.story import FlagType, StoryPackage

ReferenceKind = Literal["flag", "visited", "taken", "hasFact", "hasEntity", "relation", "beat", "episodeBeat"]

_NOT_LINE_FEED = re.compile(r"[^\n]")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_QUOTED = re.compile(r"""[rR]?("{3}|'{3}|"|')(.*)\1""", re.DOTALL)
_LITERAL = r"""
    (?: [rR](?: "{3}.*?"{3} | '{3}.*?'{3} | "[^"\n\r]*" | '[^'\n\r]*' )
      | "{3}(?:[^\\]|\\.)*?"{3} | '{3}(?:[^\\]|\\.)*?'{3}
      | "(?:[^"\\\n\r]|\\[^\n\r])*" | '(?:[^'\\\n\r]|\\[^\n\r])*' )"""
# Spaces and comments are passed over, and none is given back. The order of the rest matters: a literal with a prefix is
# not a name, and a decimal number is not an integer with a dot behind it.
_TOKEN = re.compile(
    rf"""
    (?> (?: [\t\n\f\r ]+ | //[^\n]* )* ) (?:
    (?P<bytes> [bB] {_LITERAL} )
  | (?P<text> {_LITERAL} )
  | (?P<open> ["'] )
  | (?P<off> [0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)? | [0-9]+[eE][-+]?[0-9]+ | \.[0-9]+(?:[eE][-+]?[0-9]+)?
      | (?:0x[0-9a-fA-F]+|[0-9]+)[uU] )
  | (?P<integer> 0x[0-9a-fA-F]+ | [0-9]+ )
  | (?P<name> [A-Za-z_][A-Za-z0-9_]* )
  | (?P<mark> && | \|\| | [!=<>]= | [-+*/%!<>?:,.()\[\]] )
  | (?P<brace> [{{}}] )
  | (?P<other> [^\x00-\x7f]+ | . )
  | (?P<end> \Z ) )
    """,
    re.VERBOSE | re.DOTALL,
)
# A longer literal is over the limit without being read: Python refuses to convert thousands of digits.
_INTEGER_CHARS_MAX = 20

_METHODS = frozenset({"contains", "startsWith", "endsWith", "size"})
_MACROS = frozenset(
    {"has", "all", "exists", "exists_one", "existsOne", "map", "filter", "transformList", "transformMap", "cel", "bind"}
)
_FUNCTIONS_OFF = frozenset(
    {"matches", "int", "uint", "double", "string", "bool", "bytes", "list", "map", "null", "null_type", "dyn", "type"}
    | {
        "timestamp",
        "duration",
        "optional",
        "format",
        "join",
        "split",
        "replace",
        "substring",
        "lowerAscii",
        "upperAscii",
    }
    | {"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds"}
    | {"getMinutes", "getMonth", "getSeconds", "google", "math", "strings", "sets", "base64", "regex"}
)
_CALLS: Mapping[str, tuple[ReferenceKind, SlotType, int]] = {
    "visited": ("visited", "boolean", 1),
    "taken": ("taken", "boolean", 1),
    "hasFact": ("hasFact", "boolean", 1),
    "hasEntity": ("hasEntity", "boolean", 1),
    "relation": ("relation", "integer", 3),
}
_CLOCKS: Mapping[str, ReferenceKind] = {"beat": "beat", "episodeBeat": "episodeBeat"}


@dataclass(frozen=True, slots=True)
class Declared:
    """What a condition may refer to. Facts and entities come into being as the story runs and need no declaration."""

    flags: Mapping[str, FlagType]
    node_ids: AbstractSet[str]
    branch_ids: AbstractSet[str]
    role_ids: AbstractSet[str]

    @classmethod
    def of(cls, package: StoryPackage) -> Declared:
        """What this package declares."""
        return cls(
            flags={flag.id: flag.type for flag in package.flags},
            node_ids=package.node_by_id.keys(),
            branch_ids=package.branch_by_id.keys(),
            role_ids=package.role_by_id.keys(),
        )


class Reference(NamedTuple):
    """One thing of the story that a condition reads: `ids` has one id, three for a relation, none for a beat number."""

    kind: ReferenceKind
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong with a condition: a code of the catalogue, where (line and column from 1), and its words."""

    code: str
    line: int
    column: int
    actual: str | None = None
    limit: int | None = None
    words: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """A condition as it was read: plain CEL over slots, what each slot stands for, and what is wrong with the text.

    With mistakes, `text` is not worth compiling.
    """

    text: str
    slots: Mapping[Reference, str]
    mistakes: tuple[Mistake, ...]


def read_condition(text: str, declared: Declared) -> Reading:
    """Read one condition, of any length, in time that grows with it; it never raises."""
    reader = _Reader(text, declared)
    reader.read()
    return Reading("".join(reader.pieces), reader.slots, tuple(reader.mistakes))


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def _tokens(text: str) -> list[_Token]:
    """The tokens without spaces and comments; the last is of kind `end`."""
    return [_token(match) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str]) -> _Token:
    kind = match.lastgroup
    assert kind is not None, "every token has a kind"
    return _Token(kind, match[kind], match.start(kind), match.end())


class _Reader:
    """One pass over the tokens: what is not a reference is judged and left as it stands, for the engine to parse."""

    def __init__(self, text: str, declared: Declared) -> None:
        self.text = text
        self.declared = declared
        self.tokens = _tokens(text)
        self.place = 0
        self.after_operand = False
        self.written = 0
        self.pieces: list[str] = []
        self.slots: dict[Reference, str] = {}
        self.mistakes: list[Mistake] = []
        self.counts: dict[SlotType, int] = {"boolean": 0, "integer": 0, "text": 0}

    def read(self) -> None:
        while (token := self.tokens[self.place]).kind != "end":
            if token.kind == "open":
                # Everything behind a quotation mark that is never closed may be text: nothing more can be said.
                self._wrong("condition_text_open", token)
                break
            if token.text == "[" and not self.after_operand:
                self._list()
            else:
                self._take()
        self.pieces.append(self.text[self.written :])

    def _take(self) -> SlotType | None:
        """Judge the token at hand and step past it, or past the reference that it begins; its type, if it is known."""
        token = self.tokens[self.place]
        self.place += 1
        if token.kind == "name":
            return self._name(token)
        self.after_operand = token.kind in {"text", "integer"} or token.text in {")", "]"}
        match token.kind:
            case "text":
                return "text"
            case "integer":
                self._integer(token)
                return "integer"
            case "off":
                self._wrong("condition_number_off", token)
            case "bytes":
                self._wrong("condition_bytes_off", token)
            case "brace":
                self._wrong("condition_map_off", token)
            case "other":
                self._wrong("condition_character", token)
            case _ if token.text == "[":
                self._wrong("condition_index_off", token)
        return None

    def _list(self) -> None:
        """A list holds literals and references of one type, so that no element is of a type that is not known."""
        opening = self.tokens[self.place]
        self.place += 1
        types: set[SlotType | None] = set()
        mistakes = len(self.mistakes)
        while (token := self.tokens[self.place]).kind in {"text", "integer", "name"} or token.text in {",", "+", "-"}:
            kind = self._take()
            if token.kind != "mark":
                types.add(kind)
        if token.text == "]":
            self._take()
        fits = token.text == "]" and None not in types and len(types) <= 1
        if not fits and len(self.mistakes) == mistakes:
            self._wrong("condition_list", opening)

    def _integer(self, token: _Token) -> None:
        base = 16 if token.text.startswith("0x") else 10
        most = limits.INTEGER_MAX.value
        if len(token.text) > _INTEGER_CHARS_MAX or int(token.text, base) > most:
            self._wrong("condition_integer_range", token, limit=most)

    def _name(self, token: _Token) -> SlotType | None:
        name = token.text
        follows_dot = self.place > 1 and self.tokens[self.place - 2].text == "."
        self.after_operand = name != "in"
        if follows_dot or name == "size":
            if name not in _METHODS:
                self._refuse_name(token)
        elif name in {"true", "false"}:
            return "boolean"
        elif name == "flags":
            return self._flag(token)
        elif name in _CALLS:
            return self._call(token)
        elif name in _CLOCKS:
            return self._put(Reference(_CLOCKS[name]), "integer", token)
        elif name != "in":
            self._refuse_name(token)
        return None

    def _refuse_name(self, token: _Token) -> None:
        if token.text in _MACROS:
            self._wrong("condition_macro_off", token, name=token.text)
        elif token.text in _FUNCTIONS_OFF:
            self._wrong("condition_function_off", token, name=token.text)
        else:
            self._wrong("condition_name_unknown", token)

    def _flag(self, head: _Token) -> SlotType | None:
        """`flags.lamp` or `flags["lamp-lit"]`."""
        following = self.tokens[self.place : self.place + 3]
        kinds = [token.kind for token in following]
        if following[0].text == "." and kinds[1] == "name":
            named, flag_id, length = following[1], following[1].text, 2
        elif following[0].text == "[" and kinds[1] == "text" and following[2].text == "]":
            named, flag_id, length = following[1], _body(following[1]), 3
        else:
            self._wrong("condition_flags_form", head)
            return None
        self.place += length
        if not self._is_id(named, flag_id) or not self._is_declared(named, flag_id, self.declared.flags, "flag"):
            return None
        return self._put(Reference("flag", (flag_id,)), self.declared.flags[flag_id], head)

    def _call(self, head: _Token) -> SlotType | None:
        """`visited("cave")` and its like: a name, and as many text literals in parentheses as it takes."""
        kind, type_, count = _CALLS[head.text]
        following = self.tokens[self.place : self.place + 2 * count + 1]
        marks, arguments = [token.text for token in following[::2]], following[1::2]
        if marks != ["(", *[","] * (count - 1), ")"] or any(token.kind != "text" for token in arguments):
            self._wrong("condition_argument", head, name=head.text, count=count)
            return None
        self.place += len(following)
        ids = tuple(map(_body, arguments))
        well_formed = [self._is_id(token, id_) for token, id_ in zip(arguments, ids, strict=True)]
        if not all(well_formed):
            return None
        declared = self.declared
        match kind:
            case "visited":
                fits = self._is_declared(arguments[0], ids[0], declared.node_ids, "node")
            case "taken":
                fits = self._is_declared(arguments[0], ids[0], declared.branch_ids, "branch")
            case "relation":
                roles = [self._is_declared(arguments[at], ids[at], declared.role_ids, "role") for at in (0, 1)]
                fits = all(roles)
            case _:
                fits = True
        return self._put(Reference(kind, ids), type_, head) if fits else None

    def _is_id(self, token: _Token, id_: str) -> bool:
        well_formed = _ID.fullmatch(id_) is not None
        if not well_formed:
            self._wrong("condition_id_form", token)
        return well_formed

    def _is_declared(self, token: _Token, id_: str, ids: AbstractSet[str] | Mapping[str, object], what: str) -> bool:
        if id_ not in ids:
            self._wrong(f"condition_{what}_unknown", token, actual=id_)
        return id_ in ids

    def _put(self, reference: Reference, kind: SlotType, head: _Token) -> SlotType:
        """Write the reference's slot over the tokens from `head` to the one before the place at hand."""
        name = self.slots.get(reference)
        if name is None:
            name = self.slots[reference] = slot(kind, self.counts[kind])
            self.counts[kind] += 1
        end = self.tokens[self.place - 1].end
        rest = self.text[head.start + len(name) : end]
        rest = _NOT_LINE_FEED.sub(" ", rest) if "\n" in rest else " " * len(rest)
        self.pieces += (self.text[self.written : head.start], name, rest)
        self.written = end
        self.after_operand = True
        return kind

    def _wrong(
        self, code: str, token: _Token, *, actual: str | None = None, limit: int | None = None, **words: Any
    ) -> None:
        before = self.text[: token.start]
        line, column = before.count("\n") + 1, token.start - (before.rfind("\n") + 1) + 1
        self.mistakes.append(Mistake(code, line, column, actual, limit, words))


def _body(token: _Token) -> str:
    """What stands between the quotation marks; an escape in it stays one, for no id has a backslash."""
    quoted = _QUOTED.fullmatch(token.text)
    assert quoted is not None
    return quoted[2]
