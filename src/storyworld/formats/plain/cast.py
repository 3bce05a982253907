"""The list of characters at the head of a play: where it stands, and what each of its entries says.

| written as | name | also | description |
|---|---|---|---|
| `THESEUS, Duke of Athens.` | THESEUS | | Duke of Athens. |
| `PUCK, or ROBIN GOODFELLOW, a Fairy.` | PUCK | ROBIN GOODFELLOW | a Fairy. |
| `PYRAMUS, THISBE } Characters in …` | PYRAMUS; THISBE | | Characters in … |
| `老翁──約七十歲`, `张三：三十岁`, `춘향(18세)`, `HAMLET - a prince` | before the mark | | after it |
| `黒田賢一郎　　二十八歳`, `이차돈   신라의 신하` | before the gap | | after it |
| `彼らの母　おたか　　五十一歳` | おたか | 母 | 彼らの母　五十一歳 |
| `爾薩待　正　　植物医師`, `農民　一` | both parts | | 植物医師 |
| `人物：甲、乙、丙` | 甲; 乙; 丙 | | |

A line that is indented more than the entry above it, begins in lower case, or follows an entry that ends in a comma or
a small word goes on with that entry. The list ends at a heading, at a time or place, at a bracket, before a paragraph
that reads like prose, and where a listed name comes again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.core.script import CastEntry, Lines
from storyworld.formats.plain.headings import heading_of
from storyworld.formats.plain.names import OPENING, is_cased, key_of, shown_from
from storyworld.formats.plain.settings import setting_of
from storyworld.formats.plain.source import SourceLine

_TITLE: Final = re.compile(
    r"(?:(?:THE\s+)?(?:DRAMATIS\s+PERSON(?:AE|Æ|OE)|PERSONS?\s+(?:REPRESENTED|(?:OF|IN)\s+THE\s+(?:PLAY|DRAMA))|PERSONS|"
    r"CHARACTERS?(?:\s+(?:OF|IN)\s+THE\s+PLAY)?|CAST(?:\s+OF\s+CHARACTERS|\s+LIST)?|THE\s+PEOPLE(?:\s+OF\s+THE\s+PLAY)?)"
    r"(?=\W*\Z)|(?:主要|登场|登場|出场|出場|剧中|劇中)?人\s*物(?:表|介绍|介紹)?|角色(?:表)?|演员表|人(?=\s*[:：])|登場者|配役|"
    r"(?:등장\s*)?인물|나오는\s*(?:사람|이|인물)들?)",
    re.IGNORECASE,
)
_AFTER_TITLE: Final = re.compile(r"\s*(?:[:：]\s*|[\u3000\t]+|\s{2,}|\W*\Z)")
_ENTRIES_MAX: Final = 200
_ENTRY_COLUMNS_MAX: Final = 160
_NAME_COLUMNS_MAX: Final = 60

_MARK: Final = re.compile(
    r"\s*(?:[─—―]{1,4}|[:：]|\s[-–]\s|\.{3,}|(?:\s\.){3,}|…+|(?=[(（［〔]))\s*|[,，]\s*|\s*[\t]\s*|[ ]{2,}|\u3000+\s*"
)
_ALSO: Final = re.compile(r"\s*(?:,\s*(?:or|alias|called)\s+|\s+alias\s+|，?(?:又名|又称|又稱|即)\s*)", re.IGNORECASE)
_ALIAS_LED: Final = re.compile(r"(?:or|alias|also called|called|又名|又称|又稱|본명)\s*", re.IGNORECASE)
_COLUMN: Final = re.compile(r"(\u3000+|\t+|[ ]{2,})")
_AGE: Final = re.compile(r"[0-9０-９一二三四五六七八九十〇]{1,4}(?:歳|才|代|岁|歲|세|살)?(?:位|くらい|ぐらい|前後)?\Z")
_BETWEEN: Final = " 、，,"
_BRACKETED_END: Final = re.compile(r"\s*[(（][^()（）]{1,20}[)）]\Z")
_BETWEEN_NAMES: Final = re.compile(r"\s*[、，,]\s*")
_UNFINISHED: Final = re.compile(r"(?:[,，、]|\b(?:and|or|of|the|in|to|on|with|by|other|a|an|for|from))\Z")
_SENTENCE_END: Final = ("。", "！", "？", "다.", "요.")


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry as written: its text, lines joined by spaces, and where it stands."""

    text: str
    lines: Lines


@dataclass(frozen=True)
class CastList:
    """A list of characters as it stands: the lines from `first` to before `end` (places in the text, not numbers).

    `title_lines` are the numbers of a title that stands alone.
    """

    first: int
    end: int
    title_lines: Lines | None
    entries: tuple[_Entry, ...]

    def names(self) -> frozenset[str]:
        """The keys of everything in the list that a cue could be: names and the columns of an entry."""
        keys: set[str] = set()
        for entry in self.entries:
            for read in _read(entry, frozenset()):
                keys |= {key_of(name) for name in (read.name, *read.aliases)}
            # A single character that stands apart is the rest of a name or its number.
            keys |= {key for part in _COLUMN.split(entry.text)[::2] if len(key := key_of(part)) > 1}
        return frozenset(key for key in keys if key and not _AGE.match(key))

    def read(self, spoken: frozenset[str]) -> tuple[CastEntry, ...]:
        """The entries; `spoken` are the keys of the cues, which tell a name from what stands beside it."""
        return tuple(read for entry in self.entries for read in _read(entry, spoken))


def cast_list_of(lines: Sequence[SourceLine]) -> CastList | None:
    """The first list of characters in the text, if there is one."""
    for at, line in enumerate(lines):
        title = _TITLE.match(line.text)
        after = _AFTER_TITLE.match(line.text, title.end()) if title is not None else None
        if after is None:
            continue
        inline = line.text[after.end() :].strip()
        entries, end = _entries(lines, at, inline)
        if entries:
            return CastList(at, end, None if inline else Lines(line.number, line.number), entries)
    return None


def _entries(lines: Sequence[SourceLine], at: int, inline: str) -> tuple[tuple[_Entry, ...], int]:
    """The entries after the title at a place, and where the list ends."""
    found: list[_Entry] = []
    places: dict[str, int] = {}
    if inline:
        found.append(_Entry(inline, Lines(lines[at].number, lines[at].number)))
        places[_first_key(inline)] = at
    end = at + 1
    indent = lines[end].indent if end < len(lines) else 0
    while end < len(lines) and len(found) < _ENTRIES_MAX:
        line = lines[end]
        if _ends_list(line, found):
            break
        if found and not (inline and len(found) == 1) and _goes_on(line, lines[end - 1], indent):
            found[-1] = _Entry(f"{found[-1].text} {line.text}", Lines(found[-1].lines.first, line.number))
        else:
            key = _first_key(line.text)
            if key in places:
                end = _speeches_begin(key, places, end)
                found = [entry for entry in found if entry.lines.first < lines[end].number]
                break
            places[key] = end
            found.append(_Entry(line.text, Lines(line.number, line.number)))
            indent = line.indent
        end += 1
    if inline and len(found) == 1:
        return tuple(_split_inline(found[0])), end
    return tuple(found), end


def _speeches_begin(key: str, places: Mapping[str, int], end: int) -> int:
    """Where the speeches begin, since a name has come again at `end`: where it first came, if it shortens another."""
    first = places[key]
    short = any(key in other and key != other for other, place in places.items() if place < first)
    return first if short else end


def _first_key(text: str) -> str:
    parts = _COLUMN.split(text)
    if not is_cased(text[0]) and len(parts) > 1 and _are_one_name(parts[::2], parts[1::2]):
        return key_of(parts[0] + parts[2])
    return key_of(_MARK.split(text, maxsplit=1)[0])


def _split_inline(entry: _Entry) -> list[_Entry]:
    parts = [part for part in _BETWEEN_NAMES.split(entry.text.rstrip("。.")) if part]
    if len(parts) > 1 and all(len(part) <= _NAME_COLUMNS_MAX // 4 for part in parts):
        return [_Entry(part, entry.lines) for part in parts]
    return [entry]


def _ends_list(line: SourceLine, found: Sequence[_Entry]) -> bool:
    if line.text[0] in OPENING or line.marked or shown_from(line.text) is not None or line.width > _ENTRY_COLUMNS_MAX:
        return True
    if heading_of(line, alone=False) is not None or setting_of(line, in_front=True) is not None:
        return True
    # Entries are no sentences; where they end like some, all of them do.
    ends_like_prose = line.text.endswith(_SENTENCE_END)
    if not ends_like_prose:
        return False
    if _is_set_apart(line.text):
        return False
    return not found or not found[0].text.endswith(_SENTENCE_END) or all(_is_set_apart(entry.text) for entry in found)


def _is_set_apart(text: str) -> bool:
    """Whether more than a comma stands between a name and what is said of it."""
    mark = _MARK.search(text)
    return mark is not None and mark.start() <= _NAME_COLUMNS_MAX // 4 and mark[0].strip() not in (",", "，")


def _goes_on(line: SourceLine, above: SourceLine, indent: int) -> bool:
    """Whether a line goes on with the entry above it."""
    if line.fresh:
        return False
    cased = is_cased(line.text[0])
    if cased and (line.text[0].islower() or _UNFINISHED.search(above.text)):
        return True
    if not cased:
        return above.text.endswith(("，", "、", ",")) and line.indent >= above.indent
    return line.indent > indent


def _read(entry: _Entry, spoken: frozenset[str]) -> list[CastEntry]:
    """An entry of the list, or several where it names several."""
    names, brace, description = entry.text.partition("}")
    if brace and names.strip(_BETWEEN):
        return [
            CastEntry(name, entry.lines, description=description.strip() or None)
            for name in _BETWEEN_NAMES.split(names.strip())
            if name
        ]
    if not is_cased(entry.text[0]) and _COLUMN.search(entry.text):
        return [_read_columns(entry, spoken)]
    also = _ALSO.search(entry.text)
    mark = _MARK.search(entry.text)
    if also is not None and (mark is None or also.start() <= mark.start()):
        name, rest = entry.text[: also.start()], entry.text[also.end() :]
        second = _MARK.search(rest)
        alias = rest[: second.start()] if second is not None else rest
        description = rest[second.end() :] if second is not None else ""
        return [_entry(name, entry.lines, (alias,), description)]
    if mark is None or columns_before(entry.text, mark) > _NAME_COLUMNS_MAX:
        return [_entry(entry.text, entry.lines, (), "")]
    return [_entry(entry.text[: mark.start()], entry.lines, (), entry.text[mark.end() :])]


def columns_before(text: str, mark: re.Match[str]) -> int:
    """How many characters stand before a mark; nothing before it means that it marks nothing."""
    return mark.start() if mark.start() > 0 else len(text) + _NAME_COLUMNS_MAX


def _entry(name: str, lines: Lines, aliases: tuple[str, ...], description: str) -> CastEntry:
    description = description.strip()
    bracketed = description[:1] in tuple(OPENING) and description[-1:] in tuple("）)]］〕】")
    if bracketed and not any(mark in description[1:-1] for mark in "（）()"):
        description = description[1:-1].strip()
    kept = tuple(alias.strip(" .．。") for alias in aliases if alias.strip(" .．。"))
    tidy = name.strip().rstrip(".．。:：")
    return CastEntry(tidy or name.strip() or "?", lines, kept, description or None)


def _read_columns(entry: _Entry, spoken: frozenset[str]) -> CastEntry:
    """An entry in columns: which of them is the name is told by the cues, else by what the first one looks like."""
    parts = _COLUMN.split(entry.text)
    cells, gaps = parts[::2], parts[1::2]
    # An age or a rank in brackets behind a name is no part of it: 高野　恵（２８）.
    aged = _BRACKETED_END.search(cells[1])
    if aged is not None and aged.start() > 0:
        cells[1:2] = [cells[1][: aged.start()], aged[0]]
        gaps[1:1] = ["\u3000\u3000"]
    heard = [at for at, cell in enumerate(cells) if key_of(cell) in spoken]
    if key_of(cells[0] + cells[1]) in spoken or _are_one_name(cells, gaps):
        named, last = 0, 1
    elif heard:
        named = last = heard[0]
    else:
        named = last = 1 if "の" in cells[0] and not _AGE.match(cells[1]) else 0
    relation = cells[:named]
    described = "\u3000".join([*relation, *cells[last + 1 :]])
    # Cues name such a character by what it is to the others: 母 for 彼らの母.
    aliases = tuple(cell.rpartition("の")[2] for cell in relation)
    return _entry("\u3000".join(cells[named : last + 1]), entry.lines, aliases, described)


def _are_one_name(cells: Sequence[str], gaps: Sequence[str]) -> bool:
    """Whether the first two cells are family name and given name, or a name and its number: a single space between."""
    short = all(len(cell) <= 4 for cell in cells[:2])  # noqa: PLR2004
    wider_after = len(cells) == 2 or len(gaps[1]) > len(gaps[0])  # noqa: PLR2004
    number = len(cells[1]) == 1
    if "の" in cells[0]:
        return False
    return len(gaps[0]) == 1 and gaps[0] == "\u3000" and short and (number or (wider_after and len(cells) > 2))  # noqa: PLR2004
