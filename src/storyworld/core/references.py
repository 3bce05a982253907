"""What one part of a story package says of another: references, ids that must be unique, types that must agree.

It owns these checks and the list of a package's conditions. It must not know bounds or shapes: it judges what is
well-formed, and passes over the rest, which the schema names. So faults of both sorts are told at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.condition_text import Declared
from storyworld.core.judge import Finding, as_id, type_words
from storyworld.core.limits.limit import Limit
from storyworld.core.story import ConditionSource, FlagType

Content = Mapping[str, Any]
_Items = Sequence[tuple[int, Content]]
_WITH_IDS: Final = (
    "roles", "scenes", "nodes", "branches", "endings", "establishedFacts", "canon", "constraints", "flags", "series"
)  # fmt: skip
# In each item of a list, the field that names an item of another list.
_REFERENCES: Final = (
    ("nodes", "sceneId", "scenes"),
    ("branches", "fromNodeId", "nodes"),
    ("branches", "toNodeId", "nodes"),
    ("initialRelations", "fromRoleId", "roles"),
    ("initialRelations", "toRoleId", "roles"),
    ("series", "startNodeId", "nodes"),
)
_FLAG_TYPES: Final[Mapping[type, FlagType]] = {bool: "boolean", int: "integer", str: "text"}


def find_faults(content: Content) -> Iterator[Finding]:
    """Every fault between well-formed parts of normalized content: unknown references, ids used twice, and so on."""
    items = {name: _items(content, name) for name in (*_WITH_IDS, "initialRelations")}
    declared = {name: _first_places(items[name]) for name in _WITH_IDS}
    for name in _WITH_IDS:
        yield from _repeated_ids(name, items[name], declared[name])
    yield from _unknown("/startNodeId", content.get("startNodeId"), "nodes", declared)
    for name, field, target in _REFERENCES:
        if not _all_declared([item.get(field) for _, item in items[name]], declared[target]):
            for place, item in items[name]:
                yield from _unknown(f"/{name}/{place}/{field}", item.get(field), target, declared)
    for place, episode in items["series"]:
        for index, rule in _items(episode, "endingRules"):
            path = f"/series/{place}/endingRules/{index}/endingId"
            yield from _unknown(path, rule.get("endingId"), "endings", declared)
    for name in ("establishedFacts", "canon"):
        known_by = [(place, fact["knownBy"]) for place, fact in items[name] if "knownBy" in fact]
        if not _each_once([roles for _, roles in known_by], declared["roles"]):
            for place, roles in known_by:
                yield from _known_by(f"/{name}/{place}/knownBy", roles, declared)
    yield from _flag_types(items["flags"])
    yield from _relations(items["initialRelations"])


def declared_for_conditions(content: Content) -> Declared:
    """What conditions may name. A flag whose type is not known has the type of its initial value, or else is a text."""
    flags: dict[str, FlagType] = {}
    for _, flag in _items(content, "flags"):
        flag_id = as_id(flag.get("id"))
        if flag_id is not None:
            declared = [name for name in _FLAG_TYPES.values() if name == flag.get("type")]
            flags[flag_id] = declared[0] if declared else _FLAG_TYPES.get(type(flag.get("initial")), "text")
    return Declared(
        flags=flags,
        node_ids=_first_places(_items(content, "nodes")).keys(),
        branch_ids=_first_places(_items(content, "branches")).keys(),
        role_ids=_first_places(_items(content, "roles")).keys(),
    )


def condition_sources(content: Content) -> Iterator[ConditionSource]:
    """Every condition with its JSON Pointer. Of a list over its limit only what is within it: checking costs time."""
    lists = (
        ("nodes", limits.STORY_MAX_NODES, "preconditions", limits.STORY_MAX_PRECONDITIONS_PER_NODE),
        ("branches", limits.STORY_MAX_BRANCHES, "conditions", limits.STORY_MAX_CONDITIONS_PER_BRANCH),
        ("endings", limits.STORY_MAX_ENDINGS, "conditions", limits.STORY_MAX_CONDITIONS_PER_ENDING),
    )
    for name, limit, field, field_limit in lists:
        for place, item in _items(content, name, limit):
            if item.get(field):
                yield from _texts(f"/{name}/{place}/{field}", item, field, field_limit)
    for place, constraint in _items(content, "constraints", limits.STORY_MAX_CONSTRAINTS):
        rule = constraint.get("rule")
        if isinstance(rule, str) and rule:
            yield f"/constraints/{place}/rule", rule
    for place, episode in _items(content, "series", limits.STORY_MAX_SERIES):
        for index, ending_rule in _items(episode, "endingRules", limits.STORY_MAX_ENDING_RULES_PER_EPISODE):
            path = f"/series/{place}/endingRules/{index}/conditions"
            yield from _texts(path, ending_rule, "conditions", limits.STORY_MAX_CONDITIONS_PER_ENDING_RULE)


def _texts(path: str, item: Content, field: str, limit: Limit) -> Iterator[ConditionSource]:
    texts = item.get(field)
    if isinstance(texts, list):
        for place, text in enumerate(texts[: limit.value]):
            if isinstance(text, str) and text:
                yield f"{path}/{place}", text


def _items(content: Content, name: str, limit: Limit | None = None) -> _Items:
    """The objects in one list of an object, with their places; nothing where there is no list."""
    items = content.get(name)
    if not isinstance(items, list):
        return []
    within = items if limit is None else items[: limit.value]
    return [(place, item) for place, item in enumerate(within) if isinstance(item, dict)]


def _first_places(items: _Items) -> dict[str, int]:
    """Where each id of a list is declared first. An id of a wrong shape counts: naming it is no second fault."""
    declared = [(item.get("id"), place) for place, item in items]
    # Of equal keys a dict keeps the last value, so the first place has to come last.
    return {id_: place for id_, place in reversed(declared) if isinstance(id_, str)}


def _repeated_ids(name: str, items: _Items, places: Mapping[str, int]) -> Iterator[Finding]:
    if len(places) == len(items):
        return
    for place, item in items:
        repeated = as_id(item.get("id"))
        if repeated is not None and places[repeated] != place:
            first = f"{name}/{places[repeated]}/id"
            yield Finding(f"/{name}/{place}/id", "id_repeated", actual=repeated, words={"first": first})


def _all_declared(values: Sequence[object], ids: Mapping[str, int]) -> bool:
    """Whether every value is one of these ids. Asked of a whole list at once, for mostly there is nothing to name."""
    return set(map(type, values)) <= {str} and ids.keys() >= set(values)


def _unknown(path: str, value: object, target: str, declared: Mapping[str, Mapping[str, int]]) -> Iterator[Finding]:
    if isinstance(value, str) and value in declared[target]:
        return
    named = as_id(value)
    if named is not None:
        yield Finding(path, "reference_unknown", actual=named, words={"declared": target})


def _each_once(lists: Sequence[object], ids: Mapping[str, int]) -> bool:
    """Whether these are lists of declared ids, in none of which an id stands twice."""
    arrays = [array for array in lists if isinstance(array, list)]
    named = list(chain.from_iterable(arrays))
    return len(arrays) == len(lists) and _all_declared(named, ids) and sum(map(len, map(set, arrays))) == len(named)


def _known_by(path: str, known_by: object, declared: Mapping[str, Mapping[str, int]]) -> Iterator[Finding]:
    if not isinstance(known_by, list):
        return
    places: dict[str, int] = {}
    for place, value in enumerate(known_by):
        yield from _unknown(f"{path}/{place}", value, "roles", declared)
        role_id = as_id(value)
        if role_id is not None and places.setdefault(role_id, place) != place:
            first = f"{path.removeprefix('/')}/{places[role_id]}"
            yield Finding(f"{path}/{place}", "role_repeated", actual=role_id, words={"first": first})


def _flag_types(flags: _Items) -> Iterator[Finding]:
    for place, flag in flags:
        declared = flag.get("type")
        found = _FLAG_TYPES.get(type(flag.get("initial")))
        if found is not None and declared in ("boolean", "integer", "text") and declared != found:
            words, words_zh = type_words(flag["initial"])
            yield Finding(
                f"/flags/{place}/initial",
                "flag_initial_type",
                actual=declared,
                words={"found": words, "found_zh": words_zh},
            )


def _relations(relations: _Items) -> Iterator[Finding]:
    places: dict[Iterable[str], int] = {}
    for place, relation in relations:
        start, end, kind = (as_id(relation.get(field)) for field in ("fromRoleId", "toRoleId", "kind"))
        if start is None or end is None:
            continue
        if start == end:
            yield Finding(f"/initialRelations/{place}/toRoleId", "relation_to_itself", actual=end)
        if kind is not None and places.setdefault((start, end, kind), place) != place:
            first = f"initialRelations/{places[start, end, kind]}"
            yield Finding(f"/initialRelations/{place}", "relation_repeated", words={"first": first})
