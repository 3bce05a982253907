from __future__ import annotations

import re

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.formats.markdown import write_markdown
from tests.formats.made_screenplays import SNARES, screenplays

ALLOWED = {
    "heading_open", "heading_close", "paragraph_open", "paragraph_close", "blockquote_open", "blockquote_close",
    "inline", "text", "hardbreak", "em_open", "em_close", "strong_open", "strong_close", "code_inline", "text_special",
}  # fmt: skip
CAST = (CastMember("ann", "ANN"), CastMember("bo", "BO"), CastMember("bo-2", "BO"))


def play(*elements: Element, language: str = "en") -> Screenplay:
    return Screenplay("Eleven Tons", language, CAST, elements, "session s-1")


def tokens(document: str) -> list[Token]:
    """The document as a parser reads it, with tables and what is struck out, which many readers know."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(document)


def blocks(document: str) -> list[str]:
    """The text of each block as it is shown."""
    told = []
    for token in tokens(document):
        if token.type == "inline":
            children = token.children or []
            told.append("".join("\n" if each.type == "hardbreak" else each.content for each in children))
    return told


def shown(text: str) -> str:
    """A text with its lines indented in no-break spaces, and one of them on a line that has nothing else."""
    return "\n".join(
        re.sub(r"\A[ \t]+", lambda found: "\u00a0" * len(found[0].expandtabs(4)), line)
        if line.strip(" \t")
        else "\u00a0"
        for line in text.split("\n")
    )


def heading(text: str) -> str:
    return " ".join(text.split("\n"))


def expected(screenplay: Screenplay) -> list[str]:
    opening, closing = ("（", "）") if screenplay.language in ("zh-Hans", "zh-Hant", "ja") else ("(", ")")
    told = [heading(screenplay.title), *([shown(screenplay.source)] if screenplay.source else [])]
    beat = None
    for element in screenplay.elements:
        if element.beat is not None and element.beat != beat:
            told.append(f"beat {element.beat}")
        beat = element.beat
        match element.kind:
            case ElementKind.SECTION | ElementKind.SCENE_HEADING:
                told.append(heading(element.text))
            case ElementKind.CHARACTER if element.role_id is not None:
                told.append(screenplay.cue_by_role[element.role_id])
            case ElementKind.PARENTHETICAL:
                told.append(shown(f"{opening}{element.text}{closing}"))
            case ElementKind.NOTE:
                told.append(shown(f"[{element.text}]"))
            case _:
                told.append(shown(element.text))
    return told


def kinds_of_tokens(document: str) -> set[str]:
    return {each.type for token in tokens(document) for each in (token, *(token.children or ()))}


@given(screenplays())
def test_a_parser_finds_every_text_and_no_markup_in_it(screenplay: Screenplay) -> None:
    document = write_markdown(screenplay)
    assert blocks(document) == expected(screenplay)
    assert kinds_of_tokens(document) <= ALLOWED


@pytest.mark.parametrize("kind", ElementKind)
def test_no_text_is_markup(kind: ElementKind) -> None:
    for snare in (snare.strip() for snare in SNARES):
        screenplay = play(Element(kind, snare), Element(kind, f"{snare} x\n{snare}\n\n {snare}"))
        document = write_markdown(screenplay)
        assert blocks(document) == expected(screenplay)
        assert kinds_of_tokens(document) <= ALLOWED


def test_a_document_is_pleasant_to_read_as_it_is() -> None:
    document = write_markdown(
        play(
            Element(ElementKind.SCENE_HEADING, "INT. HALL - NIGHT", beat=0),
            Element(ElementKind.ACTION, "Rain. It's been raining since 6 o'clock.", beat=0),
            Element(ElementKind.CHARACTER, "BO", "bo-2", 1),
            Element(ElementKind.PARENTHETICAL, "softly", "bo-2", 1),
            Element(ElementKind.DIALOGUE, "Nobody\nbelieves it.", "bo-2", 1),
            Element(ElementKind.NOTE, "→ to the quay", beat=1),
            Element(ElementKind.CENTERED, "THE END", beat=1),
        )
    )
    assert document == (
        "# Eleven Tons\n\n*session s-1*\n\n`beat 0`\n\n## INT. HALL - NIGHT\n\n"
        "Rain. It's been raining since 6 o'clock.\n\n`beat 1`\n\n**BO (bo-2)**\n\n*(softly)*\n\n"
        "> Nobody\\\n> believes it.\n\n*\\[→ to the quay\\]*\n\n*THE END*\n"
    )


def test_scenes_stand_below_the_act_that_they_are_in() -> None:
    scene = ElementKind.SCENE_HEADING
    document = write_markdown(play(Element(scene, "A"), Element(ElementKind.SECTION, "I"), Element(scene, "B")))
    levels = [token.tag for token in tokens(document) if token.type == "heading_open"]
    assert levels == ["h1", "h2", "h2", "h3"]


def test_brackets_are_as_wide_as_the_characters_around_them() -> None:
    parenthetical = Element(ElementKind.PARENTHETICAL, "轻声")
    assert "*（轻声）*" in write_markdown(play(parenthetical, language="zh-Hans"))
    assert "*(轻声)*" in write_markdown(play(parenthetical, language="ko"))


def test_an_address_is_no_link() -> None:
    document = write_markdown(play(Element(ElementKind.ACTION, "https://quay.example www.quay.example")))
    assert "https\\://quay.example www\\.quay.example" in document
