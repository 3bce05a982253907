"""The title page of a Fountain text, and the cast list that ours may hold. Knows nothing of what follows it.

Any line `key: value` that opens a text begins a title page by the standard. That would make one of `FADE IN:`, so a key
that is known has to be among its lines; keys in Chinese, Japanese and Korean are known by their English ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from storyworld.core.script import CastEntry, Lines, TitleField
from storyworld.formats.fountain_cues import last_bracket
from storyworld.formats.fountain_headings import is_scene_heading, is_transition
from storyworld.formats.fountain_lines import Line, Note
from storyworld.formats.fountain_text import mask, plain, trim

CAST: Final = "cast"

_KEYS: Final = {
    word: key
    for key, words in {
        "title": "title|标题|標題|片名|剧名|劇名|题名|題名|题目|タイトル|作品名|제목",
        "credit": "credit",
        "author": "author|authors|written by|作者|编剧|編劇|脚本|著者|脚本家|작가|극본|각본|지은이",
        "source": "source|来源|來源|出处|原作|原著|출처|원작",
        "notes": "notes|note|备注|備註|備考|비고",
        "draft date": "draft date|初稿日期|定稿日期",
        "date": "date|日期|日付|날짜",
        "contact": "contact|联系方式|聯絡方式|连络方式|連絡先|연락처",
        "copyright": "copyright|版权|版權|著作権|저작권",
        "revision": "revision|版本|稿次|改訂|수정",
        "language": "language|语言|語言|言語|언어",
        CAST: "cast|characters|dramatis personae|人物|人物表|角色|角色表|登场人物|登場人物|등장인물|나오는 사람들",
    }.items()
    for word in words.split("|")
}
_KEY_CHARS_MAX: Final = 40
_COLON: Final = re.compile("[:：]")
_NOT_IN_KEYS: Final = re.compile(r"[。！？!?，,；;\"“”「」]")
_ELEMENT_MARKS: Final = ("#", "=", "@", "!", "~", ">", ".")
_INDENT_OF_VALUES: Final = 3
_ID: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_LANGUAGE: Final = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class TitlePage:
    """What a title page says, the notes on it and before it, and where the script begins: `end` counts lines read."""

    fields: tuple[TitleField, ...]
    cast: tuple[CastEntry, ...]
    notes: tuple[Note, ...]
    language: str | None
    end: int


@dataclass(slots=True)
class _Entry:
    """A field that is being read: the parts of its value, each with its lines."""

    key: str
    key_lines: Lines
    parts: list[tuple[str, Lines]]


def title_key(line: str) -> str | None:
    """The canonical key of a line `key: value`, if it is one of those that are known."""
    return _KEYS.get(_key(line) or "")


def read_title_page(lines: Sequence[Line]) -> TitlePage | None:
    """The title page that a text opens with, after notes and empty lines; None where it opens with something else."""
    start = _next_text(lines, 0)
    if not _opens(lines, start):
        return None
    notes = [note for line in lines[:start] for note in line.notes]
    entries: list[_Entry] = []
    at = start
    while at < len(lines):
        line = lines[at]
        if not line.text.strip():
            following = _next_text(lines, at)
            if not _resumes(lines, at, following):
                break
            at = following
            continue
        if entries and _begins_field(line.text) and _begins_element(trim(line.text)):
            break
        notes += line.notes
        _take(line, entries)
        at += 1
    return _settled(entries, tuple(notes), at)


def _next_text(lines: Sequence[Line], at: int) -> int:
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at


def _resumes(lines: Sequence[Line], empty: int, following: int) -> bool:
    """Whether a known field follows empty lines without notes: some authors set the fields of one title page apart."""
    if following == len(lines) or any(lines[at].notes for at in range(empty, following)):
        return False
    return _begins_field(lines[following].text) and title_key(trim(lines[following].text)) is not None


def _take(line: Line, entries: list[_Entry]) -> None:
    """Adds a line of the title page: it begins a field, or goes on with the value of the last one."""
    text = trim(line.text)
    key = _key(text) if not entries or _begins_field(line.text) else None
    if key is None:
        entries[-1].parts.append((text, line.lines))
        return
    value = trim(text[_colon(text) + 1 :])
    entries.append(_Entry(_KEYS.get(key, key), line.lines, [(value, line.lines)]))


def _opens(lines: Sequence[Line], start: int) -> bool:
    if start == len(lines) or _key(trim(lines[start].text)) is None or _begins_element(trim(lines[start].text)):
        return False
    for line in lines[start:]:
        if not line.text.strip():
            return False
        if title_key(trim(line.text)) is not None:
            return True
    return False


def _begins_field(text: str) -> bool:
    """Whether a line is indented too little for a value, so that a key may stand on it."""
    indent = len(text) - len(text.lstrip())
    return indent == 0 or (
        indent < _INDENT_OF_VALUES and "\t" not in text[:indent] and title_key(trim(text)) is not None
    )


def _begins_element(text: str) -> bool:
    return text.startswith(_ELEMENT_MARKS) or is_scene_heading(text, alone=False) or is_transition(text, alone=True)


def _key(text: str) -> str | None:
    """The key of a line `key: value` in lower case, as it stands."""
    key = text[: max(_colon(text[: _KEY_CHARS_MAX + 1]), 0)]
    return None if _NOT_IN_KEYS.search(key) else " ".join(plain(key).lower().split()) or None


def _colon(text: str) -> int:
    """Where the first colon that is not escaped stands; -1 where none does."""
    found = _COLON.search(mask(text))
    return -1 if found is None else found.start()


def _settled(entries: Sequence[_Entry], notes: tuple[Note, ...], end: int) -> TitlePage:
    fields: list[TitleField] = []
    cast: list[CastEntry] = []
    language: str | None = None
    for entry in entries:
        if entry.key == CAST and (listed := _cast(entry)):
            cast += listed
            continue
        value = "\n".join(plain(text) for text, _ in entry.parts).strip()
        fields.append(TitleField(entry.key, value, Lines(entry.key_lines.first, entry.parts[-1][1].last)))
        if entry.key == "language" and language is None and _LANGUAGE.fullmatch(value):
            language = value
    return TitlePage(tuple(fields), _with_ids(cast, language), notes, language, end)


def _cast(entry: _Entry) -> list[CastEntry]:
    """The entries of a cast list; its heading belongs to the lines of the first of them."""
    listed = [made for text, lines in entry.parts if text for made in _cast_entries(text, lines)]
    if listed:
        listed[0] = replace(listed[0], lines=Lines(entry.key_lines.first, listed[0].lines.last))
    return listed


def _cast_entries(text: str, lines: Lines) -> list[CastEntry]:
    """`NAME: description`, `NAME (role-id)`, or names that `、` sets apart."""
    colon = _colon(text)
    if colon >= 0:
        name, description = _plain(text[:colon]), _plain(text[colon + 1 :])
        return [CastEntry(name, lines, description=description)] if name else [CastEntry(plain(text).strip(), lines)]
    bracket = last_bracket(text)
    if bracket is not None and (name := _plain(text[:bracket])):
        return [CastEntry(name, lines, role_id=_plain(text[bracket + 1 : -1]))]
    return [CastEntry(name, lines) for part in text.split("、") if (name := _plain(part))]


def _plain(text: str) -> str | None:
    return plain(trim(text)).strip() or None


def _with_ids(cast: Sequence[CastEntry], language: str | None) -> tuple[CastEntry, ...]:
    """The cast, where what stands in brackets is an id of a role only if the script was exported.

    A script does not say that it was. An exported one tells its language and gives each of its cast another id;
    elsewhere the brackets hold a description, such as an age.
    """
    ids = [entry.role_id for entry in cast]
    if language is not None and len(set(ids)) == len(ids) and all(_ID.fullmatch(role_id or "") for role_id in ids):
        return tuple(cast)
    return tuple(
        entry if entry.role_id is None else replace(entry, role_id=None, description=entry.role_id) for entry in cast
    )
