"""The largest packages that may be published: every array at its limit, and exactly as many bytes as wanted.

It owns their shape: 24 roles, 100 scenes, 200 nodes and 200 branches, … from `limits`. Any cast of it plays: all its
conditions hold, but for the last one of each ending, so that nothing ends and everything is judged in each beat. It
must not know how packages are judged or played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.canonical import canonical_bytes
from storyworld.core.limits.limit import Limit
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.texts import SCRIPTS, Script, filling

SEATED: Final = limits.WORLD_TURN_MAX_ROLES.value
"""The first roles, which have the seats where nobody is named. They have no relation to any role beyond."""

_Content = dict[str, Any]
_Slot = tuple[Any, str | int, int]
_KINDS: Final = ("trust", "debt")
# More branches than are reported leave the first node; from the next on there is one, to the node after it.
_FROM_FIRST: Final = 12
_CONDITIONS_APART: Final = 40


def maximal_content(
    size_bytes: int, *, script: Script = SCRIPTS["zh"], seed: int = 0, conditions: bool = True
) -> _Content:
    """A package with every array at its limit whose normalized content has exactly `size_bytes` canonical bytes.

    The texts of the package share what is missing; the seed draws which words they begin with. Without `conditions` it
    has no conditions, no rules of constraints and no ending rules. `ValueError` where the arrays alone take more, or
    where all texts at their limits take less.
    """
    content = _frame(script, conditions=conditions)
    _fill(content, size_bytes - len(canonical_bytes(content)), script, Draws(seed))
    return content


def cast_of(content: _Content, roles: int) -> _Content:
    """The same package with only its first roles, at least `SEATED`; equal but for what names only the others.

    Those others are gone from `roles`, from each `knownBy`, and with their relations.
    """
    kept = [role["id"] for role in content["roles"][:roles]]
    return {
        **content,
        "roles": content["roles"][:roles],
        "canon": [_known_among(fact, kept) for fact in content["canon"]],
        "establishedFacts": [_known_among(fact, kept) for fact in content["establishedFacts"]],
        "initialRelations": [
            relation
            for relation in content["initialRelations"]
            if relation["fromRoleId"] in kept and relation["toRoleId"] in kept
        ],
    }


def _known_among(fact: _Content, kept: Sequence[str]) -> _Content:
    if "knownBy" not in fact:
        return fact
    return {**fact, "knownBy": [role_id for role_id in fact["knownBy"] if role_id in kept]}


def _ids(letter: str, limit: Limit) -> list[str]:
    return [f"{letter}{place:03}" for place in range(limit.value)]


_ROLES: Final = _ids("r", limits.STORY_MAX_ROLES)
_SCENES: Final = _ids("s", limits.STORY_MAX_SCENES)
_NODES: Final = _ids("n", limits.STORY_MAX_NODES)
_BRANCHES: Final = _ids("b", limits.STORY_MAX_BRANCHES)
_ENDINGS: Final = _ids("e", limits.STORY_MAX_ENDINGS)
_FLAGS: Final = _ids("f", limits.STORY_MAX_FLAGS)
_FACTS: Final = _ids("x", limits.STORY_MAX_ESTABLISHED_FACTS)
_INITIALS: Final = (("boolean", False), ("integer", 0), ("text", "="))


def _conditions(limit: Limit, start: int) -> list[str]:
    """As many conditions as fit one list. They hold whatever is done, and there are not too many different ones."""
    return [_condition((start + place) % (8 * _CONDITIONS_APART)) for place in range(limit.value)]


def _condition(number: int) -> str:
    form, place = number % 8, number // 8
    boolean, integer, text = (_FLAGS[place % 16 * 3 + kind] for kind in range(3))
    one, other = _ROLES[place % SEATED], _ROLES[(place + 1) % SEATED]
    return (
        f"beat >= {-place}",
        f"flags.{boolean} || !flags.{boolean}",
        f"flags.{integer} % {place + 2} < {place + 2}",
        f'size(flags["{text}"]) >= 0',
        f'visited("{_NODES[place]}") || beat >= 0',
        f'!taken("{_BRANCHES[place]}") || episodeBeat >= 0',
        f'relation("{one}", "{other}", "trust") >= -100 - {place}',
        f'hasFact("{_FACTS[place]}") && !hasEntity("nothing-{place}")',
    )[form]


def _frame(script: Script, *, conditions: bool) -> _Content:
    """The package with every text as short as it can be: a mark that is its own, so that no two are alike."""

    def listed(limit: Limit, start: int, *last: str) -> list[str]:
        return [*_conditions(limit, start)[: limit.value - len(last)], *last] if conditions else []

    return {
        "title": "t",
        "language": script.language,
        "logline": "l",
        "source": {"title": "t", "version": "v"},
        "startNodeId": _NODES[0],
        "roles": [_role(role_id) for role_id in _ROLES],
        "scenes": [{"id": scene_id, "title": "t", "description": "d"} for scene_id in _SCENES],
        "nodes": [
            {
                "id": node_id,
                "sceneId": _SCENES[place % len(_SCENES)],
                "title": "t",
                "objective": "o",
                "preconditions": listed(limits.STORY_MAX_PRECONDITIONS_PER_NODE, place),
            }
            for place, node_id in enumerate(_NODES)
        ],
        "branches": [
            _branch(place, listed(limits.STORY_MAX_CONDITIONS_PER_BRANCH, 3 * place)) for place in range(len(_BRANCHES))
        ],
        "endings": [
            {
                "id": ending_id,
                "title": "t",
                "description": "d",
                "conditions": listed(limits.STORY_MAX_CONDITIONS_PER_ENDING, 5 * place, f"beat > {1000 + place}"),
            }
            for place, ending_id in enumerate(_ENDINGS)
        ],
        "establishedFacts": [_fact(fact_id, place) for place, fact_id in enumerate(_FACTS)],
        "canon": [_fact(fact_id, place) for place, fact_id in enumerate(_ids("c", limits.STORY_MAX_CANON))],
        "constraints": [
            {"id": law_id, "text": "t", **({"rule": _condition(7 * place)} if conditions else {})}
            for place, law_id in enumerate(_ids("l", limits.STORY_MAX_CONSTRAINTS))
        ],
        "flags": [
            {"id": flag_id, "description": "d", "type": _INITIALS[place % 3][0], "initial": _INITIALS[place % 3][1]}
            for place, flag_id in enumerate(_FLAGS)
        ],
        "initialRelations": [
            {"fromRoleId": one, "toRoleId": other, "kind": kind, "value": place, "note": "n"}
            for place, (one, other, kind) in enumerate(_relations())
        ],
        "series": [_episode(place, conditions=conditions) for place in range(limits.STORY_MAX_SERIES.value)],
    }


def _role(role_id: str) -> _Content:
    return {
        "id": role_id,
        "name": role_id,
        "description": f"{role_id} d",
        "voice": f"{role_id} v",
        "goals": [f"{role_id} g{place}:" for place in range(limits.STORY_MAX_GOALS_PER_ROLE.value)],
        "secrets": [f"{role_id} s{place}:" for place in range(limits.STORY_MAX_SECRETS_PER_ROLE.value)],
    }


def _branch(place: int, conditions: list[str]) -> _Content:
    step = max(0, place - _FROM_FIRST + 1)
    return {
        "id": _BRANCHES[place],
        "fromNodeId": _NODES[step],
        "toNodeId": _NODES[step + 1 if step else place + 1],
        "label": "l",
        "description": "d",
        "conditions": conditions,
        "repeatable": place % 3 == 0,
    }


def _fact(fact_id: str, place: int) -> _Content:
    known_by = (None, [_ROLES[0]], [_ROLES[place % len(_ROLES)], _ROLES[-1]], _ROLES)[place % 4]
    fact: _Content = {"id": fact_id, "text": "t"}
    if known_by is not None:
        fact["knownBy"] = list(dict.fromkeys(known_by))
    return fact


def _relations() -> list[tuple[str, str, str]]:
    seated, others = _ROLES[:SEATED], _ROLES[SEATED:]
    among = [(one, other, kind) for kind in _KINDS for one in seated for other in seated if one != other]
    beyond = [pair for one, other in pairwise(others) for pair in ((one, other), (other, one))]
    every = [*among, *((one, other, kind) for kind in _KINDS for one, other in beyond)]
    return every[: limits.STORY_MAX_INITIAL_RELATIONS.value]


def _episode(place: int, *, conditions: bool) -> _Content:
    rules = limits.STORY_MAX_ENDING_RULES_PER_EPISODE.value if conditions else 0
    length = limits.STORY_MAX_CONDITIONS_PER_ENDING_RULE
    return {
        "id": f"p{place:03}",
        "title": "t",
        "objective": "o",
        "startNodeId": _NODES[place],
        "turnBudget": limits.STORY_MAX_TURN_BUDGET.value,
        "endingRules": [
            {
                "endingId": _ENDINGS[(place + rule) % len(_ENDINGS)],
                "conditions": [*_conditions(length, place + rule)[:-1], f"episodeBeat > {1000 + rule}"],
            }
            for rule in range(rules)
        ],
    }


def _slots(content: _Content) -> Iterator[_Slot]:
    """Every text that can grow: what holds it, its place there, and the most characters that it may have."""
    text, name = limits.STORY_MAX_TEXT_CHARS.value, limits.STORY_MAX_NAME_CHARS.value
    long = {
        "logline": limits.STORY_MAX_LOGLINE_CHARS.value,
        "voice": limits.STORY_MAX_VOICE_CHARS.value,
        "note": limits.STORY_MAX_RELATION_NOTE_CHARS.value,
        **dict.fromkeys(("description", "objective", "text"), text),
        **dict.fromkeys(("title", "version", "name", "label"), name),
    }
    parts = [
        content,
        content["source"],
        *(part for value in content.values() if isinstance(value, list) for part in value),
    ]
    for part in parts:
        yield from ((part, field, long[field]) for field in part if field in long)
        if part.get("type") == "text":
            yield part, "initial", limits.STORY_MAX_FLAG_TEXT_CHARS.value
    for role in content["roles"]:
        for texts in (role["goals"], role["secrets"]):
            yield from ((texts, place, text) for place in range(len(texts)))


def _fill(content: _Content, missing: int, script: Script, draws: Draws) -> None:
    """Let the texts grow by so many bytes in all: each by its share, and the last ones, in ASCII, by what is left."""
    slots = list(_slots(content))
    widest = max(len(character.encode()) for word in script.words for character in word)
    left = missing
    for place, (holder, field, chars_max) in enumerate(slots):
        share = left // (len(slots) - place) // widest
        chars = min(share, chars_max - len(holder[field]))
        if chars > 0:
            grown = filling(script, draws.below(len(script.words)), chars)
            holder[field] += grown
            left -= len(grown.encode())
    for holder, field, chars_max in reversed(slots):
        chars = max(0, min(left, chars_max - len(holder[field])))
        holder[field] += "a" * chars
        left -= chars
    if left:
        most = missing - left
        raise ValueError(f"{missing} bytes are missing, and the texts have room for 0 to {max(0, most)}")
