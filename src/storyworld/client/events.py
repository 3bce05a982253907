"""The events of streams: how they are read from the wire, and what they mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class BeatStarted:
    """The seats of the beat are filled."""

    beat: int
    seats: Sequence[str]
    skipped_roles: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class LineDelta:
    """More of a line that is being spoken; provisional."""

    role_id: str
    text: str


@dataclass(frozen=True, slots=True)
class LineCompleted:
    """A whole line, as the beat will have it."""

    role_id: str
    text: str
    action: str | None


@dataclass(frozen=True, slots=True)
class LineDiscarded:
    """The role does not speak after all; what was heard of it is taken back."""

    role_id: str
    code: str


@dataclass(frozen=True, slots=True)
class BeatCommitted:
    """The beat is committed."""

    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BeatDiscarded:
    """Nothing was committed; `problem` says why."""

    problem: Mapping[str, Any]


TurnEvent = BeatStarted | LineDelta | LineCompleted | LineDiscarded | BeatCommitted | BeatDiscarded


class Frames:
    """Server-sent events out of pieces of a stream, however it was cut."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> Iterator[tuple[str, str | None, str]]:
        """The events that are whole by now: name, id and data."""
        self._rest += piece
        *frames, self._rest = self._rest.split(b"\n\n")
        for frame in frames:
            fields: dict[str, str] = {}
            for line in frame.decode().split("\n"):
                name, _, value = line.partition(": ")
                if name:
                    fields[name] = value
            if "data" in fields:
                yield fields.get("event", "message"), fields.get("id"), fields["data"]


def turn_event(name: str, data: str) -> TurnEvent | None:
    """The event of a turn; None for one that this client does not know."""
    value: dict[str, Any] = json.loads(data)
    match name:
        case "beat.started":
            return BeatStarted(value["beat"], value["seats"], value["skippedRoles"])
        case "line.delta":
            return LineDelta(value["roleId"], value["text"])
        case "line.completed":
            return LineCompleted(value["roleId"], value["text"], value.get("action"))
        case "line.discarded":
            return LineDiscarded(value["roleId"], value["code"])
        case "beat.committed":
            return BeatCommitted(value)
        case "beat.discarded":
            return BeatDiscarded(value)
    return None
