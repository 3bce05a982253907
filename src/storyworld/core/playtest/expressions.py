"""Random conditions that may be published: of every form there is, over what a story declares.

It owns their grammar. Some fail when they are evaluated (a division by zero, a number too large): a running story must
bear that. It must not know whether a condition holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from storyworld.core import limits
from storyworld.core.playtest.draws import Draws
from storyworld.core.story import FlagType, StoryPackage

ENTITY_IDS: Final = ("cart", "key-1", "letter", "old_lamp", "0")
"""The entities that generated stories come to have, and that their conditions ask about."""
NEW_FACT_IDS: Final = ("rumour", "told-1", "seen_2", "9")
"""The facts that come to be in generated stories."""
RELATION_KINDS: Final = ("trust", "debt", "owes_1")
"""The kinds of relation in generated stories."""
FLAG_TEXTS: Final = ("", "open", "天黑", "“no”", "e\u0301")
"""The values of text flags in generated stories."""

_DEPTH_MAX: Final = 3
_LITERALS: Final = ('""', '"open"', "'天黑'", '"“no”"', r'"\"\n"', '"""e\u0301"""', 'r"\\n"')


@dataclass(frozen=True, slots=True)
class Things:
    """What a condition or an operation may name, by id."""

    roles: Sequence[str]
    nodes: Sequence[str]
    branches: Sequence[str]
    flags: Mapping[str, FlagType]
    facts: Sequence[str]

    @classmethod
    def of(cls, package: StoryPackage) -> Things:
        """All that a package declares, and the facts that its roles come to establish."""
        return cls(
            roles=tuple(package.role_by_id),
            nodes=tuple(package.node_by_id),
            branches=tuple(package.branch_by_id),
            flags={flag.id: flag.type for flag in package.flags},
            facts=(*(fact.id for fact in package.established_facts), *NEW_FACT_IDS),
        )

    def flags_of(self, flag_type: FlagType) -> Sequence[str]:
        """The flags of one type."""
        return [flag_id for flag_id, found in self.flags.items() if found == flag_type]


def random_condition(draws: Draws, things: Things) -> str:
    """A condition within `STORY_MAX_TEXT_CHARS` that compiles: true, false or failing, who knows when."""
    text = _boolean(draws, things, draws.between(0, _DEPTH_MAX))
    if len(text) > limits.STORY_MAX_TEXT_CHARS.value:
        return _boolean(draws, things, 0)
    return text


_Maker = Callable[[Draws, Things, int], str]


def _boolean(draws: Draws, things: Things, depth: int) -> str:
    if depth == 0:
        return draws.pick(_BOOLEAN_LEAVES)(draws, things, 0)
    return draws.pick(_BOOLEANS)(draws, things, depth - 1)


def _integer(draws: Draws, things: Things, depth: int) -> str:
    if depth > 0 and draws.once_in(2):
        operator = draws.pick(("+", "-", "*", "/", "%"))
        return f"({_integer(draws, things, depth - 1)} {operator} {_integer(draws, things, depth - 1)})"
    return draws.pick(_INTEGER_LEAVES)(draws, things, 0)


def _either(draws: Draws, things: Things, depth: int) -> str:
    return f"({_boolean(draws, things, depth)} {draws.pick(('&&', '||'))} {_boolean(draws, things, depth)})"


def _not(draws: Draws, things: Things, depth: int) -> str:
    return f"!({_boolean(draws, things, depth)})"


def _choice(draws: Draws, things: Things, depth: int) -> str:
    asked, one, other = (_boolean(draws, things, depth) for _ in range(3))
    return f"({asked} ? {one} : {other})"


def _comparison(draws: Draws, things: Things, depth: int) -> str:
    operator = draws.pick(("==", "!=", "<", "<=", ">", ">="))
    return f"{_integer(draws, things, depth)} {operator} {_integer(draws, things, depth)}"


def _among(draws: Draws, things: Things, depth: int) -> str:
    listed = draws.pick((_integer_flag, _clock, _relation))(draws, things, 0)
    return f"{_integer(draws, things, depth)} in [{_literal(draws, things, 0)}, {listed}]"


def _constant(draws: Draws, _things: Things, _depth: int) -> str:
    return draws.pick(("true", "false", "true // for now\n", "\n false"))


def _boolean_flag(draws: Draws, things: Things, _depth: int) -> str:
    flags = things.flags_of("boolean")
    return _flag(draws, draws.pick(flags)) if flags else f"hasEntity('{draws.pick(ENTITY_IDS)}')"


def _flag(draws: Draws, flag_id: str) -> str:
    return f"flags.{flag_id}" if flag_id.isalpha() and draws.once_in(2) else f'flags["{flag_id}"]'


def _past(draws: Draws, things: Things, _depth: int) -> str:
    if things.branches and draws.once_in(2):
        return f'taken("{draws.pick(things.branches)}")'
    return f'visited( "{draws.pick(things.nodes)}" )'


def _known(draws: Draws, things: Things, _depth: int) -> str:
    return f'hasFact("{draws.pick(things.facts)}")'


def _wording(draws: Draws, things: Things, _depth: int) -> str:
    flags = things.flags_of("text")
    one = _flag(draws, draws.pick(flags)) if flags else draws.pick(_LITERALS)
    other = draws.pick(_LITERALS)
    form = draws.pick(("{0} == {1}", "{0} != {1}", "{0}.startsWith({1})", "{0}.contains({1})", "{0} in [{1}, {0}]"))
    return form.format(one, other)


def _literal(draws: Draws, _things: Things, _depth: int) -> str:
    return str(draws.between(-4, 12)) if not draws.once_in(12) else "9007199254740991"


def _integer_flag(draws: Draws, things: Things, _depth: int) -> str:
    flags = things.flags_of("integer")
    return _flag(draws, draws.pick(flags)) if flags else "beat"


def _clock(draws: Draws, _things: Things, _depth: int) -> str:
    return draws.pick(("beat", "episodeBeat"))


def _relation(draws: Draws, things: Things, _depth: int) -> str:
    return f'relation("{draws.pick(things.roles)}", "{draws.pick(things.roles)}", "{draws.pick(RELATION_KINDS)}")'


def _size(draws: Draws, things: Things, _depth: int) -> str:
    flags = things.flags_of("text")
    return f"size({_flag(draws, draws.pick(flags)) if flags else draws.pick(_LITERALS)})"


_BOOLEAN_LEAVES: Final[tuple[_Maker, ...]] = (_constant, _boolean_flag, _past, _known, _wording, _comparison)
_BOOLEANS: Final[tuple[_Maker, ...]] = (_either, _either, _not, _choice, _comparison, _comparison, _among)
_INTEGER_LEAVES: Final[tuple[_Maker, ...]] = (_literal, _integer_flag, _clock, _relation, _size)
