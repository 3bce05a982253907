"""What may be spoken or shown: the form of a line and an action, and their whole sentences up to a bound.

It owns what a blank text is and where a sentence ends in the scripts of the world. It must not know JSON.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from storyworld.core.normalize import normalize_text

_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_REPLACED: Final = "\ufffd"
# Letters and symbols by their category that show nothing: fillers of Hangul, the blank of Braille, a lost character.
_SHOWS_NOTHING: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800\ufffd")
_NOTHING_IN_CATEGORIES: Final = frozenset("CMZ")

# The ends of sentences: full-width marks and those of other scripts end one wherever they stand; the marks of Latin
# script only before a space or the end, so that `3.14` and `a.b` are whole. Quotes and brackets close with their
# sentence.
_CLOSING: Final = r"""["'”’»›」』）)\]】》〉〕〗*_~]*+"""
_ENDS_ANYWHERE: Final = "。！？｡؟۔।॥།။።⁇⁈⁉‼"
_SENTENCE_END: Final = re.compile(
    rf"[{_ENDS_ANYWHERE}][{_ENDS_ANYWHERE}.．!?…~～]*+{_CLOSING}"
    rf"|(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)(?<![.．!?…])[.．!?…]++{_CLOSING}(?=\s|\Z)"
    rf"|…++{_CLOSING}(?![\w…])"
)


def speakable(text: str) -> tuple[str, bool]:
    """The text as it may stand in a record, and whether characters had to be taken out or replaced for it.

    Line ends become LF, outer White_Space goes, lone surrogates and NUL become U+FFFD, other control characters but
    tab and line feed go.
    """
    told = _SURROGATE.sub(_REPLACED, text.replace("\0", _REPLACED))
    told = _CONTROL.sub("", told)
    return normalize_text(told), told != text


def is_blank(text: str) -> bool:
    """Whether nothing of a text can be seen: spaces, controls, zero-width characters, fillers and marks on nothing."""
    return all(
        character in _SHOWS_NOTHING or unicodedata.category(character)[0] in _NOTHING_IN_CATEGORIES
        for character in text
    )


def whole_sentences(text: str, chars_max: int) -> str | None:
    """The longest beginning of at most `chars_max` characters that ends with a sentence; None where none ends in it."""
    kept = 0
    for end in _SENTENCE_END.finditer(text):
        if end.end() > chars_max:
            break
        kept = end.end()
    return text[:kept] if kept else None


def sentence_at(text: str, position: int) -> str:
    """The sentence that the character at `position` stands in, without white space around it."""
    begin = 0
    for end in _SENTENCE_END.finditer(text):
        if end.end() > position:
            return text[begin : end.end()].strip()
        begin = end.end()
    return text[begin:].strip()
