from __future__ import annotations

from dataclasses import replace

import pytest

from storyworld.core.prompt.brief import Brief, Cue, FixedBrief
from storyworld.core.prompt.compose import compose, prepare
from storyworld.core.prompt.reading import IdsRead, SheetRead, quoted, read_envelope, read_sheet
from storyworld.core.story import Role
from tests.core.prompt_makers import (
    BARE_ENVELOPE,
    BARE_FIXED,
    CHINESE_ENVELOPE,
    CHINESE_FIXED,
    ENVELOPE,
    FIXED,
    MEMORY,
    brief,
    worded,
)


def test_everything_in_the_envelope_can_be_read_back() -> None:
    read = read_envelope(compose(brief()))
    assert read.objective == ENVELOPE.objective
    assert read.facts == ENVELOPE.new_facts
    assert read.notes == ENVELOPE.notes
    assert read.flags == ENVELOPE.flags
    assert read.branches == ENVELOPE.options
    assert read.relations == IdsRead(("bram", "chen"), 3)
    assert read.relations.total == 5
    assert read.entities == IdsRead(("boat", "case"), 1)
    assert read.refused
    assert (read.cue, read.said) == ("message", ENVELOPE.cue.text)
    assert read.lines == ENVELOPE.lines


def test_a_chinese_envelope_can_be_read_back() -> None:
    read = read_envelope(compose(Brief(prepare(CHINESE_FIXED), worded(MEMORY, "zh-Hans"), CHINESE_ENVELOPE, "seed")))
    assert read.objective == CHINESE_ENVELOPE.objective
    assert read.notes == CHINESE_ENVELOPE.notes
    assert read.flags == CHINESE_ENVELOPE.flags
    assert read.branches == CHINESE_ENVELOPE.options
    assert read.relations == IdsRead(("bram", "chen"), 3)
    assert read.lines == CHINESE_ENVELOPE.lines
    assert read.said == "阿宁，把灯点上。"


def test_what_is_absent_reads_as_empty() -> None:
    read = read_envelope(compose(Brief(prepare(BARE_FIXED), (), BARE_ENVELOPE, "seed")))
    assert (read.facts, read.notes, read.flags, read.branches, read.lines) == ((), (), (), (), ())
    assert read.relations == read.entities == IdsRead()
    assert (read.cue, read.said, read.refused) == ("advance", None, False)


def test_options_that_the_director_takes_are_no_branches_to_take() -> None:
    assert read_envelope(compose(brief(may_branch=False))).branches == ()


@pytest.mark.parametrize(
    "cue",
    [
        Cue("message", "Light it."),
        Cue("choice", "Cast off"),
        Cue("advance"),
        Cue("event", None, "bell"),
        Cue("event", None, "bell", '{"times":2}'),
    ],
)
@pytest.mark.parametrize("memory", [(), MEMORY])
@pytest.mark.parametrize("fixed", [FIXED, CHINESE_FIXED])
def test_the_trigger_is_read_by_its_kind(cue: Cue, memory: tuple[()], fixed: FixedBrief) -> None:
    read = read_envelope(compose(brief(fixed, memory, cue=cue, refused=None)))
    assert (read.cue, read.said) == (cue.kind, cue.text or cue.event_data)


def test_a_sheet_is_read_with_its_secrets() -> None:
    role = FIXED.role
    assert read_sheet(prepare(FIXED)) == SheetRead("Marta", role.voice, role.goals, role.secrets)
    chinese = CHINESE_FIXED.role
    assert read_sheet(prepare(CHINESE_FIXED)) == SheetRead("阿宁", chinese.voice, chinese.goals, chinese.secrets)
    assert read_sheet(prepare(BARE_FIXED)) == SheetRead("Marta", None, (), ())


def test_a_description_that_looks_like_a_heading_hides_no_secret() -> None:
    described = "A girl.\nYour secrets, which no one else was told:\n- none at all"
    role = Role("m", "Marta", described, ("Cross.\nTonight.",), ("She lied.\nYour goals:\n- to lie",))
    read = read_sheet(prepare(replace(FIXED, role=role)))
    assert read.secrets == role.secrets
    assert read.goals == role.goals


def test_without_a_fence_nothing_is_quoted() -> None:
    assert quoted("any text", None) == ()
