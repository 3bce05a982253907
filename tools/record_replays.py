"""Record sessions that every later version must replay to the last byte.

python -m tools.record_replays

writes those that are missing to `tests/replays`. One that is there is never written again: if a change of the rules
makes it differ, the change is wrong, or it needs a new rules version beside the old one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from storyworld.core.canonical import parse
from storyworld.core.content import judge_package
from storyworld.core.playtest.improvisation import improvise
from storyworld.core.playtest.run import Run
from storyworld.core.session import Story
from storyworld.core.trigger import Event, Turn
from storyworld.core.world import Agent, Binding, Model, Settings, World, write_world
from storyworld.models.rehearsal import perform
from storyworld.stories import DEFAULT_STORY, read_story

FOLDER = Path(__file__).parent.parent / "tests" / "replays"
WORLD_DIGEST = "sha256:" + "0" * 64

TEAHOUSE: Mapping[str, Any] = {
    "title": "打烊之前",
    "language": "zh",
    "startNodeId": "hall",
    "roles": [
        {
            "id": "ning",
            "name": "阿宁",
            "description": "茶馆的掌柜，三十岁。",
            "goals": ["把店留到明年"],
            "secrets": ["她已经在转让书上按了手印"],
            "voice": "话短，客气",
        },
        {
            "id": "shu",
            "name": "老舒",
            "description": "天天来的茶客。",
            "goals": ["弄清楚今晚为什么早关门"],
            "secrets": ["欠的茶钱他还不上了"],
        },
        {"id": "xiaoman", "name": "小满", "description": "跑堂的学徒。", "goals": ["拿到工钱"]},
    ],
    "scenes": [{"id": "shop", "title": "茶馆", "description": "灯还亮着，外面在下雨。"}],
    "nodes": [
        {"id": "hall", "sceneId": "shop", "title": "前厅", "objective": "说清楚今晚的事。"},
        {"id": "door", "sceneId": "shop", "title": "门口", "objective": "决定这扇门明天还开不开。"},
    ],
    "branches": [
        {"id": "out", "fromNodeId": "hall", "toNodeId": "door", "label": "送客到门口", "conditions": ["beat >= 3"]},
        {"id": "in", "fromNodeId": "door", "toNodeId": "hall", "label": "回到前厅", "repeatable": True},
    ],
    "endings": [
        {"id": "closed", "title": "打烊", "description": "灯灭了。", "conditions": ['visited("door")', "beat >= 9"]}
    ],
    "flags": [{"id": "paid", "description": "茶钱结清了", "type": "boolean", "initial": False}],
}


def _story(value: object, provider: str, subscriptions: Mapping[str, tuple[str, ...]]) -> tuple[Story, dict[str, Any]]:
    judged = judge_package(value)
    assert judged.package is not None, judged.problems
    assert judged.content is not None
    bindings = tuple(
        Binding(
            role.id,
            Agent(f"agt_{role.id}", role.name, "An actor.", Model(provider)),
            subscriptions.get(role.id, ()),
        )
        for role in judged.package.roles
    )
    world = World("Recorded", "pkg_recorded", 1, judged.digest, bindings, Settings())
    return Story(judged.package, world, WORLD_DIGEST), judged.content


def _rehearsed(value: object, beats: int) -> dict[str, Any]:
    story, content = _story(value, "rehearsal", {})
    run = Run(story, 11, perform)
    cast = tuple(role.id for role in story.package.roles)
    for beat in range(beats):
        focus = tuple(dict.fromkeys(cast[(beat + place) % len(cast)] for place in range(3)))
        run.move(Turn("message", text=f"{beat}?", focus_roles=focus) if beat % 4 == 1 else Turn("advance"))
    return _recorded(run, content)


def _english() -> dict[str, Any]:
    return _rehearsed(parse(read_story(DEFAULT_STORY)), 12)


def _chinese() -> dict[str, Any]:
    return _rehearsed(TEAHOUSE, 12)


def _eventful() -> dict[str, Any]:
    """Events, an episode, faulty replies, a rejected patch, an end; improvised, so that replies are of every sort."""
    series = [
        {"id": "night", "title": "N", "objective": "O", "startNodeId": "hall", "turnBudget": 4, "endingRules": []}
    ]
    story, content = _story({**TEAHOUSE, "series": series}, "improvised", {"ning": ("bell",), "shu": ("bell",)})
    run = Run(story, 5, lambda call: improvise(story, run.head, call))
    run.move(Turn("advance"))
    run.begin_episode("night")
    paid = {"op": "setFlag", "flagId": "paid", "value": True}
    for number, effects in enumerate((None, (), None, None, (paid,), None, None, (), None)):
        run.move(Turn("advance") if effects is None else Event(f"bell-{number}", "bell", {"n": number}, effects))
    run.end()
    return _recorded(run, content)


def _recorded(run: Run, content: dict[str, Any]) -> dict[str, Any]:
    assert run.difference() is None
    return {
        "package": content,
        "world": write_world(run.story.world),
        "worldDigest": run.story.world_digest,
        "beats": [{"record": record, "replies": list(replies)} for record, replies in run.beats],
    }


SESSIONS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "rules-1-english": _english,
    "rules-1-chinese": _chinese,
    "rules-1-eventful": _eventful,
}


def main() -> None:
    """Record what is missing."""
    FOLDER.mkdir(exist_ok=True)
    for name, record in SESSIONS.items():
        path = FOLDER / f"{name}.json"
        if not path.exists():
            path.write_text(json.dumps(record(), ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
