"""Ids for what a script gives only names to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from storyworld.core import limits

_NO_ID: Final = re.compile(r"[^a-z0-9]+")
_ROOM_FOR_A_NUMBER: Final = 4


def ids_for(names: Sequence[str], kind: str, given: Sequence[str | None] = ()) -> list[str]:
    """A distinct id for each name, in order: the id that is given with it, else one that its Latin letters spell, else
    `kind` and its place counted from 1.
    """
    wanted = [*given, *[None] * (len(names) - len(given))]
    taken = {one for one in wanted if one is not None}
    found: list[str] = []
    for place, (name, own) in enumerate(zip(names, wanted, strict=True), start=1):
        chosen = own or _free(_spelled(name) or f"{kind}-{place}", taken)
        taken.add(chosen)
        found.append(chosen)
    return found


def numbered(kind: str, count: int) -> list[str]:
    """`kind-1`, `kind-2` and so on."""
    return [f"{kind}-{place}" for place in range(1, count + 1)]


def _spelled(name: str) -> str:
    """The name in the letters that an id may have; nothing where other letters would be lost."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(character for character in plain if not unicodedata.combining(character))
    if any(character.isalpha() and not character.isascii() for character in letters):
        return ""
    longest = limits.ID_MAX_CHARS.value - _ROOM_FOR_A_NUMBER
    return _NO_ID.sub("-", letters).strip("-")[:longest].strip("-")


def _free(wanted: str, taken: set[str]) -> str:
    chosen, number = wanted, 1
    while chosen in taken:
        number += 1
        chosen = f"{wanted}-{number}"
    return chosen
