"""Which roles a message names, by rules that know scripts and ask no model.

A name in a script without spaces (Chinese, Japanese, Korean with its particles) is found anywhere in the text; a name
in other scripts only as whole words. Longer names are found first and what they cover is not searched again, so that
阿宁娘 is not also 阿宁. These rules are ours; a world opts in with `focus: "mentions"`.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

_TITLES = frozenset(
    "the old young little big dr mr mrs ms miss lady lord sir captain doctor father mother sister brother saint".split()
)
_PART_LETTERS_MIN = 3
_COVERED = "\0"


def mentioned_roles(text: str, names: Mapping[str, str]) -> frozenset[str]:
    """The ids of the roles that `text` names. `names` maps role id to display name.

    A role is named by its whole name, or by the first or last word of a name of several words when no other role's name
    holds that word, it has at least 3 letters and it is not a title. Case, width and compatibility forms do not matter.
    """
    remaining = _fold(text)
    found: set[str] = set()
    spellings = [(spelling, role_id) for role_id, name in names.items() for spelling in _spellings(name, names)]
    for spelling, role_id in sorted(spellings, key=lambda pair: (-len(pair[0]), pair)):
        at = _find(remaining, spelling)
        while at >= 0:
            found.add(role_id)
            remaining = remaining[:at] + _COVERED * len(spelling) + remaining[at + len(spelling) :]
            at = _find(remaining, spelling)
    return frozenset(found)


def _spellings(name: str, names: Mapping[str, str]) -> set[str]:
    words = _fold(name).split()
    spellings = {" ".join(words)}
    if len(words) > 1:
        used = Counter(word for other in names.values() for word in set(_fold(other).split()))
        for word in (words[0], words[-1]):
            bare = word.strip(".,'")
            if len(bare) >= _PART_LETTERS_MIN and bare not in _TITLES and used[word] == 1:
                spellings.add(bare)
    return spellings


def _find(text: str, spelling: str) -> int:
    at = text.find(spelling)
    while at >= 0:
        before = text[at - 1] if at else ""
        after = text[at + len(spelling) : at + len(spelling) + 1]
        if _may_stand(spelling, before, after):
            return at
        at = text.find(spelling, at + 1)
    return -1


def _may_stand(spelling: str, before: str, after: str) -> bool:
    if not all(_is_unspaced(character) for character in spelling):
        return not (_joins(before) or _joins(after))
    # A name of one character is a common word as well: it counts only where it stands apart.
    return len(spelling) > 1 or not (_is_unspaced(before) and _is_unspaced(after))


def _joins(neighbour: str) -> bool:
    """Whether a neighbouring character would make a spaced-script name part of a longer word."""
    return neighbour.isalnum() and not _is_unspaced(neighbour)


@lru_cache(maxsize=4096)
def _is_unspaced(character: str) -> bool:
    if not character:
        return False
    name = unicodedata.name(character, "")
    return name.startswith(("CJK ", "HIRAGANA", "KATAKANA", "HANGUL"))


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
