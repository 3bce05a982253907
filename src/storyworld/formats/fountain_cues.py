"""Cues of Fountain: who speaks, what stands in brackets after the name, and what looks like a name at all.

The standard tells a cue by its capitals. Scripts without capitals need more, and our own rules for them are stated
here: doubt means no, since an action that is taken for a name would invent somebody.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from storyworld.formats.fountain_text import CLOSING_BRACKETS, OPENING_BRACKETS, ends_with, mask, plain, trim

_NAME_CHARS_MAX: Final = 20
_NAME_WORDS_MAX: Final = 3
_EXTENSIONS_MAX: Final = 8
_BRACKETS_CHARS_MAX: Final = 400
"""How far from the end of a line brackets are looked for: what they would hold beyond is no extension."""
_ENDS_OF_MORE: Final = (*CLOSING_BRACKETS, "^")
_NOT_IN_NAMES: Final = re.compile(r"[。．.！!？?，,、；;：:…—\"“”「」『』《》〈〉【】()（）]")
_BRACKET: Final = re.compile(f"[{OPENING_BRACKETS}{CLOSING_BRACKETS}]")


@dataclass(frozen=True, slots=True)
class Cue:
    """A cue: the name without markup, its extensions joined by spaces, whether it is spoken beside the speech before.

    `written` is the name as it stands, by which capitals are judged.
    """

    name: str
    written: str
    extension: str | None
    dual: bool


def cue_of(line: str) -> Cue | None:
    """A trimmed line, without the `@` that forces it, as a cue; None where no name is on it."""
    if not line.endswith(_ENDS_OF_MORE):
        name = plain(line).strip()
        return Cue(name, line, None, False) if name else None
    dual = ends_with(line, "^")
    if dual:
        line = trim(line[:-1])
    extensions: list[str] = []
    for _ in range(_EXTENSIONS_MAX):
        start = last_bracket(line)
        if start is None or start == 0:
            break
        extensions.insert(0, plain(trim(line[start + 1 : -1])).strip())
        line = trim(line[:start])
    name = plain(line).strip()
    if not name or last_bracket(line) == 0:
        return None
    return Cue(name, line, " ".join(filter(None, extensions)) or None, dual)


def last_bracket(line: str) -> int | None:
    """Where the brackets open that close at the very end of a line; None where none do."""
    if not ends_with(line, CLOSING_BRACKETS):
        return None
    depth = 0
    skipped = max(len(line) - _BRACKETS_CHARS_MAX, 0)
    for found in reversed(list(_BRACKET.finditer(mask(line[skipped:])))):
        depth += 1 if found[0] in CLOSING_BRACKETS else -1
        if depth == 0:
            return skipped + found.start()
    return None


def is_in_capitals(name: str) -> bool:
    """Whether a name is one by the standard: it has capitals, and no letter that is none."""
    return name.isupper() and not _has_caseless(name)


def may_be_caseless_name(name: str) -> bool:
    """Whether a name in a script without capitals (Chinese, Japanese, Korean and others) could be one by its form.

    At most 20 characters and 3 words, and no punctuation but the dot inside foreign names. That alone makes no cue: the
    line has to begin a paragraph and be followed by another at once, and beyond that either

    - the name is forced with `@` elsewhere or stands in the cast list of the title page,
    - it stands so in two places or more, or
    - the next line is a parenthetical and a speech follows it.
    """
    return (
        len(name) <= _NAME_CHARS_MAX
        and len(name.split()) <= _NAME_WORDS_MAX
        and _has_caseless(name)
        and not _NOT_IN_NAMES.search(name)
    )


def _has_caseless(name: str) -> bool:
    return not name.isascii() and any(unicodedata.category(char) == "Lo" for char in name)
