"""Why a beat happens, as values and as they stand in the beat record. `trigger_door` judges what a client sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

TurnKind = Literal["message", "choice", "advance"]


@dataclass(frozen=True, slots=True)
class HumanLine:
    """What a human role says and proposes; it comes with the turn and is spoken in the role's declared seat."""

    line: str
    action: str | None = None
    operations: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The line as it stands in the trigger; what is absent is left out."""
        value: dict[str, Any] = {"line": self.line}
        if self.action is not None:
            value["action"] = self.action
        if self.operations:
            value["operations"] = [dict(operation) for operation in self.operations]
        return value


HumanLines = Mapping[str, HumanLine]


@dataclass(frozen=True, slots=True)
class Turn:
    """A request to move the session on: a message, a choice among the reported options, or nothing (`advance`).

    `focus_roles` None means that no one was named: every role is eligible.
    """

    kind: TurnKind
    text: str | None = None
    branch_id: str | None = None
    focus_roles: tuple[str, ...] | None = None
    lines: HumanLines = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The trigger of the beat record."""
        value: dict[str, Any] = {"kind": self.kind}
        if self.text is not None:
            value["text"] = self.text
        if self.branch_id is not None:
            value["branchId"] = self.branch_id
        if self.focus_roles is not None:
            value["focusRoles"] = list(self.focus_roles)
        return _with_lines(value, self.lines)


@dataclass(frozen=True, slots=True)
class Event:
    """A trusted event: its effects are applied first, then it wakes the roles subscribed to its type."""

    event_id: str
    type: str
    data: Mapping[str, Any] | None = None
    effects: tuple[Mapping[str, Any], ...] = ()
    wake: bool = True
    lines: HumanLines = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The trigger of the beat record: the event's effects stand here and never among the patch's operations."""
        value: dict[str, Any] = {"kind": "event", "eventId": self.event_id, "type": self.type, "wake": self.wake}
        if self.data is not None:
            value["data"] = dict(self.data)
        if self.effects:
            value["effects"] = [dict(effect) for effect in self.effects]
        return _with_lines(value, self.lines)


@dataclass(frozen=True, slots=True)
class EpisodeStart:
    """One play of an episode begins; the beat has no seats."""

    episode_id: str
    episode_run_id: str

    def to_json(self) -> dict[str, Any]:
        """The trigger of the beat record."""
        return {"kind": "episode", "episodeId": self.episode_id, "episodeRunId": self.episode_run_id}


@dataclass(frozen=True, slots=True)
class End:
    """The session is ended from outside; the beat has no seats."""

    def to_json(self) -> dict[str, Any]:
        """The trigger of the beat record."""
        return {"kind": "end"}


@dataclass(frozen=True, slots=True)
class ForkedFrom:
    """The beat of another session that a fork continues."""

    session_id: str
    beat: int
    hash: str

    def to_json(self) -> dict[str, Any]:
        """The fork point as it stands in the opening."""
        return {"sessionId": self.session_id, "beat": self.beat, "hash": self.hash}


@dataclass(frozen=True, slots=True)
class Opening:
    """A session begins: what it is pinned to and its seed; the beat has no seats."""

    world_revision_digest: str
    seed: int
    forked_from: ForkedFrom | None = None

    def to_json(self) -> dict[str, Any]:
        """The trigger of the beat record."""
        value: dict[str, Any] = {
            "kind": "opening",
            "worldRevisionDigest": self.world_revision_digest,
            "seed": self.seed,
        }
        if self.forked_from is not None:
            value["forkedFrom"] = self.forked_from.to_json()
        return value


Moving = Turn | Event
"""Triggers that may seat roles; they are judged for endings."""
Trigger = Turn | Event | EpisodeStart | End | Opening


def read_trigger(value: Mapping[str, Any]) -> Trigger:
    """A trigger from a stored beat record. It is trusted: nothing is judged."""
    kind = value["kind"]
    if kind == "opening":
        fork = value.get("forkedFrom")
        forked_from = None if fork is None else ForkedFrom(fork["sessionId"], fork["beat"], fork["hash"])
        return Opening(value["worldRevisionDigest"], value["seed"], forked_from)
    if kind == "episode":
        return EpisodeStart(value["episodeId"], value["episodeRunId"])
    if kind == "end":
        return End()
    return read_event(value) if kind == "event" else read_turn(value)


def read_turn(value: Mapping[str, Any]) -> Turn:
    """A turn from its JSON value, whose shape has been judged."""
    focus = value.get("focusRoles")
    return Turn(
        kind=value["kind"],
        text=value.get("text"),
        branch_id=value.get("branchId"),
        focus_roles=None if focus is None else tuple(focus),
        lines=_read_lines(value),
    )


def read_event(value: Mapping[str, Any]) -> Event:
    """An event from its JSON value, whose shape has been judged."""
    return Event(
        event_id=value["eventId"],
        type=value["type"],
        data=value.get("data"),
        effects=tuple(value.get("effects", ())),
        wake=value.get("wake", True),
        lines=_read_lines(value),
    )


def _read_lines(value: Mapping[str, Any]) -> HumanLines:
    return {
        role_id: HumanLine(line["line"], line.get("action"), tuple(line.get("operations", ())))
        for role_id, line in value.get("lines", {}).items()
    }


def _with_lines(value: dict[str, Any], lines: HumanLines) -> dict[str, Any]:
    if lines:
        value["lines"] = {role_id: line.to_json() for role_id, line in lines.items()}
    return value
