"""A screenplay as Markdown, to be read where Markdown is shown: CommonMark without HTML.

It owns the escapes: whatever a text says, it is shown as that text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from storyworld.core.screenplay import Element, ElementKind, Screenplay
from storyworld.formats.cues import brackets, cue

# A dollar begins a formula where formulas are shown, a bar a table, a tilde what is struck out.
_MARKS: Final = re.compile(r"[\\`*_{}\[\]<&#~|$]")
# What makes a list, a quotation, a heading or a rule stands first in its line.
_FIRST: Final = re.compile(r"\A(\d{1,9}(?=[.)])|(?=[-+=>:]))")
# Addresses become links even where no mark is around them.
_ADDRESS: Final = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
_INDENT: Final = re.compile(r"[ \t]+")
_NO_BREAK_SPACE: Final = "&nbsp;"
_TAB_COLUMNS: Final = 4
_LINE_BREAK: Final = "\\\n"


def write_markdown(screenplay: Screenplay) -> str:
    """The screenplay as a document: a heading for each act and scene, names in bold, speeches as quotations.

    Each beat is cited (`beat 12`) before the first element that comes from it. Line breaks of a text are kept, and so
    is how far its lines are indented, in no-break spaces; in headings, which have one line, breaks are spaces. Two
    things that are no Markdown are beyond its reach: where e-mail addresses and codes such as `:smile:` are looked for
    in what is shown, they are found.
    """
    return "\n\n".join(_blocks(screenplay)) + "\n"


def _blocks(screenplay: Screenplay) -> Iterator[str]:
    yield f"# {_heading(screenplay.title)}"
    if screenplay.source:
        yield f"*{_escaped(screenplay.source)}*"
    beat, level = None, "##"
    for element in screenplay.elements:
        if element.beat is not None and element.beat != beat:
            yield f"`beat {element.beat}`"
        beat = element.beat
        if element.kind is ElementKind.SCENE_HEADING:
            yield f"{level} {_heading(element.text)}"
        elif element.kind is ElementKind.SECTION:
            level = "###"
            yield f"## {_heading(element.text)}"
        else:
            yield _block(screenplay, element)


def _block(screenplay: Screenplay, element: Element) -> str:
    """An element that is no heading."""
    text = element.text
    match element.kind:
        case ElementKind.CHARACTER:
            return f"**{_escaped(cue(screenplay, element))}**"
        case ElementKind.PARENTHETICAL:
            opening, closing = brackets(screenplay.language)
            return f"*{_escaped(f'{opening}{text}{closing}')}*"
        case ElementKind.DIALOGUE:
            return _quoted(_escaped(text))
        case ElementKind.LYRICS:
            return _quoted(f"*{_escaped(text)}*")
        case ElementKind.NOTE:
            return f"*{_escaped(f'[{text}]')}*"
        case ElementKind.SYNOPSIS | ElementKind.TRANSITION | ElementKind.CENTERED:
            return f"*{_escaped(text)}*"
        case _:
            return _escaped(text)


def _quoted(block: str) -> str:
    return "\n".join(f"> {line}" for line in block.split("\n"))


def _heading(text: str) -> str:
    return _line(" ".join(text.split("\n")))


def _escaped(text: str) -> str:
    """A text in which nothing is markup, its lines parted by hard line breaks."""
    return _LINE_BREAK.join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    indent = _INDENT.match(line)
    columns = len(indent[0].expandtabs(_TAB_COLUMNS)) if indent is not None else 0
    rest = line[indent.end() :] if indent is not None else line
    if not rest:
        # A line break needs something to stand after.
        return _NO_BREAK_SPACE
    marked = _ADDRESS.sub(r"\\\g<0>", _MARKS.sub(r"\\\g<0>", rest))
    return _NO_BREAK_SPACE * columns + _FIRST.sub(r"\1\\", marked)
