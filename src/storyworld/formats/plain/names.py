"""What stands at the head of a line: names as cues have them, in each layout that scripts use.

| layout | written as |
|---|---|
| `ALONE` | the name on a line of its own above the speech: `HAMLET`, `HAMLET.`, `Hamlet:`, `小红：` |
| `COLON` | `NAME: text`, `Name (aside): text`, `甲：（笑）……`, `이름: 대사` |
| `STOP` | `NAME. text`, `NAME [aside]. text` |
| `DASH` | `翁──text`, `翁——text`, `NAME -- text` |
| `GAP` | `甲　text` (ideographic spaces), `이름   text` (two spaces or more, or a tab) |
| `QUOTE` | `名「text」`, `名（笑って）「text」`, `이름 “text”` |

Here is what a line could be read as; what it is read as, `layout` decides from the whole text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final


class Layout(Enum):
    """A way of telling who speaks."""

    ALONE = "alone"
    COLON = "colon"
    STOP = "stop"
    DASH = "dash"
    GAP = "gap"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Cue:
    """A line read in a layout: the name, where what is said or done begins in the line, and where the name ends."""

    layout: Layout
    name: str
    name_end: int
    rest: int


OPENING: Final = "（([［〔【"
CLOSING: Final = "）)]］〕】"
CLOSING_BY_OPENING: Final = dict(zip(OPENING, CLOSING, strict=True))
SEVERAL: Final = re.compile("、")
"""What stands between the names of those who speak at once, in scripts without case."""
TOGETHER: Final = re.compile(r"\s+(?:and|AND)\s+|\s*[&/]\s*")
"""The same between names in letters with capitals, which may also stand within a name."""
OPENING_QUOTES: Final = '「『“"'
CLOSING_QUOTES: Final = '」』”"'

_SPEECH_STARTS: Final = "…《〈?？!！"
_NAME_CHARS_MAX: Final = 40
_CASELESS_NAME_CHARS_MAX: Final = 14
_WORDS_MAX: Final = 6
_NAMES_KEPT: Final = 1_000
"""Few names head many lines, so what was found out about them is kept."""
_CASELESS_WORDS_MAX: Final = 3

_INSIDE: Final = (
    r"(?:（[^（）]{0,200}）|\([^()]{0,200}\)|\[[^\[\]]{0,200}\]|"
    r"［[^［］]{0,200}］|〔[^〔〕]{0,200}〕|【[^【】]{0,200}】)"
)
_HEAD: Final = re.compile(
    rf"(?P<name>[^:：。．！？!?「『“\"（(\[［〔【）)\]］〕】」』”─—―…《》〈〉]{{1,{_NAME_CHARS_MAX}}})"
)
_INSIDES: Final = re.compile(rf"(?:\s*{_INSIDE}){{0,4}}")
_COLON: Final = re.compile(r"\s*[:：]\s*")
_DASH: Final = re.compile(r"\s*(?:[─—―]{2,}|[―─]|--+)\s*")
_GAP: Final = re.compile(r"\u3000+\s*|\t\s*|[ ]{2,}")
_STOPPED: Final = re.compile(
    r"(?P<name>(?:(?:MR|MRS|MS|DR|ST|CAPT|REV|LT|SGT|COL|GEN|PROF|Mr|Mrs|Ms|Dr|St|Capt|Rev)\. )?"
    rf"[^\W\d_][\w'’\- ]{{0,{_NAME_CHARS_MAX - 1}}}(?:, [A-Z][A-Z ]{{1,20}})?)(?P<inside>(?:\s*{_INSIDE}){{0,2}})\s*\."
    r"(?:\s*[-—–―─]+\s*|\s+|\Z|(?=[\[(]))"
)
# Titles whose full stop ends no name, words that begin many lines of prose, and words that label a line.
_NO_NAMES: Final = frozenset(
    "mr mrs ms dr st messrs capt rev lt sgt col gen prof jr sr no yes oh ah well why what now then so but and i o "
    "ay aye nay come good not never note notes nb ps title author by written setting scene time place act cast "
    "characters contents page chapter part volume source copyright date draft contact the it he she they we you "
    "who where when how there here this that still yet if for or also thus first second third next finally lastly "
    "summary warning example answer question 时间 時間 时 時 地点 地點 地 所 处 處 処 场所 場所 とき ところ 때 곳 "
    "장소 시간 무대 배경 舞台 布景 情景 背景 人物 登场人物 登場人物 人 角色 등장인물 나오는사람 나오는사람들 注意 "
    "注 注释 备注 備考 例 例如 比如 如下 其一 其二 总之 作者 作 编剧 編劇 原作 导演 剧名 劇名 标题 题目 제목 작가 "
    "지은이 주의 참고 例えば 注記 作品名 底本 入力 校正 幕 完 終".split()
)
# What ends the words before a quotation in prose: verbs of speaking, and particles that follow a name.
_TOLD: Final = re.compile(
    r"(?:说|說|道|问|問|答|喊|叫|想|曰|笑|着|著|了|地|的|如下)\Z|(?:は|が|を|に|で|て|から|まで|など)\Z|"
    r"(?:[\u30a0-\u30ff\u4e00-\u9fff](?:と|も|の|へ|た|だ))\Z|\s\S*(?:다|며|고|면서)\Z|(?:에게|에서|라고|하고)\Z"
)
# `그가 말하자 “…”`; but 젊은 순자 and 그 남자 on lines of their own are names.
_TOLD_IN_LINE: Final = re.compile(r"\s\S*자\Z")
_SMALL_WORDS: Final = frozenset("of the and de du von van der la le to a an in with or von".split())
_NUMBER_WORD: Final = re.compile(r"(?:[0-9]{1,3}|[IVX]{1,4})\Z")
_NOT_IN_CASELESS: Final = re.compile(r"[,，;；。/\\|+*=<>@{}%$^~]")
_PUNCTUATION: Final = re.compile(r"[;；。?!{}|<>=@#%$^~*\\]")


_SHOWN: Final = re.compile(
    r"[△▲▽▼]\s*(?=\S)|(?=(?:SFX|FX|F/X|SOUND|MUSIC|SUPER|音效|音响|音響|音乐|音樂|音楽|字幕|效果音?|効果音?|ＳＥ|SE|"
    r"テロップ|자막|음향|음악|효과음)(?:\s+[A-Z0-9]+)?\s*[:：])"
)


def shown_from(text: str) -> int | None:
    """Where the text begins of a line that is marked as something to be seen or heard, and not spoken by anybody:
    `△雨。`, `SFX: A DOOR`, `字幕：三天后`. None for any other line.
    """
    mark = _SHOWN.match(text)
    return mark.end() if mark is not None else None


def cues_of(text: str) -> tuple[Cue, ...]:
    """Every way in which a line could name a speaker, one for each layout at most."""
    found: list[Cue] = []
    stopped = _STOPPED.match(text)
    if stopped is not None and may_be_name(stopped["name"]):
        layout = Layout.ALONE if stopped.end() == len(text) else Layout.STOP
        found.append(Cue(layout, stopped["name"].strip(), stopped.end("name"), stopped.end("name")))
    head = _HEAD.match(text)
    if head is None:
        return tuple(found)
    run = head["name"]
    # A gap before what no name has in it: it parts the name from a speech that begins so.
    parted = len(run) < len(text) and text[len(run)] in _SPEECH_STARTS
    gap = _GAP.search(run if parted else run.rstrip())
    if gap is not None and gap.start() > 0 and may_be_name(run[: gap.start()]):
        found.append(Cue(Layout.GAP, run[: gap.start()].strip(), gap.start(), gap.end()))
    dashes = run.find("--")
    if dashes > 0:
        run = run[:dashes]
    if not may_be_name(run):
        return tuple(found)
    name, name_end = run.strip(" \t\u3000."), len(run.rstrip())
    insides = _INSIDES.match(text, name_end)
    after = insides.end() if insides is not None else name_end
    return (*found, *_separated(text, name, name_end, after))


def _separated(text: str, name: str, name_end: int, after: int) -> list[Cue]:
    """The readings of a line whose name is set apart by what follows it and its brackets."""
    colon = _COLON.match(text, after)
    if colon is not None:
        layout = Layout.COLON if colon.end() < len(text) else Layout.ALONE
        return [Cue(layout, name, name_end, name_end)]
    if after > name_end and _GAP.match(text, name_end):
        return [Cue(Layout.GAP, name, name_end, name_end)]
    if not text[after:].strip():
        return [Cue(Layout.ALONE, name, name_end, name_end)]
    rest = len(text) - len(text[after:].lstrip())
    if text[rest] in OPENING_QUOTES:
        return [Cue(Layout.QUOTE, name, name_end, name_end)]
    dash = _DASH.match(text, after)
    if dash is not None and dash.end() < len(text):
        return [Cue(Layout.DASH, name, name_end, name_end)]
    # A gloss in brackets follows words of prose as well, so either the name or the gap has to be a plain one.
    if after > name_end and _GAP.match(text, after):
        return [Cue(Layout.GAP, name, name_end, name_end)]
    if after > name_end and name.isupper():
        return [Cue(Layout.STOP, name, name_end, name_end)]
    return []


def said_from(text: str, cue: Cue) -> str:
    """What follows the name: its brackets and the speech, without the mark between them."""
    if cue.rest > cue.name_end:
        return text[cue.rest :].strip()
    insides = _INSIDES.match(text, cue.name_end)
    after = insides.end() if insides is not None else cue.name_end
    between = text[cue.name_end : after].strip()
    rest = text[after:]
    if cue.layout in (Layout.COLON, Layout.ALONE):
        colon = _COLON.match(rest)
        rest = rest[colon.end() :] if colon is not None else rest.lstrip(" .")
    elif cue.layout is Layout.DASH:
        dash = _DASH.match(rest)
        rest = rest[dash.end() :] if dash is not None else rest
    elif cue.layout is Layout.STOP:
        rest = rest.lstrip().removeprefix(".").lstrip(" -—–―─")
    return f"{between} {rest.strip()}".strip()


@lru_cache(maxsize=_NAMES_KEPT)
def key_of(name: str) -> str:
    """What all spellings of a name share."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(folded.split()).strip(".．。:：")


def is_cased(name: str) -> bool:
    """Whether a name is in letters that know capitals."""
    return any(char.isupper() or char.islower() for char in name)


@lru_cache(maxsize=_NAMES_KEPT)
def may_be_name(run: str) -> bool:
    """Whether a run of characters has the form of a name: few words, no punctuation of sentences, no word that is none.

    In letters with capitals each word begins with one, but for small words and numbers; else it is short.
    """
    name = run.strip()
    words = name.split()
    if not words or key_of(name) in _NO_NAMES or _PUNCTUATION.search(name):
        return False
    if not is_cased(name):
        letters = sum(unicodedata.category(char) == "Lo" for char in name)
        if not letters or len(name) > _CASELESS_NAME_CHARS_MAX or len(words) > _CASELESS_WORDS_MAX:
            return False
        return not _NOT_IN_CASELESS.search(name)
    if len(words) > _WORDS_MAX or not unicodedata.category(name[0]).startswith("L"):
        return False
    return all(not word[0].islower() or word.casefold() in _SMALL_WORDS or _NUMBER_WORD.match(word) for word in words)


def is_told(cue: Cue) -> bool:
    """Whether a name reads like prose before a quotation: `他说：`, `彼は「`, `그가 말했다:`."""
    name = cue.name.strip()
    return bool(_TOLD.search(name) or (cue.layout is not Layout.ALONE and _TOLD_IN_LINE.search(name)))
