"""Where the scenes of a script begin and end, and what the script says of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import Lines, Script, ScriptElement

_SPEECH: Final = (ElementKind.CHARACTER, ElementKind.DIALOGUE, ElementKind.LYRICS)
_BETWEEN: Final = (ElementKind.SECTION, ElementKind.SYNOPSIS, ElementKind.TRANSITION, ElementKind.NOTE)
"""Kinds that a scene may end before: they may belong to what follows."""


_COMING_AND_GOING: Final = re.compile(
    r"(?:re-?)?(?:enter|exit|exeunt)\b|.*(?:登场|登場|退场|退場|등장|퇴장)[^\w]*\Z", re.IGNORECASE | re.DOTALL
)


def is_coming_or_going(direction: str) -> bool:
    """Whether a direction only says who comes or goes: that describes neither a place nor a character."""
    return _COMING_AND_GOING.match(direction) is not None


@dataclass
class Scene:
    """A scene in the order of the script: its heading, the sections that it stands in, and all of its elements.

    Without a heading of its own, the heading is None: the script goes on without one.
    """

    heading: ScriptElement | None
    sections: tuple[ScriptElement, ...]
    before: tuple[ScriptElement, ...] = ()
    elements: list[ScriptElement] = field(default_factory=list)

    @property
    def synopses(self) -> list[ScriptElement]:
        """What the scene is for, as the script says it within the scene or, failing that, of the section before it."""
        own = [element for element in self.elements if element.kind is ElementKind.SYNOPSIS]
        return own or [element for element in self.before if element.kind is ElementKind.SYNOPSIS]

    @property
    def setting(self) -> ScriptElement | None:
        """The first paragraph of action before anybody speaks that says more than who comes."""
        for element in self.elements:
            if element.kind is ElementKind.ACTION and not is_coming_or_going(element.text):
                return element
            if element.kind in _SPEECH:
                return None
        return None

    @property
    def speaks(self) -> bool:
        """Whether anybody speaks in it."""
        return any(element.kind in _SPEECH for element in self.elements)

    @property
    def named_by(self) -> tuple[ScriptElement, ...]:
        """The elements that its title is made of."""
        return (*self.sections, *((self.heading,) if self.heading is not None else ()))

    @property
    def lines(self) -> list[Lines]:
        """Every line of it: what stands before its heading and belongs to it, the heading, and all that follows."""
        headed = [self.heading] if self.heading is not None else []
        return [element.lines for element in (*self.before, *headed, *self.elements)]


def scenes_of(script: Script) -> tuple[list[Scene], list[ScriptElement]]:
    """The scenes, and the elements that stand before the first one and belong to none.

    A scene begins at a heading; where somebody speaks before any heading, or after a section without one, it begins
    with the section. Sections, synopses, transitions and notes directly before a heading belong to the scene that it
    begins.
    """
    scenes: list[Scene] = []
    front: list[ScriptElement] = []
    for part in _parts(script.elements):
        # The part before the first heading is a scene of its own only where somebody speaks in it.
        if part.heading is None and not part.speaks:
            loose = [*part.before, *part.elements]
            (scenes[-1].elements if scenes else front).extend(loose)
            continue
        scenes.append(part)
    return scenes, front


def _parts(elements: tuple[ScriptElement, ...]) -> Iterator[Scene]:
    open_sections: list[ScriptElement] = []
    waiting: list[ScriptElement] = []
    part: Scene | None = None
    for element in elements:
        if element.kind is ElementKind.SECTION:
            open_sections = [section for section in open_sections if section.depth < element.depth]
            open_sections.append(element)
            waiting.append(element)
        elif element.kind is ElementKind.SCENE_HEADING:
            if part is not None:
                yield part
            part = Scene(element, tuple(open_sections), tuple(waiting))
            waiting = []
        elif element.kind in _BETWEEN and (part is None or waiting or element.kind is not ElementKind.SYNOPSIS):
            waiting.append(element)
        else:
            if part is None or any(found.kind is ElementKind.SECTION for found in waiting):
                if part is not None:
                    yield part
                part = Scene(None, tuple(open_sections), tuple(waiting))
            else:
                part.elements += waiting
            part.elements.append(element)
            waiting = []
    if part is None:
        part = Scene(None, tuple(open_sections))
    part.elements += waiting
    yield part
