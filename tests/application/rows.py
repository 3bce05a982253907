"""Stored rows, changed behind the store's back as damage or a forger would."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from storyworld.core.beat import record_hash
from storyworld.core.canonical import canonical_bytes, read_stored
from storyworld.store.memory import MemoryStore
from tests.application.playhouse import PROJECT


def rewrite_beat(store: MemoryStore, session_id: str, beat: int, **fields: Any) -> None:
    """Change fields of a stored record and make its hash anew, as a forger would; the head follows its last beat."""
    rows = store._projects[PROJECT].sessions[session_id]
    record = {**read_stored(rows.beats[beat].record), **fields}
    record["hash"] = record_hash(record)
    data = canonical_bytes(record)
    rows.beats[beat] = replace(rows.beats[beat], record=data, hash=record["hash"])
    if beat == rows.head.beat:
        rows.head = replace(rows.head, record=data, hash=record["hash"])
