"""The schema of a story package's content: domain words, their bounds, and nothing that refers to anything else."""

from __future__ import annotations

from typing import Final

from storyworld.core import limits
from storyworld.core.limits.limit import Limit
from storyworld.core.schema.parts import (
    DIALECT,
    LANGUAGE_PATTERN,
    Schema,
    array,
    identifier,
    integer,
    one_of,
    optional_array,
    record,
    scalar,
    shaped_text,
    text,
)


def _name(description: str) -> Schema:
    return text(limits.STORY_MAX_NAME_CHARS, description)


def _text(description: str) -> Schema:
    return text(limits.STORY_MAX_TEXT_CHARS, description)


def _condition_list(limit: Limit, description: str) -> Schema:
    return optional_array(limit, _text("A condition in CEL that is true or false."), description)


def known_by() -> Schema:
    """The roles that know a fact."""
    return array(
        limits.STORY_MAX_ROLES,
        identifier("The id of a declared role."),
        "The roles that know it, each once. Absent: every role knows it. Empty: no role does.",
    )


def _fact(title: str, description: str) -> Schema:
    return record(
        title,
        description,
        {"id": identifier("Its id."), "text": _text("What is so."), "knownBy": known_by()},
        optional=("knownBy",),
    )


_ROLE: Final = record(
    "Role",
    "A character. Its description, goals, secrets and voice reach only its own prompt.",
    {
        "id": identifier("Its id."),
        "name": _name("What it is called."),
        "description": _text("Who it is."),
        "goals": optional_array(
            limits.STORY_MAX_GOALS_PER_ROLE, _text("Something that the role wants."), "What the role wants."
        ),
        "secrets": optional_array(
            limits.STORY_MAX_SECRETS_PER_ROLE,
            _text("Something that only this role knows."),
            "What the role knows and the others do not.",
        ),
        "voice": text(limits.STORY_MAX_VOICE_CHARS, "How it speaks."),
    },
    optional=("voice",),
)
_SCENE: Final = record(
    "Scene",
    "A place where nodes happen.",
    {
        "id": identifier("Its id."),
        "title": _name("What it is called."),
        "description": _text("What it is like there."),
    },
)
_NODE: Final = record(
    "Node",
    "A point of the story. It is entered by a branch, when all its preconditions hold.",
    {
        "id": identifier("Its id."),
        "sceneId": identifier("The scene where it happens."),
        "title": _name("What it is called."),
        "objective": _text("What the roles are to bring about here."),
        "preconditions": _condition_list(
            limits.STORY_MAX_PRECONDITIONS_PER_NODE, "All must hold for the node to be entered by a branch."
        ),
    },
)
_BRANCH: Final = record(
    "Branch",
    "A way from one node to another, open when its conditions and its target's preconditions hold.",
    {
        "id": identifier("Its id."),
        "fromNodeId": identifier("The node where it starts."),
        "toNodeId": identifier("The node where it leads."),
        "label": _name("What it is called as an option."),
        "description": _text("What taking it means."),
        "conditions": _condition_list(limits.STORY_MAX_CONDITIONS_PER_BRANCH, "All must hold. None: it is open."),
        "repeatable": {
            "type": "boolean",
            "description": "Whether it can be taken again once it was taken.",
            "default": False,
        },
    },
    optional=("description",),
)
_ENDING: Final = record(
    "Ending",
    "A way the story can end.",
    {
        "id": identifier("Its id."),
        "title": _name("What it is called."),
        "description": _text("What has come about."),
        "conditions": _condition_list(
            limits.STORY_MAX_CONDITIONS_PER_ENDING, "All must hold. None: it never happens by itself."
        ),
    },
)
_CONSTRAINT: Final = record(
    "Constraint",
    "A law of the story that stands in every prompt.",
    {
        "id": identifier("Its id."),
        "text": _text("The law in words."),
        "rule": _text("A condition in CEL that the state must keep, from the start; what would break it is refused."),
    },
    optional=("rule",),
)
_FLAG: Final = record(
    "Flag",
    "A typed variable of the story.",
    {
        "id": identifier("Its id."),
        "description": _text("What it means."),
        "type": one_of("The type of its value.", "boolean", "integer", "text"),
        "initial": scalar(limits.STORY_MAX_FLAG_TEXT_CHARS, "Its value at the start, of its type."),
    },
)
_RELATION: Final = record(
    "Relation",
    "How one role stands to another; unique by (fromRoleId, toRoleId, kind).",
    {
        "fromRoleId": identifier("The role whose relation it is."),
        "toRoleId": identifier("The other role."),
        "kind": identifier("What sort of relation it is, such as trust."),
        "value": integer(
            limits.RELATION_MAX_VALUE, "How strong it is, from -100 to 100.", minimum=-limits.RELATION_MAX_VALUE.value
        ),
        "note": text(limits.STORY_MAX_RELATION_NOTE_CHARS, "What else there is to say of it."),
    },
    optional=("note",),
)
_ENDING_RULE: Final = record(
    "EndingRule",
    "In an episode: the ending that is reached when all conditions hold.",
    {
        "endingId": identifier("The ending that is reached."),
        "conditions": array(
            limits.STORY_MAX_CONDITIONS_PER_ENDING_RULE,
            _text("A condition in CEL that is true or false."),
            "All must hold; there is at least one.",
            at_least=1,
        ),
    },
)
_EPISODE: Final = record(
    "Episode",
    "One part of the series.",
    {
        "id": identifier("Its id."),
        "title": _name("What it is called."),
        "objective": _text("What the episode is about."),
        "startNodeId": identifier("The node where a run of it begins."),
        "turnBudget": integer(limits.STORY_MAX_TURN_BUDGET, "How many beats with seats a run has at most.", minimum=1),
        "endingRules": optional_array(
            limits.STORY_MAX_ENDING_RULES_PER_EPISODE, _ENDING_RULE, "How a run ends; judged in order after each beat."
        ),
    },
)
_SOURCE: Final = record(
    "Source",
    "What the story was made from: cited, never embedded.",
    {"title": _name("The title of the work."), "version": _name("Which version of it.")},
)

STORY_PACKAGE_CONTENT: Final[Schema] = {
    "$schema": DIALECT,
    **record(
        "StoryPackageContent",
        "The content of a story package, as an author writes it. The limits hold for the normalized content: line ends "
        "made one line feed, outer white space trimmed, absent arrays and defaults written out.",
        {
            "title": _name("What the story is called."),
            "language": shaped_text(
                limits.LANGUAGE_MAX_CHARS, LANGUAGE_PATTERN, "The language it is played in, a tag of BCP 47."
            ),
            "logline": text(limits.STORY_MAX_LOGLINE_CHARS, "The story in a sentence or two."),
            "source": _SOURCE,
            "startNodeId": identifier("The node where a session begins."),
            "roles": array(limits.STORY_MAX_ROLES, _ROLE, "The cast; its order is the order of seats.", at_least=1),
            "scenes": array(limits.STORY_MAX_SCENES, _SCENE, "The places.", at_least=1),
            "nodes": array(limits.STORY_MAX_NODES, _NODE, "The points of the story.", at_least=1),
            "branches": optional_array(limits.STORY_MAX_BRANCHES, _BRANCH, "The ways between nodes, in order."),
            "endings": optional_array(
                limits.STORY_MAX_ENDINGS, _ENDING, "The endings; the first that holds is reached."
            ),
            "establishedFacts": optional_array(
                limits.STORY_MAX_ESTABLISHED_FACTS,
                _fact("EstablishedFact", "Something that is so when the story starts."),
                "What is so when the story starts.",
            ),
            "canon": optional_array(
                limits.STORY_MAX_CANON,
                _fact("Canon", "Something that is always so in this world."),
                "What is always so.",
            ),
            "constraints": optional_array(limits.STORY_MAX_CONSTRAINTS, _CONSTRAINT, "The laws of the story."),
            "flags": optional_array(limits.STORY_MAX_FLAGS, _FLAG, "The typed variables of the story."),
            "initialRelations": optional_array(
                limits.STORY_MAX_INITIAL_RELATIONS, _RELATION, "How roles stand to each other when the story starts."
            ),
            "series": optional_array(limits.STORY_MAX_SERIES, _EPISODE, "The episodes, for a story told in parts."),
        },
        optional=("logline", "source"),
    ),
    "x-pouchy-max-bytes": limits.STORY_PACKAGE_MAX_BYTES.value,
    "x-limits": {"x-pouchy-max-bytes": limits.STORY_PACKAGE_MAX_BYTES.name},
}
