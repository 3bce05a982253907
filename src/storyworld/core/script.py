"""A script as a reader of some file format understood it: elements with the lines that they stand on.

Readers under `formats` make these values; `candidate` makes a story package of them. Nothing is dropped on the way:
each line of a file that is not blank lies in the lines of the title page, the cast list, an element, or what was left
out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from storyworld.core.screenplay import ElementKind

ScriptFormat = Literal["fountain", "fdx", "plain"]


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """Lines of the source, both included, counted from 1."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TitleField:
    """An entry of the title page: its key in lower case (`title`, `author`, `credit`, …), its value without markup."""

    key: str
    value: str
    lines: Lines


@dataclass(frozen=True, slots=True)
class CastEntry:
    """An entry of a list of characters: the name, other names given with it, and what the list says of the character.

    `role_id` is there where the list gives an id, as in a screenplay that was exported.
    """

    name: str
    lines: Lines
    aliases: tuple[str, ...] = ()
    description: str | None = None
    role_id: str | None = None


@dataclass(frozen=True, slots=True)
class ScriptElement:
    """One element, its text without the markup of the format.

    `depth` is the level of a section, from 1. A cue's text is the name alone: `extension` is what stands in brackets
    after it (`O.S.`, `CONT'D`, several joined by a space), `dual` says that it is spoken beside the speech before it.
    A speech for several at once is a cue whose text names them all, as it stands. `lines` are all lines of the source
    that the element comes from.
    """

    kind: ElementKind
    text: str
    lines: Lines
    depth: int = 1
    extension: str | None = None
    dual: bool = False


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Lines that became nothing, and the code of the catalogue (kind `left_out`) that says why."""

    code: str
    lines: Lines


@dataclass(frozen=True, slots=True)
class Script:
    """A script as read, in the order of the source. `language` is what the file itself declares, if it does."""

    format: ScriptFormat
    elements: tuple[ScriptElement, ...]
    title_page: tuple[TitleField, ...] = ()
    cast: tuple[CastEntry, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    language: str | None = None
