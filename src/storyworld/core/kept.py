"""What was worked out of a value is kept, so that it is not worked out again while the value is in use.

A value is known again by being the very same object, which costs next to nothing to ask. So it has to be one that
nobody changes once it is made. This file owns the keeping; it must not know what is kept, and it keeps no package in
memory: how many stories a process holds is for others to say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar, TypeVarTuple
from weakref import ReferenceType, ref

Whole = TypeVar("Whole")
Sources = TypeVarTuple("Sources")
Made = TypeVar("Made")

KEPT_MAX: Final = 1024
"""How many results of one function are kept. The largest beat looks back on 150 records: 3 seats, each 50 beats."""


def kept(make: Callable[[*Sources], Made]) -> Callable[[*Sources], Made]:
    """The same function, which keeps the last `KEPT_MAX` results and the values that they were made from."""
    results: dict[tuple[int, ...], tuple[tuple[*Sources], Made]] = {}

    @wraps(make)
    def made_once(*sources: *Sources) -> Made:
        places = tuple(map(id, sources))
        found = results.get(places)
        if found is None:
            if len(results) >= KEPT_MAX:
                results.clear()
            # The sources are kept as well: while they are, no other values can have their ids.
            found = results[places] = (sources, make(*sources))
        return found[1]

    return made_once


def kept_apart(make: Callable[[Whole, *Sources], Made]) -> Callable[[Whole, *Sources], Made]:
    """The same for what is made with a large value, the first: only the other values are kept beside the results.

    When the large value is gone, what was made with it is never found again. It can be an instance of a class without
    slots; a result must not hold it.
    """
    results: dict[tuple[int, ...], tuple[ReferenceType[Whole], tuple[*Sources], Made]] = {}

    @wraps(make)
    def made_once(whole: Whole, *sources: *Sources) -> Made:
        places = (id(whole), *map(id, sources))
        found = results.get(places)
        # Another value may have come to the place of one that is gone.
        if found is None or found[0]() is not whole:
            if len(results) >= KEPT_MAX:
                results.clear()
            found = results[places] = (ref(whole), sources, make(whole, *sources))
        return found[2]

    return made_once
