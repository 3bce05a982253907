"""The rehearsal's part: what an actor of it takes from its sheet, and what it must never let slip.

It owns which words of an author may be spoken aloud in the first person, and that no piece of a secret is among them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from storyworld.core.prompt.brief import FixedPart
from storyworld.core.prompt.reading import read_sheet
from storyworld.core.prompt.words import language_name
from storyworld.core.secrecy import normalized
from storyworld.models.rehearsal_words.english import ENGLISH
from storyworld.models.rehearsal_words.phrases import Mood, Phrases
from storyworld.models.rehearsal_words.simplified import SIMPLIFIED
from storyworld.models.rehearsal_words.traditional import TRADITIONAL

# By the name that the prompt itself gives to the language; every other one is rehearsed in English.
_PHRASES = {"简体中文": SIMPLIFIED, "繁體中文": TRADITIONAL}

# A sentence ends after a mark; in Latin script after a word of at least 3 small letters, so that `Dr.` ends none.
_SENTENCE_END = re.compile(r"(?<=[a-z0-9]{3}[.!?;])\s+|(?<=[。！？；])|\n+")
_CLAUSE_END = re.compile(r"[,:;，：；]")
_QUOTED_END = re.compile(r"[.!?;,。！？；，…\n]")
_QUOTE_MARKS = frozenset('"“”‘「」『』《》')

# Runs of so many letters in common with a secret are a piece of it: two or three words in either script.
_SPACED_RUN = 12
_UNSPACED_RUN = 4

_NAME_LETTERS_MIN = 3
_SPACED_WORDS_MAX = 110
_UNSPACED_WORDS_MAX = 50
_QUOTED_WORDS_MIN = 3
_QUOTED_SPACED_MAX = 60
_QUOTED_UNSPACED_MIN = 3
_QUOTED_UNSPACED_MAX = 24


@dataclass(frozen=True, slots=True)
class Aim:
    """A goal in words that can be spoken. `is_deed` says that it can follow `I want to`."""

    words: str
    is_deed: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One role as the rehearsal plays it."""

    name: str
    phrases: Phrases
    mood: Mood
    aims: tuple[Aim, ...]
    secrets: tuple[str, ...]
    secret_runs: frozenset[str]

    @property
    def run_chars(self) -> int:
        """How many letters in common with a secret are too many."""
        return _SPACED_RUN if self.phrases.joint else _UNSPACED_RUN

    def may_say(self, words: str) -> bool:
        """Whether an author's or player's words hold no piece of a secret."""
        folded = fold(words)
        if any(secret in folded for secret in self.secrets):
            return False
        size = self.run_chars
        runs = self.secret_runs
        return not runs or all(folded[at : at + size] not in runs for at in range(len(folded) - size + 1))

    def tells(self, text: str) -> bool:
        """Whether a secret stands in the text as a whole."""
        folded = fold(text)
        return any(secret in folded for secret in self.secrets)


def fold(text: str) -> str:
    """The form in which secrets are looked for (`secrecy.normalized`), faster where no invisible signs stand."""
    folded = "".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded if folded.isprintable() else normalized(text)


@lru_cache(maxsize=512)
def part_of(fixed: FixedPart) -> Part:
    """Read the part once from the fixed part of the prompt; it is the same in every beat."""
    sheet = read_sheet(fixed)
    phrases = _PHRASES.get(language_name(fixed.language), ENGLISH)
    secrets = tuple(filter(None, map(fold, sheet.secrets)))
    size = _SPACED_RUN if phrases.joint else _UNSPACED_RUN
    runs = frozenset(secret[at : at + size] for secret in secrets for at in range(len(secret) - size + 1))
    part = Part(sheet.name, phrases, _mood(phrases, sheet.voice or "", sheet.name), (), secrets, runs)
    aims = (aim for goal in sheet.goals for aim in _aims(part, goal))
    return Part(part.name, phrases, part.mood, tuple(aims), secrets, runs)


def _mood(phrases: Phrases, voice: str, name: str) -> Mood:
    lowered = voice.lower()
    scores = {mood: sum(word in lowered for word in words) for mood, words in phrases.voices.items()}
    best = max(scores.values())
    fitting = [mood for mood, score in scores.items() if score == best]
    return fitting[sha256(name.encode()).digest()[0] % len(fitting)]


def _aims(part: Part, goal: str) -> Iterator[Aim]:
    for sentence in sentences(goal):
        spoken = _speakable(part, sentence)
        if spoken is not None:
            yield Aim(*_as_deed(part.phrases, spoken))


@lru_cache(maxsize=2048)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences of an author's text, without the marks that end them."""
    return tuple(filter(None, (part.strip().rstrip(".!?;。！？；") for part in _SENTENCE_END.split(text))))


@lru_cache(maxsize=4096)
def tasks_of(fixed: FixedPart, objective: str) -> tuple[Aim, ...]:
    """What of the objective this role may say aloud: deeds and plain sentences."""
    part = part_of(fixed)
    spoken = (_speakable(part, sentence) for sentence in sentences(objective))
    return tuple(Aim(*_as_deed(part.phrases, words)) for words in spoken if words is not None)


def _speakable(part: Part, sentence: str) -> str | None:
    """The sentence, or what stands before its first comma or colon, if that can be said in the first person."""
    chars_max = _SPACED_WORDS_MAX if part.phrases.joint else _UNSPACED_WORDS_MAX
    for words in (sentence, _CLAUSE_END.split(sentence, maxsplit=1)[0]):
        if len(words) <= chars_max and _is_own(part, words) and part.may_say(words):
            return words
    return None


def _is_own(part: Part, words: str) -> bool:
    if not part.phrases.joint:
        return part.name not in words and part.phrases.others.isdisjoint(words)
    # A name of the role itself, or a word for somebody else, would sound as if another spoke.
    spoken = _bare_words(words)
    names = {word for word in _bare_words(part.name) if len(word) >= _NAME_LETTERS_MIN}
    return part.phrases.others.isdisjoint(spoken) and names.isdisjoint(spoken)


def _bare_words(text: str) -> list[str]:
    return [word.partition("'")[0].strip('.,:;!?()"“”') for word in text.lower().replace("’", "'").split()]


def _as_deed(phrases: Phrases, words: str) -> tuple[str, bool]:
    if not phrases.joint:
        return words, words[0] in phrases.verbs
    bare = words[3:] if words.lower().startswith("to ") else words
    first = bare.partition(" ")[0].rstrip(",")
    # `ACT I` is the heading of a play, which no one is asked to do.
    is_deed = first.lower() in phrases.verbs and (not first.isupper() or len(first) == 1)
    return (bare[0].lower() + bare[1:], True) if is_deed else (words, False)


def quotable(part: Part, text: str) -> str | None:
    """A few words of what somebody said, fit to be quoted; None where there are none."""
    words = _QUOTED_END.split(text.strip(), maxsplit=1)[0].strip()
    if part.phrases.joint:
        fits = len(words.split()) >= _QUOTED_WORDS_MIN and len(words) <= _QUOTED_SPACED_MAX
    else:
        fits = _QUOTED_UNSPACED_MIN <= len(words) <= _QUOTED_UNSPACED_MAX
    if not fits or not words.isprintable() or not _QUOTE_MARKS.isdisjoint(words):
        return None
    return words if part.may_say(words) else None


def called(part: Part, name: str) -> str:
    """What somebody is called to the face: the first of several names, unless that is a title."""
    first = name.partition(" ")[0]
    return name if first.strip(".").lower() in part.phrases.titles or not part.phrases.joint else first
