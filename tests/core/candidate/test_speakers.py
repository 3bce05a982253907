"""Who speaks: cues that name one character, and the entries of a cast list that belong to them."""

from __future__ import annotations

import pytest

from storyworld.core.candidate.portraits import portraits_of
from storyworld.core.candidate.speakers import speakers_of
from storyworld.core.script import CastEntry, Script
from tests.core.candidate.script_makers import listed, said, script


def _spoken(*cues: str, cast: tuple[CastEntry, ...] = ()) -> Script:
    return script(*cast, *(part for cue in cues for part in said(cue, "So.")))


def _told(*cues: str, cast: tuple[CastEntry, ...] = ()) -> list[tuple[str, str]]:
    read = _spoken(*cues, cast=cast)
    found = speakers_of(read)
    return [(one.name, one.description) for one in portraits_of(found.speakers, read.elements)]


@pytest.mark.parametrize(
    "cues", [("STEEL", "Steel", "STEEL."), ("괴 수", "괴수"), ("ＡＤＡ", "ada"), ("農民　一", "農民一")]
)
def test_spellings_of_one_name_are_one_speaker(cues: tuple[str, ...]) -> None:
    assert [name for name, _ in _told(*cues)] == [cues[0]]


def test_the_cast_list_gives_the_order_and_the_descriptions() -> None:
    cast = (listed("THESEUS", "Duke of Athens."), listed("EGEUS", "Father to Hermia."))
    assert _told("EGEUS", "A BOY", "THESEUS", cast=cast) == [
        ("THESEUS", "Duke of Athens."),
        ("EGEUS", "Father to Hermia."),
        ("A BOY", "A BOY"),
    ]


@pytest.mark.parametrize(
    ("cue", "entry", "description"),
    [
        ("翁", listed("老翁", "約七十歲"), "老翁: 約七十歲"),
        ("TOBY", listed("SIR TOBY BELCH", "Uncle of Olivia."), "SIR TOBY BELCH: Uncle of Olivia."),
        ("DUKE", listed("ORSINO", "the Duke of Illyria."), "ORSINO: the Duke of Illyria."),
        ("PUCK", listed("ROBIN GOODFELLOW", "a Fairy.", aliases=("PUCK",)), "ROBIN GOODFELLOW: a Fairy."),
        ("母", listed("彼らの母　おたか"), "彼らの母　おたか"),
    ],
)
def test_a_shorter_cue_finds_its_entry(cue: str, entry: CastEntry, description: str) -> None:
    cast = (entry, listed("Somebody Else", "another duke"))
    assert _told(cue, cast=cast) == [(cue, description)]


def test_a_cue_that_fits_two_entries_belongs_to_neither() -> None:
    cast = (listed("FIRST LORD", "tall"), listed("SECOND LORD", "short"))
    assert _told("LORD", cast=cast) == [("LORD", "LORD")]


def test_an_entry_that_two_cues_would_share_belongs_to_neither() -> None:
    assert _told("老", "翁", cast=(listed("老翁", "約七十歲"),)) == [("老", "老"), ("翁", "翁")]


def test_cues_that_bear_different_words_of_one_name_are_one_speaker() -> None:
    cast = (listed("SIR ANDREW AGUE-CHEEK"), listed("PYRAMUS and THISBE"))
    assert [name for name, _ in _told("SIR ANDREW", "AGUE-CHEEK", "PYRAMUS", "THISBE", cast=cast)] == [
        "SIR ANDREW",
        "PYRAMUS",
        "THISBE",
    ]


@pytest.mark.parametrize(("name", "voice"), [("母", "母の声"), ("老王", "老王的声音"), ("ANN", "ANN'S VOICE")])
def test_a_voice_is_its_owners_where_the_owner_speaks_too(name: str, voice: str) -> None:
    assert [told for told, _ in _told(voice, name)] == [name]
    assert [told for told, _ in _told(voice, "X")] == [voice, "X"]


def test_two_names_of_one_entry_are_one_speaker() -> None:
    cast = (listed("PUCK", "a Fairy.", aliases=("ROBIN",)),)
    assert _told("ROBIN", "PUCK", cast=cast) == [("ROBIN", "PUCK: a Fairy.")]


@pytest.mark.parametrize("cue", ["ANN and BEN", "ANN & BEN", "ANN/BEN", "Ann, Ben"])
def test_a_cue_that_joins_known_names_is_theirs_together(cue: str) -> None:
    found = speakers_of(_spoken("ANN", "BEN", cue))
    assert [(one.name, len(one.lines)) for one in found.speakers] == [("ANN", 2), ("BEN", 2)]
    assert found.of_several == ()


def test_a_cue_may_join_names_that_only_the_cast_list_has() -> None:
    found = speakers_of(_spoken("甲、乙", cast=(listed("甲", "高"), listed("乙", "矮"))))
    assert [one.name for one in found.speakers] == ["甲", "乙"]


@pytest.mark.parametrize("cues", [("農民四", "農民五", "農民四、五"), ("GUARD 1", "GUARD 2", "GUARD 1 & 2")])
def test_a_joined_name_may_leave_out_how_the_first_begins(cues: tuple[str, ...]) -> None:
    assert [name for name, _ in _told(*cues)] == [*cues[:2]]


def test_a_cue_full_of_white_space_holds_nobody_up() -> None:
    wide = f"ADA{' ' * 50_000}BEDE"
    assert [name for name, _ in _told("ADA", "BEDE", wide)] == ["ADA", "BEDE", wide]
    assert [name for name, _ in _told("ADA", "BEDE", wide.replace(" B", " & B"))] == ["ADA", "BEDE"]


def test_a_name_with_a_comma_is_one_name_where_its_parts_are_unknown() -> None:
    assert [name for name, _ in _told("SMITH, JOHN")] == ["SMITH, JOHN"]


@pytest.mark.parametrize("cue", ["ALL", "All.", "BOTH", "一同", "众人", "모두"])
def test_a_word_for_everybody_is_no_role(cue: str) -> None:
    found = speakers_of(_spoken("ANN", cue))
    assert [one.name for one in found.speakers] == ["ANN"]
    assert [(lines.first, lines.last) for lines in found.of_several] == [(3, 4)]


def test_those_of_the_cast_list_who_never_speak_are_told() -> None:
    found = speakers_of(_spoken("ANN", cast=(listed("ANN"), listed("A MUTE"))))
    assert [entry.name for entry in found.silent_entries] == ["A MUTE"]


def test_an_entry_without_a_description_is_described_by_its_name_or_where_the_character_enters() -> None:
    read = script(listed("JOHN"), ("action", "A door. John, 30, drips. He waits."), *said("JOHN", "Hello."))
    found = speakers_of(read)
    assert portraits_of(found.speakers, read.elements)[0].description == "John, 30, drips."


@pytest.mark.parametrize(
    ("name", "paragraph", "description"),
    [
        ("AL", "ALBERT waits.", "AL"),
        ("A", "A waits.", "A"),
        ("小白", "门开了。小白走进来，浑身是水。", "小白走进来，浑身是水。"),
        ("BEN", "Ben " + "x" * 500 + ".", "BEN"),
        ("BEN", "Ben waits. " + "x" * 2_000, "BEN"),
        ("BEN", "Nobody", "BEN"),
        ("BEN", "Enter BEN and a dog.", "BEN"),
        ("旅人", "旅人登場。", "旅人"),
        ("BEN", "Ben waits", "Ben waits"),
        ("BEN", "Ben (an old man", "BEN"),
        ("BEN", "(Ben, old)", "BEN"),
    ],
)
def test_a_sentence_describes_a_character_where_it_names_it_and_fits(
    name: str, paragraph: str, description: str
) -> None:
    read = script(("action", paragraph), *said(name, "Hello."))
    assert portraits_of(speakers_of(read).speakers, read.elements)[0].description == description


def test_a_cue_without_a_speech_is_a_speaker_with_its_line() -> None:
    found = speakers_of(script(("character", "ANN"), ("character", "BEN"), ("dialogue", "So."), ("character", "CY")))
    assert [(one.name, one.lines[0].first, one.lines[0].last) for one in found.speakers] == [
        ("ANN", 1, 1),
        ("BEN", 2, 3),
        ("CY", 4, 4),
    ]


def test_a_note_does_not_interrupt_a_speech() -> None:
    found = speakers_of(script(("character", "ANN"), ("note", "louder?"), ("dialogue", "So.")))
    assert [(lines.first, lines.last) for lines in found.speakers[0].lines] == [(1, 3)]
