"""Read a composed prompt back into the values that stand in it.

For performers that have no language model, and for proof that nothing quoted can be taken for a part of the prompt.
It reads with the words that the template writes with, so that the two cannot drift. What a prompt does not show is
not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from storyworld.core.prompt.brief import FixedPart, FlagShown, HeardLine, OptionShown, Prompt, Section
from storyworld.core.prompt.words import Words, words_for
from storyworld.core.state import Note
from storyworld.core.story import FlagType

_ITEM = "- "
_FLAG_TYPES: dict[str, FlagType] = {"boolean": "boolean", "integer": "integer", "text": "text"}
_TRUTHS = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class SheetRead:
    """The speaking role's own sheet, without its description."""

    name: str
    voice: str | None
    goals: tuple[str, ...]
    secrets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IdsRead:
    """One list of the effects brief: its ids, and how many more there are."""

    ids: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def total(self) -> int:
        """How many there are in all."""
        return len(self.ids) + self.left_out


@dataclass(frozen=True, slots=True)
class EnvelopeRead:
    """What stands in the envelope, and in no other part. `cue` is the kind of the trigger, `said` what it quotes.

    `branches` holds the options where the role may take one; where the director does it is empty.
    """

    objective: str
    facts: tuple[str, ...]
    notes: tuple[Note, ...]
    flags: tuple[FlagShown, ...]
    branches: tuple[OptionShown, ...]
    relations: IdsRead
    entities: IdsRead
    refused: bool
    cue: str
    said: str | None
    lines: tuple[HeardLine, ...]


def read_sheet(fixed: FixedPart) -> SheetRead:
    """The role's own sheet from the fixed part."""
    words = words_for(fixed.language)
    text = _by_kind(fixed.sections)["sheet"]
    # The lists stand last and their items keep later lines indented, so the last heading is the real one.
    text, secrets = _cut_list(text, words.secrets)
    text, goals = _cut_list(text, words.goals)
    name, _, described = text.partition("\n")
    _, voiced, voice = described.rpartition(f"\n{_lead(words.voice)}")
    lead, tail = words.name.split("{name}")
    return SheetRead(name.removeprefix(lead).removesuffix(tail), voice if voiced else None, goals, secrets)


def read_envelope(prompt: Prompt) -> EnvelopeRead:
    """Everything that belongs to this beat."""
    words = words_for(prompt.fixed.language)
    texts = _by_kind(prompt.envelope)
    fence = read_fence(prompt)
    cue, said = _read_trigger(words, texts["trigger"], fence)
    options = texts.get("options", "")
    return EnvelopeRead(
        objective=texts["objective"].removeprefix(_lead(words.objective)),
        facts=_items(texts.get("new_facts", "")),
        notes=tuple(_read_note(words, item) for item in _items(texts.get("notes", ""))),
        flags=tuple(_read_flag(words, item) for item in _items(texts.get("flags", ""))),
        branches=tuple(_read_option(words, item) for item in _items(options))
        if options.startswith(words.options)
        else (),
        relations=_read_ids(words, words.relation_ids, texts.get("relation_ids", "")),
        entities=_read_ids(words, words.entity_ids, texts.get("entity_ids", "")),
        refused="refused" in texts,
        cue=cue,
        said=said,
        lines=tuple(_read_lines(words, texts.get("lines", ""), fence)),
    )


def read_fence(prompt: Prompt) -> str | None:
    """The fence of this prompt, as its explanation names it; None where nothing is quoted."""
    before, after = words_for(prompt.fixed.language).fence.split("{fence}")
    for section in (*prompt.memory, *prompt.envelope):
        if section.kind in {"memory", "refused", "trigger", "lines"}:
            for line in section.text.split("\n", 2)[:2]:
                if line.startswith(before) and line.endswith(after):
                    return line[len(before) : -len(after)]
    return None


def quoted(text: str, fence: str | None) -> tuple[str, ...]:
    """The quoted texts of a section, each as it was before its later lines were indented."""
    return tuple(part.replace("\n  ", "\n") for part in _enclosed(text, fence))


def _by_kind(sections: tuple[Section, ...]) -> dict[str, str]:
    return {section.kind: section.text for section in sections}


def _lead(phrase: str) -> str:
    """What a phrase says before the one text that is filled in."""
    return phrase.partition("{")[0]


def _cut_list(text: str, heading: str) -> tuple[str, tuple[str, ...]]:
    before, found, listed = text.rpartition(f"\n{heading}\n{_ITEM}")
    return (before, _items(f"\n{_ITEM}{listed}")) if found else (text, ())


def _items(text: str) -> tuple[str, ...]:
    return tuple(item.replace("\n  ", "\n") for item in text.split(f"\n{_ITEM}")[1:])


def _read_note(words: Words, item: str) -> Note:
    note_id, _, text = item.partition(words.colon)
    return Note(note_id, text)


def _read_flag(words: Words, item: str) -> FlagShown:
    shown, _, description = item.partition(words.colon)
    flag_id, _, rest = shown.partition(" (")
    flag_type, _, value = rest.partition(")")
    text = value.removeprefix(" = ")
    read = None if not text else _TRUTHS[text] if text in _TRUTHS else int(text)
    return FlagShown(flag_id, description, _FLAG_TYPES[flag_type], read)


def _read_option(words: Words, item: str) -> OptionShown:
    branch_id, _, rest = item.partition(words.colon)
    label, described, description = rest.partition(" — ")
    return OptionShown(branch_id, label, description if described else None)


def _read_ids(words: Words, heading: str, text: str) -> IdsRead:
    if not text:
        return IdsRead()
    lead, tail = words.left_out.split("{count}")
    listed, more, count = text.removeprefix(heading).partition(lead)
    return IdsRead(tuple(listed.split(", ")), int(count.removesuffix(tail)) if more else 0)


def _read_trigger(words: Words, text: str, fence: str | None) -> tuple[str, str | None]:
    said = quoted(text, fence)
    lines = text.split("\n", 2)
    opening = lines[1] if lines[0].startswith(_lead(words.fence)) else lines[0]
    kinds = {words.cue_message: "message", words.cue_choice: "choice", words.cue_advance: "advance"}
    return kinds.get(opening, "event"), said[0] if said else None


def _read_lines(words: Words, text: str, fence: str | None) -> Iterator[HeardLine]:
    for enclosed in _enclosed(text, fence):
        # A text's later lines are indented, so a line that is not begins a line heard, or in brackets its action.
        parts = [part.replace("\0", "\n") for part in enclosed.replace("\n  ", "\0").split("\n")]
        for part, after in zip(parts, [*parts[1:], ""], strict=True):
            if not part.startswith("("):
                name, _, said = part.partition(words.colon)
                yield HeardLine(name, said, after[1:-1] if after.startswith("(") else None)


def _enclosed(text: str, fence: str | None) -> tuple[str, ...]:
    # The explanation names the fence inside a line; those that enclose stand alone on theirs.
    return () if fence is None else tuple(f"\n{text}\n".split(f"\n{fence}\n")[1::2])
