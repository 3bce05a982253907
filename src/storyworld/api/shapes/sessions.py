"""What is answered of sessions: beats, states, prompts, runs, drafts; and how it is written."""

from __future__ import annotations

from typing import Any, Final

from storyworld.api.shapes.parts import (
    ANY_OBJECT,
    BOOLEAN,
    COUNT,
    DIGEST,
    INTEGER,
    RESOURCE_ID,
    TEXT,
    TIME,
    answer,
    listed,
    nullable,
    page,
    told,
)
from storyworld.application.browse import RunView, SessionView
from storyworld.application.draft import ScriptDraft
from storyworld.application.ports import Deliberation
from storyworld.application.retrace import PromptView
from storyworld.core.schema.parts import Schema


def by_role(part: Schema, description: str) -> Schema:
    """An object with a value for some roles, by their ids."""
    return {"type": "object", "description": description, "additionalProperties": part}


_LINE: Final = answer(
    "Line", "What a role said and did.", {"roleId": TEXT, "text": TEXT, "action": TEXT}, optional=("action",)
)
_OPTION: Final = answer(
    "BranchOption", "A branch that the next choice may take.", {"branchId": TEXT, "label": TEXT, "toNodeId": TEXT}
)
_OPTIONS: Final = listed(_OPTION, "The first five that are open.")
_REJECTED: Final = answer(
    "Rejected",
    "Why the whole patch fell.",
    {"index": nullable(INTEGER), "code": TEXT, "path": TEXT, "reason": TEXT},
    optional=("path", "reason"),
)
_PATCH: Final = answer(
    "Patch",
    "What the roles proposed, applied all or nothing.",
    {
        "status": {"type": "string", "enum": ["applied", "rejected", "empty"]},
        "operations": listed(ANY_OBJECT, "Each with its `proposer` and its `op`."),
        "rejected": _REJECTED,
    },
    optional=("rejected",),
)
_SKIPPED: Final = answer(
    "SkippedRole",
    "A role that did not speak, and why.",
    {"roleId": TEXT, "code": TEXT, "detail": TEXT},
)
_ENDING: Final = told("The ending that was reached.", nullable(ANY_OBJECT))
_RUN_IN_BEAT: Final = told("The episode run that the beat belongs to.", nullable(ANY_OBJECT))
BEAT: Final = answer(
    "Beat",
    "One committed beat, as it stands in the chain; `detail` and `reason` are worded when it is read.",
    {
        "sessionId": RESOURCE_ID,
        "beat": COUNT,
        "trigger": told("Why it happened.", ANY_OBJECT),
        "seats": listed(TEXT, "The roles on stage, in the order in which they are declared."),
        "lines": listed(_LINE),
        "patch": _PATCH,
        "skippedRoles": listed(_SKIPPED, "Everyone who did not speak, and why."),
        "branchOptions": _OPTIONS,
        "moreBranchOptions": COUNT,
        "nodeId": TEXT,
        "ending": _ENDING,
        "episodeRun": _RUN_IN_BEAT,
        "usage": listed(ANY_OBJECT, "What each call took."),
        "deliberation": told("The deliberation and candidate that it was.", nullable(ANY_OBJECT)),
        "conditionsFailed": listed(ANY_OBJECT, "Conditions that could not be evaluated and were taken as false."),
        "reveals": listed(ANY_OBJECT, "Secrets that a role told of itself."),
        "memoryLeftOut": by_role(COUNT, "How many remembered beats did not fit."),
        "replyDigests": by_role(DIGEST, "The digests of the raw replies."),
        "repairs": listed(ANY_OBJECT, "What was mended in replies."),
        "leftOut": listed(ANY_OBJECT, "What was left out of replies."),
        "rulesVersion": INTEGER,
        "promptDigests": by_role(DIGEST, "The digests of the prompts."),
        "stateDigest": DIGEST,
        "previousHash": nullable(DIGEST),
        "createdAt": TIME,
        "hash": DIGEST,
    },
)
BEAT_PAGE: Final = page("BeatPage", BEAT)
SESSION: Final = answer(
    "Session",
    "A running or ended story, and where it stands.",
    {
        "id": RESOURCE_ID,
        "worldId": RESOURCE_ID,
        "worldRevision": INTEGER,
        "seed": COUNT,
        "status": {"type": "string", "enum": ["active", "ended"]},
        "beat": told("The number of its last beat.", COUNT),
        "hash": told("The hash of its last beat.", DIGEST),
        "nodeId": TEXT,
        "branchOptions": _OPTIONS,
        "moreBranchOptions": COUNT,
        "ending": _ENDING,
        "episodeRun": _RUN_IN_BEAT,
        "tokenBudget": nullable(INTEGER),
        "tokensSpent": COUNT,
        "forkedFrom": told("The beat of another session that it continues.", nullable(ANY_OBJECT)),
        "createdAt": TIME,
    },
)
SESSION_PAGE: Final = page("SessionPage", SESSION)
STATE: Final = answer("SessionState", "The state after a beat.", {"beat": COUNT, "state": ANY_OBJECT})
PROMPT: Final = answer(
    "PromptShown",
    "The exact prompt of a role in a beat, composed again.",
    {
        "beat": COUNT,
        "roleId": TEXT,
        "templateVersion": INTEGER,
        "sections": listed(answer("PromptSection", "One part of a prompt.", {"kind": TEXT, "text": TEXT})),
        "characters": COUNT,
        "estimatedTokens": told("Its UTF-8 bytes / 3, rounded up.", COUNT),
        "digest": told("As in `promptDigests` of the beat.", DIGEST),
    },
)
KNOWLEDGE: Final = answer(
    "KnowledgeShown",
    "What every role was given, and since which beat.",
    {
        "beat": COUNT,
        "roles": by_role(
            listed(answer("Given", "One thing that a role was given.", {"kind": TEXT, "id": TEXT, "since": COUNT})),
            "By role.",
        ),
    },
)
_DIFFERENCE: Final = answer(
    "Difference",
    "The first thing that is not as the rules would have made it.",
    {"beat": COUNT, "field": TEXT, "expected": told("Any value.", {}), "found": told("Any value.", {})},
)
LEAKS: Final = answer(
    "LeakReport",
    "Every secret that stands where it was not granted; a secret is named, never quoted.",
    {
        "leaks": listed(
            answer("Leak", "One of them.", {"beat": COUNT, "secret": TEXT, "place": TEXT, "roleId": nullable(TEXT)})
        ),
        "firstDifference": told("Where the log does not hold.", _DIFFERENCE),
    },
    optional=("firstDifference",),
)
VERIFICATION: Final = answer(
    "Verification",
    "Whether every beat is what its rules make of the one before.",
    {
        "ok": BOOLEAN,
        "level": {"type": "string", "enum": ["full", "chain"]},
        "end": {"type": "string", "enum": ["anchored", "not_proven"]},
        "beats": told("How many beats hold.", COUNT),
        "firstDifference": _DIFFERENCE,
    },
    optional=("firstDifference",),
)
RUN: Final = answer(
    "EpisodeRun",
    "One play of an episode.",
    {
        "episodeRunId": TEXT,
        "episodeId": TEXT,
        "turnBudget": COUNT,
        "beatsUsed": COUNT,
        "firstBeat": COUNT,
        "lastBeat": told("Null while it runs.", nullable(INTEGER)),
        "ended": told("Why it ended; null while it runs.", nullable(ANY_OBJECT)),
    },
)
RUN_PAGE: Final = page("EpisodeRunPage", RUN)
_ELEMENT: Final = answer(
    "ScriptElement",
    "One element of a screenplay, with the beat that it comes from.",
    {"kind": TEXT, "text": TEXT, "roleId": TEXT, "beat": COUNT},
    optional=("roleId",),
)
SCRIPT_DRAFT: Final = answer(
    "ScriptDraft",
    "Committed beats as a screenplay.",
    {
        "id": TEXT,
        "title": TEXT,
        "language": TEXT,
        "fromBeat": COUNT,
        "toBeat": COUNT,
        "cast": listed(answer("CastMember", "Somebody who speaks in it.", {"roleId": TEXT, "name": TEXT})),
        "elements": listed(_ELEMENT),
    },
)
_CANDIDATE: Final = answer(
    "DeliberationCandidate",
    "A beat that was worked out and not committed.",
    {
        "candidate": COUNT,
        "lines": listed(_LINE),
        "patch": nullable(_PATCH),
        "skippedRoles": listed(_SKIPPED),
        "branchOptions": _OPTIONS,
        "refused": told("The code with which committing it would be refused; null for none.", nullable(TEXT)),
    },
)
_SUMMARY: Final = {
    "id": RESOURCE_ID,
    "beat": told("The beat that they would follow.", COUNT),
    "status": {"type": "string", "enum": ["open", "committed", "stale"]},
    "committedBeat": told("The beat that one of them became.", nullable(INTEGER)),
    "createdAt": TIME,
}
DELIBERATION: Final = answer(
    "DeliberationShown", "Candidates for the beat after `beat`.", {**_SUMMARY, "candidates": listed(_CANDIDATE)}
)
DELIBERATION_PAGE: Final = page(
    "DeliberationPage", answer("DeliberationSummary", "A deliberation without its candidates.", _SUMMARY)
)
EVENT_ACCEPTED: Final = answer(
    "EventAccepted",
    "The one beat of an event.",
    {"eventId": TEXT, "beat": BEAT, "duplicate": told("It was accepted before.", BOOLEAN)},
    optional=("duplicate",),
)


def session(found: SessionView) -> dict[str, Any]:
    """A session."""
    stored, last = found.stored, found.last
    fork = stored.forked_from
    return {
        "id": stored.session_id,
        "worldId": stored.world_id,
        "worldRevision": stored.world_revision,
        "seed": stored.seed,
        "status": stored.status,
        "beat": stored.beat,
        "hash": stored.hash,
        "nodeId": last["nodeId"],
        "branchOptions": last["branchOptions"],
        "moreBranchOptions": last["moreBranchOptions"],
        "ending": last["ending"],
        "episodeRun": last["episodeRun"],
        "tokenBudget": stored.token_budget,
        "tokensSpent": stored.tokens_spent,
        "forkedFrom": None if fork is None else {"sessionId": fork.session_id, "beat": fork.beat, "hash": fork.hash},
        "createdAt": stored.created_at,
    }


def prompt(found: PromptView) -> dict[str, Any]:
    """A prompt."""
    return {
        "beat": found.beat,
        "roleId": found.role_id,
        "templateVersion": found.prompt.template_version,
        "sections": [{"kind": section.kind, "text": section.text} for section in found.prompt.sections],
        "characters": found.characters,
        "estimatedTokens": found.tokens,
        "digest": found.digest,
    }


def run(found: RunView) -> dict[str, Any]:
    """An episode run."""
    return {
        "episodeRunId": found.stored.run_id,
        "episodeId": found.stored.episode_id,
        "turnBudget": found.turn_budget,
        "beatsUsed": found.told["beatsUsed"],
        "firstBeat": found.stored.first_beat,
        "lastBeat": found.stored.last_beat,
        "ended": found.told.get("ended"),
    }


def script_draft(found: ScriptDraft) -> dict[str, Any]:
    """A script draft."""
    screenplay = found.screenplay
    return {
        "id": found.draft_id,
        "title": screenplay.title,
        "language": screenplay.language,
        "fromBeat": found.from_beat,
        "toBeat": found.to_beat,
        "cast": [{"roleId": member.role_id, "name": member.name} for member in screenplay.cast],
        "elements": [element.to_json() for element in screenplay.elements],
    }


def deliberation_summary(found: Deliberation) -> dict[str, Any]:
    """A deliberation without its candidates."""
    return {
        "id": found.deliberation_id,
        "beat": found.after_beat,
        "status": found.status.value,
        "committedBeat": found.committed_beat,
        "createdAt": found.created_at,
    }
