"""From bytes to a JSON value and back: the one strict parser for every door, and the one form that is hashed.

It owns what may be read as JSON and how a value is written; it must not know what any value means. It is the only
module that uses orjson. The parser takes what RFC 8259 allows, less what two readers could understand differently:
duplicate keys, lone surrogates, U+0000, numbers with a fraction or an exponent (-0 is the integer 0), integers beyond
±(2^53 - 1).

orjson reads fast but takes some of these without a word. What it would write again byte for byte lost nothing in the
reading. Of another document the texts are lifted out of the bytes, which leaves a small skeleton of brackets, commas,
colons and numbers, and a few counts over it tell whether anything could be wrong. Only then is the document walked
token by token, to say where.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import orjson

from storyworld.core import limits
from storyworld.core.errors import Problem, problem

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\n\r"
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
# In the skeleton: a digit that a point or an exponent follows, or 16 digits in a row, the length of 2^53 - 1.
_NUMBER_TO_LOOK_AT = re.compile(rb"[0-9](?:[.eE]|[0-9]{15})")
_ESCAPED_QUOTE_OR_BACKSLASH = re.compile(rb'\\["\\]')
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s"\[\]{}:,]+')
_SURROGATE = re.compile("[\ud800-\udfff]")
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}")
_INTEGER_DIGITS = len(str(limits.INTEGER_MAX.value))
# Stored rows wrap what was sent in a record of ours, so they may nest a little deeper than what is taken in.
_STORED_DEPTH = 2 * limits.JSON_MAX_DEPTH.value
_CONTAINERS = frozenset({dict, list, tuple})
_WRITING = (
    orjson.OPT_SORT_KEYS
    | orjson.OPT_STRICT_INTEGER
    | orjson.OPT_PASSTHROUGH_DATACLASS
    | orjson.OPT_PASSTHROUGH_DATETIME
    | orjson.OPT_PASSTHROUGH_SUBCLASS
)


class Malformed(ValueError):
    """Bytes that are not JSON as this product takes it; `problem` says where, what and why."""

    def __init__(self, found: Problem) -> None:
        super().__init__(found.message)
        self.problem = found


def parse(data: bytes) -> Any:
    """The JSON value of a document that somebody sent: at most 8 MiB, 64 levels and 200,000 values.

    Raises Malformed with one of the `json_` codes: the first fault that was found, and its place as a JSON Pointer and
    as a line and column (characters, from 1). A key that is not short and plain ends the pointer: no text is repeated.
    """
    bytes_max = limits.REQUEST_MAX_BYTES.value
    if len(data) > bytes_max:
        raise Malformed(problem("json_too_large", "", limit=bytes_max, actual=len(data)))
    return _parse(data, limits.JSON_MAX_DEPTH.value, limits.JSON_MAX_NODES.value)


def read_stored(data: bytes) -> Any:
    """The JSON value of bytes that this product stored: the same parser, without the limits on size and values.

    A limit that is lowered later must not make stored rows unreadable. Raises Malformed: the row was damaged.
    """
    return _parse(data, _STORED_DEPTH, len(data))


def canonical_bytes(value: Any) -> bytes:
    """The one spelling of a JSON value: keys sorted by code point, no spaces, nothing escaped that need not be, UTF-8.

    Texts are left untouched (no Unicode normalization), numbers are integers within ±(2^53 - 1). Anything else
    (floats, keys that are not texts, values that are not JSON, lone surrogates) is a bug of the caller, and raises
    AssertionError or TypeError.
    """
    assert not _holds_float(value), "what is hashed holds integers only"
    return canonical_bytes_of_parsed(value)


def canonical_bytes_of_parsed(value: Any) -> bytes:
    """The same, of a value of which it is certain that it holds no float, since the parser has read it."""
    # orjson sorts by the UTF-8 bytes of a key, which is the order of its code points.
    return orjson.dumps(value, option=_WRITING)


def canonical_object(members: Mapping[str, bytes]) -> bytes:
    """The canonical bytes of an object, from those of each of its members."""
    # Texts are sorted by code point here too.
    written = [canonical_bytes_of_parsed(name) + b":" + members[name] for name in sorted(members)]
    return b"{" + b",".join(written) + b"}"


def may_hold_control_characters(canonical: bytes) -> bool:
    """Whether a text or key in canonical bytes may hold a control character (category Cc) other than line feed and tab.

    No is certain. Below U+0020 they are written with a backslash, as are only quote, backslash, line feed and tab
    besides; U+007F is one byte; U+0080 to U+009F are the byte C2 and one from 80 to 9F, and C2 begins no other sequence
    that has such a byte. A backslash in a text is taken for a doubt.
    """
    if b"\x7f" in canonical or not _bytes_behind(b"\\", canonical) <= set(b'"nt'):
        return True
    return not _bytes_behind(b"\xc2", canonical).isdisjoint(range(0x80, 0xA0))


def _bytes_behind(byte: bytes, data: bytes) -> set[int]:
    """The bytes that stand directly behind one. Finding a single byte is the fastest way through a document."""
    behind = set()
    at = data.find(byte)
    while at >= 0:
        behind.add(data[at + 1])
        at = data.find(byte, at + 1)
    return behind


def levels(value: Any) -> Iterator[list[Any]]:
    """All values of a JSON value but its texts, those of one depth at a time: itself, its members, their members …

    A tuple is an array. Most values of a document are texts, and most of the time spent on a walk is spent on them: so
    they are left out at once, and a level is gone through at once.
    """
    level = [] if type(value) is str else [value]
    while level:
        yield level
        containers = [member for member in level if type(member) in _CONTAINERS]
        members = [container.values() if type(container) is dict else container for container in containers]
        level = [member for member in chain.from_iterable(members) if type(member) is not str]


def digest(data: bytes) -> str:
    """`sha256:` and the hexadecimal SHA-256 of the bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def _parse(data: bytes, depth_max: int, nodes_max: int) -> Any:
    if data.startswith(_BOM):
        raise Malformed(problem("json_bom", ""))
    if _nodes_at_most(data) > nodes_max:
        nodes = _count_nodes(_skeleton(data))
        if nodes > nodes_max:
            raise Malformed(problem("json_nodes", "", limit=nodes_max, actual=nodes))
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise Malformed(_too_deep(_skeleton(data), depth_max) or _why_refused(data, error)) from None
    if not _says_nothing_else(data, value, depth_max):
        skeleton = _skeleton(data)
        found = _too_deep(skeleton, depth_max)
        if found is None and _may_be_faulty(data, skeleton, value):
            found = _first_fault(data.decode())
        if found is not None:
            raise Malformed(found)
    return value


def _nodes_at_most(data: bytes) -> int:
    """No fewer than the document has values: each but the first stands behind one of these, which texts hold too.

    What deleting takes away counts them, several times as fast as `count` where they are few.
    """
    return 1 + sum(len(data) - len(data.replace(mark, b"")) for mark in (b",", b"[", b"{"))


def _says_nothing_else(data: bytes, value: Any, depth_max: int) -> bool:
    """Whether a document is certain to be taken as the value that orjson read; no is only a doubt.

    Where writing the value gives the same bytes, no key was dropped for an equal one, and no number read as another or
    written beyond its bounds. What such bytes can still hold are fractions, U+0000 and too many levels.
    """
    try:
        written = orjson.dumps(value, option=orjson.OPT_STRICT_INTEGER)
    except orjson.JSONEncodeError:
        return False
    if written != data or _may_hold_nul(data):
        return False
    return all(depth < depth_max and float not in set(map(type, level)) for depth, level in enumerate(levels(value)))


def _may_be_faulty(data: bytes, skeleton: bytes, value: Any) -> bool:
    """Whether a well-formed document may hold something that is not taken; no is certain."""
    return (
        skeleton.count(b":") != _count_pairs(value)
        or _NUMBER_TO_LOOK_AT.search(skeleton) is not None
        or _may_hold_nul(data)
    )


def _may_hold_nul(data: bytes) -> bool:
    # To look for a single byte first is many times faster, and most documents hold none.
    return b"\\" in data and b"\\u0000" in data


def _too_deep(skeleton: bytes, depth_max: int) -> Problem | None:
    if _nests_within(skeleton, depth_max):
        return None
    return problem("json_depth", "", limit=depth_max, actual=_count_depth(skeleton))


def _skeleton(data: bytes) -> bytes:
    """The document without spaces and with every text as one quote; what it means is said only of well-formed JSON."""
    if b"\\" in data:
        data = _ESCAPED_QUOTE_OR_BACKSLASH.sub(b"", data)
    return b'"'.join(data.split(b'"')[::2]).translate(None, _SPACE)


def _count_nodes(skeleton: bytes) -> int:
    """The values of a document: every object, array, text, number and literal; keys are not counted."""
    containers = skeleton.count(b"[") + skeleton.count(b"{")
    empty = skeleton.count(b"[]") + skeleton.count(b"{}")
    return 1 + skeleton.count(b",") + containers - empty


def _nests_within(skeleton: bytes, depth_max: int) -> bool:
    """Whether no more than so many brackets are open at once. Each round takes away the innermost pairs."""
    brackets = skeleton.translate(None, _NOT_BRACKETS)
    for _ in range(depth_max):
        if not brackets:
            return True
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    # What is left is deeper, or its brackets do not match: then they are counted as they stand.
    return not brackets or _count_depth(skeleton) <= depth_max


def _count_depth(skeleton: bytes) -> int:
    depth = deepest = 0
    for byte in skeleton:
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def _count_pairs(value: Any) -> int:
    """The keys of all objects of a value: fewer than the document has colons where a key stood twice."""
    return sum([len(member) for level in levels(value) for member in level if type(member) is dict])


def _holds_float(value: Any) -> bool:
    waiting = [value]
    # A list may grow while it is gone through, and then its new members come last.
    for member in waiting:
        kind = type(member)
        if kind is dict:
            waiting += member.values()
        elif kind is list or kind is tuple:
            waiting += member
        elif kind is float:
            return True
    return False


def _why_refused(data: bytes, error: orjson.JSONDecodeError) -> Problem:
    """Name what orjson refused: bytes that are no UTF-8, a fault of ours to name, or the grammar."""
    try:
        text = data.decode()
    except UnicodeDecodeError as undecodable:
        return problem("json_encoding", "", offset=undecodable.start)
    try:
        # Its own reader takes lone surrogates and numbers of any size, so what it takes has one of these faults.
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse_constant)
    except ValueError:
        return problem("json_syntax", "", line=error.lineno, column=error.colno)
    found = _first_fault(text)
    assert found is not None, "orjson refused what the grammar allows, and no fault of ours is in it"
    return found


def _refuse_constant(name: str) -> object:
    raise ValueError(name)


@dataclass(slots=True)
class _Container:
    """An object or array that is being read, and where in it; `keys` are those of an object, None for an array."""

    keys: set[str] | None
    key: str = ""
    index: int = 0
    expects_key: bool = False


class _Scalar(NamedTuple):
    """A text (decoded), number or literal of a document, with the containers it stands in."""

    lexeme: str
    text: str | None
    is_key: bool
    offset: int
    containers: list[_Container]


def _scalars(document: str) -> Iterator[_Scalar]:
    """Every key and scalar of a well-formed document, in its order. The containers are those of the moment."""
    containers: list[_Container] = []
    for match in _TOKEN.finditer(document):
        lexeme = match[0]
        if lexeme == "{":
            containers.append(_Container(keys=set(), expects_key=True))
        elif lexeme == "[":
            containers.append(_Container(keys=None))
        elif lexeme in "}]":
            containers.pop()
        elif lexeme == ",":
            containers[-1].index += 1
            containers[-1].expects_key = containers[-1].keys is not None
        elif lexeme != ":":
            text = json.loads(lexeme) if lexeme.startswith('"') else None
            is_key = bool(containers) and containers[-1].expects_key
            yield _Scalar(lexeme, text, is_key, match.start(), containers)


def _first_fault(document: str) -> Problem | None:
    """The first thing in a well-formed document that is not taken, with its place; None where there is nothing."""
    for scalar in _scalars(document):
        code = _fault_of_number(scalar.lexeme) if scalar.text is None else _fault_of_text(scalar.text)
        if scalar.is_key and scalar.text is not None:
            innermost = scalar.containers[-1]
            assert innermost.keys is not None, "only objects expect keys"
            if code is None and scalar.text in innermost.keys:
                code = "json_duplicate_key"
            innermost.keys.add(scalar.text)
            innermost.key = scalar.text
            innermost.expects_key = False
        if code is not None:
            line = document.count("\n", 0, scalar.offset) + 1
            column = scalar.offset - document.rfind("\n", 0, scalar.offset)
            limit = limits.INTEGER_MAX.value if code == "json_integer_range" else None
            return problem(code, _pointer(scalar.containers), limit=limit, line=line, column=column)
    return None


def _fault_of_text(text: str) -> str | None:
    if "\0" in text:
        return "json_nul"
    return "json_surrogate" if _SURROGATE.search(text) else None


def _fault_of_number(lexeme: str) -> str | None:
    if lexeme in ("true", "false", "null"):
        return None
    if not lexeme.removeprefix("-").isdigit():
        return "json_number_form"
    # The length comes first: Python refuses to read a number of thousands of digits.
    digits = lexeme.removeprefix("-")
    if len(digits) > _INTEGER_DIGITS or int(digits) > limits.INTEGER_MAX.value:
        return "json_integer_range"
    return None


def _pointer(containers: list[_Container]) -> str:
    """The JSON Pointer of a place. It ends before a key that is long or not plain, so that no text is repeated."""
    path = ""
    for container in containers:
        step = str(container.index) if container.keys is None else container.key
        if _PLAIN_KEY.fullmatch(step) is None:
            break
        path += f"/{step}"
    return path
