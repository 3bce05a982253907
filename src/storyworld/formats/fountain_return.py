"""A screenplay that was written as Fountain, made again from what was read; and how notes tell a beat from a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.core.script import Script, ScriptElement

_MEANT: Final = "note: "
_CITATION: Final = re.compile(r"beat (0|[1-9][0-9]{0,8})")
_LIKE_CITATION: Final = re.compile(rf"(?:{_MEANT})*{_CITATION.pattern}")
_OF_SPEAKERS: Final = frozenset({ElementKind.CHARACTER, ElementKind.PARENTHETICAL, ElementKind.DIALOGUE})


def note_to_write(text: str) -> str:
    """What to write for a note, so that one whose own text cites a beat is not taken for a citation."""
    return _MEANT + text if _LIKE_CITATION.fullmatch(text) else text


def screenplay_of(script: Script) -> Screenplay:
    """The screenplay that a script was written from.

    Of a script that was not written by us it is what a screenplay can say of it: extensions, dual dialogue, the depth
    of sections and descriptions in the cast list have no place in one, and a role is one that the cast list gives an
    id. The title is empty, and so is the language, where the script tells none.
    """
    value_by_key = {field.key: field.value for field in reversed(script.title_page)}
    cast = tuple(CastMember(entry.role_id, entry.name) for entry in script.cast if entry.role_id is not None)
    return Screenplay(
        title=value_by_key.get("title", ""),
        language=script.language or "",
        cast=cast,
        elements=tuple(_elements(script, cast)),
        source=value_by_key.get("source"),
    )


def _elements(script: Script, cast: tuple[CastMember, ...]) -> Iterator[Element]:
    ids_by_name: dict[str, list[str]] = {}
    for member in cast:
        ids_by_name.setdefault(member.name, []).append(member.role_id)
    beat: int | None = None
    speaker: str | None = None
    for element in script.elements:
        text = element.text
        if element.kind is ElementKind.NOTE and _LIKE_CITATION.fullmatch(text):
            if cited := _CITATION.fullmatch(text):
                beat = int(cited[1])
                continue
            text = text.removeprefix(_MEANT)
        if element.kind is ElementKind.CHARACTER:
            speaker = _role(element, ids_by_name.get(text, []))
        yield Element(element.kind, text, speaker if element.kind in _OF_SPEAKERS else None, beat)


def _role(cue: ScriptElement, ids: list[str]) -> str | None:
    """Whose cue it is, of the roles that bear its name: the one in its brackets, or the only one there is."""
    if cue.extension in ids:
        return cue.extension
    return ids[0] if len(ids) == 1 else None
