from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyworld.core.errors import Refusal
from storyworld.core.screenplay import ElementKind
from storyworld.core.script import CastEntry, LeftOut, Lines, Script, ScriptElement
from storyworld.formats.fdx_reader import read_fdx, split_cue, without_brackets

BEFORE = '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n<FinalDraft DocumentType="Script" Version="5">'


def read(content: str, *, beside: str = "") -> Script:
    """Read a file of which these are the paragraphs, from its third line on."""
    script = read_fdx(f"{BEFORE}<Content>\n{content}\n</Content>{beside}</FinalDraft>")
    assert isinstance(script, Script)
    return script


def told(script: Script) -> list[tuple[str, str]]:
    return [(element.kind.value, element.text) for element in script.elements]


def uncovered(text: str, script: Script) -> list[int]:
    """The lines of a source that are not blank and that the script says nothing of."""
    told_lines = [
        *(element.lines for element in script.elements),
        *(entry.lines for entry in script.title_page),
        *(entry.lines for entry in script.cast),
        *(entry.lines for entry in script.left_out),
    ]
    covered = {line for lines in told_lines for line in range(lines.first, lines.last + 1)}
    source = re.split(r"\r\n|\r|\n", text)
    assert all(1 <= lines.first <= lines.last <= len(source) for lines in told_lines)
    return [at for at, line in enumerate(source, 1) if line.strip(" \t\ufeff") and at not in covered]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Scene Heading", ElementKind.SCENE_HEADING),
        ("Action", ElementKind.ACTION),
        ("General", ElementKind.ACTION),
        ("Shot", ElementKind.ACTION),
        ("", ElementKind.ACTION),
        ("Character", ElementKind.CHARACTER),
        ("Parenthetical", ElementKind.PARENTHETICAL),
        ("Dialogue", ElementKind.DIALOGUE),
        ("Lyrics", ElementKind.LYRICS),
        ("Singing", ElementKind.LYRICS),
        ("Transition", ElementKind.TRANSITION),
        ("New Act", ElementKind.SECTION),
        ("End of Act", ElementKind.CENTERED),
        ("Outline Body", ElementKind.SYNOPSIS),
        ("scene heading", ElementKind.SCENE_HEADING),
    ],
)
def test_a_paragraph_is_what_its_type_says(written: str, kind: ElementKind) -> None:
    script = read(f'<Paragraph Type="{written}">\n<Text>幕が</Text><Text Style="Bold">あがる</Text>\n</Paragraph>')
    assert script.elements == (ScriptElement(kind, "幕があがる", Lines(3, 5)),)


def test_an_outline_has_levels() -> None:
    script = read('<Paragraph Type="Outline 3"><Text>x</Text></Paragraph>')
    assert script.elements == (ScriptElement(ElementKind.SECTION, "x", Lines(3, 3), depth=3),)


def test_a_paragraph_of_an_unknown_type_is_told() -> None:
    script = read('<Paragraph Type="Weather Report">\n<Text>Rain.</Text>\n</Paragraph>')
    assert script.elements == ()
    assert LeftOut("script_line_not_understood", Lines(3, 5)) in script.left_out


def test_action_in_the_middle_is_centered_and_other_paragraphs_are_what_they_are() -> None:
    script = read(
        '<Paragraph Type="Action" Alignment="Center"><Text>THE END</Text></Paragraph>'
        '<Paragraph Type="Character" Alignment="Center"><Text>KAY</Text></Paragraph>'
    )
    assert told(script) == [("centered", "THE END"), ("character", "KAY")]


def test_how_far_an_action_is_indented_survives() -> None:
    script = read('<Paragraph Type="Action"><Text>   three\n  two </Text></Paragraph>')
    assert told(script) == [("action", "   three\n  two")]


def test_white_space_between_runs_is_no_text() -> None:
    script = read('<Paragraph Type="Dialogue">\n  <Text>one</Text>\n  <Text> two</Text>\n</Paragraph>')
    assert told(script) == [("dialogue", "one two")]


def test_entities_and_sections_of_characters_are_text() -> None:
    script = read("<Paragraph><Text>&lt;b&gt; &amp; &#20320;<![CDATA[<i>]]></Text></Paragraph>")
    assert told(script) == [("action", "<b> & 你<i>")]


@pytest.mark.parametrize(
    ("text", "name", "extension"),
    [
        ("JIM", "JIM", None),
        (" JIM (O.S.) ", "JIM", "O.S."),
        ("JIM (O.S.) (CONT'D)", "JIM", "O.S. CONT'D"),
        ("小李（画外音）", "小李", "画外音"),
        ("JIM ((aside))", "JIM", "(aside)"),
        ("(O.S.)", "(O.S.)", None),
        ("JIM O.S.)", "JIM O.S.)", None),
        ("JIM ()", "JIM", None),
        ("JIM (O.S.）", "JIM (O.S.）", None),
    ],
)
def test_what_stands_in_brackets_after_a_name_is_its_extension(text: str, name: str, extension: str | None) -> None:
    assert split_cue(text) == (name, extension)
    script = read(f'<Paragraph Type="Character"><Text>{text}</Text></Paragraph>')
    assert script.elements == (ScriptElement(ElementKind.CHARACTER, name, Lines(3, 3), extension=extension),)


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("(bored)", "bored"),
        (" （ 低声 ） ", "低声"),
        ("bored", "bored"),
        ("(to Kay) louder (still)", "(to Kay) louder (still)"),
        ("((aside))", "(aside)"),
        ("()", ""),
        ("", ""),
    ],
)
def test_a_parenthetical_stands_without_its_brackets(text: str, inner: str) -> None:
    assert without_brackets(text) == inner


def test_the_second_cue_of_a_dual_dialogue_is_spoken_beside_the_first() -> None:
    cue, speech = '<Paragraph Type="Character"><Text>{}</Text></Paragraph>', "<Paragraph><Text>Hey!</Text></Paragraph>"
    script = read(
        f"<Paragraph><DualDialogue>{cue.format('GIRL')}{speech}{cue.format('GUY')}{speech}</DualDialogue></Paragraph>"
        f"{cue.format('KAY')}"
    )
    cues = [(each.text, each.dual) for each in script.elements if each.kind is ElementKind.CHARACTER]
    assert cues == [("GIRL", False), ("GUY", True), ("KAY", False)]


def test_a_note_stands_before_the_paragraph_that_it_is_pinned_to() -> None:
    script = read(
        '<Paragraph Type="Action"><Text>Rain</Text><ScriptNote ID="2"><Paragraph><Text>How</Text></Paragraph>'
        "<Paragraph><Text>much?</Text></Paragraph></ScriptNote><Text>.</Text></Paragraph>"
    )
    assert told(script) == [("note", "How\nmuch?"), ("action", "Rain.")]


def test_notes_at_the_end_of_a_file_are_notes() -> None:
    script = read(
        "", beside="<ScriptNotes><ScriptNote><Paragraph><Text>Why?</Text></Paragraph></ScriptNote></ScriptNotes>"
    )
    assert told(script) == [("note", "Why?")]


def test_title_and_summary_of_a_scene_say_what_it_is_for() -> None:
    script = read(
        '<Paragraph Type="Scene Heading"><SceneProperties Title="The find"><Summary><Paragraph><Text>She looks.</Text>'
        "</Paragraph><Paragraph><Text>She finds.</Text></Paragraph><Paragraph/></Summary></SceneProperties>"
        "<Text>INT. HALL</Text></Paragraph>"
    )
    assert told(script) == [
        ("scene_heading", "INT. HALL"),
        ("synopsis", "The find"),
        ("synopsis", "She looks."),
        ("synopsis", "She finds."),
    ]


def test_a_cast_list_names_who_is_in_a_scene() -> None:
    script = read(
        '<Paragraph Type="Cast List"><Text>(Joe, 小梅、 ,Sam)</Text></Paragraph>\n'
        '<Paragraph Type="Cast List"><Text>ANN: a plumber</Text></Paragraph>'
    )
    assert script.cast == (
        CastEntry("Joe", Lines(3, 3)),
        CastEntry("小梅", Lines(3, 3)),
        CastEntry("Sam", Lines(3, 3)),
        CastEntry("ANN", Lines(4, 4), description="a plumber"),
    )


def title_page(*paragraphs: str) -> list[tuple[str, str]]:
    content = "\n".join(
        f'<Paragraph Alignment="{"Center" if text.startswith("^") else "Left"}"><Text>{text[1:]}</Text></Paragraph>'
        for text in paragraphs
    )
    script = read("", beside=f"<TitlePage><Content>\n{content}\n</Content></TitlePage>")
    return [(entry.key, entry.value) for entry in script.title_page]


def test_a_title_page_is_understood_by_how_it_is_set_and_what_it_says() -> None:
    assert title_page(
        "<WGA 1", "^ ", "^Eleven\nTons", "^Written by", "^Ann Lee", "^Based on a play", "^for Sam", "<© 2026 A. Lee",
        "<Third draft", "<12 Quay", "<Source: session 7", "<Contact:", "<ann@quay", "^Screenplay by Bo Li",
    ) == [
        ("contact", "WGA 1"), ("title", "Eleven\nTons"), ("credit", "Written by"), ("author", "Ann Lee"),
        ("source", "Based on a play"), ("notes", "for Sam"), ("copyright", "© 2026 A. Lee"),
        ("draft date", "Third draft"), ("contact", "12 Quay"), ("source", "session 7"), ("label", "Contact:"),
        ("contact", "ann@quay"), ("author", "Bo Li"),
    ]  # fmt: skip


def test_a_title_page_may_be_chinese() -> None:
    assert title_page("^十一吨", "<编剧：李娜", "<2026年3月1日", "<改编自同名小说") == [
        ("title", "十一吨"),
        ("author", "李娜"),
        ("draft date", "2026年3月1日"),
        ("source", "改编自同名小说"),
    ]


def test_without_a_paragraph_in_the_middle_the_first_is_the_title() -> None:
    assert title_page("<Eleven Tons", "<by", "<Ann Lee") == [
        ("title", "Eleven Tons"),
        ("credit", "by"),
        ("author", "Ann Lee"),
    ]


def test_every_line_that_became_nothing_is_told_with_its_reason() -> None:
    text = f"""{BEFORE}
<Content>
  loose
  words
  <Paragraph><Text>kept</Text><Stamp>
    dropped
  </Stamp></Paragraph>
  <Paragraph><SceneProperties><SceneArcBeats>
    <CharacterArcBeat><Paragraph><Text>She grows.</Text></Paragraph></CharacterArcBeat>
  </SceneArcBeats></SceneProperties><Text>kept</Text></Paragraph>
</Content>
<HeaderAndFooter><Header><Paragraph>
  <Text>Page 1</Text>
</Paragraph></Header></HeaderAndFooter>

<SmartType><Character>KAY</Character>
</SmartType></FinalDraft>
"""
    script = read_fdx(text)
    assert isinstance(script, Script)
    assert [(entry.code, entry.lines.first, entry.lines.last) for entry in script.left_out] == [
        ("script_markup_left_out", 1, 3),
        ("script_line_not_understood", 4, 5),
        ("script_line_not_understood", 7, 7),
        ("script_note_left_out", 10, 10),
        ("script_markup_left_out", 12, 13),
        ("script_furniture_left_out", 14, 14),
        ("script_markup_left_out", 15, 18),
    ]
    assert uncovered(text, script) == []


def test_references_to_line_feeds_are_no_lines_of_the_file() -> None:
    script = read("a&#10;&#10;&#10;b<?x y?><!-- \n -->c")
    lost = [entry.lines for entry in script.left_out if entry.code == "script_line_not_understood"]
    assert lost == [Lines(2, 4)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_however_they_end(end: str) -> None:
    text = f"\ufeff{BEFORE}\n<Content>\n\n<Paragraph>\n<Text>x\ny</Text></Paragraph>\n</Content></FinalDraft>"
    script = read_fdx(text.replace("\n", end))
    assert isinstance(script, Script)
    assert script.elements == (ScriptElement(ElementKind.ACTION, "x\ny", Lines(5, 7)),)
    assert uncovered(text.replace("\n", end), script) == []


def test_the_encoding_that_a_file_declares_means_nothing_once_it_is_text() -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?><FinalDraft><Content/></FinalDraft>'
    assert isinstance(read_fdx(text), Script)


def refused(text: str) -> tuple[str, str]:
    refusal = read_fdx(text)
    assert isinstance(refusal, Refusal)
    return refusal.code, refusal.message


def test_a_document_type_is_refused_before_its_entities_are_read() -> None:
    laughs = "".join(f'<!ENTITY l{n} "&l{n - 1};&l{n - 1};&l{n - 1};&l{n - 1};">\n' for n in range(1, 40))
    code, message = refused(f'<?xml version="1.0"?>\n<!DOCTYPE x [\n{laughs}]><FinalDraft>&l39;</FinalDraft>')
    assert code == "script_fdx_declarations"
    assert "line 2" in message
    assert refused('<!DOCTYPE FinalDraft SYSTEM "file:///etc/passwd"><FinalDraft/>')[0] == "script_fdx_declarations"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("INT. HALL", "line 1, column 1"),
        ("<FinalDraft>\n <Content>", "line 2, column 11"),
        ("<FinalDraft>\n&nbsp;</FinalDraft>", "line 2, column 1"),
        ("<FinalDraft>\ud800</FinalDraft>", "line 1, column 13"),
        ("<FinalDraft>剧\0</FinalDraft>", "line 1, column 14"),
        ("<FinalDraft><Content/></FinalDraft><x/>", "line 1, column 36"),
    ],
)
def test_a_fault_of_the_xml_is_told_with_its_place(text: str, place: str) -> None:
    code, message = refused(text)
    assert code == "script_fdx_malformed"
    assert message.endswith(place)


@pytest.mark.parametrize(
    "text",
    [
        "<html><body/></html>",
        "<FinalDraft/>",
        "<FinalDraft><ScriptNotes/></FinalDraft>",
        "<x><FinalDraft><Content/></FinalDraft></x>",
    ],
)
def test_other_xml_is_refused(text: str) -> None:
    assert refused(text)[0] == "script_fdx_foreign"


def test_elements_may_be_nested_as_deep_as_a_file_can() -> None:
    depth = 20_000
    nested = "<Paragraph><DualDialogue>" * depth + "<Paragraph><Text>x</Text></Paragraph>"
    assert told(read(nested + "</DualDialogue></Paragraph>" * depth)) == [("action", "x")]


PIECES = st.sampled_from(
    [
        "<Paragraph>", '<Paragraph Type="Character">', '<Paragraph Type="Nothing">', "</Paragraph>", "<Text>",
        "</Text>",
        "<DualDialogue>", "</DualDialogue>", "<ScriptNote>", "</ScriptNote>", "<Summary>", "</Summary>", "<x>", "</x>",
        "<SceneProperties Title='t'>", "</SceneProperties>", "\n", "\r\n", "word", "名", " ", "&amp;", "&#10;",
        "<!-- \n -->",
        "<HeaderAndFooter>", "</HeaderAndFooter>", "</Content>", "<Content>", "<TitlePage>", "</TitlePage>",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=40))
def test_each_line_of_whatever_file_lies_in_something(pieces: list[str]) -> None:
    text = f"{BEFORE}<Content>{''.join(_balanced(pieces))}</Content></FinalDraft>"
    script = read_fdx(text)
    assert isinstance(script, Script)
    assert uncovered(text, script) == []


def _balanced(pieces: list[str]) -> list[str]:
    """The pieces without the tags that end nothing, and with those that are missing at the end."""
    kept: list[str] = []
    open_names: list[str] = []
    for piece in pieces:
        name = re.match(r"<(/?)([A-Za-z]+)", piece)
        if name is None:
            kept.append(piece)
        elif not name[1]:
            kept.append(piece)
            open_names.append(name[2])
        elif open_names and open_names[-1] == name[2]:
            kept.append(piece)
            open_names.pop()
    return kept + [f"</{name}>" for name in reversed(open_names)]


def test_real_files_are_read_whole(cases: Callable[[str], Path]) -> None:
    read_files = {}
    for path in sorted(cases("fdx").glob("*.fdx")):
        text = path.read_text("utf-8")
        script = read_fdx(text)
        assert isinstance(script, Script)
        assert uncovered(text, script) == []
        assert "script_line_not_understood" not in {entry.code for entry in script.left_out}
        read_files[path.name] = [element.kind.value for element in script.elements]
    assert read_files["sp-dual-dialogue.fdx"] == ["character", "dialogue", "character", "dialogue"]
    assert read_files["aw-note.fdx"] == ["note", "action"]
    assert read_files["sp-indentation.fdx"] == ["scene_heading", *["action"] * 5]
    assert len(read_files["final-draft-v5-real.fdx"]) == 16


def test_damaged_files_are_read_or_refused(cases: Callable[[str], Path]) -> None:
    chance = random.Random(7)
    for path in sorted(cases("fdx").glob("*.fdx")):
        text = path.read_text("utf-8")
        for _ in range(50):
            at, length = chance.randrange(len(text)), chance.randrange(30)
            other = chance.randrange(len(text))
            damaged = text[:at] + text[other : other + chance.randrange(30)] + text[at + length :]
            script = read_fdx(damaged)
            if isinstance(script, Script):
                assert uncovered(damaged, script) == []
            else:
                assert script.code.startswith("script_fdx_")
