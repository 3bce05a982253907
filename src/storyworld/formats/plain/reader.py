"""Plain text to a script: any text at all is read, each line of it once, and each line has a place in what comes back.

The text is gone through three times: for its headings, for how it marks who speaks (`layout`), and to read it by that.

| a line that | is |
|---|---|
| divides the play (`headings`) | section, scene heading or transition; an act without scenes of its own is a scene |
| says when or where (`settings`) | action |
| has a name at its head (`layout`) | cue, and its speech (`speech`) |
| goes on with the speech above it (`continues`) | part of that speech |
| stands in brackets of its own | action; right below a name: parenthetical |
| says who is in the scene, below its heading (`人物：甲、乙`) | note |
| is marked as something to be seen or heard (`△…`, `SFX: …`, `字幕：…`) | action |
| holds a quotation and nothing else, though nobody is named | left out: it cannot be told who speaks |
| has neither letters nor figures | left out: not understood |
| is another paragraph before the first heading, where nobody spoke yet | left out: front matter |
| is another paragraph below a speech of a play in Latin script whose directions are bracketed | the speech goes on |
| is any other paragraph | action |
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from storyworld.core.screenplay import ElementKind
from storyworld.core.script import LeftOut, Lines, Script, ScriptElement
from storyworld.formats.fountain_headings import is_standard_heading
from storyworld.formats.plain.cast import CastList, cast_list_of
from storyworld.formats.plain.headings import Heading, counted_lines, heading_of, transition_of
from storyworld.formats.plain.layout import Marking, Place, marking_of, readings
from storyworld.formats.plain.names import (
    CLOSING_BY_OPENING,
    OPENING,
    Cue,
    Layout,
    is_cased,
    key_of,
    said_from,
    shown_from,
)
from storyworld.formats.plain.settings import setting_of
from storyworld.formats.plain.source import Source, SourceLine, source_of
from storyworld.formats.plain.speech import Openness, SpokenLine, speech_elements
from storyworld.formats.plain.title import title_page_of

_CLOSING: Final = frozenset(CLOSING_BY_OPENING.values())
_STOPS: Final = ".。．"
_WIDE_SPACE: Final = "\u3000"
_DIRECTION_LINES_MAX: Final = 30
_TITLE_LINES_MAX: Final = 40
_WRAPPED_COLUMNS_MAX: Final = 110
_FULL_SHARE: Final = 0.7
_WIDEST_SHARE: Final = 0.9
_HEADING_WRAPS_FROM_COLUMNS: Final = 45
_ENDED: Final = re.compile(r"[。．.！!？?…」』”\"’)）\]］〕】:：;；─—―~～♪]\Z")
_QUOTATION: Final = re.compile(
    r"(?:「[^「」]*」|『[^『』]*』|“[^“”]*”)(?:\s*[（(〔［\[][^（）()〔〕［］\[\]]*[）)〕］\]])*[。．.]?\Z"
)
_MOVE: Final = re.compile(
    r"(?:re-?)?(?:enter|exit|exeunt|manet|flourish|alarum|sennet|curtain|lights)\b", re.IGNORECASE
)
_DIRECTION_MARKS: Final = "[［〔【"
_PRESENT: Final = re.compile(r"(?:(?:出场|出場|登场|登場|场上|場上|本场)?人物|登場|등장(?:인물)?)\s*[:：]")
_EXTENSION: Final = re.compile(
    r"(?:V\.?\s?O\.?|O\.?\s?S\.?|O\.?\s?C\.?|CONT['’]?D\.?|画外音?|畫外音?|旁白|内心独白|心声|ＯＳ|ＶＯ|Ｅ|Ｎ|ＮＡ|Ｍ|NA|E|声|소리|내레이션|"
    r"(?i:off|off-?stage|on the phone|pre-?lap))\Z"
)


def read_plain(text: str) -> Script:
    """The script that a plain text holds. It never fails: a text in which nobody speaks has no cues."""
    source = source_of(text)
    return _Reading(source).script()


class _Reading:
    """One pass over the lines of the play."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lines = source.lines
        self._cast = cast_list_of(source.lines)
        self._headings = _headings(source.lines, self._cast)
        places = _places(self._lines, self._headings, self._cast)
        self._marking = marking_of(places, self._cast.names() if self._cast is not None else frozenset())
        self._cues = {place.at: cue for place in places if (cue := self._marking.cue(place)) is not None}
        self._endings = {
            at: ending
            for at, line in enumerate(self._lines)
            if at not in self._cues
            and at not in self._headings
            and (ending := transition_of(line, alone=_is_alone(self._lines, at))) is not None
        }
        self._spoken = frozenset(key_of(cue.name) for cue in self._cues.values())
        self._first_cue = min(self._cues, default=len(self._lines))
        self._full_columns = _full_columns(self._lines)
        self._resumes = _resumes(self._lines, self._headings, self._marking)
        self._closed = [at for at, line in enumerate(self._lines) if line.text.rstrip(_STOPS)[-1:] in _CLOSING]
        shown = (at for at, line in enumerate(self._lines) if shown_from(line.text) is not None)
        self._begins = frozenset(
            (*self._cues, *self._headings, *shown, *((self._cast.first,) if self._cast is not None else ()))
        )
        self._first_heading = min(self._headings, default=len(self._lines))
        self._next_heading = dict(pairwise(sorted(self._headings)))
        self._elements: list[ScriptElement] = []
        self._left_out = list(source.left_out)
        self._speaker: str | None = None
        # Where one act has scenes, every other is an act as well: else it would be a scene of the act before it.
        self._in_acts = False
        self._at = 0

    def script(self) -> Script:
        """Read all lines."""
        title = title_page_of(self._lines[: self._front_end()], aozora=self._source.aozora)
        self._at = len(title)
        cast = self._cast
        while self._at < len(self._lines):
            if cast is not None and self._at == cast.first:
                if cast.title_lines is not None:
                    self._left_out.append(LeftOut("script_furniture_left_out", cast.title_lines))
                self._at = cast.end
            else:
                self._read_line()
        return Script(
            format="plain",
            elements=tuple(self._elements),
            title_page=title,
            cast=cast.read(self._spoken) if cast is not None else (),
            left_out=tuple(sorted(self._left_out, key=lambda entry: entry.lines)),
        )

    def _front_end(self) -> int:
        """Where something other than a title begins."""
        ends = [self._first_cue, self._first_heading]
        if self._cast is not None:
            ends.append(self._cast.first)
        first = min(ends)
        for at, line in enumerate(self._lines[:first]):
            if line.text[0] in OPENING or setting_of(line, in_front=True) is not None:
                return at
        return first

    def _read_line(self) -> None:
        line = self._lines[self._at]
        cue = self._cues.get(self._at)
        if self._at in self._headings:
            self._heading(self._headings[self._at])
        elif cue is not None:
            self._speech(cue)
        elif self._at in self._endings:
            self._add(ElementKind.TRANSITION, self._endings[self._at], self._at, self._at + 1)
            self._speaker = None
        elif self._at - 1 in self._headings and _PRESENT.match(line.text):
            self._add(ElementKind.NOTE, line.text, self._at, self._at + 1)
        elif setting_of(line, in_front=self._speaker is None) is not None:
            self._setting()
        elif (end := self._direction_end(self._at)) is not None:
            self._add(ElementKind.ACTION, _unbracketed(self._joined(self._at, end)), self._at, end)
        elif _QUOTATION.match(line.text):
            self._leave_out("script_speech_without_speaker", self._at + 1)
        else:
            self._paragraph()

    def _heading(self, heading: Heading) -> None:
        end = self._at + 1
        line = self._lines[self._at]
        text = heading.scene or heading.act or line.text
        if line.width >= _HEADING_WRAPS_FROM_COLUMNS and is_cased(line.text) and not line.text.endswith((".", ":")):
            while end < len(self._lines) and self._is_plain(end) and not self._lines[end].fresh:
                text = f"{text} {self._lines[end].text}"
                end += 1
        self._in_acts = self._in_acts or (heading.act is not None and (heading.scene is not None or self._has_scenes()))
        if heading.act is not None and self._in_acts:
            self._append(ElementKind.SECTION, heading.act if heading.scene else text, self._at, end)
            if heading.scene is not None:
                self._append(ElementKind.SCENE_HEADING, text, self._at, end)
        else:
            self._append(ElementKind.SCENE_HEADING, text, self._at, end)
        self._at = end
        self._speaker = None

    def _has_scenes(self) -> bool:
        """Whether the act that begins here has scenes of its own."""
        following = self._next_heading.get(self._at)
        return following is not None and self._headings[following].act is None

    def _is_plain(self, at: int) -> bool:
        """Whether nothing of its own begins at a line."""
        return at not in self._begins and self._lines[at].text[0] not in OPENING and at not in self._endings

    def _setting(self) -> None:
        """Lines that say when and where, one below the other, are one paragraph."""
        told: list[str] = []
        label_alone = False
        end = self._at
        while end < len(self._lines):
            line = self._lines[end]
            setting = setting_of(line, in_front=self._speaker is None)
            belongs = setting is not None or not line.fresh or label_alone
            if end > self._at and (not belongs or line.apart or not self._is_plain(end)):
                break
            if label_alone and setting is None:
                # A label alone is told by the line below it.
                told[-1] = f"{told[-1]}{' ' if is_cased(line.text) else _WIDE_SPACE}{line.text}"
            else:
                told.append(line.text)
            label_alone = setting is not None and not setting.told
            end += 1
        self._add(ElementKind.ACTION, "\n".join(told), self._at, end)

    def _direction_end(self, at: int) -> int | None:
        """Where the direction ends that a bracket opens at a line, if nothing else stands on its lines."""
        opening = self._lines[at].text[0]
        if opening not in OPENING:
            return None
        closing = CLOSING_BY_OPENING[opening]
        next_closed = bisect_left(self._closed, at)
        if next_closed == len(self._closed) or self._closed[next_closed] >= at + _DIRECTION_LINES_MAX:
            return None
        depth = 0
        for end in range(at, min(at + _DIRECTION_LINES_MAX, len(self._lines))):
            if end > at and (end in self._begins or self._lines[end].apart):
                return None
            text = self._lines[end].text
            depth += text.count(opening) - text.count(closing)
            if depth <= 0:
                return end + 1 if text.rstrip(_STOPS)[-1:] in _CLOSING else None
        return None

    def _speech(self, cue: Cue) -> None:
        first = self._lines[self._at]
        said = said_from(first.text, cue)
        extension, said = _extension(said)
        self._add(ElementKind.CHARACTER, cue.name, self._at, self._at + 1, extension=extension)
        self._speaker = cue.name
        spoken = [SpokenLine(first.number, said)] if said else []
        self._say(spoken, cue, first)

    def _say(self, spoken: list[SpokenLine], cue: Cue | None, first: SourceLine) -> None:
        """Read the lines that go on with a speech, and add its parts."""
        opened = Openness(spoken[0].text if spoken else "")
        while self._at < len(self._lines) and self._continues(cue, first, opened, begun=bool(spoken)):
            line = self._lines[self._at]
            if not spoken:
                opened = Openness(line.text)
            else:
                opened.go_on(line.text)
            spoken.append(SpokenLine(line.number, line.text))
            self._at += 1
        self._elements += speech_elements(spoken)

    def _continues(self, cue: Cue | None, first: SourceLine, opened: Openness, *, begun: bool) -> bool:
        """Whether the line that comes next belongs to the speech.

        Never a line that begins a paragraph, a heading, a cue; always one inside an open quotation or bracket, and in
        Latin script or below a name that stands alone. Else it does if it is indented more than the cue, or the line
        above it was full, or ended no sentence; not if the speech was a quotation and is closed.
        """
        line, above = self._lines[self._at], self._lines[self._at - 1]
        if line.fresh or self._at in self._begins or self._at in self._endings:
            return False
        if opened.is_open and begun:
            return True
        if self._direction_end(self._at) is not None:
            inner = line.text.lstrip(OPENING)
            return not begun or (is_cased(inner[:1]) and not _MOVE.match(inner))
        if cue is None or cue.layout is Layout.ALONE or is_cased(cue.name):
            return True
        if opened.is_closed_quotation:
            return False
        full = self._full_columns is not None and above.width >= self._full_columns
        return line.indent > first.indent or full or not _ENDED.search(above.text)

    def _paragraph(self) -> None:
        """A paragraph that nothing marks."""
        line = self._lines[self._at]
        end = self._at + 1
        while end < len(self._lines) and not self._lines[end].fresh and self._is_plain(end):
            if _QUOTATION.match(self._lines[end].text):
                break
            end += 1
        text = _unopened(self._joined(self._at, end)[shown_from(line.text) or 0 :])
        in_front = self._at < self._first_heading < self._first_cue
        if not any(char.isalnum() for char in text):
            self._leave_out("script_line_not_understood", end)
        elif in_front:
            self._leave_out("script_front_matter_left_out", end)
        elif self._speaker is not None and self._resumes and line.fresh and not self._tells_of_somebody(text):
            self._elements.append(_element(ElementKind.CHARACTER, self._speaker, line, line))
            self._at += 1
            self._say([SpokenLine(line.number, line.text)], None, line)
        else:
            self._add(ElementKind.ACTION, text, self._at, end)

    def _tells_of_somebody(self, text: str) -> bool:
        """Whether a paragraph is a direction: it begins with a move, or has a speaker's name in capitals."""
        capitals = (word.strip(",.;:!?'\"") for word in text.split() if word.isupper())
        return bool(_MOVE.match(text)) or any(len(word) > 1 and key_of(word) in self._spoken for word in capitals)

    def _joined(self, at: int, end: int) -> str:
        return "\n".join(line.text for line in self._lines[at:end])

    def _leave_out(self, code: str, end: int) -> None:
        first, last = self._lines[self._at], self._lines[end - 1]
        self._left_out.append(LeftOut(code, Lines(first.number, last.number)))
        self._at = end

    def _append(self, kind: ElementKind, text: str, at: int, end: int, *, extension: str | None = None) -> None:
        self._elements.append(_element(kind, text, self._lines[at], self._lines[end - 1], extension))

    def _add(self, kind: ElementKind, text: str, at: int, end: int, *, extension: str | None = None) -> None:
        """Adds an element of whole lines and goes on behind them."""
        self._append(kind, text, at, end, extension=extension)
        self._at = end


def _element(
    kind: ElementKind, text: str, first: SourceLine, last: SourceLine, extension: str | None = None
) -> ScriptElement:
    return ScriptElement(kind, text.strip() or first.text, Lines(first.number, last.number), extension=extension)


def _extension(said: str) -> tuple[str | None, str]:
    """What says how a voice is heard (`V.O.`), if a speech begins with it, and the speech without it."""
    if said[:1] in tuple(OPENING):
        inner, closing, rest = said[1:].partition(CLOSING_BY_OPENING[said[0]])
        if closing and _EXTENSION.match(inner.strip()):
            return inner.strip(), rest.strip()
    return None, said


def _unbracketed(text: str) -> str:
    """A direction without the pair of brackets around all of it."""
    tidy = text.rstrip(_STOPS)
    closing = CLOSING_BY_OPENING[text[0]]
    inner = tidy[1:-1]
    if tidy.endswith(closing) and text[0] not in inner and closing not in inner and inner.strip():
        return inner.strip()
    return text


def _unopened(text: str) -> str:
    """A direction without the square bracket that opens it, where typesetters leave out the one that closes it."""
    left_open = text[0] in _DIRECTION_MARKS and CLOSING_BY_OPENING[text[0]] not in text
    return text[1:].strip() or text if left_open else text


def _is_alone(lines: Sequence[SourceLine], at: int) -> bool:
    return lines[at].fresh and (at + 1 == len(lines) or lines[at + 1].fresh)


def _headings(lines: Sequence[SourceLine], cast: CastList | None) -> dict[int, Heading]:
    """The headings by their places. In Latin script one begins a paragraph or stands below another."""
    found: dict[int, Heading] = {}
    counted = counted_lines(lines)
    for at, line in enumerate(lines):
        if cast is not None and cast.first <= at < cast.end:
            continue
        heading = heading_of(line, alone=_is_alone(lines, at))
        if heading is None and line.number in counted:
            heading = Heading(None, line.text)
        if line.marked and at == 0 and heading is not None and heading.scene == line.text:
            # The first heading of a text in Markdown is its title.
            continue
        if heading is not None and (line.fresh or not line.text.isascii() or at - 1 in found):
            found[at] = heading
    return found


def _places(lines: Sequence[SourceLine], headings: Mapping[int, Heading], cast: CastList | None) -> list[Place]:
    """The lines where somebody may speak, each with what it could be."""
    listed = range(cast.first, cast.end) if cast is not None else range(0)
    # What stands before a list of characters is about the play: a title in capitals is nobody's name.
    first = cast.first if cast is not None and cast.first <= _TITLE_LINES_MAX else 0
    last = len(lines) - 1
    return [
        Place(
            at,
            line,
            readings(
                line,
                lines[at - 1] if at and at - 1 not in headings and at - 1 not in listed else None,
                lines[at + 1] if at < last and at + 1 not in headings and at + 1 not in listed else None,
            ),
        )
        for at, line in enumerate(lines)
        if at >= first and at not in headings and at not in listed and shown_from(line.text) is None
    ]


def _full_columns(lines: Sequence[SourceLine]) -> float | None:
    """From which width on a line of this text is full; None where lines are not broken to fit a page, so that the
    widest of them are whole sentences.
    """
    widths = sorted(line.width for line in lines)
    widest = widths[int(_WIDEST_SHARE * (len(widths) - 1))] if widths else 0
    wide = [line for line in lines if line.width >= _WIDEST_SHARE * widest]
    broken = sum(not _ENDED.search(line.text) for line in wide)
    if widest > _WRAPPED_COLUMNS_MAX or 2 * broken < len(wide):
        return None
    return _FULL_SHARE * widest


def _resumes(lines: Sequence[SourceLine], headings: Mapping[int, Heading], marking: Marking) -> bool:
    """Whether a paragraph below a speech goes on with it: in Latin script, where directions stand in brackets."""
    if any(is_standard_heading(lines[at].text) for at in headings):
        return False
    bracketed = any(line.text[0] in OPENING and line.text[-1] in _CLOSING for line in lines)
    names = [key for keys in marking.recurring.values() for key in keys]
    return (
        marking.main is Layout.ALONE
        and bracketed
        and bool(names)
        and sum(is_cased(name) for name in names) > len(names) / 2
    )
