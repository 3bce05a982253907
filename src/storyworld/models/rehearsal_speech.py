"""What the rehearsal says: sentences from the banks of its language, filled with what stands in the prompt.

A line answers what set the beat off or who spoke before, says one thing that the role wants, has to do or thinks, and
may end with a challenge. A sentence that the prompt shows to have been said is passed over for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storyworld.core.playtest.draws import Draws
from storyworld.core.prompt.brief import OptionShown
from storyworld.core.prompt.reading import EnvelopeRead
from storyworld.models.rehearsal_part import Aim, Part, called, quotable
from storyworld.models.rehearsal_words.phrases import Sentences

_LABEL_CHARS_MAX = 120

# Of ten thoughts, those that are of the role's own aims and of what the node asks for; the others are its mood's.
_OF_AIMS = range(4)
_OF_TASKS = range(4, 7)


@dataclass(frozen=True, slots=True)
class Choice:
    """The option that the role takes. `said` is the sentence that announces it, `agreed` that another did so before."""

    branch_id: str
    said: str | None
    agreed: bool


def announcement(part: Part, option: OptionShown) -> str | None:
    """The sentence that announces an option; None where it is too long, or holds a piece of a secret."""
    label = option.label
    if len(label) > _LABEL_CHARS_MAX or not label.isprintable() or not part.may_say(label):
        return None
    return label if label.endswith(tuple(part.phrases.marks)) else label + part.phrases.full_stop


class Speech:
    """One line in the making. `seen` is all that the role remembers or has just heard."""

    def __init__(self, part: Part, envelope: EnvelopeRead, tasks: tuple[Aim, ...], draws: Draws, seen: str) -> None:
        self._part = part
        self._words = part.phrases
        self._envelope = envelope
        self._tasks = tasks
        self._draws = draws
        self._seen = seen

    def line(self, choice: Choice | None) -> str:
        """The line, of one to three sentences or a little more."""
        return self._words.joint.join(self._sentences(choice))

    def action(self) -> str | None:
        """What is seen of the role, in about half of its lines."""
        return self.pick(self._words.actions) if self._draws.once_in(2) else None

    def pick(self, bank: Sentences, **fill: str) -> str:
        """A sentence of the bank by draw, one that was not heard of late where there is one."""
        start = self._draws.below(len(bank))
        for sentence in bank[start:] + bank[:start]:
            filled = sentence.format(**fill) if fill else sentence
            if filled not in self._seen:
                return filled
        return bank[start].format(**fill)

    def _sentences(self, choice: Choice | None) -> Iterator[str]:
        mood = self._part.mood
        if choice is not None:
            yield self._decision(choice)
            if self._draws.once_in(2):
                yield self.pick(self._words.musings[mood])
            return
        terse = mood == "terse"
        if not (terse and self._draws.once_in(3)):
            yield self._reaction()
        yield self._thought()
        if self._draws.once_in(4 if terse else 2):
            yield self.pick(self._words.closers[mood])

    def _decision(self, choice: Choice) -> str:
        if choice.agreed:
            return self.pick(self._words.agreeing)
        if choice.said is None:
            return self.pick(self._words.deciding)
        return self.pick(self._words.taking, label=choice.said)

    def _reaction(self) -> str:
        if self._draws.once_in(4):
            return self.pick(self._words.openers[self._part.mood])
        words, envelope = self._words, self._envelope
        if envelope.lines and not self._draws.once_in(3):
            heard = envelope.lines[-1]
            said = quotable(self._part, heard.text) if self._draws.once_in(3) else None
            if not self._part.may_say(heard.name):
                return self.pick(words.openers[self._part.mood])
            name = called(self._part, heard.name)
            if said is not None:
                return self.pick(words.to_speaker_quoting, name=name, said=said)
            return self.pick(words.to_speaker, name=name)
        if envelope.cue == "message":
            said = quotable(self._part, envelope.said or "") if self._draws.once_in(3) else None
            return self.pick(words.answers) if said is None else self.pick(words.answers_quoting, said=said)
        banks = {"choice": words.turns, "event": words.events, "advance": words.quiet}
        return self.pick(banks[envelope.cue])

    def _thought(self) -> str:
        words = self._words
        subject = self._draws.below(10)
        if subject in _OF_AIMS and self._part.aims:
            aim = self._part.aims[self._draws.below(len(self._part.aims))]
            if aim.is_deed:
                return self.pick(words.aims, deed=aim.words)
            return self.pick(words.aims_apart, words=aim.words)
        if subject in _OF_TASKS and self._tasks:
            task = self._tasks[self._draws.below(len(self._tasks))]
            if task.is_deed:
                return self.pick(words.tasks, deed=task.words)
            # A deed can be said in many forms, a plain sentence in one: it is said once while it is remembered.
            plain = task.words[0].upper() + task.words[1:] + words.full_stop
            if plain not in self._seen:
                return plain
        return self.pick(words.musings[self._part.mood])
