"""How large a role's prompt can get, before anybody pays for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from storyworld.core import limits
from storyworld.core.prompt.brief import Cue, EnvelopeBrief, FixedBrief, FlagShown, OptionShown
from storyworld.core.prompt.compose import envelope_size, fixed_size, tokens_of_bytes
from storyworld.core.prompt.template_v1 import listed_size
from storyworld.core.story import Fact, Node, StoryPackage


class LargestPrompts:
    """For each role, the largest prompt that the package's own texts can make.

    It has the fixed part, the longest scene and node, all flags, the longest options and a message at its limit, and no
    memory, notes or new facts: memory gives way where the window is small, and the others grow only as a session does.

    A package may have a megabyte of texts, and 24 roles that know most of them. So the texts of lists are measured one
    by one, each once, and of a prompt only the rest is composed.
    """

    def __init__(self, package: StoryPackage) -> None:
        self._package = package
        self._envelope = envelope_size(package.language, _largest_envelope(package))
        self._constraints = sum(listed_size(constraint.text) for constraint in package.constraints)
        self._canon = _sizes_by_role(package.canon, package.role_by_id)
        self._facts = _sizes_by_role(package.established_facts, package.role_by_id)

    def tokens(self, role_id: str, persona: str) -> int:
        """The estimated tokens of a role's largest prompt, for an agent with this persona."""
        role = self._package.role_by_id[role_id]
        sizes = (
            self._constraints,
            self._canon[role_id],
            self._facts[role_id],
            sum(map(listed_size, role.goals)),
            sum(map(listed_size, role.secrets)),
        )
        # In the rest, an empty text stands for each list that is there, so that its heading is measured.
        constraints, canon, facts, goals, secrets = (("",) if size else () for size in sizes)
        title, language = self._package.title, self._package.language
        bare = replace(role, goals=goals, secrets=secrets)
        rest = fixed_size(FixedBrief(persona, title, language, constraints, canon, facts, bare))
        placeholders = sum(listed_size("") for size in sizes if size)
        return tokens_of_bytes(rest - placeholders + sum(sizes) + self._envelope)


def _sizes_by_role(facts: Iterable[Fact], role_ids: Iterable[str]) -> Mapping[str, int]:
    """How many bytes the facts that each role knows take in its list, without the heading."""
    shared = 0
    own = dict.fromkeys(role_ids, 0)
    for fact in facts:
        size = listed_size(fact.text)
        if fact.known_by is None:
            shared += size
        else:
            for role_id in fact.known_by:
                own[role_id] += size
    return {role_id: shared + size for role_id, size in own.items()}


def _largest_envelope(package: StoryPackage) -> EnvelopeBrief:
    def spent(node: Node) -> int:
        scene = package.scene_by_id[node.scene_id]
        return sum(len(text.encode()) for text in (scene.title, scene.description, node.title, node.objective))

    node = max(package.nodes, key=spent)
    scene = package.scene_by_id[node.scene_id]
    options = sorted(
        (OptionShown(branch.id, branch.label, branch.description) for branch in package.branches),
        key=lambda option: -len(f"{option.branch_id}{option.label}{option.description or ''}".encode()),
    )
    return EnvelopeBrief(
        scene_title=scene.title,
        scene_description=scene.description,
        node_title=node.title,
        objective=node.objective,
        new_facts=(),
        notes=(),
        flags=tuple(
            FlagShown(flag.id, flag.description, flag.type, None if flag.type == "text" else False)
            for flag in package.flags
        ),
        options=tuple(options[: limits.WORLD_MAX_BRANCH_OPTIONS.value]),
        relation_ids=(),
        relations_left_out=0,
        entity_ids=(),
        entities_left_out=0,
        refused=None,
        cue=Cue("message", "字" * limits.TRIGGER_MAX_TEXT_CHARS.value),
        lines=(),
    )
