"""The parts of one object of a reply: which key holds which, what a text among them says, and how much one holds.

It owns how a value becomes something to say. It must not know where the object stood.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from storyworld.core.reply.keys import Part, names_any_text, part_named
from storyworld.core.reply.reasoning import without_reasoning
from storyworld.core.reply.speech import is_blank, speakable

_PLAIN_KEY: Final = re.compile(r"[\w-]{1,64}")
_OPERATION_KEY: Final = "op"


class Said(NamedTuple):
    """A text that can be said or shown, not blank, and the codes of what was mended in it."""

    text: str
    repairs: tuple[str, ...]


def said(value: object) -> Said | None:
    """What a value says: a text, or a list of texts, one a line. None for any other value and where nothing is left."""
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        value = "\n".join(value)
    return _said(value) if isinstance(value, str) else None


# A text is looked at when the object that it stands in is found, and again when its line is taken.
@lru_cache(maxsize=64)
def _said(told: str) -> Said | None:
    thought_free = without_reasoning(told)
    repairs = [] if thought_free == told else ["reasoning_removed"]
    text, changed = speakable(thought_free)
    if changed:
        repairs.append("characters_replaced")
        # What was taken out may have kept the halves of a tag apart.
        text = without_reasoning(text).strip()
    return None if is_blank(text) else Said(text, tuple(repairs))


def keys_by_part(fields: Mapping[str, Any], *, any_text: bool) -> Mapping[Part, str]:
    """The key that holds each part of a reply. There is a line only where something can be said.

    Of several keys for one part the one that the prompt asks for counts, else the first. Keys that could name any text
    are believed where `any_text` says so or a speaker is named; an operation is never taken for a reply.
    """
    if _OPERATION_KEY in fields:
        return {}
    named: dict[Part, list[str]] = {}
    texts: list[str] = []
    for key in fields:
        part = part_named(key)
        if part is not None:
            named.setdefault(part, []).append(key)
        elif names_any_text(key):
            texts.append(key)
    lines = _asked_first(Part.LINE, named.pop(Part.LINE, []))
    if any_text or Part.SPEAKER in named:
        lines = [*lines, *texts]
    found = {part: _asked_first(part, keys)[0] for part, keys in named.items()}
    line = next((key for key in lines if said(fields[key]) is not None), None)
    return found if line is None else {Part.LINE: line, **found}


def _asked_first(part: Part, keys: list[str]) -> list[str]:
    return sorted(keys, key=lambda key: key != part) if len(keys) > 1 else keys


def pointer(way: Iterable[str | int]) -> str:
    """The JSON Pointer of a place. It ends before a key that is long or not plain, so that no text is repeated."""
    path = ""
    for step in way:
        if isinstance(step, str) and _PLAIN_KEY.fullmatch(step) is None:
            break
        path += f"/{step}"
    return path


def text_weight(value: object) -> int:
    """How many characters of text a JSON value holds, its keys included."""
    weight = 0
    rest = [value]
    while rest:
        member = rest.pop()
        if isinstance(member, str):
            weight += len(member)
        elif isinstance(member, dict):
            rest += [*member, *member.values()]
        elif isinstance(member, list):
            rest += member
    return weight
