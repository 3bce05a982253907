"""The lines of a plain text: what belongs to the play, without marks of typesetting, and what belongs to the book.

Marks of Aozora Bunko (`《ruby》`, `｜`, `［＃notes］`), of Project Gutenberg (`_italics_`) and of Markdown (`*text*`,
`**text**`, `#`) go, and what transcripts put before a line: a time (`[00:01:05]`), a voice tag (`<v Ann>`), the number
of a cue that counts up. A line of nothing but marks is left out, as are legends, licences, colophons, tables of
contents and page numbers. Knows nothing of headings and casts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from storyworld.core.script import LeftOut, Lines

_MARKUP: Final = "script_markup_left_out"
_FURNITURE: Final = "script_furniture_left_out"

_CONTROLS: Final = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)), " ")
_LEGEND: Final = re.compile(r"【テキスト中に現れる記号について】")
_RULE: Final = re.compile(r"\s*([-=_*~─━―—＊※◇◆○●☆★#＃·・.]\s*){3,}\Z")
_PAGE_NUMBER: Final = re.compile(
    r"\s*(?:[-–—]\s*[0-9]{1,4}\s*[-–—]|[0-9]{1,4}|(?:page|p\.)\s*[0-9]{1,4})\s*\Z", re.IGNORECASE
)
_COLOPHON: Final = re.compile(r"\s*底本[：:]")
_GUTENBERG_START: Final = re.compile(r"\s*\*\*\*\s*START OF (?:THE|THIS) PROJECT GUTENBERG", re.IGNORECASE)
_GUTENBERG_END: Final = re.compile(
    r"\s*(?:\*\*\*\s*END OF (?:THE|THIS) PROJECT|End of (?:the )?Project) GUTENBERG", re.IGNORECASE
)
_CONTENTS: Final = re.compile(
    r"\s*(?:TABLE OF )?CONTENTS\W*\Z|\s*(?:目\s*次|目\s*录|目\s*錄|차\s*례|목\s*차)\s*\Z", re.IGNORECASE
)

_MAY_BE_FURNITURE: Final = re.compile("GUTENBERG|CONTENTS|底本|テキスト中|目|차|목", re.IGNORECASE)

_TIMING: Final = re.compile(r"\s*[0-9:.,]{4,14}\s+-->\s+[0-9:.,]{4,14}|\s*WEBVTT\b")
_TIME: Final = re.compile(
    r"\s*(?:[\[(（［]\s*(?:[0-9]{1,2}:)?[0-9]{1,2}:[0-9]{2}(?:[.,][0-9]{1,3})?\s*[\])）］]|"
    r"[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,3})?)\s*[-–—:]?\s*(?=\S)"
)
_VOICE: Final = re.compile(r"\s*<v(?:\.[\w.]+)?\s+([^<>]{1,40})>(.*?)(?:</v>)?\s*\Z")
_COUNTED_CUE: Final = re.compile(r"\s*([0-9]{1,4})[.)]?\s+(?=[^\W\d_][^:：]{0,40}[:：])")
_COUNTED_MIN: Final = 4
_NOTE: Final = re.compile(r"※?［＃[^］]{0,400}］")
_RUBY: Final = re.compile("《[\u3041-\u30ff\u30fc・]{1,40}》")
_ANY_RUBY: Final = re.compile("《[^《》]{1,40}》")
_RUBY_START: Final = re.compile("[｜|](?=[^｜《》]{1,40}《)")
_EMPHASIS: Final = re.compile(
    r"\*\*([^*\n]{1,200})\*\*|(?<![\w*])\*([^*\s][^*\n]{0,500})\*(?![\w*])|(?<!\w)_([^_\n]{1,2000})_(?!\w)"
)
_HASHES: Final = re.compile(r"#{1,6}\s+")
_PLANE_ROW_CELL: Final = re.compile(r"([12])-([0-9]{1,2})-([0-9]{1,2})")
_CODE_POINT: Final = re.compile(r"U\+([0-9A-Fa-f]{4,5})")
_SMALL_KANA: Final = re.compile("小書き[平片]仮名(.)")
_TAB_COLUMNS: Final = 4
_CONTENTS_LINES_MAX: Final = 120
_WIDE_GAP_LINES: Final = 2
_LEGEND_LINES_BEFORE: Final = 3
_LEGEND_LINES_MAX: Final = 60
_CELLS: Final = range(1, 95)
_EUC_START: Final = 0xA0
_EUC_SECOND_PLANE: Final = b"\x8f"


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the play: its number in the source, its text without marks and outer white space.

    `indent` and `width` are in columns, of which a wide character takes two. `fresh` says that it begins a paragraph:
    an empty line or one that was left out stands before it; `apart` that one that was left out does. `marked` says that
    the typesetter's marks call it a heading.
    """

    number: int
    text: str
    indent: int
    width: int
    fresh: bool
    apart: bool
    marked: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of the play, and what was left out; `aozora` says that the file is one of Aozora Bunko."""

    lines: tuple[SourceLine, ...]
    left_out: tuple[LeftOut, ...]
    aozora: bool


def source_of(text: str) -> Source:
    """The lines of a text, whatever ends them."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    raw = text.replace("\u2028", " ").replace("\u2029", " ").split("\n")
    left_out: list[LeftOut] = []
    counted = _counted(raw)
    furniture = _furniture(raw)
    aozora = bool(_LEGEND.search(text)) or ("底本" in text and any(_COLOPHON.match(line) for line in raw))
    lines: list[SourceLine] = []
    fresh, apart = True, False
    for number, line in enumerate(raw, start=1):
        if not line.strip():
            fresh = True
        elif number in furniture or _PAGE_NUMBER.match(line) or _TIMING.match(line):
            left_out.append(LeftOut(_FURNITURE, Lines(number, number)))
            fresh = apart = True
        elif not (cleaned := _without_marks(line[counted.get(number, 0) :], aozora=aozora)).strip() or _RULE.match(
            cleaned
        ):
            left_out.append(LeftOut(_MARKUP, Lines(number, number)))
            fresh = apart = True
        else:
            kept = cleaned.strip()
            indent = columns(cleaned[: len(cleaned) - len(cleaned.lstrip())])
            marked = "見出し］" in line or bool(_HASHES.match(line.lstrip()))
            lines.append(SourceLine(number, kept, indent, columns(kept), fresh, apart, marked))
            fresh = apart = False
    return Source(tuple(lines), tuple(left_out), aozora)


def columns(text: str) -> int:
    """How wide a text is: two columns for a wide character, four for a tab."""
    if text.isascii() and "\t" not in text:
        return len(text)
    return sum(map(_columns, text))


@cache
def _columns(char: str) -> int:
    return _TAB_COLUMNS if char == "\t" else 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _furniture(raw: Sequence[str]) -> set[int]:
    """The numbers of the lines that belong to the book or the file."""
    found: set[int] = set()
    # What lies before this place has been looked at: a text of nothing but titles is gone through once.
    started = reached = 0
    for at, line in enumerate(raw):
        if not _MAY_BE_FURNITURE.search(line):
            continue
        if _GUTENBERG_START.match(line):
            found.update(range(started + 1, at + 2))
            started = at + 1
        elif _GUTENBERG_END.match(line) or _COLOPHON.match(line):
            found.update(range(at + 1, len(raw) + 1))
            break
        elif at >= reached and _LEGEND.search(line):
            legend = _legend(raw, at)
            found.update(legend)
            reached = max(reached, legend.stop - 1)
        elif at >= reached and _CONTENTS.match(line):
            contents = _contents(raw, at)
            found.update(contents)
            reached = max(reached, contents.stop - 1)
    return found


def _legend(raw: Sequence[str], at: int) -> range:
    """From the rule of dashes before the legend's title to the one after it."""
    first, last = at, at
    while first > 0 and at - first < _LEGEND_LINES_BEFORE and not _RULE.match(raw[first]):
        first -= 1
    while last < len(raw) - 1 and last - at < _LEGEND_LINES_MAX and not _RULE.match(raw[last]):
        last += 1
    return range(first + 1, last + 2)


def _contents(raw: Sequence[str], at: int) -> range:
    """From the title of a table of contents to the wide gap after its entries; the title alone if there is no gap."""
    last, empty = at, 0
    for following in range(at + 1, min(at + _CONTENTS_LINES_MAX, len(raw))):
        if raw[following].strip():
            empty, last = 0, following
            continue
        empty += 1
        if empty >= _WIDE_GAP_LINES and last > at:
            return range(at + 1, last + 2)
    return range(at + 1, at + 2)


def _counted(raw: Sequence[str]) -> dict[int, int]:
    """The lines whose number is that of a cue, and where the cue begins: `1. ANN: text`, `2. SFX: rain`, one up each.

    A page may begin to count anew.
    """
    found: dict[int, int] = {}
    last = 0
    for number, line in enumerate(raw, start=1):
        cue = _COUNTED_CUE.match(line)
        if cue is not None and int(cue[1]) in (1, last + 1):
            last = int(cue[1])
            found[number] = cue.end()
    return found if len(found) >= _COUNTED_MIN else {}


def _without_marks(line: str, *, aozora: bool) -> str:
    if ":" in line and (time := _TIME.match(line)) is not None:
        line = line[time.end() :]
    if "<" in line and (voice := _VOICE.match(line)) is not None:
        line = f"{voice[1]}: {voice[2]}"
    if "［＃" in line:
        line = _NOTE.sub(_meant_by_note, line)
    if "《" in line:
        line = _RUBY_START.sub("", line)
        line = (_ANY_RUBY if aozora else _RUBY).sub("", line)
    if "_" in line or "*" in line:
        line = _EMPHASIS.sub(lambda found: found[1] or found[2] or found[3], line)
    if line.lstrip().startswith("#"):
        line = _HASHES.sub("", line.lstrip(), count=1)
    return line


def _meant_by_note(note: re.Match[str]) -> str:
    """The character that a note describes because the file's encoding lacks it; nothing for other notes."""
    text = note[0]
    if not text.startswith("※"):
        return ""
    small = _SMALL_KANA.search(text)
    if small is not None:
        return small[1]
    place = _PLANE_ROW_CELL.search(text)
    if place is not None:
        plane, row, cell = (int(part) for part in place.groups())
        if row in _CELLS and cell in _CELLS:
            code = bytes((_EUC_START + row, _EUC_START + cell))
            code = code if plane == 1 else _EUC_SECOND_PLANE + code
            return code.decode("euc_jis_2004", errors="ignore") or "※"
    point = _CODE_POINT.search(text)
    meant = chr(int(point[1], 16)) if point is not None else "※"
    return meant if meant.isprintable() else "※"
