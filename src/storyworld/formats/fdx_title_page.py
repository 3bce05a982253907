"""What the paragraphs of an FDX title page say: FDX knows how they are set, not what they are.

It must not know XML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from storyworld.core.script import Lines, TitleField

_KEY_BY_LABEL: Final = {
    "title": "title",
    "source": "source",
    "based on": "source",
    "author": "author",
    "authors": "author",
    "contact": "contact",
    "copyright": "copyright",
    "date": "date",
    "draft date": "draft date",
    "revision": "revision",
    "version": "version",
    "language": "language",
    "编剧": "author",
    "編劇": "author",
    "作者": "author",
    "来源": "source",
    "來源": "source",
    "日期": "date",
    "联系方式": "contact",
    "脚本": "author",
    "作": "author",
    "각본": "author",
    "극본": "author",
}
_LABEL_CHARS_MAX: Final = 20
_LABELLED: Final = re.compile(rf"([^:：\n]{{1,{_LABEL_CHARS_MAX}}})[:：]\s*(.*)", re.DOTALL)
_CREDIT: Final = re.compile(
    r"(?:(?:written|screenplay|teleplay|script|story|play|book|created)(?:\s+(?:and|&)\s+\w+)?\s+)?by\b[ \t]*:?",
    re.IGNORECASE,
)
_BASED_ON: Final = re.compile(r"(?:based (?:up)?on|adapted from|after)\b|改编自|改編自|根据|原作", re.IGNORECASE)
_RIGHTS: Final = re.compile(r"©|\(c\)|copyright\b|all rights\b|版权|版權", re.IGNORECASE)
_DRAFT: Final = re.compile(
    r"\bdraft\b|\brevis(?:ed|ion)\b|稿|\b(?:19|20)\d\d\b|(?:19|20)\d\d ?[年년]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b",
    re.IGNORECASE,
)
_DRAFT_CHARS_MAX: Final = 60


@dataclass(frozen=True, slots=True)
class TitleParagraph:
    """A paragraph of the title page: its text, which is not blank, and whether it is set in the middle."""

    text: str
    centered: bool
    lines: Lines


def title_fields(paragraphs: Iterable[TitleParagraph]) -> tuple[TitleField, ...]:
    """The fields that the paragraphs of a title page are, one each, in their order.

    The title is the first paragraph that is set in the middle, or the first of all where none is. A paragraph that
    opens with a known label and a colon is what the label says; after `by` stands the author, be it in the same
    paragraph or in the next one. What remains is a `credit`, a `source`, a `copyright`, a `draft date`, or else
    `notes` where it stands in the middle and a `contact` where it stands at a side.
    """
    told = list(paragraphs)
    title = next((one for one in told if one.centered), told[0] if told else None)
    fields: list[TitleField] = []
    awaited: str | None = None
    for one in told:
        text = one.text.strip()
        if one is title:
            key, value = "title", text
        elif awaited is not None:
            key, value, awaited = awaited, text, None
        else:
            key, value = _read(text, centered=one.centered)
            if key == "credit":
                awaited = "author"
            elif not value:
                key, value, awaited = "label", text, key
        fields.append(TitleField(key, value, one.lines))
    return tuple(fields)


def _read(text: str, *, centered: bool) -> tuple[str, str]:
    """The key and value of a paragraph that is neither the title nor announced by the paragraph before it."""
    labelled = _LABELLED.fullmatch(text)
    key = _KEY_BY_LABEL.get(labelled[1].strip().casefold()) if labelled is not None else None
    if labelled is not None and key is not None:
        return key, labelled[2].strip()
    credit = _CREDIT.match(text)
    if credit is not None:
        rest = text[credit.end() :].strip()
        return ("author", rest) if rest else ("credit", text)
    if _BASED_ON.match(text):
        return "source", text
    if _RIGHTS.search(text):
        return "copyright", text
    if len(text) <= _DRAFT_CHARS_MAX and _DRAFT.search(text):
        return "draft date", text
    return ("notes" if centered else "contact"), text
