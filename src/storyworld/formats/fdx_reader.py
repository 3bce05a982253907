"""FDX, the file format of Final Draft, read into a script: XML whose paragraphs each name their type.

It owns what the parts of such a file mean. What else stands in it (fonts, windows, revisions, word lists) is told as
left out. The XML is read in one pass by expat; a file that declares a document type is refused before any of its
declarations is read, so that no entity is ever expanded or fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate
from typing import Final
from xml.parsers import expat

from storyworld.core.errors import Refusal, refusal
from storyworld.core.screenplay import ElementKind
from storyworld.core.script import CastEntry, LeftOut, Lines, Script, ScriptElement
from storyworld.formats.fdx_title_page import TitleParagraph, title_fields


class _Place(Enum):
    """Where in the file an XML element stands: what its text is, and which elements mean something inside it."""

    DOCUMENT = auto()
    FINAL_DRAFT = auto()
    CONTENT = auto()
    PARAGRAPH = auto()
    DUAL_DIALOGUE = auto()
    SCENE_PROPERTIES = auto()
    SUMMARY = auto()
    SUMMARY_PARAGRAPH = auto()
    NOTE = auto()
    NOTE_PARAGRAPH = auto()
    TITLE_PAGE = auto()
    TITLE_CONTENT = auto()
    TITLE_PARAGRAPH = auto()
    TEXT = auto()  # its text belongs to the element around it
    REMARK = auto()  # remarks on characters
    FURNITURE = auto()  # heads and feet of pages
    SETTING = auto()  # how the program showed the script
    UNKNOWN = auto()


_INSIDE_PARAGRAPH: Final = {
    "Text": _Place.TEXT,
    "ScriptNote": _Place.NOTE,
    "SceneProperties": _Place.SCENE_PROPERTIES,
    "DualDialogue": _Place.DUAL_DIALOGUE,
    "DynamicLabel": _Place.SETTING,
}
_INSIDE: Final[Mapping[_Place, Mapping[str, _Place]]] = {
    _Place.FINAL_DRAFT: {
        "Content": _Place.CONTENT,
        "TitlePage": _Place.TITLE_PAGE,
        "HeaderAndFooter": _Place.FURNITURE,
        "ScriptNotes": _Place.CONTENT,
    },
    _Place.CONTENT: {"Paragraph": _Place.PARAGRAPH, "ScriptNote": _Place.NOTE},
    _Place.PARAGRAPH: _INSIDE_PARAGRAPH,
    _Place.DUAL_DIALOGUE: {"Paragraph": _Place.PARAGRAPH},
    _Place.SCENE_PROPERTIES: {"Summary": _Place.SUMMARY, "SceneArcBeats": _Place.REMARK},
    _Place.SUMMARY: {"Paragraph": _Place.SUMMARY_PARAGRAPH},
    _Place.SUMMARY_PARAGRAPH: {"Text": _Place.TEXT},
    _Place.NOTE: {"Paragraph": _Place.NOTE_PARAGRAPH},
    _Place.NOTE_PARAGRAPH: {"Text": _Place.TEXT},
    _Place.TITLE_PAGE: {"Content": _Place.TITLE_CONTENT, "HeaderAndFooter": _Place.FURNITURE},
    _Place.TITLE_CONTENT: {"Paragraph": _Place.TITLE_PARAGRAPH},
    _Place.TITLE_PARAGRAPH: {"Text": _Place.TEXT, "DynamicLabel": _Place.SETTING},
}
# Where a name has no meaning of its own, everything below it is of one sort.
_OTHERWISE: Final = {
    _Place.FINAL_DRAFT: _Place.SETTING,
    _Place.REMARK: _Place.REMARK,
    _Place.FURNITURE: _Place.FURNITURE,
    _Place.SETTING: _Place.SETTING,
}
_NOT_UNDERSTOOD: Final = "script_line_not_understood"
# Text that stands elsewhere than in the Text of a paragraph.
_REASON_BY_PLACE: Final = {
    _Place.REMARK: "script_note_left_out",
    _Place.FURNITURE: "script_furniture_left_out",
}

_KIND_BY_TYPE: Final = {
    "": ElementKind.ACTION,
    "action": ElementKind.ACTION,
    "general": ElementKind.ACTION,
    "shot": ElementKind.ACTION,
    "scene heading": ElementKind.SCENE_HEADING,
    "character": ElementKind.CHARACTER,
    "parenthetical": ElementKind.PARENTHETICAL,
    "dialogue": ElementKind.DIALOGUE,
    "lyric": ElementKind.LYRICS,
    "lyrics": ElementKind.LYRICS,
    "singing": ElementKind.LYRICS,
    "transition": ElementKind.TRANSITION,
    "new act": ElementKind.SECTION,
    # It is printed, in the middle, and opens nothing.
    "end of act": ElementKind.CENTERED,
    "outline 1": ElementKind.SECTION,
    "outline 2": ElementKind.SECTION,
    "outline 3": ElementKind.SECTION,
    "outline 4": ElementKind.SECTION,
    "outline body": ElementKind.SYNOPSIS,
}
_CAST_LIST: Final = "cast list"
_MAY_STAND_IN_THE_MIDDLE: Final = ("", "action", "general")
# How far an action is indented is the author's; around all other texts white space means nothing.
_KEPT_AS_INDENTED: Final = (ElementKind.ACTION, ElementKind.DIALOGUE, ElementKind.LYRICS)
_OPENING_BY_CLOSING: Final = {")": "(", "）": "（"}
_BETWEEN_NAMES: Final = re.compile(r"[,，、;；\n]")
_AFTER_NAME: Final = re.compile(r"[:：]")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def read_fdx(text: str) -> Script | Refusal:
    """Read a decoded FDX file; what encoding its XML declares, and a byte order mark before it, mean nothing.

    Lines are those of the source, ended by LF, CR or both; those that become nothing are in `left_out`. Costs grow
    evenly with the text. Refusals: `script_fdx_malformed`, `script_fdx_declarations`, `script_fdx_foreign`.
    """
    text = text.removeprefix("\ufeff")
    parser = expat.ParserCreate("utf-8")
    reading = _Reading(parser)
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except _Refused as refused:
        return refused.refusal
    except expat.ExpatError as fault:
        return refusal("script_fdx_malformed", line=fault.lineno, column=fault.offset + 1)
    if not reading.has_content:
        return refusal("script_fdx_foreign")
    return reading.script(text)


def split_cue(text: str) -> tuple[str, str | None]:
    """The name in a cue, and what stands in brackets after it: `JIM (O.S.) (CONT'D)` is `JIM` and `O.S. CONT'D`."""
    text = text.strip()
    end, extensions = len(text), list[str]()
    while (begin := _opening_of_last(text, end)) > 0:
        extensions.append(text[begin + 1 : end - 1].strip())
        end = begin
        while text[end - 1].isspace():
            end -= 1
    return text[:end], " ".join(one for one in reversed(extensions) if one) or None


def without_brackets(text: str) -> str:
    """A parenthetical without the brackets around it; brackets within it stay."""
    text = text.strip()
    return text[1:-1].strip() if _opening_of_last(text, len(text)) == 0 else text


def _opening_of_last(text: str, end: int) -> int:
    """Where the bracket opens that the character before `end` closes; -1 where none does."""
    closing = text[end - 1 : end]
    opening = _OPENING_BY_CLOSING.get(closing)
    if opening is None:
        return -1
    depth = 0
    for at in range(end - 1, -1, -1):
        depth += (text[at] == closing) - (text[at] == opening)
        if depth == 0:
            return at
    return -1


class _Refused(Exception):
    """The file is none that can be read; ends the parser's pass."""

    def __init__(self, refused: Refusal) -> None:
        super().__init__(refused.code)
        self.refusal = refused


@dataclass(slots=True)
class _Open:
    """An XML element that has begun and not ended, and what was gathered in it."""

    place: _Place
    attributes: dict[str, str]
    first_line: int
    texts: list[str] = field(default_factory=list)
    synopses: list[ScriptElement] = field(default_factory=list)
    cues: int = 0


@dataclass(slots=True)
class _Lost:
    """Lines that became nothing, while more may follow them."""

    code: str
    first: int
    last: int


class _Reading:
    """One pass over a file: the handlers of its parser, and what they have gathered."""

    def __init__(self, parser: expat.XMLParserType) -> None:
        self.has_content = False
        self._parser = parser
        self._open = [_Open(_Place.DOCUMENT, {}, 1)]
        self._elements: list[ScriptElement] = []
        self._title: list[TitleParagraph] = []
        self._cast: list[CastEntry] = []
        self._lost: list[_Lost] = []
        parser.StartDoctypeDeclHandler = self._declares
        parser.StartElementHandler = self._begins
        parser.EndElementHandler = self._ends
        parser.CharacterDataHandler = self._says
        parser.CommentHandler = self._interrupts
        parser.ProcessingInstructionHandler = self._interrupts
        parser.buffer_text = True

    def script(self, text: str) -> Script:
        """The whole script, when the pass is over."""
        title_page = title_fields(self._title)
        left_out = [LeftOut(lost.code, Lines(lost.first, lost.last)) for lost in self._lost]
        told = [
            *(element.lines for element in self._elements),
            *(entry.lines for entry in title_page),
            *(entry.lines for entry in self._cast),
            *(entry.lines for entry in left_out),
        ]
        left_out += (LeftOut("script_markup_left_out", lines) for lines in _not_covered(text, told))
        left_out.sort(key=lambda entry: (entry.lines, entry.code))
        return Script("fdx", tuple(self._elements), title_page, tuple(self._cast), tuple(left_out))

    def _declares(self, *_: object) -> None:
        raise _Refused(refusal("script_fdx_declarations", line=self._parser.CurrentLineNumber))

    def _begins(self, name: str, attributes: dict[str, str]) -> None:
        around = self._open[-1]
        if around.place is _Place.DOCUMENT:
            if name != "FinalDraft":
                raise _Refused(refusal("script_fdx_foreign"))
            place = _Place.FINAL_DRAFT
        else:
            place = _INSIDE.get(around.place, {}).get(name) or _OTHERWISE.get(around.place, _Place.UNKNOWN)
        self.has_content = self.has_content or (place is _Place.CONTENT and name == "Content")
        self._open.append(_Open(place, attributes, self._parser.CurrentLineNumber))

    def _interrupts(self, *_: object) -> None:
        """A comment or an instruction ends a run of text, so that the lines of each run can be counted."""

    def _says(self, text: str) -> None:
        """Take a run of text, which ends where the parser now stands."""
        around = self._open[-1]
        if around.place is _Place.TEXT:
            self._open[-2].texts.append(text)
        elif around.place is not _Place.SETTING and not text.isspace():
            said = text.rstrip()
            last = self._parser.CurrentLineNumber - text.count("\n", len(said))
            first = last - said.lstrip().count("\n")
            # A line feed that is written as a reference makes a line of text and none of the file.
            last = max(last, around.first_line)
            self._leave_out(_REASON_BY_PLACE.get(around.place, _NOT_UNDERSTOOD), max(first, around.first_line), last)

    def _ends(self, _: str) -> None:
        ended, around = self._open.pop(), self._open[-1]
        lines = Lines(ended.first_line, self._parser.CurrentLineNumber)
        text = "".join(ended.texts)
        match ended.place:
            case _Place.PARAGRAPH:
                self._end_paragraph(ended, around, text, lines)
            case _Place.NOTE_PARAGRAPH:
                around.texts.append(text)
            case _Place.NOTE:
                self._add(ElementKind.NOTE, "\n".join(ended.texts), lines)
            case _Place.SUMMARY_PARAGRAPH if text.strip():
                around.synopses.append(ScriptElement(ElementKind.SYNOPSIS, text.strip(), lines))
            case _Place.SUMMARY:
                around.synopses += ended.synopses
            case _Place.SCENE_PROPERTIES:
                title = ended.attributes.get("Title", "").strip()
                if title:
                    around.synopses.append(ScriptElement(ElementKind.SYNOPSIS, title, lines))
                around.synopses += ended.synopses
            case _Place.TITLE_PARAGRAPH if text.strip():
                self._title.append(TitleParagraph(text, ended.attributes.get("Alignment") == "Center", lines))

    def _end_paragraph(self, ended: _Open, around: _Open, text: str, lines: Lines) -> None:
        """Make of a paragraph of the script what its type says; then tell what its scene is for."""
        named = ended.attributes.get("Type", "").strip().casefold()
        kind = _KIND_BY_TYPE.get(named)
        if named in _MAY_STAND_IN_THE_MIDDLE and ended.attributes.get("Alignment") == "Center":
            kind = ElementKind.CENTERED
        if not text.strip():
            pass
        elif kind is ElementKind.CHARACTER:
            name, extension = split_cue(text)
            dual = around.place is _Place.DUAL_DIALOGUE and around.cues > 0
            around.cues += 1
            self._add(kind, name, lines, extension=extension, dual=dual)
        elif named == _CAST_LIST:
            self._cast += _cast_entries(without_brackets(text), lines)
        elif kind is None:
            self._leave_out(_NOT_UNDERSTOOD, lines.first, lines.last)
        else:
            depth = int(named[-1]) if named[-1:].isdigit() else 1
            self._add(kind, without_brackets(text) if kind is ElementKind.PARENTHETICAL else text, lines, depth=depth)
        self._elements += ended.synopses

    def _add(
        self,
        kind: ElementKind,
        text: str,
        lines: Lines,
        *,
        depth: int = 1,
        extension: str | None = None,
        dual: bool = False,
    ) -> None:
        text = text.rstrip() if kind in _KEPT_AS_INDENTED else text.strip()
        if text:
            self._elements.append(ScriptElement(kind, text, lines, depth, extension, dual))

    def _leave_out(self, code: str, first: int, last: int) -> None:
        """Tell lines as left out, together with those directly before them that were left out for the same reason."""
        before = self._lost[-1] if self._lost else None
        if before is not None and before.code == code and before.first <= first <= before.last + 1:
            before.last = max(before.last, last)
        else:
            self._lost.append(_Lost(code, first, last))


def _cast_entries(text: str, lines: Lines) -> Iterator[CastEntry]:
    """Who is in a scene: names between commas, or one name, a colon and what is said of the character."""
    name, *described = (part.strip() for part in _AFTER_NAME.split(text, maxsplit=1))
    if described and name:
        yield CastEntry(name, lines, description=described[0] or None)
        return
    for part in _BETWEEN_NAMES.split(text):
        if part.strip():
            yield CastEntry(part.strip(), lines)


def _not_covered(text: str, told: list[Lines]) -> Iterator[Lines]:
    """The lines that are not blank and lie in nothing; blank lines do not part them."""
    source = _LINE_END.split(text)
    # One step past the last line closes what may be open there.
    steps = [0] * (len(source) + 2)
    for lines in told:
        steps[lines.first] += 1
        steps[lines.last + 1] -= 1
    first = last = 0
    for at, depth in enumerate(accumulate(steps)):
        if depth == 0 and 0 < at <= len(source):
            if source[at - 1].strip():
                first, last = first or at, at
        elif first:
            yield Lines(first, last)
            first = 0
