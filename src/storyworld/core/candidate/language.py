"""Which language a script is in, told from its writing: for what a package has to say and the script does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

UNDETERMINED: Final = "und"
"""The tag of BCP 47 for a language that is not known."""

_LOOKED_AT_CHARS: Final = 20_000
_KANA: Final = re.compile(r"[\u3041-\u30ff]")
_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]")
_HAN: Final = re.compile(r"[\u3400-\u9fff]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile(r"[A-Za-z\u00c0-\u024f]+")

# One in so many characters of East Asian writing is enough to tell its language: Japanese and Korean texts hold Chinese
# characters, Chinese texts hold a Japanese name now and then.
_SHARE_MIN: Final = 0.1

_HEARD_MIN: Final = 3
"""So many small words of another language than English have to be heard: `no` is a word of several."""

_SMALL_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "de": frozenset("der die das und ist nicht ich du ein eine zu mit den sie wir".split()),
    "en": frozenset("the and to of a you is in that it for what with are i this be not".split()),
    "es": frozenset("el la los que y en un una es no por con se su lo para".split()),
    "fr": frozenset("le la les et de un une est que je vous pas il dans ce pour".split()),
    "it": frozenset("il lo la che di e un una non sono per con mi si gli del".split()),
    "pt": frozenset("o a os que e de um uma não em para com se por você eu".split()),
}
"""The commonest small words of languages in Latin script; those that two languages share help neither."""


def language_of(texts: Iterable[str]) -> str:
    """The tag (BCP 47) of the language that these texts are in, told from their first 20,000 characters.

    `ja`, `ko`, `zh-Hans` and `zh-Hant` by their characters; English, French, German, Italian, Portuguese and Spanish by
    their small words. A text in plain Latin letters that is too short to tell is taken for English; another is `und`.
    """
    looked_at = _beginning(texts)
    kana, hangul, han = (len(script.findall(looked_at)) for script in (_KANA, _HANGUL, _HAN))
    east_asian = kana + hangul + han
    words = _WORD.findall(looked_at.casefold())
    latin = [word for word in words if _LATIN.fullmatch(word)]
    if east_asian > len(latin):
        if hangul >= _SHARE_MIN * east_asian and hangul >= kana:
            return "ko"
        return "ja" if kana >= _SHARE_MIN * east_asian else _chinese(looked_at)
    if 2 * len(latin) < len(words):
        return UNDETERMINED
    return _latin(latin)


def _beginning(texts: Iterable[str]) -> str:
    taken: list[str] = []
    room = _LOOKED_AT_CHARS
    for text in texts:
        if room <= 0:
            break
        taken.append(text[:room])
        room -= len(text)
    return "\n".join(taken)


def _chinese(text: str) -> str:
    """Simplified where more of the characters stand in the simplified national set alone than in the traditional one
    alone.
    """
    simplified = traditional = 0
    for character in _HAN.findall(text):
        in_gb2312, in_big5 = _encodes(character, "gb2312"), _encodes(character, "big5")
        simplified += in_gb2312 and not in_big5
        traditional += in_big5 and not in_gb2312
    return "zh-Hant" if traditional > simplified else "zh-Hans"


def _encodes(character: str, encoding: str) -> bool:
    return character.encode(encoding, errors="ignore") != b""


def _latin(words: list[str]) -> str:
    found = Counter(words)
    heard = {tag: sum(found[word] for word in small) for tag, small in _SMALL_WORDS.items()}
    best = max(heard, key=lambda tag: heard[tag])
    if heard[best] > heard["en"] and heard[best] >= _HEARD_MIN:
        return best
    plain = all(word.isascii() for word in words)
    return "en" if heard["en"] or plain else UNDETERMINED
