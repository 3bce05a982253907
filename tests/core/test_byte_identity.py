"""A prompt holds what its role may know and nothing else: not the size of the cast, and no one else's words.

Domain, §6: for two packages equal but for roles that have no seat, and the `knownBy` entries and relations that name
only those, with equal seats and histories, every prompt is equal byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyworld.core import limits
from storyworld.core.call import Call, Failure, Performance
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.maximal import cast_of, maximal_content
from storyworld.core.playtest.run import Run
from storyworld.core.prompt.compose import digest_of
from storyworld.core.session import Story
from storyworld.core.story import read_package
from storyworld.core.trigger import Event, Turn
from storyworld.core.turn import Settled
from storyworld.core.world import Settings
from storyworld.models.rehearsal import perform
from tests.core.builders import CONTENT, StageHand, package, reply, story

BEATS = 15


def play(content: Mapping[str, Any], memory_beats: int) -> dict[tuple[int, str], Call]:
    """Every call of 15 beats in which the first three roles are on stage."""
    told = read_package(normalize_package(content))
    world = story(told, settings=Settings(memory_beats=memory_beats)).world
    calls: dict[tuple[int, str], Call] = {}

    def answer(call: Call) -> Performance | Failure:
        calls[(call.beat, call.role_id)] = call
        return perform(call)

    run = Run(Story(told, world, "sha256:1"), 7, answer)
    on_stage = tuple(role.id for role in told.roles[:3])
    for beat in range(BEATS):
        turn = Turn("message", text=f"And now? {beat}", focus_roles=on_stage)
        made = run.move(turn if beat % 3 else Turn("advance", focus_roles=on_stage))
        assert isinstance(made, Settled), made
    return calls


def branded(content: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The content with a mark in every text of a role, and the marks of the roles that are never on stage."""
    marks: list[str] = []
    for place, role in enumerate(content["roles"]):
        for name in ("description", "voice", "name"):
            mark = f"[{place}-{name}]"
            role[name] = mark + role.get(name, "")[: limits.STORY_MAX_NAME_CHARS.value - len(mark)]
            marks += [mark] * (place >= 3)
        for name in ("goals", "secrets"):
            for index, text in enumerate(role[name]):
                mark = f"[{place}-{name}-{index}]"
                role[name][index] = mark + text[: limits.STORY_MAX_TEXT_CHARS.value - len(mark)]
                marks += [mark] * (place >= 3)
    return content, marks


@pytest.mark.parametrize("memory_beats", [0, 12])
def test_every_prompt_is_the_same_in_the_largest_cast_and_in_a_cast_of_3(memory_beats: int) -> None:
    content, marks = branded(maximal_content(800_000, seed=3))
    assert len(content["roles"]) == limits.STORY_MAX_ROLES.value
    large = play(content, memory_beats)
    small = play(cast_of(content, 3), memory_beats)
    assert len(large) == BEATS * limits.WORLD_TURN_MAX_ROLES.value
    assert large.keys() == small.keys()
    for place, call in large.items():
        assert [section.text.encode() for section in call.prompt.sections] == [
            section.text.encode() for section in small[place].prompt.sections
        ]
        assert digest_of(call.prompt) == digest_of(small[place].prompt)
    everything = "".join(section.text for call in large.values() for section in call.prompt.sections)
    assert len(marks) > 21 * 20
    assert [mark for mark in marks if mark in everything] == []
    assert "[0-secrets-0]" in everything


@pytest.mark.parametrize("memory_beats", [0, 12])
def test_what_the_seated_roles_keep_to_themselves_stays_with_them(memory_beats: int) -> None:
    content, _ = branded(maximal_content(500_000, seed=5))
    calls = play(content, memory_beats)
    ids = [role["id"] for role in content["roles"][:3]]
    for (_, role_id), call in calls.items():
        text = "".join(section.text for section in call.prompt.sections)
        for place, other in enumerate(ids):
            shown = f"[{place}-description]" in text, f"[{place}-voice]" in text, f"[{place}-secrets-0]" in text
            assert shown == ((True,) * 3 if other == role_id else (False,) * 3)


def prompts(content: Mapping[str, Any], role_id: str) -> list[list[str]]:
    """A role's prompts over some beats of every kind, as texts."""
    hand = StageHand(story(package(**{key: value for key, value in content.items() if key in CONTENT})))
    note = {"op": "addNote", "text": "noted"}
    hand.turn(Turn("message", text="Hello."), ada=reply("Yes.", note), ben=reply("No."))
    hand.turn(ada=reply("Bad.", {"op": "fly"}))
    hand.turn(Event("e-1", "bell", effects=({"op": "setFlag", "flagId": "open", "value": True},)))
    hand.turn(Turn("advance", focus_roles=("ada", "cy", "dot")))
    return [
        [section.text for section in call.prompt.sections] for place, call in hand.seats.items() if place[1] == role_id
    ]


WORDS = (
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), min_size=1, max_size=40)
    .map(str.strip)
    .filter(bool)
)
"""What an author might write."""


def _changed(who: str, field: str, word: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(json.dumps(CONTENT))
    if field in ("canon", "establishedFacts"):
        content[field].append({"id": "extra", "text": word, "knownBy": [who]})
        return content
    for role in content["roles"]:
        if role["id"] == who:
            role[field] = [word, *role[field]] if field in ("goals", "secrets") else word
    return content


@settings(max_examples=60, deadline=None)
@given(
    who=st.sampled_from(["ada", "ben", "cy", "dot"]),
    field=st.sampled_from(["description", "voice", "goals", "secrets", "canon", "establishedFacts"]),
    word=WORDS,
)
def test_what_is_granted_to_one_role_changes_its_own_prompts_and_no_one_elses(who: str, field: str, word: str) -> None:
    before, after = dict(CONTENT), _changed(who, field, f"{word} (changed)")
    for role_id in ("ada", "ben", "cy", "dot"):
        same = prompts(before, role_id) == prompts(after, role_id)
        assert same is (role_id != who)
