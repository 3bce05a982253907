"""Where a sound package will disappoint: ways that lead nowhere, conditions that decide nothing, sizes near a limit.

It owns warnings, and never refuses. It makes no claim that could be false: what depends on anything that a role or an
event can change is taken to be possible. It must not know how content was judged, or how a beat is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from storyworld.core import limits
from storyworld.core.conditions import Conditions
from storyworld.core.errors import Problem, problem
from storyworld.core.judge import texts_within
from storyworld.core.outlook import Outlook
from storyworld.core.prompt_size import LargestPrompts
from storyworld.core.story import StoryPackage

# From where on a size is worth a word: 9 of 10 characters, 4 of 5 relations, 3 of 4 bytes.
TEXT_CHARS_NEAR: Final = limits.STORY_MAX_TEXT_CHARS.value * 9 // 10
RELATIONS_NEAR: Final = limits.STORY_MAX_INITIAL_RELATIONS.value * 4 // 5
PACKAGE_BYTES_NEAR: Final = limits.STORY_PACKAGE_MAX_BYTES.value * 3 // 4
# What the small models of today hold, prompt and reply together.
PROMPT_TOKENS_NEAR: Final = 8192
_ALL_TEXTS_SHORT: Final = texts_within(TEXT_CHARS_NEAR - 1)
_CYCLE_NODES_NAMED = 8
_SPENDERS_NAMED = 3


def analyse(
    package: StoryPackage,
    content: Mapping[str, Any],
    sizes: Mapping[str, int],
    size_bytes: int,
    conditions: Conditions,
) -> tuple[Problem, ...]:
    """Every warning about a package without problems, in a fixed order: the graph, the conditions, then sizes.

    `content` is its normalized content, `sizes` are the canonical bytes of each of its fields, `size_bytes` those of
    the whole, and `conditions` are its own.
    """
    outlook = Outlook(package, conditions)
    return (
        *_nodes(package, outlook),
        *_endings(package, outlook),
        *_branches(package, outlook),
        *_conditions(package, outlook),
        *_relations(package),
        *_texts(content),
        *_bytes(sizes, size_bytes),
        *_prompts(package),
    )


def _nodes(package: StoryPackage, outlook: Outlook) -> Iterator[Problem]:
    places = {node.id: f"/nodes/{place}" for place, node in enumerate(package.nodes)}
    for node_id, path in places.items():
        if node_id not in outlook.reachable:
            yield problem("node_out_of_reach", path, actual=node_id)
        elif outlook.is_dead_end(node_id):
            yield problem("dead_end", path, actual=node_id)
    for cycle in outlook.cycles():
        named = [*cycle, cycle[0]] if len(cycle) <= _CYCLE_NODES_NAMED else [*cycle[:_CYCLE_NODES_NAMED], "…"]
        yield problem("cycle", places[cycle[0]], actual=cycle[0], nodes=" → ".join(named))


def _endings(package: StoryPackage, outlook: Outlook) -> Iterator[Problem]:
    named_in_rules = {rule.ending_id for episode in package.series for rule in episode.ending_rules}
    for place, ending in enumerate(package.endings):
        if not ending.conditions and ending.id not in named_in_rules:
            yield problem("ending_without_conditions", f"/endings/{place}", actual=ending.id)
        elif ending.id not in outlook.possible_endings:
            yield problem("ending_out_of_reach", f"/endings/{place}", actual=ending.id)


def _branches(package: StoryPackage, outlook: Outlook) -> Iterator[Problem]:
    for place, branch in enumerate(package.branches):
        if branch.id in outlook.hidden:
            limit = limits.WORLD_MAX_BRANCH_OPTIONS.value
            yield problem("branch_hidden", f"/branches/{place}", limit=limit, actual=branch.id)


def _conditions(package: StoryPackage, outlook: Outlook) -> Iterator[Problem]:
    for path, text, node_id in _placed_conditions(package, outlook):
        outcome = outlook.outcome(text, node_id)
        if outcome is not None:
            yield problem("condition_always_holds" if outcome else "condition_never_holds", path)


def _placed_conditions(package: StoryPackage, outlook: Outlook) -> Iterator[tuple[str, str, str | None]]:
    """Every condition that may be asked: its path, its text, and the node where it is asked, if always the same."""
    for place, node in enumerate(package.nodes):
        for index, text in enumerate(node.preconditions):
            yield f"/nodes/{place}/preconditions/{index}", text, None
    for place, branch in enumerate(package.branches):
        for index, text in enumerate(branch.conditions if branch.from_node_id in outlook.reachable else ()):
            yield f"/branches/{place}/conditions/{index}", text, branch.from_node_id
    endings = (source for sources in package.ending_conditions.values() for source in sources)
    rules = (source for rules in package.rule_conditions.values() for _, sources in rules for source in sources)
    for path, text in (*endings, *package.rules, *rules):
        yield path, text, None


def _relations(package: StoryPackage) -> Iterator[Problem]:
    limit = limits.WORLD_STATE_MAX_RELATIONS
    count = len(package.initial_relations)
    if count >= RELATIONS_NEAR:
        yield problem("relations_dense", "/initialRelations", limit=limit.value, actual=count, reason=limit.reason)


def _texts(content: Mapping[str, Any]) -> Iterator[Problem]:
    if not _ALL_TEXTS_SHORT(content):
        paths = list(_long_texts("", content))
        limit = limits.STORY_MAX_TEXT_CHARS.value
        yield problem("texts_near_limit", paths[0], limit=limit, actual=len(paths), near=TEXT_CHARS_NEAR)


def _long_texts(path: str, value: Any) -> Iterator[str]:
    """The JSON Pointers of all texts near the limit, in the order of the document."""
    for token, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, str):
            if len(part) >= TEXT_CHARS_NEAR:
                yield f"{path}/{token}"
        elif isinstance(part, dict | list):
            yield from _long_texts(f"{path}/{token}", part)


def _bytes(sizes: Mapping[str, int], size_bytes: int) -> Iterator[Problem]:
    if size_bytes >= PACKAGE_BYTES_NEAR:
        most = sorted(sizes, key=lambda name: (-sizes[name], name))[:_SPENDERS_NAMED]
        limit = limits.STORY_PACKAGE_MAX_BYTES
        named = ", ".join(f"{name} ({sizes[name]})" for name in most)
        yield problem("package_near_limit", "", limit=limit.value, actual=size_bytes, spent=named, reason=limit.reason)


def _prompts(package: StoryPackage) -> Iterator[Problem]:
    """The role with the largest prompt of all, the first of equals, where small models could not hold it.

    Who will voice it is not known yet, so the persona is left out of account.
    """
    largest = LargestPrompts(package)
    sizes = [largest.tokens(role.id, "") for role in package.roles]
    tokens = max(sizes)
    if tokens > PROMPT_TOKENS_NEAR:
        place = sizes.index(tokens)
        role_id = package.roles[place].id
        yield problem("prompt_large", f"/roles/{place}", limit=PROMPT_TOKENS_NEAR, actual=tokens, role=role_id)
