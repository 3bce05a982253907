"""A screenplay as Fountain 1.1, for other programs and for our own reader.

Marks are written only where the standard, or our reader, would take a line for something else; cues in scripts without
capitals are always forced. A character that would be a mark is escaped with a backslash. An empty line in an element is
written as two spaces; in an action it stands between forced lines, which other programs show as two actions. A note in
a paragraph of its own (`[[beat 12]]`) is before the first element of each beat, and the cast list of the title page
tells which role bears which name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from storyworld.core.screenplay import Element, ElementKind, Screenplay
from storyworld.formats.cues import cue
from storyworld.formats.fountain_cues import cue_of, is_in_capitals, may_be_caseless_name
from storyworld.formats.fountain_headings import is_scene_heading, is_standard_heading, is_transition
from storyworld.formats.fountain_lines import SPACER
from storyworld.formats.fountain_reader import is_forced_heading, parenthetical_ends, stands_apart
from storyworld.formats.fountain_return import note_to_write
from storyworld.formats.fountain_text import EMPTY_LINE, OPENING_BRACKETS, ends_with, literal, mask
from storyworld.formats.fountain_title import title_key

_INDENT: Final = "    "
_BRACKETS: Final = re.compile("[()（）]")
_SECOND_BRACKET: Final = re.compile(r"(?<=\])\]")
_COLONS: Final = re.compile("[:：]")
_SPEECH: Final = frozenset({ElementKind.PARENTHETICAL, ElementKind.DIALOGUE, ElementKind.LYRICS})


def write_fountain(screenplay: Screenplay) -> str:
    """The screenplay as text to be encoded in UTF-8; `screenplay_of` makes an equal one of what is read from it.

    That holds for every screenplay that is drawn up as drafts and outlines are:

    - texts are as `Element` says, and so are title and source; those of headings, sections, synopses, transitions and
      cues, and names, stand on one line;
    - either all elements have a beat, below 1,000,000,000, or none has;
    - ids of roles, and the language, have the form that a story package asks for;
    - a speech is a cue and, in any order, parentheticals, lyrics and dialogue, no two dialogues or two lyrics side by
      side. All of it is from one beat, and all but lyrics bears the role of the cue;
    - the text of a cue with a role is the role's name in the cast; that of a cue without a role is no name which a
      single role of the cast bears. Nothing else bears a role.

    Any other screenplay is written, too: line breaks become spaces where there may be none, speeches without a cue
    become action.
    """
    body = _Body(screenplay)
    for element in screenplay.elements:
        body.add(element)
    paragraphs = [list(_title_page(screenplay)), *body.finished()]
    return "\n\n".join("\n".join(lines) for lines in paragraphs) + "\n"


def _title_page(screenplay: Screenplay) -> Iterator[str]:
    yield from _field("Title", screenplay.title)
    if screenplay.source is not None:
        yield from _field("Source", screenplay.source)
    yield from _field("Language", screenplay.language)
    if screenplay.cast:
        yield "Cast:"
    for member in screenplay.cast:
        name = _COLONS.sub(r"\\\g<0>", _name(member.name))
        yield f"{_INDENT}{name} ({literal(member.role_id)})"


def _field(key: str, value: str) -> Iterator[str]:
    lines = [literal(line) if line else EMPTY_LINE for line in value.split("\n")] if value else []
    if len(lines) > 1:
        yield f"{key}:"
        yield from (_INDENT + line for line in lines)
    else:
        yield " ".join([f"{key}:", *lines])


class _Body:
    """The paragraphs of a screenplay, as far as its elements are written."""

    def __init__(self, screenplay: Screenplay) -> None:
        self._screenplay = screenplay
        self._paragraphs: list[list[str]] = []
        self._speech: list[Element] = []
        self._beat: int | None = None

    def add(self, element: Element) -> None:
        """Writes the next element; a speech is written when it is known to have ended."""
        if element.beat is not None and element.beat != self._beat:
            self._end_speech()
            self._beat = element.beat
            self._paragraphs.append([f"[[beat {element.beat}]]"])
        if element.kind is ElementKind.CHARACTER:
            self._end_speech()
            self._speech = [element]
        elif self._goes_on(element):
            self._speech.append(element)
        else:
            self._end_speech()
            self._paragraphs.append(_paragraph(element))

    def finished(self) -> list[list[str]]:
        """All paragraphs, each as its lines."""
        self._end_speech()
        return self._paragraphs

    def _goes_on(self, element: Element) -> bool:
        """Whether an element belongs to the speech before it; lyrics after lyrics are told apart by an empty line."""
        if element.kind not in _SPEECH or not self._speech:
            return False
        return element.kind is not ElementKind.LYRICS or self._speech[-1].kind is not ElementKind.LYRICS

    def _end_speech(self) -> None:
        if not self._speech:
            return
        first, *said = self._speech
        self._speech = []
        lines = [self._cue(first, followed=bool(said))]
        before = first.kind
        for element in said:
            if element.kind is before:
                lines += [SPACER] if element.kind is ElementKind.DIALOGUE else []
            lines += _said(element)
            before = element.kind
        self._paragraphs.append(lines)

    def _cue(self, element: Element, *, followed: bool) -> str:
        """A cue; for names that several roles bear, with the id of the role as its extension."""
        name = _name(element.text)
        if cue(self._screenplay, element) != element.text:
            return f"@{name} ({literal(element.role_id or '')})"
        natural = (
            followed and name[:1].isalnum() and is_in_capitals(name) and not _is_other_than_action(name, alone=False)
        )
        return name if natural else f"@{name}"


def _paragraph(element: Element) -> list[str]:
    """The lines of an element that stands between empty lines."""
    text = element.text
    match element.kind:
        case ElementKind.SECTION:
            return [f"# {literal(_on_one_line(text))}"]
        case ElementKind.SYNOPSIS:
            return [f"= {literal(_on_one_line(text))}"]
        case ElementKind.SCENE_HEADING:
            return [_heading(literal(_on_one_line(text)))]
        case ElementKind.TRANSITION:
            return [_transition(literal(_on_one_line(text)))]
        case ElementKind.CENTERED:
            return [f"> {literal(line)} <" if line else "><" for line in text.split("\n")]
        case ElementKind.LYRICS:
            return _said(element)
        case ElementKind.NOTE:
            return _note(text)
        case ElementKind.PARENTHETICAL:
            return _action(f"({text})")
        case _:
            return _action(text)


def _said(element: Element) -> list[str]:
    """The lines of a part of a speech."""
    lines = element.text.split("\n")
    match element.kind:
        case ElementKind.LYRICS:
            return [f"~{literal(line)}" for line in lines]
        case ElementKind.PARENTHETICAL:
            return _parenthetical(lines)
        case _:
            return [_spoken(literal(line)) if line else SPACER for line in lines]


def _spoken(line: str) -> str:
    """A line of a dialogue, which must not be read as lyrics or as what stands in brackets."""
    return f"\\{line}" if line.startswith("~") or _may_open_parenthetical(line) else line


def _may_open_parenthetical(line: str) -> bool:
    """Whether a line begins with a bracket that is closed at its end or not on it."""
    if not _BRACKETS.match(line):
        return False
    depth = 0
    masked = mask(line)
    for bracket in _BRACKETS.finditer(masked):
        depth += 1 if bracket[0] in OPENING_BRACKETS else -1
        if depth <= 0:
            return bracket.end() == len(masked)
    return True


def _parenthetical(lines: Sequence[str]) -> list[str]:
    written = [literal(line) if line else SPACER for line in lines]
    bracketed = _in_brackets(written)
    if parenthetical_ends(bracketed).get(0) != len(lines) - 1:
        bracketed = _in_brackets([_BRACKETS.sub(r"\\\g<0>", line) for line in written])
    return bracketed


def _in_brackets(lines: Sequence[str]) -> list[str]:
    first, *rest = lines
    *inner, last = [f"({first}", *rest]
    return [*inner, f"{last})"]


def _action(text: str) -> list[str]:
    lines = text.split("\n")
    first = literal(lines[0])
    alone = len(lines) == 1
    forced = "" in lines or _is_other_than_action(first, alone=alone) or (not alone and _is_like_cue(first))
    written = [f"!{first}" if forced else first]
    for before, line in pairwise(lines):
        forced = not before or stands_apart(line) or line.startswith("!")
        written.append(SPACER if not line else f"!{literal(line)}" if forced else literal(line))
    return written


def _is_like_cue(line: str) -> bool:
    """Whether a line with another below it may be read as a cue.

    Programs differ in what they take for one where a line has no letters that could be small, so nothing is left to
    them.
    """
    found = cue_of(line)
    named = found is not None and (is_in_capitals(found.written) or may_be_caseless_name(found.name))
    return named or line == line.upper()


def _is_other_than_action(line: str, *, alone: bool) -> bool:
    """Whether a line that begins a paragraph, no cue, would be read as anything but action."""
    return (
        stands_apart(line)
        or line.startswith(("!", "@"))
        or is_forced_heading(line)
        or is_scene_heading(line, alone=alone)
        or is_transition(line, alone=alone)
        or title_key(line) is not None
    )


def _heading(line: str) -> str:
    if ends_with(line, "#"):
        line = f"{line[:-1]}\\#"
    if is_standard_heading(line):
        return line
    return f".{line}" if is_forced_heading(f".{line}") else f".\\{line}"


def _transition(line: str) -> str:
    natural = line.endswith(" TO:") and line.isascii() and line[0].isalpha() and is_transition(line, alone=True)
    if natural and not is_scene_heading(line, alone=True):
        return line
    return f"> {line[:-1]}\\<" if ends_with(line, "<") else f"> {line}"


def _note(text: str) -> list[str]:
    lines = [
        re.sub(r"(?<=\])\]", r"\\]", literal(line)) if line else SPACER for line in note_to_write(text).split("\n")
    ]
    lines[0] = f"[[{lines[0]}"
    # A bracket at the end would be taken for a part of the mark.
    lines[-1] += " ]]" if lines[-1].endswith("]") else "]]"
    return lines


def _name(name: str) -> str:
    """A name, in which brackets are no extension and a caret is no mark."""
    written = _BRACKETS.sub(r"\\\g<0>", literal(_on_one_line(name)))
    return f"{written[:-1]}\\^" if ends_with(written, "^") else written


def _on_one_line(text: str) -> str:
    return " ".join(filter(None, (line.strip() for line in text.split("\n")))) if "\n" in text else text
