"""Characters of Fountain: escapes, emphasis and the white space around a line. Knows nothing of elements.

A backslash before a mark makes the mark a plain character, as the standard has it for `*` and `_`. Here any ASCII
punctuation is a mark, any white space, and the full-width brackets and colon; before anything else a backslash is
itself. So white space at the ends of a line can be kept, too: it is stripped unless a backslash stands before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

OPENING_BRACKETS: Final = "(（"
CLOSING_BRACKETS: Final = ")）"
EMPTY_LINE: Final = "\\"
"""A line of a single backslash is an empty line inside its element."""

_MARKS: Final = r"!-/:-@\[-`{-~\s（）："
_ESCAPE: Final = re.compile(rf"\\([{_MARKS}])")
_PIECE: Final = re.compile(rf"\\[{_MARKS}]|\*+|_+|[^\\*_]+|\\")
_MARKED: Final = re.compile(r"[\\*_]")
_LITERAL: Final = re.compile(rf"\\(?=[{_MARKS}]|\Z)|[*_]|(?<=\[)\[")
_FIRST_CASELESS: Final = "\u2e80"
"""Where the scripts of East Asia begin: their words stand side by side, so a mark inside one is no part of it."""


def trim(line: str) -> str:
    """The line without the white space around it; a space at the end stays if a backslash stands before it."""
    stripped = line.strip()
    if stripped.endswith("\\") and _is_escaping(stripped):
        return line.lstrip()[: len(stripped) + 1]
    return stripped


def ends_with(line: str, ends: str) -> bool:
    """Whether the last character is one of `ends` and no backslash makes it a plain character."""
    return line[-1:] in tuple(ends) and not _is_escaping(line[:-1])


def mask(line: str) -> str:
    """The line with each escape as two characters that are no mark, so that marks are found at their places."""
    return _ESCAPE.sub("\0\0", line) if "\\" in line else line


def plain(line: str) -> str:
    """A line as it is meant: no emphasis, no escapes. A line that is a single backslash is empty.

    Emphasis ends on the line where it begins, touches what it emphasizes, and `_` does not split a word.
    """
    if line == EMPTY_LINE:
        return ""
    if not _MARKED.search(line):
        return line
    pieces = _without_emphasis(_PIECE.findall(line))
    return "".join(piece[1:] if _ESCAPE.match(piece) else piece for piece in pieces)


def literal(line: str) -> str:
    """One line of text so that `plain` gives it back, whatever it holds, and no note or boneyard begins in it.

    What makes an element at the start or the end of a line is not its matter.
    """
    text = _LITERAL.sub(lambda match: "\\" + match[0], line)
    if line[-1:].isspace():
        text = f"{text[:-1]}\\{text[-1]}"
    if len(line) > 1 and line[0].isspace():
        text = "\\" + text
    return text


def _is_escaping(text: str) -> bool:
    """Whether the character after `text` is escaped: an odd number of backslashes stands at its end."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


@dataclass(slots=True)
class _Run:
    """Marks of emphasis side by side that may open it: where they stand and how many are not closed yet."""

    at: int
    left: int


def _without_emphasis(found: list[str]) -> list[str]:
    """The pieces of a line without the marks that open and close an emphasis; other marks stay what they are."""
    pieces = list(found)
    opened: dict[str, list[_Run]] = {"*": [], "_": []}
    for at, piece in enumerate(found):
        mark = piece[0]
        if mark not in opened:
            continue
        before = found[at - 1][-1] if at else " "
        after = found[at + 1][0] if at + 1 < len(found) else " "
        inside_word = mark == "_" and _is_of_word(before) and _is_of_word(after)
        left = len(piece)
        if not before.isspace() and not inside_word:
            left = _close(opened[mark], pieces, left, mark)
        if left and not after.isspace() and not inside_word:
            opened[mark].append(_Run(at, left))
        pieces[at] = mark * left
    return pieces


def _close(opened: list[_Run], pieces: list[str], left: int, mark: str) -> int:
    """Closes what `left` marks can close and tells how many of them remain."""
    while opened and left:
        run = opened[-1]
        closed = min(run.left, left)
        run.left -= closed
        left -= closed
        pieces[run.at] = mark * run.left
        if not run.left:
            opened.pop()
    return left


def _is_of_word(char: str) -> bool:
    return char.isalnum() and char < _FIRST_CASELESS
