"""Lists, page by page: `?limit&cursor` in, `{items, nextCursor}` out.

A cursor is the id of the last item of the page before. It is a position and no key: rows are found only through the
project of whoever asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeVar

from storyworld.api.operation import Answer, Asked, Parameter
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.core.schema.parts import integer, resource_id

Item = TypeVar("Item")

_LIMIT_DEFAULT: Final = 50
LIMIT: Final = Parameter(
    "query",
    "limit",
    {**integer(limits.PAGE_MAX_ITEMS, "How many items at most.", minimum=1), "default": _LIMIT_DEFAULT},
)
PAGED: Final = (LIMIT, Parameter("query", "cursor", resource_id("The `nextCursor` of the page before.")))
PAGED_BY_NUMBER: Final = (
    LIMIT,
    Parameter("query", "cursor", integer(limits.INTEGER_MAX, "The `nextCursor` of the page before.", minimum=0)),
)
"""The same where items are numbered: then a cursor is a number, in digits."""


async def page(
    asked: Asked,
    fetch: Callable[[int, Any], Awaitable[Sequence[Item] | Refusal]],
    written: Callable[[Item], dict[str, Any]],
    place: Callable[[Item], str | int],
) -> Answer | Refusal:
    """The page that was asked for. `fetch` gives items after a place (None: from the start), `place` tells that of an
    item.
    """
    limit = asked.query["limit"]
    found = await fetch(limit + 1, asked.query["cursor"])
    if isinstance(found, Refusal):
        return found
    shown = found[:limit]
    more = len(found) > limit
    return Answer(
        200, {"items": [written(item) for item in shown], "nextCursor": str(place(shown[-1])) if more else None}
    )
