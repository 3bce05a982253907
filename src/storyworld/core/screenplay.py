"""A screenplay: elements in order, each of one kind, as a draft of a session or the outline of a story has them.

Nothing here knows a file format: writers under `formats` turn a screenplay into Fountain, FDX, Markdown or PDF, and
what they may write is in these values.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any


class ElementKind(StrEnum):
    """What an element of a screenplay is. The names are those of the trade."""

    SECTION = "section"  # an act, an episode
    SCENE_HEADING = "scene_heading"
    SYNOPSIS = "synopsis"  # what a scene is for
    ACTION = "action"
    CHARACTER = "character"  # the cue: who speaks what follows
    PARENTHETICAL = "parenthetical"  # how it is said, or what is done meanwhile; without its brackets
    DIALOGUE = "dialogue"
    LYRICS = "lyrics"
    TRANSITION = "transition"
    CENTERED = "centered"
    NOTE = "note"  # for readers of the script, not for an audience


@dataclass(frozen=True, slots=True)
class Element:
    """One element. `role_id` is whose cue, parenthetical or dialogue it is; `beat` is the beat that it comes from.

    A text has at least one character that is not white space, no white space around it, and no controls but LF and
    TAB. In a draft every element has a beat; in the outline of a story none has.
    """

    kind: ElementKind
    text: str
    role_id: str | None = None
    beat: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The element as a JSON value; `roleId` and `beat` are left out where there is none."""
        value: dict[str, Any] = {"kind": self.kind.value, "text": self.text}
        if self.role_id is not None:
            value["roleId"] = self.role_id
        if self.beat is not None:
            value["beat"] = self.beat
        return value


@dataclass(frozen=True, slots=True)
class CastMember:
    """A role that the screenplay may name: ids are distinct, names need not be."""

    role_id: str
    name: str


@dataclass(frozen=True)
class Screenplay:
    """A whole screenplay. `language` is the story's, as BCP 47; `cast` stands in the order of the story's roles.

    `cast` holds those who speak in it, so that it tells of nobody else. `source` says in a few words what it was drawn
    from, such as a session and its beats.
    """

    title: str
    language: str
    cast: tuple[CastMember, ...]
    elements: tuple[Element, ...]
    source: str | None = None

    @cached_property
    def name_by_role(self) -> Mapping[str, str]:
        """The name of each role in the cast."""
        return {member.role_id: member.name for member in self.cast}

    @cached_property
    def cue_by_role(self) -> Mapping[str, str]:
        """What stands above a role's speeches: its name; for names that several roles bear, with the id in brackets."""
        borne = [member.name for member in self.cast]
        return {
            member.role_id: member.name if borne.count(member.name) == 1 else f"{member.name} ({member.role_id})"
            for member in self.cast
        }
