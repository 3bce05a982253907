"""A body that is taken for each operation that takes one: what stands in the document to be copied from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_PACKAGE: Final = {
    "title": "The Ferry",
    "language": "en",
    "logline": "One lamp, one boat, and a debt.",
    "startNodeId": "quay",
    "roles": [
        {
            "id": "marta",
            "name": "Marta",
            "description": "The ferrywoman.",
            "goals": ["Bring everyone across before the flood."],
            "secrets": ["The rope is nearly through."],
            "voice": "Short sentences.",
        },
        {"id": "chen", "name": "陈先生", "description": "A passenger who asks too much."},
    ],
    "scenes": [{"id": "harbour", "title": "The harbour", "description": "Fog, and a bell."}],
    "nodes": [
        {"id": "quay", "sceneId": "harbour", "title": "The quay", "objective": "Light the lamp."},
        {
            "id": "boat",
            "sceneId": "harbour",
            "title": "The boat",
            "objective": "Cross over.",
            "preconditions": ["flags.lamp"],
        },
    ],
    "branches": [{"id": "board", "fromNodeId": "quay", "toNodeId": "boat", "label": "Go on board"}],
    "endings": [
        {
            "id": "ashore",
            "title": "Ashore",
            "description": "They are over.",
            "conditions": ["visited('boat') && beat > 5"],
        }
    ],
    "flags": [{"id": "lamp", "description": "The lamp burns.", "type": "boolean", "initial": False}],
    "series": [
        {
            "id": "one",
            "title": "One",
            "objective": "Cross.",
            "startNodeId": "quay",
            "turnBudget": 20,
            "endingRules": [{"endingId": "ashore", "conditions": ["visited('boat')"]}],
        }
    ],
}
_WORLD: Final = {
    "name": "The Ferry, house cast",
    "packageId": "pkg_1",
    "packageRevision": 1,
    "roles": [
        {"roleId": "marta", "agentId": "agt_1", "subscriptions": ["bell"]},
        {"roleId": "chen", "agentId": "agt_2"},
    ],
    "settings": {"memoryBeats": 12, "branching": "roles", "focus": "mentions"},
}
_AGENT: Final = {
    "name": "A quiet actor",
    "persona": "You are an actor in an improvised play. Stay in your role.",
    "model": {"provider": "rehearsal"},
}
_PERSON: Final = {"name": "Somebody at the keyboard", "persona": "Speaks for itself.", "model": {"provider": "human"}}
_MESSAGE: Final = {"kind": "message", "text": "The bell rings twice.", "focusRoles": ["marta"]}

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "createProject": {"project": {"name": "The Salt Theatre"}},
    "createKey": {"read": {"scope": "read"}},
    "createAgent": {"rehearsal": _AGENT, "human": _PERSON},
    "replaceAgent": {"human": _PERSON},
    "importCandidate": {"fountain": {"script": "INT. HARBOUR - NIGHT\n\nMARTA\nLast boat.\n", "format": "fountain"}},
    "validateCandidate": {"package": {"content": _PACKAGE}},
    "validateStoryPackage": {"package": {"content": _PACKAGE}},
    "createStoryPackage": {"published": {"content": _PACKAGE}, "draft": {"draft": {"title": "The Ferry"}}},
    "saveStoryPackageDraft": {"draft": {"content": {"title": "The Ferry", "roles": []}}},
    "publishStoryPackage": {"draft": {}, "content": {"content": _PACKAGE}},
    "validateWorld": {"world": {"content": _WORLD}},
    "createWorld": {"published": {"content": _WORLD}, "draft": {"draft": {"name": "The Ferry"}}},
    "saveWorldDraft": {"draft": {"content": {"name": "The Ferry"}}},
    "publishWorld": {"draft": {}, "content": {"content": _WORLD}},
    "startSession": {"latest": {}, "pinned": {"worldRevision": 1, "seed": 4, "tokenBudget": 100_000}},
    "takeTurn": {
        "message": {"trigger": _MESSAGE, "expectedBeat": 0},
        "choice": {"trigger": {"kind": "choice", "branchId": "board"}},
        "advance": {"trigger": {"kind": "advance"}},
        "person": {"trigger": {"kind": "advance", "lines": {"chen": {"line": "我来了。", "action": "Waves."}}}},
        "candidate": {"deliberationId": "dlb_1", "candidate": 2},
    },
    "sendEvent": {
        "bell": {"eventId": "bell-17", "type": "bell", "data": {"strokes": 2}},
        "lamp": {
            "eventId": "lamp-1",
            "type": "lamp",
            "effects": [{"op": "setFlag", "flagId": "lamp", "value": True}],
            "wake": False,
        },
    },
    "startEpisodeRun": {"episode": {"episodeId": "one"}},
    "endSession": {"end": {}},
    "deliberate": {"two": {"trigger": _MESSAGE, "candidates": 2, "roles": 3}},
    "forkSession": {"fork": {"beat": 12}},
    "verifySession": {"verify": {}},
    "draftScript": {"all": {}, "beats": {"fromBeat": 0, "toBeat": 41}, "episode": {"episodeRunId": "run-1"}},
}
