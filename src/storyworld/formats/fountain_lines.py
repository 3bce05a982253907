"""Lines of a Fountain text without notes and boneyards, each with the lines of the source that it comes from.

What the author had taken out goes first, as in the standard: a boneyard may span headings, pages and other boneyards.
A note that is never closed, or is broken by an empty line, is text; so is a boneyard that is never closed, since the
rest of a script must not vanish for a stray mark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from storyworld.core.script import Lines
from storyworld.formats.fountain_text import plain, trim

SPACER: Final = "  "
"""Two spaces alone on a line: it looks empty and holds together what stands before and after it."""

_BONEYARD_MARK: Final = re.compile(r"/\*|\*/")
_BONEYARD_START: Final = re.compile(r"\\[^\n]|/\*")
_NOTE_MARK: Final = re.compile(r"\\[^\n]|\[\[|\]\]")


@dataclass(frozen=True, slots=True)
class Note:
    """What stood between `[[` and `]]`, without markup; `text` is empty where nothing did."""

    text: str
    lines: Lines


class Line(NamedTuple):
    """A line of the script, and the notes that were taken out of it.

    It comes from several lines of the source where a note or a boneyard joined them. A line that held nothing but notes
    is hollow: it does not end the paragraph that it stands in.
    """

    text: str
    lines: Lines
    notes: tuple[Note, ...] = ()
    hollow: bool = False

    @property
    def blank(self) -> bool:
        """Whether it ends a paragraph: nothing on it, and neither a note's place nor two spaces."""
        return not self.text.strip() and not self.hollow and self.text != SPACER


_EMPTY: Final = Line("", Lines(0, 0))
"""Any run of empty lines: nothing comes of them, so where they stand is of no use."""


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of a text, empty lines in a row as one, and where boneyards were."""

    lines: tuple[Line, ...]
    boneyards: tuple[Lines, ...]


def source_lines(text: str) -> Source:
    """The lines of a text whatever ends them (LF, CR LF or CR), without boneyards; notes are set aside."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    boneyards: dict[Lines, None] = {}
    lines = _without_boneyards(text, boneyards)
    return Source(tuple(_without_notes(lines) if "[[" in text else _as_one_where_empty(lines)), tuple(boneyards))


def _without_boneyards(text: str, boneyards: dict[Lines, None]) -> Iterator[Line]:
    parts: list[str] = []
    first = last = 1
    removed_here = False
    for kept, removed in _pieces(text):
        head, *rest = kept.split("\n")
        parts.append(head)
        for following in rest:
            yield _joined(parts, Lines(first, last), removed_here) if parts != [""] else _EMPTY
            last += 1
            first = last
            parts = [following]
            removed_here = False
        if removed:
            removed_here = True
            end = last + removed.count("\n")
            boneyards[Lines(last, end)] = None
            last = end
    yield _joined(parts, Lines(first, last), removed_here)


def _joined(parts: list[str], lines: Lines, removed: bool) -> Line:
    text = "".join(parts) if len(parts) > 1 else parts[0]
    return Line("" if removed and not text.strip() else text, lines)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """The text in pieces: what is kept, and the boneyard that follows it."""
    ends = _boneyard_ends(text) if "/*" in text and "*/" in text else {}
    at = kept_from = 0
    while ends and (found := _BONEYARD_START.search(text, at)):
        end = ends.get(found.start()) if found[0] == "/*" else None
        if end is None:
            at = found.end()
        else:
            yield text[kept_from : found.start()], text[found.start() : end]
            at = kept_from = end
    yield text[kept_from:], ""


def _boneyard_ends(text: str) -> dict[int, int]:
    """Where the boneyard that begins at a mark ends: at the mark that balances it, else at the first one after it."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    closing: list[int] = []
    for mark in _BONEYARD_MARK.finditer(text):
        if mark[0] == "/*":
            opened.append(mark.start())
        else:
            closing.append(mark.end())
            if opened:
                ends[opened.pop()] = mark.end()
    for start in opened:
        after = bisect_right(closing, start)
        if after < len(closing):
            ends[start] = closing[after]
    return ends


def _as_one_where_empty(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines, each run of empty ones as one of them."""
    after_empty = False
    for line in lines:
        empty = line.blank
        if not (empty and after_empty):
            yield _EMPTY if empty else line
        after_empty = empty


def _without_notes(lines: Iterable[Line]) -> Iterator[Line]:
    paragraph: list[Line] = []
    for line in _as_one_where_empty(lines):
        if line is _EMPTY:
            yield from _settled(paragraph)
            paragraph = []
            yield line
        else:
            paragraph.append(line)
    yield from _settled(paragraph)


def _settled(paragraph: list[Line]) -> Iterable[Line]:
    """The lines of a paragraph without their notes; notes of a line of their own go to the line before it."""
    if not any("[[" in line.text for line in paragraph):
        return paragraph
    settled: list[Line] = []
    for line in _notes_taken_out(paragraph):
        if line.hollow and settled and not settled[-1].hollow:
            settled[-1] = settled[-1]._replace(notes=settled[-1].notes + line.notes)
        else:
            settled.append(line)
    return settled


def _notes_taken_out(paragraph: list[Line]) -> Iterator[Line]:
    text = "\n".join(line.text for line in paragraph)
    parts: list[str] = []
    notes: list[Note] = []
    first = at = 0
    kept_from = 0
    for start, end in _note_spans(text):
        *before, head = text[kept_from:start].split("\n")
        for whole in before:
            yield _noted([*parts, whole], notes, paragraph, first, at)
            at += 1
            first, parts, notes = at, [], []
        parts.append(head)
        note_end = at + text.count("\n", start, end)
        lines = Lines(paragraph[at].lines.first, paragraph[note_end].lines.last)
        notes.append(Note(note_text(text[start + 2 : end - 2]), lines))
        at = note_end
        kept_from = end
    for whole in text[kept_from:].split("\n"):
        yield _noted([*parts, whole], notes, paragraph, first, at)
        at += 1
        first, parts, notes = at, [], []


def _noted(parts: list[str], notes: list[Note], paragraph: list[Line], first: int, last: int) -> Line:
    text = "".join(parts)
    hollow = bool(notes) and not text.strip()
    lines = Lines(paragraph[first].lines.first, paragraph[last].lines.last)
    return Line("" if hollow else text, lines, tuple(notes), hollow)


def _note_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the notes of a paragraph begin and end, their marks included."""
    start: int | None = None
    for mark in _NOTE_MARK.finditer(text):
        if mark[0] == "[[":
            start = mark.start() if start is None else start
        elif mark[0] == "]]" and start is not None:
            yield start, mark.end()
            start = None


def note_text(inside: str) -> str:
    """What stands between the marks of a note, without markup; lines of white space alone are empty lines of it."""
    return "\n".join(plain(trim(line)) for line in inside.split("\n")).strip()
