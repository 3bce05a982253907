"""Lines that divide a play: acts, scenes, and the curtain between them, in four languages.

| written as | is |
|---|---|
| `ACT I`, `Act One. In town`, `THE FIRST ACT`, `Act the Second`, `PROLOGUE`, `EPILOGUE`, `INDUCTION` | act |
| `第一幕`, `第二幕　海岸`, `第一折`, `楔子`, `序幕`, `尾声`, `プロローグ` | act |
| `제1막`, `2막`, `〈제4막〉`, `서막`, `종막`, `프롤로그` | act |
| `SCENE II. A wood`, `Scene Two: …`, `Act I, Scene II` | scene (the last: act and scene) |
| `第一场`, `第2場　居間`, `第三景`, `第一幕第二场`, `シーン１` | scene (the third: act and scene) |
| `제2장`, `1장`, `1막 2장`, `1. 1장`, `제1경` | scene (the third: act and scene) |
| `INT. …`, `内景 …`, `S#1`, `○病院・昼` and what else `fountain_headings` knows | scene |
| `一`, `(二)`, `3.`, `IV` alone on a line, where such lines count up from one | scene |
| `CURTAIN`, `THE END`, `――幕――`, `（幕）`, `剧终`, `막`, `끝`, `暗転` | transition |

A number has to end the heading or to be followed by a mark or white space, so that a sentence that begins with one is
none. Brackets, dashes and hashes around a heading are not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.formats.fountain_headings import has_circle, is_scene_heading, is_transition, without_circle
from storyworld.formats.plain.source import SourceLine

_HEADING_COLUMNS_MAX: Final = 160
_ORDINAL: Final = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:the\s+)?(?:first|second|third|fourth|fifth|"
    r"sixth|seventh|eighth|ninth|tenth|last)|[0-9]{1,3}|[ivxlcIVXLC]{1,7})"
)
_AFTER: Final = r"(?=\Z|[.,:;\-–—(\[]|\s+(?:[^a-z\s]|scene\b))"
_HAN_NUMBER: Final = r"[0-9０-９零〇一二三四五六七八九十百两兩終终首末]{1,5}"
_HAN_AFTER: Final = r"(?=\Z|[\s.．。、,，:：;；·・\-–—―─（(\[［〔【])"
_KOREAN_NUMBER: Final = r"[0-9０-９一二三四五六七八九十]{1,3}|[일이삼사오육칠팔구십]{1,2}"

_FIRST_TO_LAST: Final = r"(?:THE\s+)?(?:FIRST|SECOND|THIRD|FOURTH|FIFTH|LAST)"
# A sentence may begin so as well, but goes on in lower case.
_ACT_WORD: Final = (
    rf"(?:(?i:ACT\s+{_ORDINAL}|{_FIRST_TO_LAST}\s+ACT){_AFTER}|"
    r"(?i:(?:THE\s+)?(?:PROLOGUE|EPILOGUE|INDUCTION|INTERLUDE)(?=\W*\Z)))"
)
_SCENE_WORD: Final = rf"(?i:SCENE\s+{_ORDINAL}|{_FIRST_TO_LAST}\s+SCENE){_AFTER}"
_HAN_ACT: Final = (
    rf"(?:第\s?{_HAN_NUMBER}\s?(?:幕|折|出|齣|部)|"
    r"序幕|楔子|序曲|序章|終章|终章|尾声|尾聲|終幕|终幕|プロローグ|エピローグ)"
)
_HAN_SCENE: Final = (
    rf"(?:第\s?{_HAN_NUMBER}\s?(?:场|場|景|节|節)|(?:シーン|場面)\s?{_HAN_NUMBER}|序场|序場|"
    r"[SＳ]\s?[#＃]\s?[0-9０-９]{1,4})"
)
_KOREAN_ACT: Final = rf"(?:제\s?(?:{_KOREAN_NUMBER})\s?막|(?:{_KOREAN_NUMBER})\s?막|서막|종막|프롤로그|에필로그)"
_KOREAN_SCENE: Final = rf"(?:제\s?(?:{_KOREAN_NUMBER})\s?(?:장|경)|[0-9]{{1,3}}\s?(?:장|경)(?=\W*\Z))"

_ACT: Final = re.compile(
    rf"(?:{_ACT_WORD}|{_HAN_ACT}(?:{_HAN_AFTER}|(?={_HAN_SCENE}))|{_KOREAN_ACT}{_HAN_AFTER})[\s.,:;、，：·・\-–—―─]*"
)
_SCENE: Final = re.compile(
    rf"(?:[0-9]{{1,3}}[.)]\s*)?(?:{_SCENE_WORD}|{_HAN_SCENE}{_HAN_AFTER}|{_KOREAN_SCENE}{_HAN_AFTER})"
)
_AROUND: Final = " \t\u3000〈〉《》<>[]［］【】〔〕=*＊~～─━―—–-○◯"
_NUMBER_ALONE: Final = re.compile(
    r"[(（〔\[]?\s*(?:(?P<han>[一二三四五六七八九十]{1,3})|(?P<figure>[0-9０-９]{1,2})(?P<stop>[.．、)）])|"
    r"(?P<roman>[IVX]{1,5})[.]?)\s*[)）〕\].．、]?\s*"
)
_CURTAIN: Final = re.compile(
    r"(?:(?:SLOW\s+|QUICK\s+)?CURTAIN(?:\s+FALLS)?|THE\s+CURTAIN\s+FALLS|(?:THE\s+)?END(?:\s+OF\s+(?:THE\s+)?"
    rf"(?:PLAY|(?:ACT|SCENE)\s+{_ORDINAL}|(?:FIRST|SECOND|THIRD|FOURTH|FIFTH)\s+ACT))?|FINIS|BLACKOUT|"
    r"ACT DROP|幕|閉幕|闭幕|幕落|幕下|落幕|剧终|劇終|全剧终|全劇終|完|了|終|终|終わり|おわり|おしまい|"
    r"막|암전|끝|막이 내린다|"
    r"第[一二三四五六七八九十]{1,3}[幕场場](?:完|终|終))",
    re.IGNORECASE,
)
_CURTAIN_AROUND: Final = _AROUND + "()（）.。．…・·◆■「」"
_SLUG_COLUMNS_MAX: Final = 60
_SAID: Final = re.compile("[「」『』“”。！？!?:：]")
_FIGURES: Final = {figure: at for at, figure in enumerate("一二三四五六七八九", start=1)}
_ROMANS: Final = {"I": 1, "V": 5, "X": 10}


@dataclass(frozen=True, slots=True)
class Heading:
    """What a line divides the play into: the act that it begins, and the scene; at least one of them is there."""

    act: str | None
    scene: str | None


def heading_of(line: SourceLine, *, alone: bool) -> Heading | None:
    """The heading that a line is, if it is one; `alone` where an empty line or the end follows and one went before."""
    if line.width > _HEADING_COLUMNS_MAX:
        return None
    text = without_circle(line.text).strip(_AROUND) or line.text
    act = _ACT.match(text)
    if act is not None:
        rest = text[act.end() :]
        if rest and _SCENE.match(rest):
            return Heading(_tidy(act[0]), _tidy(rest))
        return Heading(_tidy(text), None)
    if _SCENE.match(text):
        return Heading(None, _tidy(text))
    if line.marked:
        return Heading(None, _tidy(text))
    if has_circle(line.text) and line.width <= _SLUG_COLUMNS_MAX and not _SAID.search(line.text):
        return Heading(None, _tidy(text))
    if is_scene_heading(line.text, alone=alone) and not line.text.endswith(("」", "”", "』")):
        return Heading(None, _tidy(text))
    return None


def _tidy(text: str) -> str:
    return text.strip(_AROUND + ".:：,，、;；．") or text.strip()


def transition_of(line: SourceLine, *, alone: bool) -> str | None:
    """What a line that ends a scene says: a curtain, the end of the play, or a transition of a screenplay."""
    if line.width > _HEADING_COLUMNS_MAX:
        return None
    text = line.text.strip(_CURTAIN_AROUND)
    # A curtain is set in capitals, or it is a word like others.
    curtain = _CURTAIN.fullmatch(text)
    if curtain is not None and (not text.isascii() or text.isupper() or text.istitle()):
        return text
    return line.text.strip("()（）") if is_transition(line.text, alone=alone) else None


def counted_lines(lines: Sequence[SourceLine]) -> frozenset[int]:
    """The numbers of the lines that hold a number alone and together count up from one, two at least."""
    found: list[int] = []
    expected = 1
    for line in lines:
        number = _number(line.text) if line.fresh else None
        if number == expected or (number == 1 and found):
            # Each act may begin to count anew.
            expected = number + 1
            found.append(line.number)
    return frozenset(found) if len(found) > 1 else frozenset()


def _number(text: str) -> int | None:
    match = _NUMBER_ALONE.fullmatch(text)
    if match is None:
        return None
    if match["figure"]:
        return int(match["figure"])
    if match["roman"]:
        return _roman(match["roman"])
    tens, ten, ones = match["han"].rpartition("十")
    if any(part not in _FIGURES for part in (*tens, *ones)) or len(tens) > 1 or len(ones) > 1:
        return None
    return (_FIGURES.get(tens, 1) * 10 if ten else 0) + _FIGURES.get(ones, 0)


def _roman(text: str) -> int:
    values = [_ROMANS[char] for char in text]
    return sum(-value if value < max(values[at:]) else value for at, value in enumerate(values))
