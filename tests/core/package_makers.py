"""Story packages for tests of what may be published: one that has everything once, and ways to change or fill it."""

from __future__ import annotations

import copy
from typing import Any

from storyworld.core.canonical import canonical_bytes
from storyworld.core.normalize import normalize_package

Content = dict[str, Any]

# Every field of every part stands here once, so that a test can point at each of them.
WHOLE: Content = {
    "title": "The Well",
    "language": "en",
    "logline": "A village is thirsty.",
    "source": {"title": "Wells", "version": "2"},
    "startNodeId": "yard",
    "roles": [
        {
            "id": "ada",
            "name": "Ada",
            "description": "Keeps the well.",
            "voice": "dry",
            "goals": ["keep it shut"],
            "secrets": ["the rope is cut"],
        },
        {"id": "ben", "name": "Ben", "description": "Thirsty."},
    ],
    "scenes": [{"id": "farm", "title": "The farm", "description": "Dust."}],
    "nodes": [
        {"id": "yard", "sceneId": "farm", "title": "The yard", "objective": "Find water."},
        {
            "id": "shaft",
            "sceneId": "farm",
            "title": "The shaft",
            "objective": "Go down.",
            "preconditions": ["flags.open"],
        },
    ],
    "branches": [
        {
            "id": "down",
            "fromNodeId": "yard",
            "toNodeId": "shaft",
            "label": "Climb down",
            "description": "It is far.",
            "conditions": ["beat > 1"],
            "repeatable": False,
        }
    ],
    "endings": [
        {"id": "wet", "title": "Wet", "description": "Water.", "conditions": ['visited("shaft") && flags.depth > 2']}
    ],
    "establishedFacts": [{"id": "dry", "text": "It has not rained.", "knownBy": ["ada"]}],
    "canon": [{"id": "law", "text": "Wells are shared.", "knownBy": ["ada", "ben"]}],
    "constraints": [{"id": "safe", "text": "Not too deep.", "rule": "flags.depth < 9"}],
    "flags": [
        {"id": "open", "description": "the well is open", "type": "boolean", "initial": False},
        {"id": "depth", "description": "how deep", "type": "integer", "initial": 0},
        {"id": "word", "description": "the password", "type": "text", "initial": "hush"},
    ],
    "initialRelations": [{"fromRoleId": "ada", "toRoleId": "ben", "kind": "trust", "value": 10, "note": "old friends"}],
    "series": [
        {
            "id": "first",
            "title": "The first night",
            "objective": "Drink.",
            "startNodeId": "yard",
            "turnBudget": 10,
            "endingRules": [{"endingId": "wet", "conditions": ["episodeBeat > 3"]}],
        }
    ],
}


def whole() -> Content:
    """A fresh copy of the package that has everything once."""
    return copy.deepcopy(WHOLE)


def with_value(path: str, value: object) -> Content:
    """The whole package with one value changed or added, at a JSON Pointer."""
    content = whole()
    *way, last = path.removeprefix("/").split("/")
    at: Any = content
    for token in way:
        at = at[int(token)] if isinstance(at, list) else at[token]
    at[int(last) if isinstance(at, list) else last] = value
    return content


def without(path: str) -> Content:
    """The whole package without one field, at a JSON Pointer."""
    content = whole()
    *way, last = path.removeprefix("/").split("/")
    at: Any = content
    for token in way:
        at = at[int(token)] if isinstance(at, list) else at[token]
    del at[last]
    return content


def of_bytes(size: int) -> Content:
    """A package in Chinese whose normalized content is exactly so many bytes; every text is within its limit."""
    content: Content = {
        "title": "井",
        "language": "zh-Hans",
        "startNodeId": "yard",
        "roles": [
            {"id": f"r{number}", "name": "名", "description": "人", "goals": [], "secrets": []} for number in range(24)
        ],
        "scenes": [{"id": "farm", "title": "场", "description": "尘"}],
        "nodes": [{"id": "yard", "sceneId": "farm", "title": "院", "objective": "水"}],
    }

    def missing() -> int:
        return size - len(canonical_bytes(normalize_package(content)))

    lists = [role[field] for role in content["roles"] for field in ("goals", "secrets")]
    full = 3 * 500 + len('"",')
    for number in range(missing() // full - 1):
        lists[number % len(lists)].append("水" * 500)
    # What is still missing is less than two full texts: half of it in Chinese, and ASCII for the last bytes.
    for _ in range(3):
        left = missing() - len('"",')
        if left > 0:
            characters = min(left // 3, 400)
            lists[-1].append("火" * characters + "a" * min(left - 3 * characters, 100))
    assert missing() == 0
    return content
