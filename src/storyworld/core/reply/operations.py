"""The proposed operations of a reply, as raw JSON values that can stand in a record.

It owns what a record can hold. It must not know what an operation is: that is judged where a patch is.
"""

from __future__ import annotations

import re
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.reply.reading import LeftOut

_DEPTH_MAX: Final = limits.JSON_MAX_DEPTH.value // 2
_NO_CHARACTER: Final = re.compile("[\0\ud800-\udfff]")


def take_operations(value: object) -> tuple[tuple[object, ...], tuple[LeftOut, ...]]:
    """The operations in a value, and what was left out of it. A value that no record can hold stands as None.

    Records hold integers of at most 2^53 - 1 and texts without NUL and lone surrogates; deep nesting is nobody's
    operation.
    """
    if value is None:
        return (), ()
    if not isinstance(value, list):
        return (), (LeftOut("operations_not_listed", "/operations"),)
    kept = tuple([item if _can_be_recorded(item) else None for item in value])
    return kept, tuple(
        [
            LeftOut("operation_unreadable", f"/operations/{place}")
            for place, item in enumerate(kept)
            if item is None and value[place] is not None
        ]
    )


def _can_be_recorded(operation: Any) -> bool:
    texts: list[str] = []
    level, depth = [operation], 0
    while level:
        if depth == _DEPTH_MAX and any(isinstance(member, dict | list) for member in level):
            return False
        below: list[Any] = []
        for member in level:
            if isinstance(member, str):
                texts.append(member)
            elif isinstance(member, dict):
                below += member
                below += member.values()
            elif isinstance(member, list):
                below += member
            elif isinstance(member, float) or (member is not None and abs(member) > limits.INTEGER_MAX.value):
                return False
        level, depth = below, depth + 1
    return _NO_CHARACTER.search("".join(texts)) is None
