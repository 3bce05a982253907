"""Judges a JSON value by its schema and words every fault, in our words and with our reasons.

It owns what a fault of shape is called and in which order faults are told; it must not know what a value means. It is
the only module that uses jsonschema-rs, whose messages are never shown: they hold the offending value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

import jsonschema_rs

from storyworld.core import limits, schema
from storyworld.core.canonical import may_hold_control_characters
from storyworld.core.errors import Problem, problem
from storyworld.core.schema import parts

_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PATTERN_CODES: Final[Mapping[str, str]] = {
    parts.ID_PATTERN: "id_shape",
    parts.RESOURCE_ID_PATTERN: "resource_id_shape",
    parts.LANGUAGE_PATTERN: "language_shape",
    parts.TEMPERATURE_PATTERN: "temperature_shape",
    parts.VISIBLE_ASCII_PATTERN: "event_id_shape",
    parts.TEXT_PATTERN: "control_character",
}
# What a JSON type is called, in English and in Chinese.
_TYPE_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "string": ("a text", "文本"),
    "integer": ("an integer", "整数"),
    "boolean": ("a boolean", "布尔值"),
    "array": ("an array", "数组"),
    "object": ("an object", "对象"),
    "null": ("null", " null"),
    "number": ("a number with a fraction", "带小数的数"),
}
_JSON_TYPES: Final[Mapping[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    list: "array",
    dict: "object",
    type(None): "null",
    float: "number",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault before it is put into words: many may be found, and only the first `PROBLEMS_MAX_REPORTED` are told."""

    path: str
    code: str
    limit: int | None = None
    actual: int | str | None = None
    reason: str | None = None
    words: Mapping[str, Any] = field(default_factory=dict)

    def word(self) -> Problem:
        """The problem in words."""
        return problem(self.code, self.path, limit=self.limit, actual=self.actual, reason=self.reason, **self.words)


class Report(NamedTuple):
    """The problems that are told, in order, and how many there are beyond them."""

    problems: tuple[Problem, ...]
    more: int


class Misshapen(NamedTuple):
    """Why an operation cannot be read: `op_unknown` or `op_shape`, and where in it (a JSON Pointer) if known."""

    code: str
    path: str | None = None


def find(name: str, value: object) -> list[Finding]:
    """Every fault of shape in a normalized value, in no particular order.

    `name` is one of `story_package`, `world`, `agent`, `turn_trigger`, `event`, `deliberation`. Raises KeyError for
    another: a bug.
    """
    subject = _SUBJECTS[name]
    return subject.find(value)


def finder(name: str, judged_by: schema.Schema) -> Callable[[object], list[Finding]]:
    """A function like `find` for a schema of one's own, whose patterns are those of `schema.parts`. `name` is what a
    message calls the whole.
    """
    return _Subject(name, judged_by).find


def find_in_package(content: object, canonical: bytes) -> list[Finding]:
    """The same as `find("story_package", content)`, and sooner where there is nothing to find.

    `canonical` are the content's canonical bytes: they tell of all its texts at once that none has a control character.
    """
    if not may_hold_control_characters(canonical) and _PACKAGE_SCREEN.is_valid(content):
        return []
    return find("story_package", content)


def texts_within(chars_max: int) -> Callable[[object], bool]:
    """A question to ask of JSON values: whether every text, at any depth, has at most so many characters (not keys).

    The engine walks a value in a fraction of the time that it would take here.
    """
    every_level = {"$ref": "#"}
    rule = {"$schema": parts.DIALECT, "maxLength": chars_max, "items": every_level, "additionalProperties": every_level}
    return _compile(rule).is_valid


def judge(name: str, value: object) -> tuple[Problem, ...]:
    """The first `PROBLEMS_MAX_REPORTED` faults of shape in a normalized value, in words; see `find` and `report`."""
    return report(find(name, value), value).problems


def report(findings: Iterable[Finding | Problem], document: object) -> Report:
    """Put findings in order (limits of the whole, of arrays, then document order) and the first of them into words."""
    ordered = sorted(findings, key=_Order(document).of)
    told = ordered[: limits.PROBLEMS_MAX_REPORTED.value]
    worded = tuple(found if isinstance(found, Problem) else found.word() for found in told)
    return Report(worded, len(ordered) - len(told))


def judge_operation(value: object) -> Misshapen | None:
    """Whether a role's proposed operation is well shaped: None, or why not."""
    return _judge_operation(_OPERATIONS, value)


def judge_effect(value: object) -> Misshapen | None:
    """Whether an effect of a trusted event is well shaped: None, or why not. It names the role that it acts for."""
    return _judge_operation(_EFFECTS, value)


def type_words(value: object) -> tuple[str, str]:
    """What the JSON type of a value is called, in English (with its article) and in Chinese."""
    return _TYPE_WORDS[_JSON_TYPES[type(value)]]


def as_id(value: object) -> str | None:
    """The value, where it is shaped like an id: then it can be looked up, and repeated in a message."""
    return value if isinstance(value, str) and _ID.fullmatch(value) else None


_FIRST_CODES: Final[Mapping[str, int]] = {"package_too_large": 0, "array_too_long": 1}


class _Order:
    """The order in which the findings of one document are told."""

    def __init__(self, document: object) -> None:
        self._document = document
        self._places: dict[tuple[int, ...], dict[str, int]] = {}

    def of(self, found: Finding | Problem) -> tuple[int, tuple[int, ...]]:
        """The rank of a finding, and the way down the document to its place, as places among siblings."""
        way: tuple[int, ...] = ()
        at: Any = self._document
        for token in found.path.split("/")[1:]:
            if isinstance(at, dict):
                # A missing field stands after those that are there.
                way = (*way, self._places_in(at, way).get(token, len(at)))
                at = at.get(token)
            elif isinstance(at, list):
                way = (*way, int(token))
                at = at[int(token)]
        return _FIRST_CODES.get(found.code, 2), way

    def _places_in(self, record: dict[str, Any], way: tuple[int, ...]) -> dict[str, int]:
        """The places of the fields of the object at the end of a way: remembered, since there may be 100,000."""
        if way not in self._places:
            self._places[way] = {key: place for place, key in enumerate(record)}
        return self._places[way]


class _Fault(Protocol):
    """The parts of an engine's error that are read; its message is not one of them."""

    @property
    def kind(self) -> Any: ...
    @property
    def instance(self) -> Any: ...
    @property
    def instance_path(self) -> list[str | int]: ...
    @property
    def schema_path(self) -> list[str | int]: ...


class _Subject:
    """One schema, compiled, and what a message calls the whole that it describes."""

    def __init__(self, name: str, judged_by: schema.Schema) -> None:
        self._name = name
        self._schema = judged_by
        self._validator = _compile(judged_by)

    def find(self, value: object) -> list[Finding]:
        if self._validator.is_valid(value):
            return []
        return [found for fault in self._validator.iter_errors(value) for found in self._read(fault)]

    def _read(self, fault: _Fault) -> Iterable[Finding]:
        keyword = str(fault.kind.name)
        path = _pointer(fault.instance_path)
        if path is None:
            return
        own: dict[str, Any] = {} if path else {"field": self._name}
        part = self._part(fault.schema_path)
        if keyword == "required":
            yield Finding(f"{path}/{fault.kind.property}", "field_missing")
        elif keyword == "additionalProperties":
            yield from _unknown_fields(path, own, fault.kind.unexpected, part)
        elif keyword == "propertyNames":
            yield Finding(path, "field_name_shape", words=own)
        elif keyword == "type":
            yield Finding(path, "type_wrong", actual=_type_of(fault.instance), words={**own, **_type_found(fault)})
        elif keyword in ("enum", "const"):
            allowed = part["enum"] if keyword == "enum" else [part["const"]]
            yield Finding(path, "word_unknown", actual=as_id(fault.instance), words={"allowed": ", ".join(allowed)})
        elif keyword == "pattern":
            yield Finding(path, _PATTERN_CODES[fault.kind.pattern], words=own)
        else:
            yield _over_limit(keyword, path, own, fault, part)

    def _part(self, schema_path: Sequence[str | int]) -> schema.Schema:
        """The part of the schema that holds the keyword at which a value failed."""
        part: Any = self._schema
        for token in schema_path[:-1]:
            part = part[token]
        return part if isinstance(part, dict) else {}


def _pointer(path: Sequence[str | int]) -> str | None:
    """The JSON Pointer of a place; None below a key that is not short and plain, for which its object is named."""
    if any(isinstance(part, str) and _PLAIN_NAME.fullmatch(part) is None for part in path):
        return None
    return "".join(f"/{part}" for part in path)


class _Variants:
    """Schemas of which one applies, chosen by the word in one field."""

    def __init__(self, name: str, tag: str, variants: Mapping[str, schema.Schema]) -> None:
        self._name = name
        self._tag = tag
        self._subjects = {word: _Subject(name, variant) for word, variant in variants.items()}

    def choose(self, value: object) -> _Subject | None:
        """The subject that a value claims to be."""
        word = value.get(self._tag) if isinstance(value, dict) else None
        return self._subjects.get(word) if isinstance(word, str) else None

    def find(self, value: object) -> list[Finding]:
        chosen = self.choose(value)
        if chosen is not None:
            return chosen.find(value)
        if not isinstance(value, dict):
            found, found_zh = type_words(value)
            words = {"field": self._name, "found": found, "found_zh": found_zh, **_expected(["object"])}
            return [Finding("", "type_wrong", actual=_type_of(value), words=words)]
        path = f"/{self._tag}"
        if self._tag not in value:
            return [Finding(path, "field_missing")]
        allowed = ", ".join(self._subjects)
        return [Finding(path, "word_unknown", actual=as_id(value[self._tag]), words={"allowed": allowed})]


def _compile(judged_by: schema.Schema) -> jsonschema_rs.Validator:
    # The mask keeps the engine from writing out values of hundreds of kilobytes for messages that nobody reads.
    return jsonschema_rs.validator_for(judged_by, mask="a value", offline=True)


def _for_plain_texts(part: Any) -> Any:
    """The same schema for what holds no control character: patterns that only those break are left out.

    In the engine's language a bare `$` never matches before a final line feed, so the other patterns need not look
    ahead, and then are matched many times faster.
    """
    if isinstance(part, list):
        return [_for_plain_texts(below) for below in part]
    if not isinstance(part, dict):
        return part
    plain = {name: _for_plain_texts(below) for name, below in part.items()}
    if plain.get("pattern") == parts.TEXT_PATTERN:
        del plain["pattern"]
    elif "pattern" in plain:
        plain["pattern"] = plain["pattern"].removesuffix(r"(?!\n)$") + "$"
    return plain


def _unknown_fields(
    path: str, own: dict[str, Any], unexpected: Sequence[str], part: schema.Schema
) -> Iterable[Finding]:
    allowed = ", ".join(part["properties"])
    plain = [name for name in unexpected if _PLAIN_NAME.fullmatch(name)]
    for name in plain:
        yield Finding(f"{path}/{name}", "field_unknown", words={"allowed": allowed})
    if len(plain) < len(unexpected):
        yield Finding(path, "field_unnamed", actual=len(unexpected) - len(plain), words={**own, "allowed": allowed})


_LIMIT_CODES: Final[Mapping[str, str]] = {
    "maxItems": "array_too_long",
    "minItems": "array_empty",
    "uniqueItems": "array_repeats",
    "maxLength": "text_too_long",
    "minLength": "text_empty",
    "maximum": "number_too_large",
    "minimum": "number_too_small",
    "maxProperties": "fields_too_many",
}


def _over_limit(keyword: str, path: str, own: dict[str, Any], fault: _Fault, part: schema.Schema) -> Finding:
    declared = part.get(parts.X_LIMITS, {}).get(keyword)
    instance = fault.instance
    return Finding(
        path,
        _LIMIT_CODES[keyword],
        limit=None if keyword == "uniqueItems" else int(fault.kind.limit),
        actual=instance if isinstance(instance, int) else len(instance),
        reason=None if declared is None else limits.BY_NAME[declared].reason,
        words=own,
    )


def _type_of(value: object) -> str:
    return _JSON_TYPES[type(value)]


def _type_found(fault: _Fault) -> dict[str, Any]:
    found, found_zh = type_words(fault.instance)
    return {"found": found, "found_zh": found_zh, **_expected(fault.kind.types)}


def _expected(types: Sequence[str]) -> dict[str, Any]:
    words = [_TYPE_WORDS[name] for name in types]
    return {"expected": " or ".join(en for en, _ in words), "expected_zh": "或".join(zh for _, zh in words)}


_SUBJECTS: Final[Mapping[str, _Subject | _Variants]] = {
    "story_package": _Subject("story package", schema.STORY_PACKAGE_CONTENT),
    "world": _Subject("world", schema.WORLD_CONTENT),
    "agent": _Subject("agent", schema.AGENT_CONTENT),
    "turn_trigger": _Variants("trigger", "kind", schema.TURN_TRIGGERS),
    "event": _Subject("event", schema.EVENT),
    "deliberation": _Subject("deliberation", schema.DELIBERATION),
}
_PACKAGE_SCREEN: Final = _compile(_for_plain_texts(schema.STORY_PACKAGE_CONTENT))
_OPERATIONS: Final = _Variants("operation", "op", schema.OPERATIONS)
_EFFECTS: Final = _Variants("effect", "op", schema.EFFECTS)


def _judge_operation(variants: _Variants, value: object) -> Misshapen | None:
    if not _is_canonical(value):
        return Misshapen("op_shape")
    subject = variants.choose(value)
    if subject is None:
        return Misshapen("op_unknown" if isinstance(value, dict) and isinstance(value.get("op"), str) else "op_shape")
    findings = subject.find(value)
    if not findings:
        return None
    return Misshapen("op_shape", report(findings, value).problems[0].path or None)


def _is_canonical(value: object) -> bool:
    """Whether a value can be hashed. Operations also come from replies of models, which no strict parser has read.

    To the schema 5.0 is an integer like 5, and half a surrogate pair is a character.
    """
    waiting = [value]
    # A list may grow while it is gone through, and then its new members come last.
    for at in waiting:
        if isinstance(at, str):
            if not at.isascii() and _SURROGATE.search(at) is not None:
                return False
        elif isinstance(at, dict):
            waiting += at
            waiting += at.values()
        elif isinstance(at, list):
            waiting += at
        elif isinstance(at, float):
            return False
    return True
