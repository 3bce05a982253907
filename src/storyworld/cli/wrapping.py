"""How a paragraph is broken into the lines of a terminal.

Rich breaks at spaces only, which Chinese and Japanese do not have: a sentence would begin on a line of its own, and a
full stop could begin one. Here a line may also be broken beside a wide character, and what belongs to a paragraph stays
indented below it, so that no text can look like the screen's own headings.
"""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.text import Text

_HANGING = 2  # columns that the following lines of an indented paragraph stand further in
_NEVER_FIRST: Final = frozenset("、。，．：；？！）］｝〉》」』】〕〗”’…—～・ー,.:;?!)]}%")
_NEVER_LAST: Final = frozenset("（［｛〈《「『【〔〖“‘([{")
_JOINER = "\u200d"


def laid_out(text: Text, columns: int | None) -> Text:
    """The text in lines of at most `columns` columns (None: as long as they are), following lines indented."""
    plain = text.plain
    leading = len(plain) - len(plain.lstrip(" "))
    indent = leading + _HANGING if leading else 0
    if columns is not None and indent * 2 > columns:
        indent = 0
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        first = columns if columns is None or not lines else columns - indent
        following = None if columns is None else columns - indent
        lines += line.divide(_breaks(line.plain, first, following))
    for line in lines[:-1]:
        line.rstrip()
    laid = Text("\n" + " " * indent).join(lines)
    laid.style = text.style
    return laid


def _breaks(plain: str, first: int | None, following: int | None) -> list[int]:
    """The offsets at which a line begins, the first one left out."""
    if first is None or following is None:
        return []
    found: list[int] = []
    end = _line_end(plain, 0, first)
    while end < len(plain):
        found.append(end)
        end = _line_end(plain, end, following)
    return found


def _line_end(plain: str, begin: int, columns: int) -> int:
    """Where a line that begins here ends at the latest. Spaces at its end may stand over."""
    used, allowed, text_began = 0, begin, False
    for place in range(begin, len(plain)):
        character = plain[place]
        if text_began and _may_begin(plain[place - 1], character):
            allowed = place
        used += cell_len(character)
        if used > columns and character != " ":
            return allowed if allowed > begin else max(place, begin + 1)
        text_began = text_began or character != " "
    return len(plain)


def _may_begin(before: str, character: str) -> bool:
    if character == " " or cell_len(character) == 0 or before == _JOINER:
        return False
    if before == " ":
        return True
    if character in _NEVER_FIRST or before in _NEVER_LAST:
        return False
    return cell_len(before) > 1 or cell_len(character) > 1
