"""The beat record: its fields, its hash, and the texts that are worded when it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from storyworld.core.beat import (
    Heard,
    Line,
    Outcome,
    Patch,
    Place,
    Rejected,
    last_refusal,
    record_hash,
    seal,
    word_record,
)
from storyworld.core.branching import BranchOption, Options
from storyworld.core.canonical import canonical_bytes, digest, parse
from storyworld.core.errors import CATALOGUE, Kind
from storyworld.core.rules import RULES_VERSION
from storyworld.core.seating import Skipped
from storyworld.core.trigger import Turn

WAIT: Mapping[str, Any] = {"proposer": "ada", "op": "addNote", "text": "Wait."}
GO: Mapping[str, Any] = {"proposer": "ben", "op": "takeBranch", "branchId": "away"}
PLACE = Place("ses_1", 4, "sha256:3", "2026-11-30T21:00:00.000Z")
HEARD = Heard(
    seats=("ada", "ben"),
    lines=(Line("ada", "阿宁？", "She turns."), Line("ben", "No.")),
    skipped=(Skipped("cy", "not_in_focus"),),
    usage=({"roleId": "ada"},),
    repairs=({"roleId": "ada", "code": "fence"},),
    left_out=({"roleId": "ada", "code": "too_long", "characters": 7},),
    reveals=({"roleId": "ada", "secretIndex": 0},),
    memory_left_out={"ben": 2},
    prompt_digests={"ada": "sha256:a"},
    reply_digests={"ada": "sha256:b"},
)


def outcome(patch: Patch, **changes: Any) -> Outcome:
    fields: dict[str, Any] = {
        "patch": patch,
        "options": Options((BranchOption("away", "Walk away", "road"),), 2),
        "node_id": "yard",
        "ending": None,
        "episode_run": None,
        "conditions_failed": ("/branches/0/conditions/0",),
        "state_digest": "sha256:s",
    }
    return Outcome(**{**fields, **changes})


def record_of(patch: Patch | None = None, heard: Heard = HEARD) -> dict[str, Any]:
    return seal(PLACE, Turn("advance"), heard, outcome(Patch() if patch is None else patch))


FALLEN = Patch((WAIT, GO), Rejected(1, "branch_not_open", "/branchId"))


def test_a_record_says_all_that_a_beat_did() -> None:
    record = record_of(FALLEN)
    assert {name: value for name, value in record.items() if name != "hash"} == {
        "sessionId": "ses_1",
        "beat": 4,
        "trigger": {"kind": "advance"},
        "seats": ["ada", "ben"],
        "lines": [{"roleId": "ada", "text": "阿宁？", "action": "She turns."}, {"roleId": "ben", "text": "No."}],
        "patch": {
            "status": "rejected",
            "operations": [WAIT, GO],
            "rejected": {"index": 1, "code": "branch_not_open", "path": "/branchId"},
        },
        "skippedRoles": [{"roleId": "cy", "code": "not_in_focus"}],
        "branchOptions": [{"branchId": "away", "label": "Walk away", "toNodeId": "road"}],
        "moreBranchOptions": 2,
        "nodeId": "yard",
        "ending": None,
        "episodeRun": None,
        "usage": [{"roleId": "ada"}],
        "deliberation": None,
        "conditionsFailed": [{"path": "/branches/0/conditions/0"}],
        "reveals": [{"roleId": "ada", "secretIndex": 0}],
        "memoryLeftOut": {"ben": 2},
        "replyDigests": {"ada": "sha256:b"},
        "repairs": [{"roleId": "ada", "code": "fence"}],
        "leftOut": [{"roleId": "ada", "code": "too_long", "characters": 7}],
        "rulesVersion": RULES_VERSION,
        "promptDigests": {"ada": "sha256:a"},
        "stateDigest": "sha256:s",
        "previousHash": "sha256:3",
        "createdAt": "2026-11-30T21:00:00.000Z",
    }


def test_a_record_of_a_beat_without_seats_has_every_field_too() -> None:
    record = record_of(heard=Heard())
    assert record.keys() == record_of().keys()
    assert [record[name] for name in ("seats", "lines", "skippedRoles", "memoryLeftOut")] == [[], [], [], {}]


@pytest.mark.parametrize(("patch", "status"), [(Patch(), "empty"), (Patch((WAIT,)), "applied"), (FALLEN, "rejected")])
def test_a_patch_is_empty_applied_or_rejected(patch: Patch, status: str) -> None:
    assert patch.to_json()["status"] == status
    assert ("rejected" in patch.to_json()) == (status == "rejected")


def test_a_broken_rule_is_no_ones_operation() -> None:
    rejected = Patch((WAIT,), Rejected(None, "rule_broken", "/constraints/1/rule")).to_json()["rejected"]
    assert rejected == {"index": None, "code": "rule_broken", "path": "/constraints/1/rule"}
    assert Patch((WAIT,), Rejected(0, "op_unknown")).to_json()["rejected"] == {"index": 0, "code": "op_unknown"}


# The hash


def test_the_hash_is_that_of_the_canonical_record_without_it() -> None:
    record = record_of(FALLEN)
    bare = {name: value for name, value in record.items() if name != "hash"}
    assert record["hash"] == digest(canonical_bytes(bare))
    assert record_hash(record) == record["hash"] == record_hash(bare)


def test_every_field_of_a_record_changes_its_hash() -> None:
    record = record_of(FALLEN)
    changed = {"skippedRoles": [], "patch": Patch().to_json()}
    hashes = {record_hash({**record, name: changed.get(name, "changed")}) for name in record if name != "hash"}
    assert len(hashes | {record["hash"]}) == len(record)


def test_a_record_hashes_the_same_after_it_was_worded_stored_and_read() -> None:
    record = record_of(FALLEN)
    worded = word_record(record)
    assert worded != record
    assert record_hash(worded) == record["hash"]
    assert record_hash(parse(canonical_bytes(worded))) == record["hash"]


# Words


def test_silences_and_a_rejected_patch_are_worded_when_they_are_read() -> None:
    worded = word_record(record_of(FALLEN))
    assert worded["skippedRoles"] == [
        {"roleId": "cy", "code": "not_in_focus", "detail": "cy was not in the focus of this turn."}
    ]
    assert worded["patch"]["rejected"] == {
        "index": 1,
        "code": "branch_not_open",
        "path": "/branchId",
        "reason": "The branch is not one of the options of this beat.",
    }
    assert word_record(record_of())["patch"] == {"status": "empty", "operations": []}


@pytest.mark.parametrize(
    "code",
    [
        "role_cap_reached",
        "not_in_focus",
        "not_subscribed",
        "model_failed",
        "reply_unusable",
        "awaiting_human",
        "prompt_too_large",
    ],
)
def test_every_reason_for_a_silence_names_the_role(code: str) -> None:
    worded = word_record(record_of(heard=Heard(skipped=(Skipped("ada", code),))))
    assert "ada" in worded["skippedRoles"][0]["detail"]


@pytest.mark.parametrize("code", [code for code, entry in CATALOGUE.items() if entry.kind is Kind.OPERATION])
def test_every_reason_for_a_rejected_patch_can_be_worded(code: str) -> None:
    assert word_record(record_of(Patch((WAIT,), Rejected(0, code))))["patch"]["rejected"]["reason"].endswith(".")


# What a role is told of it


def test_the_proposer_at_fault_is_told_its_operation_and_the_code() -> None:
    assert last_refusal(record_of(FALLEN), "ben") == ({"op": "takeBranch", "branchId": "away"}, "branch_not_open")


def test_every_other_proposer_is_told_only_that_the_patch_fell() -> None:
    assert last_refusal(record_of(FALLEN), "ada") == (None, None)


def test_of_a_broken_rule_no_proposer_is_told_more_than_that_the_patch_fell() -> None:
    record = record_of(Patch((WAIT, GO), Rejected(None, "rule_broken", "/constraints/1/rule")))
    assert last_refusal(record, "ada") == last_refusal(record, "ben") == (None, None)


def test_a_role_that_proposed_nothing_or_whose_patch_stood_is_told_nothing() -> None:
    assert last_refusal(record_of(FALLEN), "cy") is None
    assert last_refusal(record_of(Patch((WAIT,))), "ada") is None
    assert last_refusal(record_of(), "ada") is None
