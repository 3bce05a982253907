"""Conditions: what an author may ask of a story, judged when a package is validated and answered while it runs.

This file owns when a condition may be published and whether it holds. It must not know branches, endings, patches or
what follows from an answer.

A condition is one boolean expression over `flags.<id>` and `flags["<id>"]`, `visited("<node>")`, `taken("<branch>")`,
`hasFact("<id>")`, `hasEntity("<id>")`, `relation("<from>", "<to>", "<kind>")` (0 where there is none), `beat` (of the
beat being judged) and `episodeBeat` (its number in the running episode, 0 outside one); with `&& || ! == != < <=
> >= + - * / % ?:`, `in` and lists of one type, and `size`, `contains`, `startsWith`, `endsWith` of texts. Nothing else
exists: no loops, regular expressions, decimals, conversions, maps, or clock.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from storyworld.core import limits
from storyworld.core.cel import CEL_VERSION, Fault, FaultKind, Program, SlotValue, compile_expression
from storyworld.core.condition_text import Declared, Mistake, Reference, read_condition
from storyworld.core.errors import Problem, problem
from storyworld.core.state import State
from storyworld.core.story import ConditionSource, Fact, StoryPackage

__all__ = [
    "CEL_VERSION",
    "Conditions",
    "Declared",
    "References",
    "Verdict",
    "View",
    "constant",
    "view",
]

_PROBLEMS_PER_CONDITION = 5
_CHINESE: Mapping[str, str] = {"boolean": "布尔", "integer": "整数", "text": "文字", "list": "列表"}


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A condition that can be evaluated: the program, and the slot of each thing that it reads."""

    program: Program
    slots: tuple[tuple[str, Reference], ...]


def _compile(text: str, declared: Declared) -> _Compiled | tuple[Mistake, ...]:
    reading = read_condition(text, declared)
    if reading.mistakes:
        return reading.mistakes
    program = compile_expression(reading.text)
    if not isinstance(program, Program):
        return tuple(map(_mistake, program))
    if program.result != "boolean":
        found = program.result
        return (Mistake("condition_not_boolean", 1, 1, actual=found, words={"found_zh": _CHINESE[found]}),)
    return _Compiled(program, tuple((slot, reference) for reference, slot in reading.slots.items()))


def _mistake(fault: Fault) -> Mistake:
    if fault.kind is FaultKind.OPERANDS:
        types = types_zh = ", ".join(fault.operands)
        for word, word_zh in _CHINESE.items():
            types_zh = types_zh.replace(word, word_zh)
        words = {"operator": fault.operator, "types": types, "types_zh": types_zh}
        return Mistake("condition_types", fault.line, fault.column, words=words)
    code = "condition_syntax" if fault.kind is FaultKind.SYNTAX else "condition_too_deep"
    return Mistake(code, fault.line, fault.column)


def _word(path: str, mistake: Mistake) -> Problem:
    return problem(
        mistake.code,
        path,
        limit=mistake.limit,
        actual=mistake.actual,
        line=mistake.line,
        column=mistake.column,
        **mistake.words,
    )


@dataclass(frozen=True)
class View:
    """What conditions see of one moment: a state, the facts that were so from the start, and the beat being judged.

    It costs nothing until something is looked up; what is looked up once is kept for the other conditions of the beat.
    """

    state: State
    established_facts: tuple[Fact, ...]
    beat: int
    episode_beat: int

    def look_up(self, reference: Reference) -> SlotValue:
        """The value of one thing of the story; `None` for a flag that the state does not have."""
        match reference.kind:
            case "flag":
                return self.state.flags.get(reference.ids[0])
            case "visited":
                return reference.ids[0] in self._visited
            case "taken":
                return reference.ids[0] in self._taken
            case "hasFact":
                return reference.ids[0] in self._fact_ids
            case "hasEntity":
                return reference.ids[0] in self._entity_ids
            case "relation":
                return self._relation_values.get(reference.ids, 0)
            case "beat":
                return self.beat
            case _:
                return self.episode_beat

    @cached_property
    def _visited(self) -> frozenset[str]:
        return frozenset(self.state.visited_nodes)

    @cached_property
    def _taken(self) -> frozenset[str]:
        return frozenset(self.state.taken_branches)

    @cached_property
    def _fact_ids(self) -> frozenset[str]:
        return frozenset(fact.id for facts in (self.established_facts, self.state.facts) for fact in facts)

    @cached_property
    def _entity_ids(self) -> frozenset[str]:
        return frozenset(entity.id for entity in self.state.entities)

    @cached_property
    def _relation_values(self) -> Mapping[tuple[str, ...], int]:
        return {relation.key: relation.value for relation in self.state.relations}


def view(state: State, package: StoryPackage, beat: int, episode_beat: int) -> View:
    """The moment that conditions are asked about; `episode_beat` is 0 outside an episode."""
    return View(state, package.established_facts, beat, episode_beat)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether all conditions of a list hold; `failed` has the paths that could not be evaluated, which is false."""

    holds: bool
    failed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class References:
    """What a condition reads, by id; a relation is (from, to, kind). `uses_beat` counts `beat` and `episodeBeat`."""

    nodes: frozenset[str]
    branches: frozenset[str]
    flags: frozenset[str]
    facts: frozenset[str]
    entities: frozenset[str]
    relations: frozenset[tuple[str, str, str]]
    uses_beat: bool


def _references(found: Collection[Reference]) -> References:
    def ids(kind: str) -> frozenset[str]:
        return frozenset(reference.ids[0] for reference in found if reference.kind == kind)

    return References(
        nodes=ids("visited"),
        branches=ids("taken"),
        flags=ids("flag"),
        facts=ids("hasFact"),
        entities=ids("hasEntity"),
        relations=frozenset(
            (reference.ids[0], reference.ids[1], reference.ids[2])
            for reference in found
            if reference.kind == "relation"
        ),
        uses_beat=any(reference.kind in {"beat", "episodeBeat"} for reference in found),
    )


_HOLDS = Verdict(holds=True)
_DOES_NOT_HOLD = Verdict(holds=False)


class Conditions:
    """The conditions of one package, compiled when first asked and remembered.

    What is stored is not judged again: a condition that this build cannot compile is false and failed, not an error.
    """

    def __init__(self, declared: Declared) -> None:
        self._declared = declared
        self._known: dict[str, _Compiled | tuple[Mistake, ...]] = {}
        self._last: dict[str, tuple[tuple[SlotValue, ...], bool | None]] = {}

    def check(self, sources: Iterable[ConditionSource]) -> list[Problem]:
        """Every condition that may not be published, in the order of the sources; at most five problems for each.

        Messages name the line and the column, counted from 1 in code points. A text over `STORY_MAX_TEXT_CHARS` is
        passed over: the schema refuses it, and it is not read here.
        """
        problems: list[Problem] = []
        for path, text in sources:
            if len(text) <= limits.STORY_MAX_TEXT_CHARS.value:
                known = self._compile(text)
                if not isinstance(known, _Compiled):
                    problems.extend(_word(path, mistake) for mistake in known[:_PROBLEMS_PER_CONDITION])
        return problems

    def references(self, text: str) -> References:
        """All that a condition reads; of a text that may not be published, what could be made out."""
        known = self._compile(text)
        if isinstance(known, _Compiled):
            return _references([reference for _, reference in known.slots])
        return _references(read_condition(text, self._declared).slots)

    def judge(self, sources: Sequence[ConditionSource], view: View) -> Verdict:
        """Whether every condition of the list holds; an empty list does.

        They are evaluated in order, up to the first that does not hold: `failed` has its path if it could not be
        evaluated.
        """
        for path, text in sources:
            answer = self._evaluate(text, view)
            if answer is None:
                return Verdict(holds=False, failed=(path,))
            if not answer:
                return _DOES_NOT_HOLD
        return _HOLDS

    def _evaluate(self, text: str, view: View) -> bool | None:
        known = self._compile(text)
        if not isinstance(known, _Compiled):
            return None
        # The answer follows from what the condition reads, and from one judgement to the next that is mostly the same.
        values = tuple([view.look_up(reference) for _, reference in known.slots])
        last = self._last.get(text)
        if last is None or last[0] != values:
            filled = {slot: value for (slot, _), value in zip(known.slots, values, strict=True)}
            last = self._last[text] = (values, known.program.evaluate(filled))
        return last[1]

    def _compile(self, text: str) -> _Compiled | tuple[Mistake, ...]:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = _compile(text, self._declared)
        return known


def constant(text: str, declared: Declared) -> bool | None:
    """What a condition that refers to nothing always says; `None` where it reads something, or says nothing."""
    compiled = _compile(text, declared)
    if not isinstance(compiled, _Compiled) or compiled.slots:
        return None
    return compiled.program.evaluate({})
