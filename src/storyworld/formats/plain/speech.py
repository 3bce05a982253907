"""A speech as written, in its parts: what is spoken, and the directions in brackets between.

| written as | is |
|---|---|
| a bracket at the start, before anything is spoken | parenthetical |
| `[…]`, `［…］`, `〔…〕`, `【…】` anywhere | parenthetical |
| `（…）`, `(…)` after the end of a sentence or a quotation, before white space or the end | parenthetical |
| any other `（…）`, `(…)`: a reading, a gloss | spoken |
| quotation marks round the whole speech | marks of the layout: dropped |
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import Lines, ScriptElement
from storyworld.formats.plain.names import CLOSING_BY_OPENING, CLOSING_QUOTES, OPENING, OPENING_QUOTES

_SURE: Final = "[［〔【"
_DIRECTION_CHARS_MAX: Final = 1_000
_SENTENCE_ENDS: Final = "。．.！!？?…‥—―─～~；;」』”\"’'，,、)）"
_CLOSING_QUOTE_BY_OPENING: Final = dict(zip(OPENING_QUOTES, CLOSING_QUOTES, strict=True))
_CLOSING_BY_OPENING: Final = {**CLOSING_BY_OPENING, **_CLOSING_QUOTE_BY_OPENING}
_OPENING_BY_CLOSING: Final = {closing: opening for opening, closing in _CLOSING_BY_OPENING.items()}
_MARK: Final = re.compile("[" + re.escape("".join((*_CLOSING_BY_OPENING, *_CLOSING_BY_OPENING.values()))) + "]")
_LOOKED_BACK_CHARS: Final = 200


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """A line of a speech: its number in the source and its text."""

    number: int
    text: str


class Openness:
    """Whether what was read so far has a quotation or a bracket that is not closed yet; lines are told one by one.

    A quotation counts where the speech begins with it.
    """

    def __init__(self, text: str) -> None:
        start = text.lstrip(" \u3000")[:1]
        self._quote = start if start in ("「", "『", "“") else ""
        self._quote_depth = 0
        self._depths = dict.fromkeys(OPENING, 0)
        self.go_on(text)

    def go_on(self, text: str) -> None:
        """Take the next line into account."""
        if not _MARK.search(text):
            return
        for opening, closing in CLOSING_BY_OPENING.items():
            self._depths[opening] = max(0, self._depths[opening] + text.count(opening) - text.count(closing))
        if self._quote:
            self._quote_depth += text.count(self._quote) - text.count(_CLOSING_QUOTE_BY_OPENING[self._quote])

    @property
    def is_open(self) -> bool:
        """Whether something is open."""
        return self._quote_depth > 0 or any(self._depths.values())

    @property
    def is_closed_quotation(self) -> bool:
        """Whether the speech is a quotation that has ended."""
        return bool(self._quote) and not self.is_open


def speech_elements(lines: Sequence[SpokenLine]) -> list[ScriptElement]:
    """The parts of a speech, each with the lines that it stands on."""
    kept = [line for line in lines if line.text]
    if not any(_MARK.search(line.text) for line in kept):
        return _plain_speech(kept)
    text = "\n".join(line.text for line in kept)
    # Where each line begins in the joined text.
    starts = [0, *accumulate(len(line.text) + 1 for line in kept)][: len(kept)]
    ends = _pairs(text)
    dropped = _quotation(text, ends)
    found: list[tuple[ScriptElement, bool]] = []
    for kind, first, end in _parts(text, ends):
        part = text[first:end]
        bounds = (first - 1, *sorted(at for at in dropped if first <= at < end), end)
        said = "".join(text[before + 1 : after] for before, after in pairwise(bounds)).strip()
        inner = said[1:-1].strip() if kind is ElementKind.PARENTHETICAL else said or part.strip()
        begins = first + len(part) - len(part.lstrip())
        last = first + len(part.rstrip()) - 1
        on = Lines(_line_at(kept, starts, begins), _line_at(kept, starts, last))
        found.append((ScriptElement(kind, inner, on), bool(said)))
    # A quotation mark that has a line to itself stays, so that the line is not lost.
    told = {number for part, says in found if says for number in (part.lines.first, part.lines.last)}
    return [part for part, says in found if says or part.lines.first not in told]


def _plain_speech(lines: Sequence[SpokenLine]) -> list[ScriptElement]:
    """A speech in which nothing but words stands."""
    if not lines:
        return []
    text = "\n".join(line.text for line in lines)
    return [ScriptElement(ElementKind.DIALOGUE, text, Lines(lines[0].number, lines[-1].number))]


def _line_at(lines: Sequence[SpokenLine], starts: Sequence[int], at: int) -> int:
    return lines[max(bisect_right(starts, at) - 1, 0)].number


def _pairs(text: str) -> dict[int, int]:
    """Where each bracket and quotation that opens in a text is closed, by where it opens."""
    ends: dict[int, int] = {}
    opened: dict[str, list[int]] = {}
    for mark in _MARK.finditer(text):
        at, char = mark.start(), mark[0]
        opening = _OPENING_BY_CLOSING.get(char)
        # A straight mark opens and closes.
        if opening is not None and opened.get(opening):
            ends[opened[opening].pop()] = at
        elif char in _CLOSING_BY_OPENING:
            opened.setdefault(char, []).append(at)
    return ends


def _parts(text: str, ends: Mapping[int, int]) -> Iterator[tuple[ElementKind, int, int]]:
    """The parts of a text: kind, start and end."""
    begun = 0
    for at in sorted(ends):
        close = ends[at]
        if at < begun or text[at] not in OPENING or close - at > _DIRECTION_CHARS_MAX:
            continue
        if not _is_direction(text, begun, at, close + 1):
            continue
        if text[begun:at].strip():
            yield ElementKind.DIALOGUE, begun, at
        yield ElementKind.PARENTHETICAL, at, close + 1
        begun = close + 1
    if text[begun:].strip():
        yield ElementKind.DIALOGUE, begun, len(text)


def _is_direction(text: str, begun: int, at: int, end: int) -> bool:
    if not text[at + 1 : end - 1].strip():
        return False
    before = text[max(begun, at - _LOOKED_BACK_CHARS) : at].rstrip()
    if text[at] in _SURE or not before.strip(OPENING_QUOTES):
        return True
    after = text[end : end + 1]
    set_apart = before[-1] in _SENTENCE_ENDS or text[at - 1].isspace()
    return set_apart and (not after or after.isspace() or before[-1] in _SENTENCE_ENDS)


def _quotation(text: str, ends: Mapping[int, int]) -> frozenset[int]:
    """The places of quotation marks that hold the whole speech, with nothing but directions around them."""
    at = _after_directions(text, 0, ends)
    if at >= len(text) or text[at] not in OPENING_QUOTES:
        return frozenset()
    close = ends.get(at)
    if close is None:
        return frozenset({at}) if text[at] != '"' else frozenset()
    return frozenset({at, close}) if _after_directions(text, close + 1, ends) >= len(text) else frozenset()


def _after_directions(text: str, at: int, ends: Mapping[int, int]) -> int:
    while at < len(text) and (text[at].isspace() or (text[at] in OPENING and at in ends)):
        at = ends[at] + 1 if text[at] in OPENING else at + 1
    return at
