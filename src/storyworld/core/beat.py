"""The beat record: what a beat commits, how it is hashed, and how it stands in JSON.

The hash is the SHA-256 of the canonical record without `hash` and without the texts worded when read
(`skippedRoles[].detail`, `patch.rejected.reason`), which are therefore never stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from storyworld.core.branching import Options
from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.errors import word
from storyworld.core.rules import RULES_VERSION
from storyworld.core.seating import Skipped
from storyworld.core.trigger import Trigger
from storyworld.core.unchanging import unchanging

Record = Mapping[str, Any]
"""A beat record as JSON values, as it is stored and answered."""


@unchanging
class Line:
    """What a role says in a beat, and what is seen of it while it does."""

    role_id: str
    text: str
    action: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The entry of the beat record."""
        value = {"roleId": self.role_id, "text": self.text}
        if self.action is not None:
            value["action"] = self.action
        return value


@unchanging
class Rejected:
    """Why a patch fell: the operation at fault (None for a broken rule), its code, and the place that says more."""

    index: int | None
    code: str
    path: str | None = None


@unchanging
class Patch:
    """The operations that the roles of a beat proposed, in speaking order, and what became of them."""

    operations: tuple[Mapping[str, Any], ...] = ()
    rejected: Rejected | None = None

    def to_json(self) -> dict[str, Any]:
        """The patch of the beat record; its status is `empty`, `applied` or `rejected`."""
        status = "rejected" if self.rejected else "applied" if self.operations else "empty"
        value: dict[str, Any] = {"status": status, "operations": [dict(operation) for operation in self.operations]}
        if self.rejected is not None:
            rejected: dict[str, Any] = {"index": self.rejected.index, "code": self.rejected.code}
            if self.rejected.path is not None:
                rejected["path"] = self.rejected.path
            value["rejected"] = rejected
        return value


@unchanging
class Heard:
    """What the record keeps of the replies of a beat, by role where it says so."""

    seats: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    usage: tuple[Mapping[str, Any], ...] = ()
    repairs: tuple[Mapping[str, Any], ...] = ()
    left_out: tuple[Mapping[str, Any], ...] = ()
    reveals: tuple[Mapping[str, Any], ...] = ()
    memory_left_out: Mapping[str, int] | None = None
    prompt_digests: Mapping[str, str] | None = None
    reply_digests: Mapping[str, str] | None = None


@unchanging
class Outcome:
    """What the beat did to the story."""

    patch: Patch
    options: Options
    node_id: str
    ending: Mapping[str, Any] | None
    episode_run: Mapping[str, Any] | None
    conditions_failed: tuple[str, ...]
    state_digest: str


@unchanging
class Place:
    """Where the beat stands in its session's chain, and when it was committed."""

    session_id: str
    beat: int
    previous_hash: str | None
    created_at: str
    deliberation: Mapping[str, Any] | None = None


def seal(place: Place, trigger: Trigger, heard: Heard, outcome: Outcome) -> dict[str, Any]:
    """The whole record with its hash, as it is stored."""
    record: dict[str, Any] = {
        "sessionId": place.session_id,
        "beat": place.beat,
        "trigger": trigger.to_json(),
        "seats": list(heard.seats),
        "lines": [line.to_json() for line in heard.lines],
        "patch": outcome.patch.to_json(),
        "skippedRoles": [skipped.to_json() for skipped in heard.skipped],
        "branchOptions": [option.to_json() for option in outcome.options.reported],
        "moreBranchOptions": outcome.options.more,
        "nodeId": outcome.node_id,
        "ending": outcome.ending,
        "episodeRun": outcome.episode_run,
        "usage": list(heard.usage),
        "deliberation": place.deliberation,
        "conditionsFailed": [{"path": path} for path in outcome.conditions_failed],
        "reveals": list(heard.reveals),
        "memoryLeftOut": dict(heard.memory_left_out or {}),
        "replyDigests": dict(heard.reply_digests or {}),
        "repairs": list(heard.repairs),
        "leftOut": list(heard.left_out),
        "rulesVersion": RULES_VERSION,
        "promptDigests": dict(heard.prompt_digests or {}),
        "stateDigest": outcome.state_digest,
        "previousHash": place.previous_hash,
        "createdAt": place.created_at,
    }
    return {**record, "hash": record_hash(record)}


def record_hash(record: Record) -> str:
    """The hash of a record, whether or not it already bears one and whether or not its texts have been worded."""
    bare = {field: value for field, value in record.items() if field != "hash"}
    bare["skippedRoles"] = [{"roleId": entry["roleId"], "code": entry["code"]} for entry in record["skippedRoles"]]
    rejected = record["patch"].get("rejected")
    if rejected is not None and "reason" in rejected:
        stored = {field: value for field, value in rejected.items() if field != "reason"}
        bare["patch"] = {**record["patch"], "rejected": stored}
    return digest(canonical_bytes(bare))


def word_record(record: Record) -> dict[str, Any]:
    """The record as it is answered: with the detail of each skipped role and the reason of a rejected patch in
    words.
    """
    skipped = [{**entry, "detail": word(entry["code"], role=entry["roleId"])} for entry in record["skippedRoles"]]
    patch = dict(record["patch"])
    if "rejected" in patch:
        patch["rejected"] = {**patch["rejected"], "reason": word(patch["rejected"]["code"])}
    return {**record, "skippedRoles": skipped, "patch": patch}


def last_refusal(record: Record, role_id: str) -> tuple[Mapping[str, Any] | None, str | None] | None:
    """What a role is told, in its next prompt, of a patch that fell in its last beat.

    The proposer at fault gets its operation and the code; every other proposer, and all of them when a rule would have
    been broken, gets (None, None). None means nothing to tell: the patch stood, or the role proposed nothing.
    """
    rejected = record["patch"].get("rejected")
    operations: Sequence[Mapping[str, Any]] = record["patch"]["operations"]
    if rejected is None or not any(operation["proposer"] == role_id for operation in operations):
        return None
    index = rejected["index"]
    if index is None or operations[index]["proposer"] != role_id:
        return None, None
    return {field: value for field, value in operations[index].items() if field != "proposer"}, rejected["code"]
