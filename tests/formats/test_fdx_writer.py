from __future__ import annotations

from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.screenplay import CastMember, Element, ElementKind, Screenplay
from storyworld.core.script import Script
from storyworld.formats.fdx_reader import read_fdx, split_cue
from storyworld.formats.fdx_writer import write_fdx
from tests.formats.made_screenplays import screenplays

CAST = (CastMember("ann", "ANN"), CastMember("bo", "BO"), CastMember("bo-2", "BO"))


def returned(screenplay: Screenplay) -> Script:
    script = read_fdx(write_fdx(screenplay))
    assert isinstance(script, Script)
    return script


def play(*elements: Element) -> Screenplay:
    return Screenplay("Eleven Tons", "en", CAST, elements, "session s-1, beats 0 to 2")


def in_xml(text: str) -> str:
    return text.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")


def as_read(screenplay: Screenplay) -> list[tuple[ElementKind, str]]:
    """What the screenplay has to be when it is read back: its elements, and a note where a beat begins."""
    told: list[tuple[ElementKind, str]] = []
    beat = None
    for element in screenplay.elements:
        if element.beat is not None and element.beat != beat:
            told.append((ElementKind.NOTE, f"beat {element.beat}"))
        beat = element.beat
        text = split_cue(element.text)[0] if element.kind is ElementKind.CHARACTER else element.text
        told.append((element.kind, in_xml(text)))
    return told


@given(screenplays())
def test_what_is_written_is_read_back_with_the_same_kinds_and_texts(screenplay: Screenplay) -> None:
    script = returned(screenplay)
    assert [(element.kind, element.text) for element in script.elements] == as_read(screenplay)
    assert "script_line_not_understood" not in {entry.code for entry in script.left_out}
    fields = {entry.key: entry.value for entry in script.title_page}
    assert fields == {"title": in_xml(screenplay.title)} | (
        {"source": in_xml(screenplay.source)} if screenplay.source else {}
    )


@given(st.text())
def test_any_text_makes_well_formed_xml(text: str) -> None:
    screenplay = Screenplay(text, "en", (CastMember("x", text),), (Element(ElementKind.ACTION, text),), text)
    ET.fromstring(write_fdx(screenplay).encode())


def test_white_space_within_a_text_survives() -> None:
    text = "one   two\n\n  three\t.\n    four"
    for kind in (ElementKind.ACTION, ElementKind.DIALOGUE, ElementKind.NOTE, ElementKind.SYNOPSIS):
        assert [element.text for element in returned(play(Element(kind, text))).elements] == [text]


def test_a_beat_is_cited_by_a_note_on_its_first_paragraph() -> None:
    document = write_fdx(
        play(
            Element(ElementKind.SCENE_HEADING, "INT. HALL", beat=0),
            Element(ElementKind.ACTION, "Rain.", beat=0),
            Element(ElementKind.ACTION, "Still rain.", beat=12),
        )
    )
    paragraphs = ET.fromstring(document.encode()).findall("Content/Paragraph")
    assert [[note.text for note in each.findall("ScriptNote/Paragraph/Text")] for each in paragraphs] == [
        ["beat 0"],
        [],
        ["beat 12"],
    ]
    assert document.count("<ScriptNote ID=") == 2


def test_a_synopsis_after_a_heading_is_the_summary_of_its_scene() -> None:
    document = write_fdx(
        play(
            Element(ElementKind.SYNOPSIS, "Loose."),
            Element(ElementKind.SCENE_HEADING, "INT. HALL"),
            Element(ElementKind.SYNOPSIS, "She looks."),
        )
    )
    content = ET.fromstring(document.encode()).find("Content")
    assert content is not None
    assert [each.get("Type") for each in content] == ["Outline Body", "Scene Heading"]
    assert [each.text for each in content.iterfind("Paragraph/SceneProperties/Summary/Paragraph/Text")] == [
        "She looks."
    ]


def test_namesakes_are_told_apart_by_their_ids() -> None:
    speech = (Element(ElementKind.CHARACTER, "BO", "bo-2", 1), Element(ElementKind.DIALOGUE, "No.", "bo-2", 1))
    renamed = Element(ElementKind.CHARACTER, "OLD BO", "bo", 1)
    said = returned(play(Element(ElementKind.CHARACTER, "ANN", "ann", 1), *speech, renamed)).elements[1:]
    told = [(each.text, each.extension) for each in said]
    assert told == [("ANN", None), ("BO", "bo-2"), ("No.", None), ("OLD BO", None)]


def test_a_parenthetical_is_written_with_brackets_that_can_be_taken_off_again() -> None:
    texts = ["softly", "(softly)", "a) b (c", "(a) b (c)", "（轻声）", "((x)"]
    screenplay = play(*(Element(ElementKind.PARENTHETICAL, text) for text in texts))
    assert "<Text>(softly)</Text>" in write_fdx(screenplay)
    assert [each.text for each in returned(screenplay).elements] == texts


def test_a_note_at_the_end_has_a_paragraph_of_its_own() -> None:
    script = returned(play(Element(ElementKind.ACTION, "Rain."), Element(ElementKind.NOTE, "→ out")))
    assert [(each.kind, each.text) for each in script.elements] == [
        (ElementKind.ACTION, "Rain."),
        (ElementKind.NOTE, "→ out"),
    ]


def test_the_names_of_the_cast_are_offered_for_completion() -> None:
    root = ET.fromstring(write_fdx(play()).encode())
    assert [each.text for each in root.iterfind("SmartType/Characters/Character")] == ["ANN", "BO (bo)", "BO (bo-2)"]
