"""What the strict parser refuses and the grammar still allows: repeated keys, fractions, and a document that was cut.

It owns the use of jiter. It must not know what a reply is. What it reads is judged again, value by value.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import jiter

_REPEATED = "Detected duplicate key"
_CUT = "EOF while parsing"
_ESCAPE_IN_PIECES = re.compile(r"(\\+)(?:u[0-9a-fA-F]{0,3})?\Z")


class Lenient(NamedTuple):
    """A value that was read, and whether an object of it had a key twice: then the last one counts."""

    value: Any
    repeated_keys: bool


def read_lenient(text: str) -> Lenient | None:
    """The value of a whole JSON document, numbers of any form and NaN included. None where the grammar is broken."""
    data = text.encode()
    try:
        return Lenient(jiter.from_json(data, catch_duplicate_keys=True), repeated_keys=False)
    except ValueError as error:
        if not str(error).startswith(_REPEATED):
            return None
    try:
        return Lenient(jiter.from_json(data), repeated_keys=True)
    except ValueError:
        return None


def read_cut(text: str) -> Any | None:
    """What stands in a document that ends too early and is JSON up to there; None for any other document.

    A text that was cut keeps what there is of it; a key without its value is dropped.
    """
    data = _without_broken_escape(text).encode()
    try:
        jiter.from_json(data)
    except ValueError as error:
        # In partial mode some other faults pass too, so that what comes after them would be lost unsaid.
        if str(error).startswith(_CUT):
            return jiter.from_json(data, partial_mode="trailing-strings")
    return None


def _without_broken_escape(text: str) -> str:
    """The text without an escape sequence that its end cuts in pieces."""
    found = _ESCAPE_IN_PIECES.search(text)
    if found is None or len(found[1]) % 2 == 0:
        return text
    return text[: found.end(1) - 1]
