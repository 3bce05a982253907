"""A screenplay as FDX, the file format of Final Draft, which other programs for screenplays read too.

Each beat is cited by a note (`beat 12`) on the first paragraph that comes from it: notes are seen beside the script and
are not printed with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from storyworld.core.screenplay import Element, ElementKind, Screenplay
from storyworld.formats.cues import cue
from storyworld.formats.fdx_reader import without_brackets

_TYPE_BY_KIND: Final = {
    ElementKind.SECTION: "New Act",
    ElementKind.SCENE_HEADING: "Scene Heading",
    ElementKind.SYNOPSIS: "Outline Body",
    ElementKind.ACTION: "Action",
    ElementKind.CHARACTER: "Character",
    ElementKind.PARENTHETICAL: "Parenthetical",
    ElementKind.DIALOGUE: "Dialogue",
    ElementKind.LYRICS: "Lyrics",
    ElementKind.TRANSITION: "Transition",
    ElementKind.CENTERED: "Action",
}
_NOT_IN_XML: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REPLACED: Final = "\ufffd"


def write_fdx(screenplay: Screenplay) -> str:
    """The screenplay as a document of Final Draft 12, in XML 1.0 to be encoded in UTF-8.

    Read back by `read_fdx` it has the same kinds and texts, and the notes that cite the beats. Two things FDX cannot
    tell: that brackets at the end of a name are a part of the name, for they are where a cue has its extension; and the
    noncharacters U+FFFE and U+FFFF, which XML does not have and which stand as U+FFFD.
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>',
        '<FinalDraft DocumentType="Script" Template="No" Version="5">',
        "  <Content>",
        *_Writing(screenplay).paragraphs(),
        "  </Content>",
        "  <TitlePage>",
        "    <Content>",
        *_title_page(screenplay),
        "    </Content>",
        "  </TitlePage>",
        "  <SmartType>",
        "    <Characters>",
        *(f"      <Character>{_text(name)}</Character>" for name in screenplay.cue_by_role.values()),
        "    </Characters>",
        "  </SmartType>",
        "</FinalDraft>",
    ]
    return "\n".join(lines) + "\n"


class _Writing:
    """Follows the elements of one screenplay: what is pinned to the next paragraph, and which beat was cited last."""

    def __init__(self, screenplay: Screenplay) -> None:
        self._screenplay = screenplay
        self._pinned: list[str] = []
        self._notes = 0
        self._beat: int | None = None

    def paragraphs(self) -> Iterator[str]:
        """The lines of every paragraph. A synopsis directly after a heading of its beat is the summary of the scene."""
        elements = self._screenplay.elements
        at = 0
        while at < len(elements):
            element = elements[at]
            at += 1
            self._cite(element)
            if element.kind is ElementKind.NOTE:
                self._pinned.append(element.text)
                continue
            summary = []
            if element.kind is ElementKind.SCENE_HEADING:
                while (
                    at < len(elements)
                    and elements[at].kind is ElementKind.SYNOPSIS
                    and elements[at].beat == element.beat
                ):
                    summary.append(elements[at].text)
                    at += 1
            yield from self._paragraph(_TYPE_BY_KIND[element.kind], self._said(element), element.kind, summary)
        if self._pinned:
            yield from self._paragraph("General", "", None, [])

    def _cite(self, element: Element) -> None:
        if element.beat is not None and element.beat != self._beat:
            self._pinned.append(f"beat {element.beat}")
        self._beat = element.beat

    def _said(self, element: Element) -> str:
        """The text as FDX has it: cues tell namesakes apart, parentheticals bring their brackets."""
        if element.kind is ElementKind.CHARACTER:
            return cue(self._screenplay, element)
        if element.kind is ElementKind.PARENTHETICAL:
            bracketed = f"({element.text})"
            # Brackets that do not match each other would not be found again.
            return bracketed if without_brackets(bracketed) == element.text else element.text
        return element.text

    def _paragraph(self, written: str, text: str, kind: ElementKind | None, summary: list[str]) -> Iterator[str]:
        alignment = ' Alignment="Center"' if kind is ElementKind.CENTERED else ""
        yield f'    <Paragraph{alignment} Type="{written}">'
        if summary:
            yield '      <SceneProperties Title="">'
            yield "        <Summary>"
            yield from (f"          <Paragraph><Text>{_text(one)}</Text></Paragraph>" for one in summary)
            yield "        </Summary>"
            yield "      </SceneProperties>"
        for note in self._pinned:
            self._notes += 1
            yield f'      <ScriptNote ID="{self._notes}">'
            yield f"        <Paragraph><Text>{_text(note)}</Text></Paragraph>"
            yield "      </ScriptNote>"
        self._pinned.clear()
        yield f"      <Text>{_text(text)}</Text>"
        yield "    </Paragraph>"


def _title_page(screenplay: Screenplay) -> Iterator[str]:
    yield from _centered(screenplay.title, ' Style="Bold"')
    if screenplay.source:
        yield from _centered(f"Source: {screenplay.source}")


def _centered(text: str, attributes: str = "") -> Iterator[str]:
    yield '      <Paragraph Alignment="Center">'
    yield f"        <Text{attributes}>{_text(text)}</Text>"
    yield "      </Paragraph>"


def _text(text: str) -> str:
    return escape(_NOT_IN_XML.sub(_REPLACED, text))
