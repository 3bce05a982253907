"""How large a role's prompt can get, before anybody pays for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from storyworld.core import limits
from storyworld.core.prompt.brief import Cue, EnvelopeBrief, FixedBrief, FlagShown, OptionShown
from storyworld.core.prompt.compose import envelope_size, fixed_size, tokens_of_bytes
from storyworld.core.prompt.template_v1 import listed_size
from storyworld.core.story import Branch, Fact, Role, StoryPackage


class LargestPrompts:
    """For each role, the largest prompt that the package's own texts can make.

    It has the fixed part, the longest scene and node, all flags, the longest options and a message at its limit, and no
    memory, notes or new facts: memory gives way where the window is small, and the others grow only as a session does.

    A package may have a megabyte of texts, and 24 roles that know most of them. So each text is measured once, by
    itself, and of a prompt only the frame around texts is composed.
    """

    def __init__(self, package: StoryPackage) -> None:
        self._package = package
        self._frames: dict[tuple[str, bool, tuple[bool, ...]], int] = {}
        self._envelope = envelope_size(package.language, _largest_envelope(package))
        self._constraints = sum(listed_size(constraint.text) for constraint in package.constraints)
        self._canon = _sizes_by_role(package.canon, package.role_by_id)
        self._facts = _sizes_by_role(package.established_facts, package.role_by_id)

    def tokens(self, role_id: str, persona: str) -> int:
        """The estimated tokens of a role's largest prompt, for an agent with this persona."""
        role = self._package.role_by_id[role_id]
        lists = (
            self._constraints,
            self._canon[role_id],
            self._facts[role_id],
            sum(map(listed_size, role.goals)),
            sum(map(listed_size, role.secrets)),
        )
        sheet = sum(len(text.encode()) for text in (role.name, role.description, role.voice or ""))
        frame = self._frame(persona, role.voice is not None, tuple(map(bool, lists)))
        return tokens_of_bytes(frame + sheet + sum(lists) + self._envelope)

    def _frame(self, persona: str, voiced: bool, listed: tuple[bool, ...]) -> int:
        """The bytes of a fixed part in which every text of the role and of these lists is empty."""
        key = (persona, voiced, listed)
        if key not in self._frames:
            # A list without items would have no heading, so it has one empty item, which is taken off again.
            constraints, canon, facts, goals, secrets = (("",) * is_there for is_there in listed)
            role = Role("", "", "", goals, secrets, "" if voiced else None)
            brief = FixedBrief(persona, self._package.title, self._package.language, constraints, canon, facts, role)
            self._frames[key] = fixed_size(brief) - sum(listed) * listed_size("")
        return self._frames[key]


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
    scenes = {scene.id: len(scene.title.encode()) + len(scene.description.encode()) for scene in package.scenes}
    sizes = [scenes[node.scene_id] + len(node.title.encode()) + len(node.objective.encode()) for node in package.nodes]
    node = package.nodes[sizes.index(max(sizes))]
    scene = package.scene_by_id[node.scene_id]
    branches = sorted(package.branches, key=_size_of_option, reverse=True)
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
        options=tuple(
            OptionShown(branch.id, branch.label, branch.description)
            for branch in branches[: limits.WORLD_MAX_BRANCH_OPTIONS.value]
        ),
        relation_ids=(),
        relations_left_out=0,
        entity_ids=(),
        entities_left_out=0,
        refused=None,
        cue=Cue("message", "字" * limits.TRIGGER_MAX_TEXT_CHARS.value),
        lines=(),
    )


def _size_of_option(branch: Branch) -> int:
    return len(branch.id) + len(branch.label.encode()) + len((branch.description or "").encode())
