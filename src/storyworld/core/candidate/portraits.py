"""What a script says of those who speak in it: names and descriptions for roles.

A description is, in this order: what the cast list says; the sentence of a direction, shortly before the first speech,
that names the character; the name itself.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from storyworld.core import limits
from storyworld.core.candidate.scenes import is_coming_or_going
from storyworld.core.candidate.speakers import Speaker
from storyworld.core.reply.speech import sentence_at
from storyworld.core.screenplay import ElementKind
from storyworld.core.script import Lines, ScriptElement

# How many paragraphs of action before a first speech are looked at for the name, and how long they may be: a cast is
# introduced where it enters.
_PARAGRAPHS_MAX: Final = 8
_PARAGRAPH_CHARS_MAX: Final = 2_000
_NAME_CHARS_MIN: Final = 2
_BRACKETS: Final = (("(", ")"), ("（", "）"), ("[", "]"), ("【", "】"))


@dataclass(frozen=True, slots=True)
class Portrait:
    """A role in the making: `lines` are where it is listed and where it speaks, `described` where the description
    stands, which is nowhere when it is the name.
    """

    name: str
    description: str
    lines: tuple[Lines, ...]
    described: tuple[Lines, ...]
    role_id: str | None


def portraits_of(speakers: tuple[Speaker, ...], elements: tuple[ScriptElement, ...]) -> list[Portrait]:
    """A portrait of each speaker, in their order."""
    entrances = dict(_entrances(elements))
    return [_portrait(speaker, entrances) for speaker in speakers]


def _portrait(speaker: Speaker, entrances: dict[int, tuple[ScriptElement, ...]]) -> Portrait:
    entry = speaker.entry
    lines = (*((entry.lines,) if entry is not None else ()), *speaker.lines)
    role_id = None if entry is None else entry.role_id
    if entry is not None and entry.description is not None:
        told = entry.description if _is_named(speaker, entry.name) else f"{entry.name}: {entry.description}"
        return Portrait(speaker.name, told, lines, (entry.lines,), role_id)
    if entry is not None and not _is_named(speaker, entry.name):
        return Portrait(speaker.name, entry.name, lines, (entry.lines,), role_id)
    for paragraph in entrances.get(min(speaker.lines).first, ()) if speaker.lines else ():
        sentence = _sentence_naming(speaker.name, paragraph.text)
        if sentence is not None:
            return Portrait(speaker.name, sentence, lines, (paragraph.lines,), role_id)
    return Portrait(speaker.name, speaker.name, lines, (), role_id)


def _is_named(speaker: Speaker, name: str) -> bool:
    return "".join(speaker.name.casefold().split()) == "".join(name.casefold().split())


def _entrances(elements: tuple[ScriptElement, ...]) -> Iterator[tuple[int, tuple[ScriptElement, ...]]]:
    """For each cue, by its first line, the paragraphs of action before it; the nearest first."""
    before: deque[ScriptElement] = deque(maxlen=_PARAGRAPHS_MAX)
    told: tuple[ScriptElement, ...] = ()
    for element in elements:
        if element.kind is ElementKind.ACTION and len(element.text) <= _PARAGRAPH_CHARS_MAX:
            before.appendleft(element)
            told = tuple(before)
        elif element.kind is ElementKind.CHARACTER:
            yield element.lines.first, told


def _sentence_naming(name: str, text: str) -> str | None:
    """The sentence that names a character, where it says more than that it comes, and fits a description."""
    if len(name) < _NAME_CHARS_MIN:
        return None
    # Where a script has spaces a name is a word; Chinese, Japanese and Korean names stand within others' text.
    edge = r"\b" if name.isascii() else ""
    found = re.search(rf"{edge}{re.escape(name)}{edge}", text, re.IGNORECASE)
    if found is None:
        return None
    sentence = sentence_at(text, found.start())
    fits = len(found[0]) < len(sentence) <= limits.STORY_MAX_TEXT_CHARS.value
    return sentence if fits and _is_whole(sentence) and not is_coming_or_going(sentence) else None


def _is_whole(sentence: str) -> bool:
    """Whether a sentence is one: no list in brackets, and not cut by the full stop of an abbreviation."""
    if any(sentence.count(opening) != sentence.count(closing) for opening, closing in _BRACKETS):
        return False
    return not any(sentence.startswith(opening) and sentence.endswith(closing) for opening, closing in _BRACKETS)
