"""Which roles a message names, by rules that know scripts and ask no model.

A name in a script without spaces (Chinese, Japanese, Thai and others; Korean too, whose particles follow without one)
is found anywhere in the text; a name in other scripts only as whole words. Longer names are found first and what they
cover is not searched again, so that 阿宁娘 is not also 阿宁.

Doubt means no: a message that names nobody leaves every role eligible, while a name found by mistake keeps the others
off the stage. These rules are ours; a world opts in with `focus: "mentions"`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

_TITLES = frozenset(
    "the old young little big dr mr mrs ms miss lady lord sir captain doctor father mother sister brother saint".split()
)
_UNSPACED = ("CJK ", "HIRAGANA", "KATAKANA", "HANGUL", "THAI ", "LAO ", "KHMER ", "MYANMAR ")
"""How Unicode names begin in scripts whose words follow each other without a space."""
_PART_LETTERS_MIN = 3
_UNSPACED_PART_LETTERS_MIN = 2
_COVERED = "\0"
# The dot of foreign names in Chinese, and its Japanese and bullet forms.
_BETWEEN_PARTS = re.compile(r"[\s·・‧•]+")


def mentioned_roles(text: str, names: Mapping[str, str]) -> frozenset[str]:
    """The ids of the roles that `text` names; `names` maps role id to display name.

    A role is named by its whole name, or by the first or last part of a name of several parts when no other role's name
    holds that part, it has at least 3 letters (2 in a script without spaces) and it is not a title. Case, width,
    compatibility forms, the form of an apostrophe and the amount of white space do not matter.
    Roles of one name are named together.
    """
    remaining = _fold(text)
    found: set[str] = set()
    roles_by_spelling = _spellings({role_id: _fold(name) for role_id, name in names.items()})
    for spelling, role_ids in sorted(roles_by_spelling.items(), key=lambda pair: (-len(pair[0]), pair[0])):
        at = _find(remaining, spelling)
        while at >= 0:
            found |= role_ids
            remaining = remaining[:at] + _COVERED * len(spelling) + remaining[at + len(spelling) :]
            at = _find(remaining, spelling)
    return frozenset(found)


def _spellings(names: Mapping[str, str]) -> dict[str, set[str]]:
    """What to look for, and whom it names."""
    parts = {role_id: [part.strip(".,'") for part in _BETWEEN_PARTS.split(name)] for role_id, name in names.items()}
    used = Counter(part for own in parts.values() for part in set(own))
    spellings: dict[str, set[str]] = {}
    for role_id, name in names.items():
        spellings.setdefault(name, set()).add(role_id)
        for part in (parts[role_id][0], parts[role_id][-1]):
            if used[part] == 1 and part not in _TITLES and len(part) >= _letters_min(part):
                spellings.setdefault(part, set()).add(role_id)
    return spellings


def _letters_min(part: str) -> int:
    return _UNSPACED_PART_LETTERS_MIN if _is_unspaced_name(part) else _PART_LETTERS_MIN


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
    if not _is_unspaced_name(spelling):
        return not (_joins(before) or _joins(after))
    # One character is a word, and a part of many words: it is a name only where it stands apart.
    return len(spelling) > 1 or not (_is_unspaced(before) or _is_unspaced(after))


def _joins(neighbour: str) -> bool:
    """Whether a neighbouring character would make a spaced-script name part of a longer word. Vowel signs do too."""
    letter = neighbour.isalnum() or (neighbour != "" and unicodedata.category(neighbour).startswith("M"))
    return letter and not _is_unspaced(neighbour)


def _is_unspaced_name(spelling: str) -> bool:
    return all(_is_unspaced(character) for character in spelling)


@lru_cache(maxsize=4096)
def _is_unspaced(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_UNSPACED) if character else False


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("’", "'").split())
