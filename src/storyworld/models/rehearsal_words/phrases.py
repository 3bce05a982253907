"""What a language must bring for the rehearsal to speak it, and how a role's voice is told from its description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Mood = Literal["terse", "formal", "warm", "blunt", "wary"]
Sentences = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """The sentences of one language by what they are for. Braces name what is filled in.

    A sentence is whole, ends with its mark, and never speaks of anything that a story would have to have. The values of
    `voices` are words that, standing in a role's voice, give away its mood.
    """

    joint: str
    full_stop: str
    marks: str
    voices: Mapping[Mood, tuple[str, ...]]
    openers: Mapping[Mood, Sentences]
    musings: Mapping[Mood, Sentences]
    closers: Mapping[Mood, Sentences]
    answers: Sentences
    answers_quoting: Sentences  # {said}
    turns: Sentences  # after a choice
    events: Sentences
    quiet: Sentences  # when nothing was said
    to_speaker: Sentences  # {name}
    to_speaker_quoting: Sentences  # {name} {said}
    aims: Sentences  # {deed}, an infinitive
    aims_apart: Sentences  # {words}, any phrase
    tasks: Sentences  # {deed}
    taking: Sentences  # {label}
    deciding: Sentences  # where what is taken cannot be named
    agreeing: Sentences
    actions: Sentences
    notes: Sentences
    notes_named: Sentences  # {name}
    facts: Sentences  # {name}
    keepsakes: Sentences
    flag_texts: Sentences
    verbs: frozenset[str]  # first words of a phrase that tell someone to do something
    others: frozenset[str]  # words that would be wrong in the first person
    titles: frozenset[str]  # first words of a name by which nobody is called alone
