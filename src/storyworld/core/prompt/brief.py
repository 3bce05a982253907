"""What a prompt is composed from, and what it is: values only.

A brief is a projection: it holds what one role may know in one beat, and nothing that names how it was chosen. Whoever
composes from it cannot reach another role's description, goals or secrets, since they are not in it.
"""

from __future__ import annotations

from typing import Literal

from storyworld.core.state import Note
from storyworld.core.story import FlagType, Role
from storyworld.core.unchanging import unchanging


@unchanging
class Section:
    """One part of a prompt: its kind (`persona`, `sheet`, `options`, …) and its text."""

    kind: str
    text: str


@unchanging
class FixedBrief:
    """What no beat changes: the persona, the story's words that the role knows, and the role's own sheet."""

    persona: str
    title: str
    language: str
    constraints: tuple[str, ...]
    canon: tuple[str, ...]
    facts: tuple[str, ...]
    role: Role


@unchanging
class FixedPart:
    """The fixed part, composed: it is the same for every beat, so providers and we can keep it. `digest` covers it."""

    language: str
    sections: tuple[Section, ...]
    digest: str
    size_bytes: int


@unchanging
class HeardLine:
    """A line that the role heard: of its speaker only the name."""

    name: str
    text: str
    action: str | None = None


@unchanging
class Cue:
    """What set a beat off: a message's text, a choice's label, or an event's type and data (canonical JSON)."""

    kind: Literal["message", "choice", "advance", "event"]
    text: str | None = None
    event_type: str | None = None
    event_data: str | None = None


@unchanging
class RememberedBeat:
    """A past beat in which the role had a seat: what set it off, and its at most 3 lines."""

    beat: int
    cue: Cue
    lines: tuple[HeardLine, ...]


@unchanging
class FlagShown:
    """A flag as a prompt shows it. The value of a text flag is not shown: `None`."""

    id: str
    description: str
    type: FlagType
    value: bool | int | None


@unchanging
class OptionShown:
    """A branch that the role may take in this beat."""

    branch_id: str
    label: str
    description: str | None = None


@unchanging
class Refused:
    """What became of the role's last patch: its own operation (canonical JSON) and the code; both None: only that it
    fell.
    """

    operation: str | None
    code: str | None


@unchanging
class EnvelopeBrief:
    """What belongs to this beat. `may_branch` says whether the role may take an option, or the director does."""

    scene_title: str
    scene_description: str
    node_title: str
    objective: str
    new_facts: tuple[str, ...]
    notes: tuple[Note, ...]
    flags: tuple[FlagShown, ...]
    options: tuple[OptionShown, ...]
    relation_ids: tuple[str, ...]
    relations_left_out: int
    entity_ids: tuple[str, ...]
    entities_left_out: int
    refused: Refused | None
    cue: Cue
    lines: tuple[HeardLine, ...]
    may_branch: bool = True


@unchanging
class Brief:
    """Everything that one prompt is composed from. `fence_seed` is what the fence round quoted text is made from.

    `memory` holds past beats as they are told, oldest first: each was worded once, by `compose.remember`.
    """

    fixed: FixedPart
    memory: tuple[str, ...]
    envelope: EnvelopeBrief
    fence_seed: str


@unchanging
class Prompt:
    """A composed prompt: the fixed part first, so that a provider's cache can keep it; then memory; then the
    envelope.
    """

    fixed: FixedPart
    memory: tuple[Section, ...]
    envelope: tuple[Section, ...]
    template_version: int

    @property
    def sections(self) -> tuple[Section, ...]:
        """All sections in order. An empty section is absent."""
        return (*self.fixed.sections, *self.memory, *self.envelope)
