"""Operations of a state patch as a reader sees them, one line each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from storyworld.core.patch import UNREADABLE

Operation = Mapping[str, Any]


def _value(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _put_entity(operation: Operation) -> str:
    attributes = "".join(f"; {key}: {_value(value)}" for key, value in operation["attributes"].items())
    return f"{operation['name']} ({operation['kind']} {operation['id']}){attributes}"


def _set_relation(operation: Operation) -> str:
    note = f" ({operation['note']})" if "note" in operation else ""
    return f"{operation['kind']} toward {operation['toRoleId']} is {operation['value']}{note}"


def _establish_fact(operation: Operation) -> str:
    known = f" (known by {', '.join(operation['knownBy'])})" if "knownBy" in operation else ""
    return f"it is a fact, {operation['id']}: {operation['text']}{known}"


_WORDS: Final[Mapping[str, Callable[[Operation], str]]] = {
    "setFlag": lambda operation: f"{operation['flagId']} is {_value(operation['value'])}",
    "putEntity": _put_entity,
    "removeEntity": lambda operation: f"{operation['id']} is gone",
    "setRelation": _set_relation,
    "removeRelation": lambda operation: f"{operation['kind']} toward {operation['toRoleId']} is gone",
    "addNote": lambda operation: f"notes: {operation['text']}",
    "removeNote": lambda operation: f"forgets note {operation['id']}",
    "establishFact": _establish_fact,
    "takeBranch": lambda operation: f"goes the way of {operation['branchId']}",
    UNREADABLE: lambda operation: "an operation that cannot be read",
}


def in_words(operation: Operation) -> str:
    """One operation of a beat record: who proposed it, and what it does."""
    return f"{operation['proposer']}: {_WORDS[operation['op']](operation)}"
