"""What a model thinks and does not say: reasoning between tags, and channels that are not the final one.

It owns the spellings of these tags. What it cannot tell apart from reasoning it takes for reasoning: a character must
not speak its thoughts, and so neither what follows a tag that is never closed nor what precedes one that was never
opened is ever said.
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = (
    "think|thinking|thinks|thought|thoughts|think_process|thinking_process|thought_process|reason|reasoning"
    "|reasoning_content|reflect|reflection|analysis|analyze|scratchpad|internal|internal_thoughts|inner_thoughts"
    "|inner_monologue|monologue|chain_of_thought|cot|planning|deliberation|思考|思考过程|思维|思维链|推理|分析|内心独白"
    "|推論|생각|추론"
)
_NAMED: Final = rf"\s{{0,3}}(?:[a-z]{{1,10}}:|ant)?(?:{_NAMES})(?![\w-])"
_REST: Final = r"""[^<>＜＞◁▷{}\[\]]{0,200}?"""
_LEFT: Final = "(?:[<＜◁]|&lt;)"
_RIGHT: Final = r"\s{0,3}(?:[>＞▷]|&gt;)"
_WORD: Final = "(?:thought|thoughts|think|thinking|reasoning)"
_BAR: Final = "[|｜]"
_GAP: Final = r"[_▁\s]"

_CLOSE: Final = "|".join(
    (
        rf"{_LEFT}\s{{0,3}}\\{{0,2}}/{_NAMED}{_REST}{_RIGHT}",
        rf"<{_BAR}(?:/{_WORD}|end{_GAP}(?:of{_GAP})?{_WORD}|{_WORD}{_GAP}end){_BAR}>",
        r"\[\\{0,2}/(?:THINK|REASONING)\]",
        r"<channel\|>",
        "<unused95>",
    )
)
_ALONE: Final = rf"{_LEFT}{_NAMED}{_REST}/{_RIGHT}"
_OPEN: Final = "|".join(
    (
        rf"{_LEFT}{_NAMED}{_REST}{_RIGHT}",
        rf"<{_BAR}(?:{_WORD}|(?:start|begin){_GAP}(?:of{_GAP})?{_WORD}|{_WORD}{_GAP}(?:start|begin)){_BAR}>",
        r"\[(?:THINK|REASONING)\]",
        r"<\|channel>",
        "<unused94>",
    )
)
_TAG: Final = re.compile(rf"(?P<close>{_CLOSE})|(?P<alone>{_ALONE})|(?P<open>{_OPEN})", re.IGNORECASE)
# Every tag begins like this, and hardly any reply holds as much as that: looking for it first spares the long search.
_MAY_BE_TAG: Final = re.compile(r"<|＜|◁|&lt;|\[(?:[\\/]|TH|RE)", re.IGNORECASE)
# Taking a tag away can bring the halves of another one together; who nests them deeper has nothing to say.
_ROUNDS: Final = 4

_CHANNEL_MARK: Final = re.compile(r"<\|(?:channel|message)\|>")
_CHANNEL: Final = re.compile(
    r"(?:<\|channel\|>|\A)\s{0,9}([a-z]{1,20})((?!<\|(?:message|channel|start)\|>)[\s\S]){0,200}<\|message\|>"
)
_CHANNEL_END: Final = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
# The same channels when their marks were lost on the way: `analysisNell answers.assistantfinal{…}`.
_BARE_CHANNEL: Final = re.compile(r"\s{0,9}(?:analysis|commentary)(?=[^\sa-z])")
_BARE_FINAL: Final = "assistantfinal"


def without_reasoning(text: str) -> str:
    """The text without reasoning, of which nothing is kept. It is the same text where there is none."""
    text = _final_channel(text)
    for _ in range(_ROUNDS):
        if not _has_tag(text):
            return text
        text = _outside_tags(text)
    return "" if _has_tag(text) else text


def _has_tag(text: str) -> bool:
    return _MAY_BE_TAG.search(text) is not None and _TAG.search(text) is not None


def is_reasoning_name(name: str) -> bool:
    """Whether a key of an object is named like a reasoning tag."""
    return name in _KEY_NAMES


_KEY_NAMES: Final = frozenset(name.replace("_", "") for name in _NAMES.split("|"))


def _outside_tags(text: str) -> str:
    kept: list[str] = []
    depth = at = 0
    for tag in _TAG.finditer(text):
        if depth == 0:
            kept.append(text[at : tag.start()])
        at = tag.end()
        if tag["open"]:
            depth += 1
        elif tag["close"] and depth:
            depth -= 1
        elif tag["close"]:
            kept.clear()
    if depth == 0:
        kept.append(text[at:])
    return "".join(kept)


def _final_channel(text: str) -> str:
    """The messages of the final channel; all of the text where no channel is named."""
    mark = _CHANNEL_MARK.search(text)
    if mark is None:
        if _BARE_CHANNEL.match(text) is None:
            return text
        return text.rpartition(_BARE_FINAL)[2] if _BARE_FINAL in text else ""
    finals = []
    for header in _CHANNEL.finditer(text):
        if header[1] == "final":
            end = _CHANNEL_END.search(text, header.end())
            finals.append(text[header.end() : len(text) if end is None else end.start()])
    return "\n".join(finals)
