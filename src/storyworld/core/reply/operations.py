"""The proposed operations of a reply, as raw JSON values that can stand in a record.

It owns what a record can hold. It must not know what an operation is: that is judged where a patch is.
"""

from __future__ import annotations

import re
from itertools import repeat
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
    kept = tuple(item if _can_be_recorded(item, _DEPTH_MAX) else None for item in value)
    return kept, tuple(
        LeftOut("operation_unreadable", f"/operations/{place}")
        for place, item in enumerate(kept)
        if item is None and value[place] is not None
    )


def _can_be_recorded(value: Any, depth: int) -> bool:
    if isinstance(value, str):
        return _NO_CHARACTER.search(value) is None
    if isinstance(value, dict):
        return (
            depth > 0
            and _NO_CHARACTER.search("".join(value)) is None
            and all(map(_can_be_recorded, value.values(), repeat(depth - 1)))
        )
    if isinstance(value, list):
        return depth > 0 and all(map(_can_be_recorded, value, repeat(depth - 1)))
    if isinstance(value, float):
        return False
    return value is None or abs(value) <= limits.INTEGER_MAX.value
