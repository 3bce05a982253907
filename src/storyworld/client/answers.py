"""What the server answers, as types. A field that this client does not know is left in place."""

from __future__ import annotations

from typing import Any, Generic, TypedDict, TypeVar

Json = dict[str, Any]
Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """One page of a list; `nextCursor` is None on the last one."""

    items: list[Item]
    nextCursor: str | None


class NewProject(TypedDict):
    """A project with the secret of its first key, shown once."""

    id: str
    name: str
    key: str


class NewKey(TypedDict):
    """A key with its secret, shown once."""

    id: str
    scope: str
    key: str


class Agent(TypedDict, total=False):
    """Who voices roles."""

    id: str
    revision: int
    name: str
    persona: str
    model: Json
    contextWindow: int
    createdAt: str


class Work(TypedDict):
    """A story package or world."""

    id: str
    revision: int | None
    archived: bool
    draftEtag: str | None
    createdAt: str
    updatedAt: str


class Draft(TypedDict, total=False):
    """Work in progress, and what publishing it would say."""

    id: str
    content: Json
    etag: str
    updatedAt: str
    problems: list[Json]
    warnings: list[Json]
    bytes: int


class CreatedWork(TypedDict, total=False):
    """A new story package or world."""

    id: str
    draft: Draft
    revision: int | None
    digest: str
    bytes: int


class Published(TypedDict):
    """A new revision."""

    id: str
    revision: int
    digest: str
    bytes: int
    warnings: list[Json]


class Validated(TypedDict):
    """Content that may be published."""

    problems: list[Json]
    warnings: list[Json]
    bytes: int
    digest: str


class Candidate(TypedDict, total=False):
    """What a story package could be made of."""

    content: Json
    sources: dict[str, list[list[int]]]
    leftOut: list[Json]
    problems: list[Json]
    warnings: list[Json]


class Session(TypedDict):
    """A running or ended story."""

    id: str
    worldId: str
    worldRevision: int
    seed: int
    status: str
    beat: int
    hash: str
    nodeId: str
    branchOptions: list[Json]
    moreBranchOptions: int
    ending: Json | None
    episodeRun: Json | None
    tokenBudget: int | None
    tokensSpent: int
    forkedFrom: Json | None
    createdAt: str


class Beat(TypedDict, total=False):
    """One committed beat."""

    sessionId: str
    beat: int
    trigger: Json
    seats: list[str]
    lines: list[Json]
    patch: Json
    skippedRoles: list[Json]
    branchOptions: list[Json]
    moreBranchOptions: int
    nodeId: str
    ending: Json | None
    episodeRun: Json | None
    usage: list[Json]
    createdAt: str
    previousHash: str | None
    hash: str


class Verification(TypedDict, total=False):
    """Whether every beat is what its rules make of the one before."""

    ok: bool
    level: str
    end: str
    beats: int
    firstDifference: Json


class ScriptDraft(TypedDict):
    """Committed beats as a screenplay."""

    id: str
    title: str
    language: str
    fromBeat: int
    toBeat: int
    cast: list[Json]
    elements: list[Json]
