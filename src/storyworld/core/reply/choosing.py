"""Which object of a document is the reply, also where it is wrapped in others or stands in a list.

It owns the search. It must not know the story: of several objects the role's own is chosen by the speaker they name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from storyworld.core.canonical import Malformed, parse
from storyworld.core.reply.documents import Document
from storyworld.core.reply.keys import Part, folded, part_named
from storyworld.core.reply.parts import keys_by_part, pointer, said, text_weight
from storyworld.core.reply.reading import LeftOut
from storyworld.core.reply.reasoning import is_reasoning_name
from storyworld.core.unchanging import unchanging

# A reply is wrapped in the name of its type, or that in a list: deeper objects are something else.
_DEPTH_MAX: Final = 4
_ITEMS_MAX: Final = 64
_NO_WRAPPER: Final = frozenset({Part.ACTION, Part.OPERATIONS, Part.SPEAKER})


@unchanging
class Candidate:
    """An object with a line. `way` are the containers around it, each with the step that leads inwards; `at_end` says
    that it is the last thing in its document, so that a cut of the document is a cut of it; `quoted` that it stood as
    JSON text where the line should be.
    """

    document: Document
    fields: Mapping[str, Any]
    keys: Mapping[Part, str]
    way: tuple[tuple[Any, str | int], ...]
    at_end: bool
    quoted: bool = False

    @property
    def speaker(self) -> str | None:
        """Who speaks, in the folded form of names; None where the object does not say."""
        name = self.fields[self.keys[Part.SPEAKER]] if Part.SPEAKER in self.keys else None
        return (folded(name) or None) if isinstance(name, str) else None

    @property
    def steps(self) -> tuple[str | int, ...]:
        """The way to the object, from the outermost container."""
        return tuple(step for _, step in self.way)

    def left_beside(self) -> Iterator[LeftOut]:
        """What stands beside the object in the containers around it."""
        passed: tuple[str | int, ...] = ()
        for container, inwards in self.way:
            members = container.items() if isinstance(container, dict) else enumerate(container)
            code = "unknown_key" if isinstance(container, dict) else "other_object"
            for step, member in members:
                if step != inwards:
                    yield LeftOut(code, pointer((*passed, step)), text_weight(member))
            passed = (*passed, inwards)


def candidates(document: Document) -> Iterator[Candidate]:
    """The objects of a document that could be the reply, in their order."""
    return _search(document, document.value, (), any_text=not document.nested, at_end=document.cut)


def choose(found: Sequence[Candidate], names: frozenset[str]) -> Candidate:
    """The first that names one of these speakers, else the first that names none, else the first."""
    if len(found) == 1:
        return found[0]
    own = (candidate for candidate in found if candidate.speaker in names)
    unnamed = (candidate for candidate in found if candidate.speaker is None)
    return next(own, None) or next(unnamed, None) or found[0]


def _search(
    document: Document, value: Any, way: tuple[tuple[Any, str | int], ...], *, any_text: bool, at_end: bool
) -> Iterator[Candidate]:
    if isinstance(value, dict):
        keys = keys_by_part(value, any_text=any_text)
        if Part.LINE in keys:
            inner = _with_quoted_object(value, keys[Part.LINE])
            if inner is None:
                yield Candidate(document, value, keys, way, at_end)
            else:
                yield Candidate(document, inner, keys_by_part(inner, any_text=False), way, at_end, quoted=True)
            return
        told = [(key, member) for key, member in value.items() if not is_reasoning_name(folded(key))]
        members = [(key, member, part_named(key)) for key, member in told]
        steps = [(key, member, part is Part.LINE) for key, member, part in members if part not in _NO_WRAPPER]
    elif isinstance(value, list):
        steps = [(place, member, any_text and len(value) == 1) for place, member in enumerate(value[:_ITEMS_MAX])]
    else:
        return
    if len(way) < _DEPTH_MAX:
        last = next(reversed(value), None) if isinstance(value, dict) else len(value) - 1
        for step, member, believed in steps:
            yield from _search(
                document, member, (*way, (value, step)), any_text=believed, at_end=at_end and step == last
            )


def _with_quoted_object(fields: Mapping[str, Any], line_key: str) -> dict[str, Any] | None:
    """The reply that stands as JSON text where the line should be, with the other fields of the object around it."""
    value = fields[line_key]
    if isinstance(value, str) and "{" not in value:
        return None
    line = said(value)
    if line is None or not line.text.startswith("{"):
        return None
    try:
        inner: dict[str, Any] = parse(line.text.encode())
    except Malformed:
        return None
    if Part.LINE not in keys_by_part(inner, any_text=False):
        return None
    return {**inner, **{key: member for key, member in fields.items() if key != line_key and key not in inner}}
