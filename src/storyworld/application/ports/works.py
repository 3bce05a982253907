"""What is stored of what authors write: agents, packages and worlds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class WorkKind(StrEnum):
    """The two kinds of authored work that have a draft, numbered revisions and a cap of active ones per project."""

    PACKAGE = "package"
    WORLD = "world"


@dataclass(frozen=True, slots=True)
class StoredRevision:
    """One immutable revision: canonical bytes and their digest, as they were when published."""

    work_id: str
    revision: int
    content: bytes
    digest: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Work:
    """A package or world: its latest revision (None before the first) and whether it counts as active."""

    work_id: str
    kind: WorkKind
    latest_revision: int | None
    archived: bool
    created_at: str


@dataclass(frozen=True, slots=True)
class StoredAgent:
    """An agent's current content (canonical bytes); each change adds one to its revision."""

    agent_id: str
    revision: int
    content: bytes
    created_at: str
