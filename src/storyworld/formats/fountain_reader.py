"""Fountain 1.1 to a script: any text at all is read, in one pass, and each line of it has a place in what comes back.

Beyond the standard: white space before an element is nothing, scene headings, transitions, cues and keys of the title
page in Chinese, Japanese and Korean are known, boneyards may be nested, and a backslash makes any mark a character.
Stricter than the standard: `FADE IN:` opens no title page. What a line is in itself stands in `fountain_headings` and
`fountain_cues`; here is what it is where it stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import LeftOut, Lines, Script, ScriptElement
from storyworld.formats.fountain_cues import Cue, cue_of, is_in_capitals, may_be_caseless_name
from storyworld.formats.fountain_headings import (
    is_scene_heading,
    is_transition,
    without_circle,
    without_scene_number,
)
from storyworld.formats.fountain_lines import SPACER, Line, Note, source_lines
from storyworld.formats.fountain_text import CLOSING_BRACKETS, OPENING_BRACKETS, ends_with, mask, plain, trim
from storyworld.formats.fountain_title import read_title_page

_PAGE_BREAK: Final = re.compile("={3,}")
_BRACKET: Final = re.compile(f"[{OPENING_BRACKETS}{CLOSING_BRACKETS}]")
_OPENING: Final = tuple(OPENING_BRACKETS)
_BONEYARD: Final = "script_boneyard_left_out"
_MARKUP: Final = "script_markup_left_out"


def read_fountain(text: str) -> Script:
    """The script that a text holds. It never fails: what is nothing else is action.

    Elements stand in the order of the source; notes follow the paragraph or the speech in which they stand, so that no
    speech is torn apart. White space around a line of an element is dropped, as are scene numbers.
    """
    source = source_lines(text)
    page = read_title_page(source.lines)
    reading = _Reading(source.lines, page.end if page else 0, {entry.name for entry in page.cast} if page else set())
    if page is not None:
        reading.note(page.notes)
    reading.read()
    left_out = [*reading.left_out, *(LeftOut(_BONEYARD, lines) for lines in source.boneyards)]
    return Script(
        format="fountain",
        elements=tuple(reading.elements),
        title_page=page.fields if page else (),
        cast=page.cast if page else (),
        left_out=tuple(sorted(left_out, key=lambda item: item.lines)),
        language=page.language if page else None,
    )


def is_forced_heading(text: str) -> bool:
    """Whether a trimmed line is a heading for the single stop before it: what follows is a word or an escaped mark."""
    follows = text[1:2]
    return text.startswith(".") and (
        follows.isalnum() or follows == "\\" or (not follows.isascii() and not follows.isspace())
    )


def stands_apart(text: str) -> bool:
    """Whether a trimmed line is an element by its first mark, wherever it stands outside a speech."""
    return text.startswith(("#", "=", "~", ">"))


def parenthetical_ends(lines: Sequence[str]) -> dict[int, int]:
    """Which of the trimmed lines of a speech begin a parenthetical, each with the line that it ends on.

    One begins with a bracket and ends with the very bracket that balances it.
    """
    ends: dict[int, int] = {}
    if not any(line.startswith(_OPENING) for line in lines):
        return ends
    opened: list[int | None] = []
    for at, line in enumerate(lines):
        masked = mask(line)
        for bracket in _BRACKET.finditer(masked):
            if bracket[0] in OPENING_BRACKETS:
                opened.append(at if bracket.start() == 0 else None)
            elif opened and (start := opened.pop()) is not None and bracket.end() == len(masked):
                ends[start] = at
    return ends


class _Reading:
    """A script that is being read: the line that comes next, and what was made of those before it."""

    def __init__(self, lines: Sequence[Line], start: int, named: set[str]) -> None:
        self._lines = lines
        self._texts = [trim(line.text) for line in lines]
        self._at = start
        self._named = named
        self.elements: list[ScriptElement] = []
        self.left_out: list[LeftOut] = []

    def read(self) -> None:
        """Reads all lines. A line is fresh if it may begin an element that an empty line has to stand before."""
        self._named = self._named.union(self._names())
        fresh = True
        while self._at < len(self._lines):
            line = self._lines[self._at]
            text = self._texts[self._at]
            if text:
                fresh = self._block(line, text, fresh)
            else:
                fresh = fresh or not line.hollow
                self._at += 1
                self.note(line.notes)

    def note(self, notes: Iterable[Note]) -> None:
        """Adds notes; one that says nothing was a mark."""
        for note in notes:
            self._add(ElementKind.NOTE, note.text, note.lines)

    def _names(self) -> Iterator[str]:
        """Names in scripts without capitals that are forced anywhere, or stand like a name in two places."""
        seen: Counter[str] = Counter()
        fresh = True
        for at in range(self._at, len(self._lines)):
            text = self._texts[at]
            if fresh and not text.isascii() and (cue := cue_of(text.removeprefix("@"))) is not None:
                if text.startswith("@"):
                    yield cue.name
                elif may_be_caseless_name(cue.name) and self._text_at(at + 1):
                    seen[cue.name] += 1
            fresh = not text and (fresh or not self._lines[at].hollow)
        yield from (name for name, times in seen.items() if times > 1)

    def _text_at(self, at: int) -> str:
        """The trimmed text of a line; empty where it is blank or the script has ended."""
        return self._texts[at] if at < len(self._texts) else ""

    def _block(self, line: Line, text: str, fresh: bool) -> bool:
        """Reads what begins at a line and tells whether the line after it is fresh."""
        if stands_apart(text):
            self._apart(line, text)
        elif fresh and is_forced_heading(text):
            self._single(ElementKind.SCENE_HEADING, without_scene_number(text[1:]), line)
            return False
        elif fresh and self._natural(text, line):
            return False
        elif fresh and (cue := self._cue(text)) is not None:
            self._speech(cue)
        else:
            self._action(line, text)
            return False
        return True

    def _apart(self, line: Line, text: str) -> None:
        """Reads an element that its first mark tells."""
        if text.startswith("~"):
            self._run(ElementKind.LYRICS, self._taken(_is_lyric))
        elif _is_centered(text):
            self._run(ElementKind.CENTERED, self._taken(_is_centered))
        elif text.startswith(">"):
            self._single(ElementKind.TRANSITION, text[1:], line)
        elif text.startswith("#"):
            inner = text.lstrip("#")
            self._single(ElementKind.SECTION, inner, line, depth=len(text) - len(inner))
        elif _PAGE_BREAK.fullmatch(text):
            self._leave_out(line)
        else:
            self._single(ElementKind.SYNOPSIS, text[1:], line)

    def _natural(self, text: str, line: Line) -> bool:
        """Reads a heading or a transition that no mark forces, if the line is one."""
        if text.startswith(("!", "@")):
            return False
        alone = not self._text_at(self._at + 1)
        if is_scene_heading(text, alone=alone):
            self._single(ElementKind.SCENE_HEADING, without_circle(without_scene_number(text)), line)
        elif is_transition(text, alone=alone):
            self._single(ElementKind.TRANSITION, text, line)
        else:
            return False
        return True

    def _cue(self, text: str) -> Cue | None:
        """The cue that a fresh line is, if it is one."""
        if text.startswith("@"):
            return cue_of(trim(text[1:]))
        following = self._text_at(self._at + 1)
        if text.startswith("!") or not following:
            return None
        cue = cue_of(text)
        if cue is None or is_in_capitals(cue.written):
            return cue
        if not may_be_caseless_name(cue.name):
            return None
        if cue.name in self._named or (_is_parenthetical(following) and self._text_at(self._at + 2)):
            return cue
        return None

    def _single(self, kind: ElementKind, text: str, line: Line, *, depth: int = 1) -> None:
        """Adds an element of one line."""
        self._add(kind, plain(trim(text)), line.lines, depth=depth)
        self._at += 1
        self.note(line.notes)

    def _leave_out(self, line: Line) -> None:
        self.left_out.append(LeftOut(_MARKUP, line.lines))
        self._at += 1
        self.note(line.notes)

    def _taken(self, belongs: Callable[[str], bool]) -> list[Line]:
        """The lines from here that have text and belong to what is being read."""
        first = self._at
        while (text := self._text_at(self._at)) and belongs(text):
            self._at += 1
        return list(self._lines[first : self._at])

    def _run(self, kind: ElementKind, lines: Sequence[Line]) -> None:
        """Adds an element of several lines, and the notes on them."""
        self._gather(kind, [_inner(kind, trim(line.text)) for line in lines], lines)
        self._note_all(lines)

    def _action(self, line: Line, text: str) -> None:
        """Reads an action; where it was forced, two spaces join what is forced again to it."""
        self._at += 1
        lines = [line, *self._taken(_goes_on)]
        while text.startswith("!") and (resumed := self._after_spacers()) is not None:
            lines += self._lines[self._at : resumed]
            self._at = resumed
            lines += self._taken(_goes_on)
        self._run(ElementKind.ACTION, lines)

    def _after_spacers(self) -> int | None:
        """Where a forced line follows lines of two spaces that come next; None where it does not."""
        at = self._at
        while at < len(self._lines) and self._lines[at].text == SPACER:
            at += 1
        return at if at > self._at and self._text_at(at).startswith("!") else None

    def _speech(self, cue: Cue) -> None:
        """Reads a cue and what is said under it, as far as the next line that is blank."""
        first = self._lines[self._at]
        end = self._at + 1
        while end < len(self._lines) and not self._lines[end].blank:
            end += 1
        lines = self._lines[self._at + 1 : end]
        texts = self._texts[self._at + 1 : end]
        self._at = end
        self._add(ElementKind.CHARACTER, cue.name, first.lines, extension=cue.extension, dual=cue.dual)
        ends = parenthetical_ends(texts)
        at = 0
        while at < len(lines):
            kind, after = _part_of_speech(texts, ends, at) if texts[at] else (None, at + 1)
            if kind is not None:
                inner = texts[at:after]
                if kind is ElementKind.PARENTHETICAL:
                    inner[0] = inner[0][1:]
                    inner[-1] = inner[-1][:-1]
                self._gather(kind, [_inner(kind, text) for text in inner], lines[at:after])
            at = after
        self._note_all([first, *lines])

    def _gather(self, kind: ElementKind, texts: Sequence[str], lines: Sequence[Line]) -> None:
        """Adds an element of lines whose own marks are gone already; empty ones at its end are not part of it."""
        last = len(lines) - 1
        while last and not lines[last].text.strip():
            last -= 1
        text = "\n".join([plain(trim(text)) for text in texts])
        self._add(kind, text, Lines(lines[0].lines.first, lines[last].lines.last))

    def _add(
        self,
        kind: ElementKind,
        text: str,
        lines: Lines,
        *,
        depth: int = 1,
        extension: str | None = None,
        dual: bool = False,
    ) -> None:
        """Adds an element; where no text was found, its lines hold marks alone."""
        text = text.strip()
        if text:
            self.elements.append(ScriptElement(kind, text, lines, depth, extension, dual))
        else:
            self.left_out.append(LeftOut(_MARKUP, lines))

    def _note_all(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.note(line.notes)


def _part_of_speech(texts: Sequence[str], ends: Mapping[int, int], at: int) -> tuple[ElementKind, int]:
    """What begins at a line of a speech, and where the next part begins."""
    if at in ends:
        return ElementKind.PARENTHETICAL, ends[at] + 1
    kind = ElementKind.LYRICS if _is_lyric(texts[at]) else ElementKind.DIALOGUE
    after = at + 1
    while after < len(texts) and after not in ends and _is_lyric(texts[after]) == (kind is ElementKind.LYRICS):
        after += 1
    return kind, after


def _is_lyric(text: str) -> bool:
    return text.startswith("~")


def _is_centered(text: str) -> bool:
    return len(text) > 1 and text.startswith(">") and ends_with(text, "<")


def _goes_on(text: str) -> bool:
    """Whether a line belongs to the action before it."""
    return not stands_apart(text)


def _is_parenthetical(text: str) -> bool:
    return 0 in parenthetical_ends([text])


def _inner(kind: ElementKind, text: str) -> str:
    """A line of an element that may have several, without the mark that makes it one."""
    if kind is ElementKind.CENTERED:
        return text[1:-1]
    if kind is ElementKind.LYRICS or (kind is ElementKind.ACTION and text.startswith("!")):
        return text[1:]
    return text
