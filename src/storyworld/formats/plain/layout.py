"""How a text tells who speaks: the layouts in which names recur, and the names themselves.

Nobody declares how a script is laid out, but a script shows it: the same few names head many lines. So all lines are
read in all layouts first, and what recurs is counted.

| found | means |
|---|---|
| a name heads two lines or more in one layout, or one line and the cast list has it | it speaks, if the layout counts |
| the layout in which such names head the most lines | it is the main one, and counts |
| another with a quarter as many such lines, whose names are mostly those of the main one | it counts, too |
| a name in the main layout that comes only once | it speaks, if its form is strict (`_may_come_once`) |
| a name known from a layout that counts | it speaks in every layout but a gap |
| no recurring name, but a layout that heads most paragraphs, two at least | a fragment: its names speak |

A name that reads like prose before a quotation (`他说：`, `彼は「`) counts only if the cast list has it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.formats.plain.names import SEVERAL, TOGETHER, Cue, Layout, cues_of, is_cased, is_told, key_of
from storyworld.formats.plain.source import SourceLine

_RECURS_MIN: Final = 2
_LINES_MIN: Final = 2
_SHARE_OF_TEXT_MIN: Final = 0.02
_SHARE_OF_MAIN_MIN: Final = 0.25
_SHARE_OF_FRAGMENT_MIN: Final = 0.5
_CAPITALS_SHARE_MAX: Final = 0.6
_SINGLE_CHARS_MAX: Final = 6
_SINGLE_WORDS_MAX: Final = 3
_WHOLE_CAPITALS_COLUMNS_MAX: Final = 40
# Where two layouts head equally many lines, the one that is harder to meet by chance is taken.
_STRICT: Final = (Layout.ALONE, Layout.COLON, Layout.QUOTE)
_BY_STRICTNESS: Final = (*_STRICT, Layout.DASH, Layout.GAP, Layout.STOP)


@dataclass(frozen=True, slots=True)
class Place:
    """A line where somebody may speak, its place in the text, and the cues that it could be."""

    at: int
    line: SourceLine
    cues: tuple[Cue, ...]


@dataclass(frozen=True)
class Marking:
    """How a text marks its speakers. Without a main layout nobody speaks in it."""

    main: Layout | None
    layouts: frozenset[Layout]
    recurring: Mapping[Layout, frozenset[str]]
    known: frozenset[str]
    listed: frozenset[str]
    singles: bool

    def cue(self, place: Place) -> Cue | None:
        """The cue at the head of a line, if one is there."""
        if self.main is None:
            return None
        found = [cue for cue in place.cues if self._counts(cue)]
        if not found:
            return None
        # What is known goes before what is only possible; the main layout before the others.
        return max(found, key=lambda cue: (key_of(cue.name) in self.known, cue.layout is self.main, len(cue.name)))

    def _counts(self, cue: Cue) -> bool:
        key = key_of(cue.name)
        if key in self.listed:
            return True
        if is_told(cue):
            return False
        several = SEVERAL.split(cue.name)
        if len(several) > 1:
            # A list of names: one of them is known, or it is the beginning of a sentence.
            return cue.layout in self.layouts and any(key_of(name) in self.known for name in several)
        together = TOGETHER.split(cue.name)
        if len(together) > 1 and cue.layout in self.layouts and all(key_of(name) in self.known for name in together):
            return True
        if cue.layout in self.layouts and key in self.recurring.get(cue.layout, ()):
            return True
        if key in self.known and cue.layout is not Layout.GAP:
            return True
        return self.singles and cue.layout is self.main and _may_come_once(cue)


def readings(line: SourceLine, before: SourceLine | None, after: SourceLine | None) -> tuple[Cue, ...]:
    """The cues that a line could be where it stands: a name alone needs a paragraph of its own and text right below."""
    cues = cues_of(line.text)
    if not any(cue.layout is Layout.ALONE for cue in cues):
        return cues
    alone = _stands_alone(line, before, after)
    return tuple(cue for cue in cues if cue.layout is not Layout.ALONE or (alone and _heads(cue, line)))


def _stands_alone(line: SourceLine, before: SourceLine | None, after: SourceLine | None) -> bool:
    if after is None or after.fresh:
        return False
    if line.fresh or before is None:
        return True
    return line.text.endswith((":", "：")) or before.text.endswith(("]", ")", "）", "］", "〕"))


def _heads(cue: Cue, line: SourceLine) -> bool:
    """Whether a line of a name alone looks like a cue: in capitals, ended by a mark, without case, or of few words."""
    return (
        not is_cased(cue.name)
        or cue.name.isupper()
        or line.text.endswith((".", ":", "："))
        or len(cue.name.split()) <= _SINGLE_WORDS_MAX
    )


def marking_of(places: Sequence[Place], listed: frozenset[str]) -> Marking:
    """Gather how these lines mark their speakers. `listed` are the keys of the names in the cast list."""
    counted: dict[Layout, Counter[str]] = {layout: Counter() for layout in Layout}
    for place in places:
        for cue in place.cues:
            key = key_of(cue.name)
            if key in listed or not (is_told(cue) or SEVERAL.search(cue.name)):
                counted[cue.layout][key] += 1
    lines = [place.line for place in places]
    recurring = {
        layout: frozenset(key for key, count in found.items() if count >= _RECURS_MIN or key in listed)
        for layout, found in counted.items()
    }
    heads = {layout: sum(counted[layout][key] for key in keys) for layout, keys in recurring.items()}
    main = max(_BY_STRICTNESS, key=lambda layout: heads[layout])
    if not _is_marked(heads[main], recurring[main], listed, counted[main], main, len(lines)):
        return _fragment(lines, counted, listed)
    layouts = {main}
    for layout in Layout:
        shared = len(recurring[layout] & recurring[main])
        enough = heads[layout] >= _SHARE_OF_MAIN_MIN * heads[main] and heads[layout] >= _LINES_MIN
        if enough and 2 * shared >= len(recurring[layout]):
            layouts.add(layout)
    known = frozenset().union(*(recurring[layout] for layout in layouts)) | listed
    return Marking(main, frozenset(layouts), recurring, known, listed, singles=not _is_mostly_capitals(lines, main))


def _is_marked(
    heads: int, keys: frozenset[str], listed: frozenset[str], found: Counter[str], layout: Layout, lines: int
) -> bool:
    """Whether recurring names head enough lines to be no chance: two names, or one of the cast list, or thrice; or one
    twice beside others that come once, where they head many lines in a strict layout.
    """
    if heads < _LINES_MIN or heads < _SHARE_OF_TEXT_MIN * lines:
        return False
    if len(keys) > 1 or keys & listed or heads > _RECURS_MIN:
        return True
    return layout in _STRICT and len(found) > 1 and found.total() >= _SHARE_OF_MAIN_MIN * lines


def _fragment(lines: Sequence[SourceLine], counted: Mapping[Layout, Counter[str]], listed: frozenset[str]) -> Marking:
    """A few speeches in which no name comes twice: the layout that heads most paragraphs, if one does."""
    nothing = Marking(None, frozenset(), {}, listed, listed, singles=False)
    main = max(_BY_STRICTNESS[:4], key=lambda layout: counted[layout].total())
    heads = counted[main].total()
    if heads < _LINES_MIN or heads < _SHARE_OF_FRAGMENT_MIN * sum(
        line.fresh or main is not Layout.ALONE for line in lines
    ):
        return nothing
    if main is Layout.ALONE and _is_mostly_capitals(lines, main):
        return nothing
    return Marking(main, frozenset({main}), {}, listed, listed, singles=True)


def _is_mostly_capitals(lines: Sequence[SourceLine], main: Layout) -> bool:
    """Whether capitals tell nothing, since most lines are in them."""
    if main not in (Layout.ALONE, Layout.STOP):
        return False
    capitals = sum(line.text.isupper() and line.width <= _WHOLE_CAPITALS_COLUMNS_MAX for line in lines)
    return capitals > _CAPITALS_SHARE_MAX * len(lines)


def _may_come_once(cue: Cue) -> bool:
    """Whether the form of a name alone is enough in the main layout."""
    words = cue.name.split()
    if not is_cased(cue.name):
        return len("".join(words)) <= _SINGLE_CHARS_MAX and cue.layout is not Layout.DASH
    if cue.layout in (Layout.STOP, Layout.ALONE, Layout.GAP):
        return cue.name.upper() == cue.name and any(char.isalpha() for char in cue.name)
    return len(words) <= _SINGLE_WORDS_MAX
