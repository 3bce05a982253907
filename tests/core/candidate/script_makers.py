"""Scripts as values, an element a line."""

from __future__ import annotations

from typing import Any

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import CastEntry, Lines, Script, ScriptElement, TitleField


def script(*parts: tuple[str, str] | TitleField | CastEntry, **fields: Any) -> Script:
    """A script of (kind, text) pairs, each on a line of its own, counted from 1; title page and cast where they stand.

    A kind may name the depth of its section: `section 2`.
    """
    elements: list[ScriptElement] = []
    title_page: list[TitleField] = []
    cast: list[CastEntry] = []
    for line, part in enumerate(parts, start=1):
        if isinstance(part, TitleField):
            title_page.append(TitleField(part.key, part.value, Lines(line, line)))
        elif isinstance(part, CastEntry):
            cast.append(CastEntry(part.name, Lines(line, line), part.aliases, part.description, part.role_id))
        else:
            kind, _, depth = part[0].partition(" ")
            elements.append(ScriptElement(ElementKind(kind), part[1], Lines(line, line), int(depth or "1")))
    fields.setdefault("format", "fountain")
    return Script(elements=tuple(elements), title_page=tuple(title_page), cast=tuple(cast), **fields)


def titled(key: str, value: str) -> TitleField:
    """An entry of the title page; its line is where it stands."""
    return TitleField(key, value, Lines(0, 0))


def listed(
    name: str, description: str | None = None, *, aliases: tuple[str, ...] = (), role_id: str | None = None
) -> CastEntry:
    """An entry of the cast list; its line is where it stands."""
    return CastEntry(name, Lines(0, 0), aliases, description, role_id)


def said(name: str, text: str) -> tuple[tuple[str, str], tuple[str, str]]:
    """A cue and its speech."""
    return ("character", name), ("dialogue", text)
