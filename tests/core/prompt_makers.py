"""Briefs for tests of prompts: a story about a ferry, in English and Chinese, small and with everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from storyworld.core.prompt.brief import (
    Brief,
    Cue,
    EnvelopeBrief,
    FixedBrief,
    FlagShown,
    HeardLine,
    OptionShown,
    Prompt,
    Refused,
    RememberedBeat,
)
from storyworld.core.prompt.compose import prepare, remember
from storyworld.core.state import Note
from storyworld.core.story import Role

MARTA = Role(
    id="marta",
    name="Marta",
    description="The ferryman's daughter, nineteen.\nShe keeps the lamp.",
    goals=("Get the doctor across.", "Never be pitied."),
    secrets=("She has sold the second boat.", "The lamp oil is water."),
    voice="short sentences, dry",
)

FIXED = FixedBrief(
    persona="You are a stage actor who never breaks character.",
    title="The Ferry",
    language="en",
    constraints=("No one swims the river.", "The boat is never on the water without a lit lamp."),
    canon=("No ferry crosses without a lamp.",),
    facts=("It is night and it rains.", "There were two boats."),
    role=MARTA,
)

ENVELOPE = EnvelopeBrief(
    scene_title="The landing stage",
    scene_description="Rain, a lantern in the wind.",
    node_title="Asking",
    objective="Settle whether anyone crosses tonight. The river is high.",
    new_facts=("The bell has rung.\nTwice.",),
    notes=(Note("n1", "He means to go."), Note("n4", "Watch the case.")),
    flags=(
        FlagShown("lamp-lit", "the lamp is lit", "boolean", False),
        FlagShown("fare", "what is asked for the crossing", "integer", -3),
        FlagShown("password", "what the far bank calls back", "text", None),
    ),
    options=(
        OptionShown("cast-off", "Cast off", "Into the dark."),
        OptionShown("turn-away", "Turn the traveller away"),
    ),
    relation_ids=("bram", "chen"),
    relations_left_out=3,
    entity_ids=("boat", "case"),
    entities_left_out=1,
    refused=Refused('{"flagId":"oar","op":"setFlag","value":true}', "flag_unknown"),
    cue=Cue("message", "Light the lamp, Marta.\nPlease."),
    lines=(HeardLine("Old Bram", "Not tonight.\nNot ever.", "He bars the way."), HeardLine("Dr. Chen", "I can pay.")),
)

MEMORY = (
    RememberedBeat(2, Cue("advance"), (HeardLine("Marta", "Who is there?", "She lifts the lamp."),)),
    RememberedBeat(3, Cue("event", None, "bell", '{"times":2}'), (HeardLine("Old Bram", "Nobody."),)),
    RememberedBeat(5, Cue("choice", "Open the shutter"), (HeardLine("Marta", "There."), HeardLine("Dr. Chen", "Ah."))),
)

CHINESE_FIXED = FixedBrief(
    persona="你是一名从不出戏的演员。",
    title="渡口",
    language="zh-Hans",
    constraints=("没有人游过河。",),
    canon=("没有灯，渡船不开。",),
    facts=("夜里下着雨。",),
    role=Role("marta", "阿宁", "摆渡人的女儿，十九岁。", ("把医生送过河。",), ("她把另一条船卖掉了。",), "话少，冷淡"),
)

CHINESE_ENVELOPE = replace(
    ENVELOPE,
    scene_title="码头",
    scene_description="雨，风里一盏灯",
    node_title="相求",
    objective="决定今晚谁渡河。水位很高。",
    new_facts=("钟响了两次。",),
    notes=(Note("n1", "他想走。"),),
    flags=(FlagShown("lamp-lit", "灯亮着", "boolean", True),),
    options=(OptionShown("cast-off", "解缆开船", "驶进黑暗"), OptionShown("turn-away", "请旅人回去")),
    cue=Cue("message", "阿宁，把灯点上。"),
    lines=(HeardLine("老卜", "今晚不行。", "他拦住去路。"),),
)

BARE_ENVELOPE = replace(
    ENVELOPE,
    new_facts=(),
    notes=(),
    flags=(),
    options=(),
    relation_ids=(),
    relations_left_out=0,
    entity_ids=(),
    entities_left_out=0,
    refused=None,
    cue=Cue("advance"),
    lines=(),
)

BARE_FIXED = FixedBrief("", "The Ferry", "en", (), (), (), Role("marta", "Marta", "A girl."))


def brief(fixed: FixedBrief = FIXED, memory: tuple[RememberedBeat, ...] = MEMORY, **envelope: Any) -> Brief:
    """A brief of the ferry; `envelope` replaces single fields of the beat's own part."""
    return Brief(prepare(fixed), worded(memory, fixed.language), replace(ENVELOPE, **envelope), "seed")


def worded(memory: Sequence[RememberedBeat], language: str = "en") -> tuple[str, ...]:
    """Remembered beats as a brief holds them."""
    return tuple(remember(language, beat) for beat in memory)


def as_text(prompt: Prompt) -> str:
    """A prompt as the golden files keep it: each section under its kind."""
    return "".join(f"## {section.kind}\n{section.text}\n" for section in prompt.sections)
