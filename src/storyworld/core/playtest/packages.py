"""Random packages that may be published, small to medium, of every form that the rules of a package allow.

It owns what such a package has. It must not know how a story is judged or played; only a rule is asked once, whether it
holds at the start, since one that does not may not be published.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from storyworld.core import limits
from storyworld.core.condition_text import Declared
from storyworld.core.conditions import Conditions, view
from storyworld.core.normalize import normalize_package
from storyworld.core.playtest.draws import Draws
from storyworld.core.playtest.expressions import FLAG_TEXTS, NEW_FACT_IDS, RELATION_KINDS, Things, random_condition
from storyworld.core.playtest.texts import SCRIPTS, Script, phrase
from storyworld.core.state import initial_state
from storyworld.core.story import FlagType, read_package

_Content = dict[str, Any]
_Made = TypeVar("_Made")
_LANGUAGES: Final = ("en-GB", "zh", "zh-Hans-CN", "zh-Hant", "zh-TW", "ja", "ko", "de")
_FLAG_TYPES: Final[tuple[FlagType, ...]] = ("boolean", "integer", "text")
_TEXT: Final = limits.STORY_MAX_TEXT_CHARS.value
_NAME: Final = limits.STORY_MAX_NAME_CHARS.value


def random_content(seed: int) -> _Content:
    """The content of a random package, as an author might send it: not normalized, and without any problem."""
    return _Author(Draws(seed)).content()


class _Author:
    """Writes one package: what may be named is drawn first, then what is said of it."""

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._script: Script = SCRIPTS[draws.pick(tuple(SCRIPTS))]
        self._things = Things(
            roles=self._ids("role", 1, 8),
            nodes=self._ids("node", 1, 12),
            branches=self._ids("way", 0, 18),
            flags={flag_id: draws.pick(_FLAG_TYPES) for flag_id in self._ids("flag", 0, 6)},
            facts=self._ids("fact", 0, 5),
        )
        self._scenes = self._ids("scene", 1, 4)
        self._endings = self._ids("end", 0, 5)
        self._askable = Things(
            self._things.roles,
            self._things.nodes,
            self._things.branches,
            self._things.flags,
            (*self._things.facts, *NEW_FACT_IDS),
        )

    def content(self) -> _Content:
        """The whole package."""
        content = {
            "title": self._text(_NAME),
            "language": self._script.language if self._draws.once_in(2) else self._draws.pick(_LANGUAGES),
            **self._perhaps("logline", lambda: self._text(limits.STORY_MAX_LOGLINE_CHARS.value)),
            **self._perhaps("source", lambda: {"title": self._text(_NAME), "version": self._text(_NAME)}),
            "startNodeId": self._draws.pick(self._things.nodes),
            "roles": [self._role(role_id) for role_id in self._things.roles],
            "scenes": [
                {"id": scene_id, "title": self._text(_NAME), "description": self._text(_TEXT)}
                for scene_id in self._scenes
            ],
            "nodes": [self._node(node_id) for node_id in self._things.nodes],
            **self._array("branches", [self._branch(branch_id) for branch_id in self._things.branches]),
            **self._array("endings", [self._ending(ending_id) for ending_id in self._endings]),
            **self._array("establishedFacts", [self._fact(fact_id) for fact_id in self._things.facts]),
            **self._array("canon", [self._fact(fact_id) for fact_id in self._ids("law", 0, 4)]),
            **self._array("flags", [self._flag(flag_id, kind) for flag_id, kind in self._things.flags.items()]),
            **self._array("initialRelations", self._relations()),
            **self._array("series", [self._episode(episode_id) for episode_id in self._ids("part", 0, 3)]),
        }
        return {**content, **self._array("constraints", self._constraints(content))}

    def _ids(self, stem: str, least: int, most: int) -> tuple[str, ...]:
        """Ids of one style: letters alone, a number behind or before, or as long as an id may be."""
        count = self._draws.between(least, most)
        style = self._draws.pick(("letters", "number", "dash", "before", "long"))
        letters = [chr(ord("a") + place) for place in range(count)]
        if style == "letters":
            return tuple(f"{stem}{letter}" for letter in letters)
        if style == "number":
            return tuple(f"{stem}_{place}" for place in range(count))
        if style == "dash":
            return tuple(f"{stem}-{place}-" for place in range(count))
        if style == "before":
            return tuple(f"{place}{stem}" for place in range(count))
        longest = stem.ljust(limits.ID_MAX_CHARS.value - 1, "-")
        return tuple(longest + letter for letter in letters)

    def _text(self, chars_max: int) -> str:
        return phrase(self._draws, self._script, chars_max)

    def _perhaps(self, field: str, make: Callable[[], object]) -> _Content:
        return {field: make()} if self._draws.once_in(2) else {}

    def _array(self, field: str, items: Sequence[object]) -> _Content:
        """An array; an empty one is absent now and then, as an author may leave it out."""
        return {} if not items and self._draws.once_in(2) else {field: items}

    def _several(self, most: int, make: Callable[[], _Made]) -> list[_Made]:
        return [make() for _ in range(self._draws.between(0, most))]

    def _condition(self) -> str:
        return random_condition(self._draws, self._askable)

    def _role(self, role_id: str) -> _Content:
        return {
            "id": role_id,
            "name": self._text(_NAME),
            "description": self._text(_TEXT),
            **self._perhaps("voice", lambda: self._text(limits.STORY_MAX_VOICE_CHARS.value)),
            **self._array("goals", self._several(3, lambda: self._text(_TEXT))),
            **self._array("secrets", self._several(3, self._secret)),
        }

    def _secret(self) -> str:
        """A text that stands nowhere else: where it is found, it was told or it leaked."""
        mark = f"{self._draws.bits():016x} "
        return mark + self._text(_TEXT - len(mark))

    def _node(self, node_id: str) -> _Content:
        few = 1 if self._draws.once_in(4) else 0
        return {
            "id": node_id,
            "sceneId": self._draws.pick(self._scenes),
            "title": self._text(_NAME),
            "objective": self._text(_TEXT),
            **self._array("preconditions", self._several(few, self._condition)),
        }

    def _branch(self, branch_id: str) -> _Content:
        """A way between any two nodes, or from one to itself."""
        return {
            "id": branch_id,
            "fromNodeId": self._draws.pick(self._things.nodes),
            "toNodeId": self._draws.pick(self._things.nodes),
            "label": self._text(_NAME),
            **self._perhaps("description", lambda: self._text(_TEXT)),
            **self._array("conditions", self._several(self._draws.below(3), self._condition)),
            **self._perhaps("repeatable", lambda: self._draws.once_in(2)),
        }

    def _ending(self, ending_id: str) -> _Content:
        """An ending that mostly waits for some beats, so that something can happen before."""
        waits = [] if self._draws.once_in(4) else [f"beat >= {self._draws.between(3, 30)}"]
        return {
            "id": ending_id,
            "title": self._text(_NAME),
            "description": self._text(_TEXT),
            "conditions": [*waits, *self._several(2, self._condition)],
        }

    def _fact(self, fact_id: str) -> _Content:
        roles = self._things.roles
        return {
            "id": fact_id,
            "text": self._text(_TEXT),
            **self._perhaps("knownBy", lambda: self._draws.some(roles, len(roles))),
        }

    def _flag(self, flag_id: str, flag_type: FlagType) -> _Content:
        initial: object = self._draws.pick(FLAG_TEXTS)
        if flag_type == "boolean":
            initial = self._draws.once_in(2)
        elif flag_type == "integer":
            most = limits.INTEGER_MAX.value
            initial = self._draws.pick((0, 0, 1, self._draws.between(-9, 9), -most, most))
        return {"id": flag_id, "description": self._text(_TEXT), "type": flag_type, "initial": initial}

    def _relations(self) -> list[_Content]:
        roles = self._things.roles
        keys = [(one, other, kind) for one in roles for other in roles if one != other for kind in RELATION_KINDS]
        bound = limits.RELATION_MAX_VALUE.value
        return [
            {
                "fromRoleId": one,
                "toRoleId": other,
                "kind": kind,
                "value": self._draws.between(-bound, bound),
                **self._perhaps("note", lambda: self._text(limits.STORY_MAX_RELATION_NOTE_CHARS.value)),
            }
            for one, other, kind in self._draws.some(keys, 8)
        ]

    def _episode(self, episode_id: str) -> _Content:
        rules = self._several(3, self._ending_rule) if self._endings else []
        return {
            "id": episode_id,
            "title": self._text(_NAME),
            "objective": self._text(_TEXT),
            "startNodeId": self._draws.pick(self._things.nodes),
            "turnBudget": self._draws.between(1, 6),
            **self._array("endingRules", rules),
        }

    def _ending_rule(self) -> _Content:
        return {
            "endingId": self._draws.pick(self._endings),
            "conditions": [self._condition(), *self._several(1, self._condition)],
        }

    def _constraints(self, content: Mapping[str, Any]) -> list[_Content]:
        """Laws; now and then one has a rule, turned round where it would not hold at the start."""
        start = read_package(normalize_package(content))
        conditions = Conditions(Declared.of(start))
        seen = view(initial_state(start), start, 0, 0)

        def holding() -> str:
            rule = self._condition()
            turned = f"!({rule})"
            for text in (rule, turned):
                if len(text) <= _TEXT and conditions.judge((("", text),), seen).holds:
                    return text
            return "beat >= 0"

        return [
            {"id": law_id, "text": self._text(_TEXT), **({"rule": holding()} if self._draws.once_in(6) else {})}
            for law_id in self._ids("bound", 0, 3)
        ]
