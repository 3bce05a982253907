"""How large a role's prompt can get, before anybody pays for it."""

from __future__ import annotations

from storyworld.core import limits
from storyworld.core.briefing import fixed_brief
from storyworld.core.prompt.brief import Brief, Cue, EnvelopeBrief, FlagShown, OptionShown
from storyworld.core.prompt.compose import compose, estimated_tokens, prepare
from storyworld.core.story import Node, StoryPackage


def largest_prompt_tokens(package: StoryPackage, role_id: str, persona: str) -> int:
    """The estimated tokens of the largest prompt that the package's own texts can make for a role.

    It has the fixed part, the longest scene and node, all flags, the longest options and a message at its limit, and no
    memory, notes or new facts: memory gives way where the window is small, and the others grow only as a session does.
    """
    fixed = prepare(fixed_brief(package, persona, role_id))
    return estimated_tokens(compose(Brief(fixed, (), _largest_envelope(package), "")))


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
