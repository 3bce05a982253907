"""The story that is measured: of any cast, the same for ever, and without an end.

It owns the texts, the moves and the replies. Every run of it comes to the same state after some twenty beats and stays
there, so that a later beat differs from an earlier one by its history alone.
"""

from __future__ import annotations

from typing import Any, Final

from storyworld.application.ports import Hear
from storyworld.core import limits
from storyworld.core.beat import Record
from storyworld.core.call import Call, Performance, Usage
from storyworld.core.canonical import canonical_bytes
from storyworld.core.content import judge_package
from storyworld.core.playtest.texts import SCRIPTS, filling
from storyworld.core.session import Story
from storyworld.core.world import Agent, Binding, Model, World

PROVIDER: Final = "instant"
"""The provider whose performer has its replies ready."""

CASTS: Final = (3, 8, limits.STORY_MAX_ROLES.value)
"""The sizes of cast that are compared. The first three roles have the seats in each of them."""

_NODES: Final = 12
_SEATED: Final = CASTS[0]
_ROUND: Final = 12
_KINDS: Final = ("advance", "choice", "message", "choice")
_WORLD_DIGEST: Final = "sha256:" + "0" * 64
_USAGE: Final = Usage(PROVIDER, PROVIDER, prompt_tokens=100, completion_tokens=20, attempts=1, ms=0)


def _text(start: int, chars: int) -> str:
    """A Chinese text of so many characters."""
    return filling(SCRIPTS["zh"], start, chars)


def content(roles: int) -> dict[str, Any]:
    """The content of the package with a cast of so many roles, at least three.

    A larger cast adds roles, and nothing else: no relation, fact or condition names one beyond the third.
    """
    return {
        "title": _text(0, 8),
        "language": "zh",
        "logline": _text(1, 80),
        "startNodeId": "node-0",
        "roles": [_role(place) for place in range(roles)],
        "scenes": [
            {"id": f"scene-{place}", "title": _text(place, 6), "description": _text(place, 150)} for place in range(4)
        ],
        "nodes": [
            {
                "id": f"node-{place}",
                "sceneId": f"scene-{place % 4}",
                "title": _text(place, 8),
                "objective": _text(place + 2, 60),
            }
            for place in range(_NODES)
        ],
        "branches": [way for place in range(_NODES) for way in _ways(place)],
        "endings": [
            {"id": "over", "title": _text(3, 4), "description": _text(4, 60), "conditions": ["flags.turn < 0"]}
        ],
        "canon": [{"id": f"canon-{place}", "text": _text(place, 90)} for place in range(8)],
        "constraints": [
            {"id": "law", "text": _text(5, 40), "rule": "flags.turn >= 0"},
            {"id": "tone", "text": _text(6, 60)},
        ],
        "flags": [
            {"id": "turn", "description": _text(7, 20), "type": "integer", "initial": 0},
            {"id": "lit", "description": _text(8, 20), "type": "boolean", "initial": False},
            {"id": "word", "description": _text(9, 20), "type": "text", "initial": ""},
        ],
        "initialRelations": [
            {"fromRoleId": f"role-{one}", "toRoleId": f"role-{other}", "kind": "trust", "value": 10 * one - other}
            for one in range(_SEATED)
            for other in range(_SEATED)
            if one != other
        ],
    }


def _role(place: int) -> dict[str, Any]:
    return {
        "id": f"role-{place}",
        "name": f"{_text(place, 2)}{place}",
        "description": _text(place, 120),
        "voice": _text(place + 1, 30),
        "goals": [_text(place + 2, 40), _text(place + 3, 40)],
        "secrets": [f"{place}: {_text(place + 4, 50)}"],
    }


def _ways(place: int) -> list[dict[str, Any]]:
    """From each node to the next one, for ever, and to the one after it; and one that is never open."""
    onward = ((1, "beat >= 0"), (2, f'visited("node-{place}") && (flags.lit || !flags.lit)'), (3, "flags.turn < 0"))
    return [
        {
            "id": f"way-{place}-{step}",
            "fromNodeId": f"node-{place}",
            "toNodeId": f"node-{(place + step) % _NODES}",
            "label": _text(place + step, 10),
            "conditions": [condition],
            "repeatable": True,
        }
        for step, condition in onward
    ]


def pure_story(roles: int) -> Story:
    """The story without a store, each role with an agent of the instant provider."""
    return cast_with_agents(content(roles))


def cast_with_agents(value: dict[str, Any]) -> Story:
    """A package that is sound, in a world that gives each of its roles an agent of the instant provider."""
    judged = judge_package(value)
    assert judged.package is not None, judged.problems
    bindings = tuple(
        Binding(role.id, Agent(f"agt_{role.id}", role.name, "An actor.", Model(PROVIDER)))
        for role in judged.package.roles
    )
    return Story(judged.package, World("Measured", "pkg_1", 1, judged.digest, bindings), _WORLD_DIGEST)


def next_trigger(record: Record) -> dict[str, Any]:
    """What is asked for after a beat, as a client sends it: a message, a choice where there is one, else nothing."""
    beat = record["beat"] + 1
    kind = _KINDS[beat % len(_KINDS)]
    if kind == "message":
        return {"kind": kind, "text": _text(beat % _ROUND, 40)}
    options = record["branchOptions"]
    return {"kind": kind, "branchId": options[0]["branchId"]} if kind == "choice" and options else {"kind": "advance"}


def _reply(place: int) -> str:
    """A reply with a line, in every other one an action, and operations that are allowed again and again."""
    operations: list[dict[str, Any]] = [
        {
            "op": "putEntity",
            "id": f"thing-{place}",
            "kind": "thing",
            "name": _text(place, 6),
            "attributes": {"how": _text(place, 12)},
        },
        {"op": "setFlag", "flagId": "turn", "value": place},
        {"op": "setFlag", "flagId": "lit", "value": place % 2 == 0},
    ]
    action = {"action": _text(place + 3, 24)} if place % 2 else {}
    value = {"line": f"{_text(place, 59)}。", **action, "operations": operations[: 1 + place % 3]}
    return canonical_bytes(value).decode()


_REPLIES: Final = tuple(Performance(_reply(place), _USAGE) for place in range(_ROUND))


def answer(call: Call) -> Performance:
    """The reply of the instant performer: which one follows from the call's draw, and none is made when it is asked."""
    return _REPLIES[call.draw % _ROUND]


class Instant:
    """The instant performer behind the port of performers."""

    async def perform(self, call: Call, hear: Hear) -> Performance:
        """Give one of the replies that lie ready."""
        return answer(call)
