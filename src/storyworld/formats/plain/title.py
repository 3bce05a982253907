"""The title page of a plain text: what the play is called and who wrote it, as far as its first lines say.

| written as | is |
|---|---|
| the first line, if it is short, no sentence, and a paragraph ends after it or an author follows | title |
| `by X`, `X 作`, `作：X`, `编剧：X`, `X著`, `X 지음`, `by` above a name | author |
| a short line between them, or below the title | subtitle |
| in a file of Aozora Bunko the last line of the first paragraph | author |
| `Title: X`, `剧名：X`, `제목: X` | title |
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from storyworld.core.script import Lines, TitleField
from storyworld.formats.plain.source import SourceLine

_TITLE_COLUMNS_MAX: Final = 80
_LINES_MAX: Final = 4
_AROUND: Final = ' 《》〈〉「」『』【】“”"'
_SENTENCE: Final = re.compile(r"[。！？!?…；;，,]\Z|[a-z다요]\.\Z")
_LABELLED_TITLE: Final = re.compile(r"(?:title|剧名|劇名|片名|标题|標題|题目|題名|제목)\s*[:：]\s*(.+)", re.IGNORECASE)
_AUTHOR: Final = re.compile(
    r"(?:(?:an?\s+[\w\s-]{1,40}?\s+|written\s+)?by\s+(?P<by>\S.*)|"
    r"(?:author|作者|编剧|編劇|剧作者|原作|脚本|作|著|지은이|작가|극본|작)\s*(?:[:：·・]\s*|\s+[·・]?\s*)(?P<labelled>\S.*)|"
    r"(?P<before>\S.{0,60}?)(?:\s*(?:编剧|編劇|지음|원작)|\s+(?:作|著|작)|(?<=[\u4e00-\u9fff])[作著]))\Z",
    re.IGNORECASE,
)


def title_page_of(lines: Sequence[SourceLine], *, aozora: bool) -> tuple[TitleField, ...]:
    """The fields that the first lines hold; `lines` are those before anything else of the play begins."""
    labelled = _labelled(lines)
    if labelled:
        return labelled
    first = _first_paragraph(lines)
    if not first or not _may_be_title(first[0]):
        return ()
    if aozora:
        return _of_aozora(first)
    fields: list[TitleField] = [_field("title", first[0])]
    awaited = False
    for line in _below_title(first, lines):
        author = _author(line.text)
        if awaited or author is not None:
            fields.append(TitleField("author", author or line.text, Lines(line.number, line.number)))
            return tuple(fields)
        if line.text.casefold().strip(" .:：") in {"by", "written by", "作", "著"}:
            # The name stands on the next line; this one goes with it.
            fields.append(_field("credit", line))
            awaited = True
        elif _may_be_title(line) and len(fields) == 1 and not line.fresh:
            fields.append(_field("subtitle", line))
        else:
            break
    return tuple(fields) if len(first) <= len(fields) else ()


def _labelled(lines: Sequence[SourceLine]) -> tuple[TitleField, ...]:
    fields: list[TitleField] = []
    for line in lines[:_LINES_MAX]:
        title, author = _LABELLED_TITLE.fullmatch(line.text), _author(line.text)
        if title is not None:
            fields.append(TitleField("title", title[1].strip(), Lines(line.number, line.number)))
        elif fields and author is not None:
            fields.append(TitleField("author", author, Lines(line.number, line.number)))
        else:
            break
    return tuple(fields)


def _first_paragraph(lines: Sequence[SourceLine]) -> list[SourceLine]:
    paragraph = list(lines[:1])
    for line in lines[1 : _LINES_MAX + 1]:
        if line.fresh:
            break
        paragraph.append(line)
    return paragraph


def _below_title(first: Sequence[SourceLine], lines: Sequence[SourceLine]) -> Sequence[SourceLine]:
    """The lines below the title that may belong to it: the rest of its paragraph, and the next one or two lines."""
    return lines[1 : len(first) + 2]


def _may_be_title(line: SourceLine) -> bool:
    return line.width <= _TITLE_COLUMNS_MAX and not _SENTENCE.search(line.text)


def _author(text: str) -> str | None:
    if len(text) > _TITLE_COLUMNS_MAX:
        return None
    found = _AUTHOR.fullmatch(text.strip("（）() "))
    return next((part.strip() for part in found.groups() if part), None) if found is not None else None


def _of_aozora(first: Sequence[SourceLine]) -> tuple[TitleField, ...]:
    """Title, subtitles, author: the order that Aozora Bunko keeps."""
    if len(first) == 1:
        return (_field("title", first[0]),)
    between = [_field("subtitle", line) for line in first[1:-1]]
    return (_field("title", first[0]), *between, _field("author", first[-1]))


def _field(key: str, line: SourceLine) -> TitleField:
    return TitleField(key, line.text.strip(_AROUND) or line.text, Lines(line.number, line.number))
