"""Lines that stand alone in a script: where a scene begins and how it gives way to the next, in four languages.

The standard knows `INT`, `EXT` and their like, and `TO:`. What Chinese, Japanese and Korean scripts write instead is
ours. Those lines say less of themselves, so they count only where they stand alone between empty lines, are short and
end like no sentence.
"""

from __future__ import annotations

import re
from typing import Final

from storyworld.formats.fountain_text import mask, trim

_CHARS_MAX: Final = 40
"""A longer line is no heading by our own rules: it tells more than a place and a time."""
_TRANSITION_CHARS_MAX: Final = 60

_NUMBER: Final = "[0-9０-９]+|[零〇一二三四五六七八九十百两兩]+"
_GAP: Final = r"[\s.。．:：·・／/—–\-－]"
_TIME_GAP: Final = r"[\s·・／/—–\-－]"

_PREFIX: Final = r"(?:INT\.?\s?/\s?EXT|EXT\.?\s?/\s?INT|INT|EXT|EST|I\s?/\s?E)"
_STANDARD: Final = re.compile(rf"{_PREFIX}[. ]", re.IGNORECASE)
# With the number of a shooting script before it, or with the full stop of a Chinese keyboard.
_LIKE_STANDARD: Final = re.compile(rf"(?:[0-9]{{1,4}}[A-Z]?[.)]?\s{{1,8}})?{_PREFIX}(?:[.。．]|\s)", re.IGNORECASE)
_INSIDE: Final = "(?:内外|內外|室内|室內|室外|内|內|外)"
_PLACED: Final = re.compile(
    rf"(?:(?:{_NUMBER})\s?[.．、)）]?\s*)?"
    rf"{_INSIDE}(?:\s?[/／]\s?{_INSIDE})?(?:景?(?:{_GAP}|\Z)|景(?=.{{0,30}}[日夜晨昏晚]\Z))"
)
_NUMBERED: Final = re.compile(rf"第\s?(?:{_NUMBER})\s?[场場]{_GAP}|第\s?(?:{_NUMBER})\s?[场場]\Z")
_NAMED: Final = re.compile(
    rf"(?:场景|場景|シーン|장면|씬|신)\s?(?:{_NUMBER})(?:{_GAP}|\Z)|(?:场景|場景|シーン|장면)\s?[:：]"
)
_SEQUENCE: Final = re.compile(r"[SＳ]\s?[#＃]\s?[0-9０-９]+")
_MARKED: Final = re.compile("|".join(pattern.pattern for pattern in (_PLACED, _NUMBERED, _NAMED, _SEQUENCE)))
_CIRCLE: Final = re.compile(r"[○◯〇]\s*(?=[^\s○◯〇])")
# Words of a slug line as film and television write it: 1. 日 内 当铺, 1-2 长街 夜 外, 当铺/夜/内.
_SLUG_GAP: Final = re.compile(r"[\s·・/／、.．:：—–\-－()（）]+")
_SLUG_TIME: Final = (
    "(?:日|夜|晨|昏|晚|白天|夜晚|清晨|早晨|黎明|黄昏|黃昏|傍晚|上午|中午|下午|深夜|凌晨|昼|낮|밤|아침|저녁|새벽)"
)
_SLUG_WORD: Final = re.compile(
    rf"(?P<time>{_SLUG_TIME}景?)|(?P<inside>{_INSIDE}景?)|(?P<both>{_SLUG_TIME}景?{_INSIDE}景?|{_INSIDE}景?{_SLUG_TIME}景?)"
)
# A place, a gap and a time of day, with inside or outside before or after it: 咖啡馆 - 日, 客厅　夜　内, 病院・昼.
_TIMED: Final = re.compile(
    rf".{{1,30}}?{_TIME_GAP}\s*(?:{_INSIDE}景?{_TIME_GAP}*)?"
    r"(?:日|夜|晨|昏|晚|天|白天|夜晚|夜里|清晨|早晨|黎明|黄昏|黃昏|傍晚|上午|中午|下午|午后|深夜|凌晨|"
    r"朝|昼|夕方|夕|夜明け|낮|밤|아침|저녁|새벽)"
    rf"(?:{_TIME_GAP}*{_INSIDE}景?)?\Z"
)
_SENTENCE: Final = re.compile(r"[。！？!?…；;]|(?<![0-9０-９])[.．](?:\s|\Z)")

_CUT_TO: Final = "TO:"
_ENGLISH_TRANSITION: Final = re.compile(
    r"(?:FADE (?:IN|OUT|UP)|FADE TO (?:BLACK|WHITE)|CUT TO BLACK|(?:SMASH|MATCH|JUMP|HARD|QUICK|TIME) CUT|"
    r"(?:SLOW )?DISSOLVE|WIPE|IRIS (?:IN|OUT))[.:]"
)
_TRANSITION: Final = re.compile(
    r"[(（]?\s*(?:"
    "(?:渐渐|慢慢|缓缓)?(?:淡入|淡出|切入|切出|切至|切到|切换|切換|切回|跳切|溶入|溶出|溶至|溶暗|溶明|化入|化出|叠化|疊化|叠印|"
    "划入|划出|划至|渐隐|渐显|黑屏|黑场|黑場|转场|轉場)|淡入淡出|画面渐暗|"
    "フェード・?イン|フェード・?アウト|カット|カット・?イン|カット・?バック|カット・?アウト|ディゾルブ|オーバー・?ラップ|"
    "ワイプ|暗転|明転|溶暗|溶明|"
    "컷|컷 ?투|페이드 ?인|페이드 ?아웃|디졸브|오버랩|와이프|암전|"
    "[FＦ][.．・][IOＩＯ]|[OＯ][.．・][LＬ]|[CＣ][.．・][OIＯＩ]|[WＷ][.．・][IOＩＯ]"
    r")\s*[.．。:：…]*\s*[)）]?[.．。]?"
)


def is_scene_heading(line: str, *, alone: bool) -> bool:
    """Whether a trimmed line begins a scene without being forced to; `alone` where an empty line or the end follows.

    | written as | needs to stand alone |
    |---|---|
    | `INT. X`, `ext X`, `EST. X`, `INT./EXT. X`, `I/E X`, `INT。 X`, `12 INT. X` | no |
    | `内景 X`, `外景。X`, `内/外 X`, `1. 内景 X`, `内景X 日` | yes |
    | `第三场`, `第3场 X`, `场景：X`, `场景 3`, `シーン2`, `장면 1`, `씬 3` | yes |
    | `S#12. X`, `○病院・昼` | yes |
    | a time of day and inside or outside as words: `1. 日 内 X`, `1-2 X 夜 外`, `X　夜　内` | no |
    | a place, a gap and a time of day: `X - 日`, `X / 밤` | yes |
    """
    if _LIKE_STANDARD.match(line):
        return True
    if len(line) > _CHARS_MAX:
        return False
    if not line.isascii() and _is_slug_line(line):
        return True
    if not alone:
        return False
    if _MARKED.match(line):
        return not line.endswith(("。", "！", "？"))
    if line.isascii() or _SENTENCE.search(line):
        return False
    return bool(_CIRCLE.match(line) or _TIMED.fullmatch(line))


def _is_slug_line(line: str) -> bool:
    """Whether a line has a time of day and inside or outside among its words, beside a place or a number."""
    words = [word for word in _SLUG_GAP.split(line) if word]
    found = [match for word in words if (match := _SLUG_WORD.fullmatch(word)) is not None]
    told = {kind for match in found for kind, word in match.groupdict().items() if word}
    return len(words) > len(found) and ("both" in told or {"time", "inside"} <= told) and not _SENTENCE.search(line)


def is_standard_heading(line: str) -> bool:
    """Whether every program that knows the standard reads a trimmed line as a scene heading."""
    return bool(_STANDARD.match(line))


def without_scene_number(line: str) -> str:
    """A trimmed heading without the number at its end (`#12A#`); escapes and emphasis stay."""
    masked = mask(line)
    start = masked.rfind("#", 0, -1) if masked.endswith("#") else -1
    number = masked[start + 1 : -1]
    if start <= 0 or not number or any(char.isspace() for char in number):
        return line
    return trim(line[:start])


def has_circle(line: str) -> bool:
    """Whether a line begins with the circle that marks a heading in Japanese scripts."""
    return bool(_CIRCLE.match(line))


def without_circle(line: str) -> str:
    """A heading without the circle that marks one in Japanese scripts."""
    return _CIRCLE.sub("", line, count=1) if _CIRCLE.match(line) else line


def is_transition(line: str, *, alone: bool) -> bool:
    """Whether a trimmed line is a transition without being forced to: in capitals and ending with `TO:`, or known.

    One that ends with `TO:` counts even if text follows at once: nobody is named so.
    """
    if len(line) > _TRANSITION_CHARS_MAX:
        return False
    if line.endswith(_CUT_TO):
        return line.isupper()
    return alone and bool(_ENGLISH_TRANSITION.fullmatch(line) or _TRANSITION.fullmatch(line))
