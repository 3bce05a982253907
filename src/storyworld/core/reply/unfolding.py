"""A reply while it comes: the part of its line that is certain already.

Nothing is shown that what comes later in the reply would take back, so this is silent about every reply that is not
plainly an object that begins with its line. It must not know who listens.
"""

from __future__ import annotations

import re
from typing import Final

from storyworld.core import limits
from storyworld.core.canonical import parse

_OPENING: Final = re.compile(r'\s{0,20}\{\s{0,20}"line"\s{0,20}:\s{0,20}"')
_OPENING_CHARS_MAX: Final = 100
# Whole characters and whole escapes, of a surrogate pair both halves. Nothing that is made anew when a line is read: no
# control character, no carriage return, no angle bracket, which might open a tag of reasoning.
_CERTAIN: Final = re.compile(
    r'(?:[^"\\<\x00-\x1f\x7f-\x9f\ud800-\udfff]|\\["\\/nt]|'
    r"\\u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|"
    r"(?![dD][89a-fA-F]|00(?:[0189][0-9a-fA-F]|7[fF]|3[cC]))[0-9a-fA-F]{4}))*"
)
_UNFINISHED_ESCAPE: Final = re.compile(r"(?:\\\w{0,5}){1,2}")
_ESCAPE_CHARS_MAX: Final = 12


class Unfolding:
    """One reply as it comes. What it gives, put together, is how the line begins."""

    def __init__(self) -> None:
        self._waiting = ""
        self._opened = False
        self._ended = False
        self._told_chars = 0
        # White space at the end of a line is no part of it, so it waits for what comes after it.
        self._space = ""

    def grow(self, piece: str) -> str:
        """Take the next piece of the raw reply; returns what is newly certain of the line, often nothing."""
        if self._ended:
            return ""
        self._waiting += piece
        if not self._opened and not self._opens():
            return ""
        certain = _CERTAIN.match(self._waiting)
        assert certain is not None, "the pattern takes nothing as well"
        self._waiting = self._waiting[certain.end() :]
        self._ended = bool(self._waiting) and _UNFINISHED_ESCAPE.fullmatch(self._waiting[:_ESCAPE_CHARS_MAX]) is None
        return self._told(certain[0])

    def _opens(self) -> bool:
        opening = _OPENING.match(self._waiting)
        if opening is not None:
            self._waiting = self._waiting[opening.end() :]
            self._opened = True
        else:
            self._ended = len(self._waiting) > _OPENING_CHARS_MAX
        return self._opened

    def _told(self, written: str) -> str:
        text: str = self._space + parse(f'"{written}"'.encode())
        if self._told_chars == 0:
            text = text.lstrip()
        shown = text.rstrip()
        self._space = text[len(shown) :]
        self._told_chars += len(shown)
        if self._told_chars > limits.LINE_MAX_CHARS.value:
            # Of a line over the bound whole sentences are kept, and which is known at its end.
            self._ended = True
            return ""
        return shown
