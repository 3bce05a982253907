"""Texts without meaning in several scripts, for generated stories: drawn words, and fillings of an exact length.

It owns the words. It must not know what a text is for or how long it may be.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from storyworld.core.playtest.draws import Draws


class Script(NamedTuple):
    """A way of writing: a language tag of BCP 47, its words, and what stands between them."""

    language: str
    words: tuple[str, ...]
    between: str


SCRIPTS: Final[Mapping[str, Script]] = {
    "en": Script("en", tuple("salt road lamp river nobody asked twice before dark the door stays shut".split()), " "),
    "zh": Script("zh-Hans", ("盐路", "河水", "没有人", "天黑之前", "问了两遍", "门", "关着", "灯笼", "他说"), ""),
    "zh-Hant": Script("zh-Hant", ("鹽路", "河水", "沒有人", "天黑之前", "問了兩遍", "門", "關著", "燈籠", "她說"), ""),
    "ja": Script("ja", ("塩の道", "川は", "だれも", "暗くなる前に", "ドアを", "閉めた", "ランプ", "尋ねた"), ""),
    "ko": Script("ko", tuple("소금길 강물이 아무도 어두워지기 전에 문을 닫았다 등불 물었다".split()), " "),
    "emoji": Script("en", ("🌧", "🧂", "🚌", "🎺", "🛣", "🔑", "🕯", "👣"), ""),
}
"""The scripts by name. Characters of `zh`, `zh-Hant` and `ja` take 3 bytes of UTF-8, those of `emoji` 4."""

# What a text may hold without being any longer or shorter for it than it was meant.
_ODDITIES: Final = (
    "\n", "\t", "\r\n", '"', "\\", "</", "{{", "\u200b", "\u00a0", "e\u0301", "𠮷", "👩\u200d🚀", "『", "؟", "%s"
)  # fmt: skip


def phrase(draws: Draws, script: Script, chars_max: int) -> str:
    """A text of at least one character that is not white space and, white space around it aside, so many at the most.

    Now and then it is odd: with line breaks, quotes or unusual characters in it, white space around it, or full length.
    """
    if draws.once_in(40):
        return filling(script, draws.below(100), chars_max)
    words = [draws.pick(script.words) for _ in range(draws.between(1, 9))]
    if draws.once_in(8):
        words.insert(draws.between(1, len(words)), draws.pick(_ODDITIES))
    text = script.between.join(words)[:chars_max]
    if draws.once_in(12):
        return f" {text}\r\n"
    return text


def filling(script: Script, start: int, chars: int) -> str:
    """A text of exactly so many code points, at least one; its ends are no white space, which would be trimmed."""
    turn = start % len(script.words)
    words = (*script.words[turn:], *script.words[:turn])
    row = script.between.join(words) + script.between
    text = (row * (chars // len(row) + 1))[:chars]
    return text[:-1] + script.words[0][0] if text[-1].isspace() else text
