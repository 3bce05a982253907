"""Who speaks in a script: its cues, brought together where they name one character, with what the cast list says.

Rules, in order. Two cues are one speaker when they are equal but for case, width, white space and a final full stop,
or when one is the other's voice (`母の声`) or narration (`恵Ｎ`). A cue and an entry of the cast list belong together
when the names are equal, or else when the cue stands within the name of exactly one entry that no other cue bears, or
else when exactly one such entry's description begins with it (`DUKE` and `ORSINO, Duke of Illyria`); of a name in
several words, different cues may bear different ones (`SIR ANDREW`, `AGUE-CHEEK`). A cue that joins the names of known
speakers is theirs together; a word for everybody names nobody.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Final

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import CastEntry, Lines, Script, ScriptElement

_SPOKEN: Final = (ElementKind.PARENTHETICAL, ElementKind.DIALOGUE, ElementKind.LYRICS)
_EVERYBODY: Final = frozenset(
    "all both everybody everyone omnes allthree "
    "一同 全員 全员 皆 みんな 皆々 众人 眾人 众 眾 大家 齐声 齊聲 全体 全體 모두 일동 다같이 다함께 함께".split()
)
_JOINTS: Final = re.compile(r"\s+(?:and|und|et|y)\s+|\s*[&＆/／,，、+＋]\s*|\s*(?:和|与|與|と|및)\s*", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
# In a key: folded, and without spaces. Letters are marks of Japanese screenplays, behind names that have none.
_VOICE: Final = re.compile(r"(?:の声|的声音|的聲音|의목소리|['’]svoice|(?<=[^\x00-\u036f])(?:na|n|m|off|vo|os))$")
_WORDS: Final = re.compile(r"[\uac00-\ud7a3](?: [\uac00-\ud7a3])+")
_FINAL: Final = " .．。:："
# A name, or what a description begins with, is looked at so far: a list of characters holds no longer ones.
_WORDS_MAX: Final = 8
_CHARACTERS_MAX: Final = 16


@dataclass
class Speaker:
    """One who speaks: the name as the script first has it, the entry of the cast list, and where it speaks."""

    name: str
    entry: CastEntry | None = None
    lines: list[Lines] = field(default_factory=list)


@dataclass(frozen=True)
class Speakers:
    """All speakers, those of the cast list first and in its order; and the lines of speeches that made no speaker."""

    speakers: tuple[Speaker, ...]
    of_several: tuple[Lines, ...]
    silent_entries: tuple[CastEntry, ...]


def speakers_of(script: Script) -> Speakers:
    """Gather who speaks in a script. What it costs grows evenly with the script, whoever speaks in it."""
    speeches = list(_speeches(script.elements))
    spelled = {_key(cue.text) for cue, _ in speeches}
    keys = {cue.text: _spoken_key(cue.text, spelled) for cue, _ in speeches}
    by_key: dict[str, Speaker] = {}
    # A speaker is called by its own name, though it may be heard before it is seen.
    for cue, _ in sorted(speeches, key=lambda speech: keys[speech[0].text] != _key(speech[0].text)):
        by_key.setdefault(keys[cue.text], Speaker(_without_padding(cue.text)))
    joint = _joint_cues(by_key, script.cast)
    for parts in joint.values():
        for key, name in parts.items():
            by_key.setdefault(key, Speaker(name))
    for key in (*joint, *_EVERYBODY):
        by_key.pop(key, None)
    _find_entries(by_key, script.cast)
    of_several: list[Lines] = []
    for cue, lines in speeches:
        key = keys[cue.text]
        own = [by_key[one] for one in joint.get(key, (key,)) if one in by_key]
        for speaker in own:
            speaker.lines.append(lines)
        if not own:
            of_several.append(lines)
    speakers = _brought_together(by_key, script.cast)
    spoken_for = {id(speaker.entry) for speaker in speakers}
    silent = tuple(entry for entry in script.cast if id(entry) not in spoken_for)
    return Speakers(speakers, tuple(of_several), silent)


def _speeches(elements: Iterable[ScriptElement]) -> Iterator[tuple[ScriptElement, Lines]]:
    """Each cue with the lines of its whole speech."""
    cue: ScriptElement | None = None
    last = 0
    for element in elements:
        if element.kind is ElementKind.NOTE:
            continue
        if cue is not None and element.kind in _SPOKEN:
            last = max(last, element.lines.last)
            continue
        if cue is not None:
            yield cue, Lines(cue.lines.first, last)
        cue = element if element.kind is ElementKind.CHARACTER else None
        last = element.lines.last
    if cue is not None:
        yield cue, Lines(cue.lines.first, last)


def _key(name: str) -> str:
    """What two spellings of one name share."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().strip(_FINAL).split())


def _without_padding(name: str) -> str:
    """A name without the white space that makes short names as wide as others: `陈  念` is 陈念."""
    parts = name.split()
    if len(parts) < 2 or any(len(part) > 1 or part.isascii() or part.isnumeric() for part in parts):  # noqa: PLR2004
        return name
    # Korean has a space between words, which may be as short.
    return name if _WORDS.fullmatch(name) else "".join(parts)


def _spoken_key(cue: str, spelled: set[str]) -> str:
    """The key of a cue; for somebody's voice, where that somebody speaks too, the key of the one whose voice it is."""
    key = _key(cue)
    owner = _VOICE.sub("", key)
    return owner if owner in spelled else key


def _joint_cues(by_key: Mapping[str, Speaker], cast: tuple[CastEntry, ...]) -> dict[str, dict[str, str]]:
    """The cues that join names, each of which is known from elsewhere: by key, the keys and names that they join."""
    known = {*by_key, *(_key(entry.name) for entry in cast)}
    joint: dict[str, dict[str, str]] = {}
    for key, speaker in by_key.items():
        parts = _joined(speaker.name, known)
        # The whole of a cue is no part of it; nor is the set of all names made anew for each of them.
        if len(parts) > 1 and key not in parts and parts.keys() <= known:
            joint[key] = parts
    return joint


def _joined(cue: str, known: Set[str]) -> dict[str, str]:
    """The names that a cue joins, by key. A later one may leave out how the first begins: 農民四、五."""
    first, *others = _names_in(cue)
    parts = {_key(first): first}
    for part in others:
        name = part if _key(part) in known else first[: max(0, len(first) - len(part))] + part
        parts[_key(name)] = name
    return parts


def _names_in(text: str) -> list[str]:
    """The names between joints. White space is narrowed first: a run of it would be gone through from each place."""
    return _JOINTS.split(" ".join(text.split()))


def _find_entries(by_key: Mapping[str, Speaker], cast: tuple[CastEntry, ...]) -> None:
    """Give each speaker its entry of the cast list, by the surest rule first."""
    entry_by_name = {_key(name): entry for entry in reversed(cast) for name in (*entry.aliases, entry.name)}
    for key, speaker in by_key.items():
        speaker.entry = entry_by_name.get(key)
    for parts_of in (_parts_of_names, _beginnings_of_description):
        _find_by(parts_of, by_key, cast)


def _find_by(
    parts_of: Callable[[CastEntry], set[str]], by_key: Mapping[str, Speaker], cast: tuple[CastEntry, ...]
) -> None:
    """Where a cue is a part of exactly one entry that is still free, and no other cue is, they belong together."""
    taken = {id(speaker.entry) for speaker in by_key.values()}
    entries_by_part: dict[str, list[CastEntry]] = {}
    for entry in cast:
        if id(entry) not in taken:
            for part in parts_of(entry):
                entries_by_part.setdefault(part, []).append(entry)
    claims: dict[int, list[tuple[Speaker, CastEntry]]] = {}
    for key, speaker in by_key.items():
        fitting = entries_by_part.get(key, ())
        if speaker.entry is None and len(fitting) == 1:
            claims.setdefault(id(fitting[0]), []).append((speaker, fitting[0]))
    for claim in claims.values():
        entry = claim[0][1]
        if len(claim) == 1 or _is_one_name_in_words(entry.name):
            for speaker, _ in claim:
                speaker.entry = entry


def _is_one_name_in_words(name: str) -> bool:
    """Whether a name is that of one character in several words, rather than a list, or one word to be cut anywhere."""
    return name.isascii() and " " in name and len(_names_in(name)) == 1


def _parts_of_names(entry: CastEntry) -> set[str]:
    """The runs of words in its names, and in a name whose script has no spaces every run of characters."""
    parts: set[str] = set()
    for name in (entry.name, *entry.aliases):
        words = [_key(word) for word in name.split()[:_WORDS_MAX]]
        parts |= {
            "".join(words[first:last]) for first in range(len(words)) for last in range(first + 1, len(words) + 1)
        }
        for word in words:
            if not word.isascii():
                parts |= {
                    word[first:last]
                    for first in range(min(len(word), _CHARACTERS_MAX))
                    for last in range(first + 1, min(len(word), _CHARACTERS_MAX) + 1)
                }
    return parts


def _beginnings_of_description(entry: CastEntry) -> set[str]:
    """What its description says first, in one word or several."""
    words = [_key(word) for word in _ARTICLE.sub("", entry.description or "", count=1).split()[:_WORDS_MAX]]
    return {"".join(words[:last]) for last in range(1, len(words) + 1)}


def _brought_together(by_key: Mapping[str, Speaker], cast: tuple[CastEntry, ...]) -> tuple[Speaker, ...]:
    """One speaker for each entry of the cast list that speaks, in its order, then the others as they first speak."""
    by_entry: dict[int, list[Speaker]] = {}
    others: list[Speaker] = []
    for speaker in by_key.values():
        (others if speaker.entry is None else by_entry.setdefault(id(speaker.entry), [])).append(speaker)
    listed = (_as_one(by_entry[id(entry)]) for entry in cast if id(entry) in by_entry)
    speaking = sorted((one for one in others if one.lines), key=lambda one: min(one.lines))
    return (*listed, *speaking)


def _as_one(speakers: list[Speaker]) -> Speaker:
    """Cues of one character, called as it is called most often."""
    called = max(speakers, key=lambda one: len(one.lines))
    return Speaker(called.name, called.entry, [lines for one in speakers for lines in one.lines])
