"""The tables, declared once for every database. Migrations lead to exactly these.

Every primary key begins with the project, so that rows of one project are reached through it and may live on one shard.
What is hashed is stored as bytes, never as text or JSON that a database might write in another way. Ids compare byte by
byte on every database.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION: Final = "0002"
"""The migration that leads to the tables below."""

metadata: Final = MetaData()

_ID = Text().with_variant(Text(collation="C"), "postgresql")
_NUMBER = Integer().with_variant(BigInteger(), "postgresql")


def _id(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, _ID, nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, _NUMBER, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> Column[str]:
    return Column(name, Text, nullable=nullable)


def _bytes(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


PROJECTS: Final = Table(
    "projects",
    metadata,
    _id("project_id"),
    _text("name"),
    # How many are active is counted here, so that one guarded update decides a race for the last place.
    _number("active_packages"),
    _number("active_worlds"),
    _text("created_at"),
    PrimaryKeyConstraint("project_id"),
    sqlite_strict=True,
)

# The secret of a key is nowhere, only its digest; the project and the key id stand in the secret.
KEYS: Final = Table(
    "keys",
    metadata,
    _id("project_id"),
    _id("key_id"),
    _text("digest"),
    _text("scope"),
    _text("created_at"),
    _text("revoked_at", nullable=True),
    PrimaryKeyConstraint("project_id", "key_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    CheckConstraint("scope IN ('read', 'write')", name="scope_is_known"),
    sqlite_strict=True,
)

AGENTS: Final = Table(
    "agents",
    metadata,
    _id("project_id"),
    _id("agent_id"),
    _number("revision"),
    _bytes("content"),
    _text("created_at"),
    PrimaryKeyConstraint("project_id", "agent_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    sqlite_strict=True,
)

WORKS: Final = Table(
    "works",
    metadata,
    _id("project_id"),
    _text("kind"),
    _id("work_id"),
    _number("latest_revision"),  # 0 before the first
    _number("archived"),
    _text("created_at"),
    # Writers of a draft meet here: its etag is compared and replaced. It has a row in `drafts` where it has an etag.
    _text("draft_etag", nullable=True),
    # A column is added to rows that are there with a value that is the same for all; none of them keeps it.
    Column("updated_at", Text, nullable=False, server_default=""),
    PrimaryKeyConstraint("project_id", "kind", "work_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    CheckConstraint("kind IN ('package', 'world')", name="kind_is_known"),
    CheckConstraint("archived IN (0, 1)", name="archived_or_not"),
    sqlite_strict=True,
)

# Apart from its work, so that a list of works reads no drafts.
DRAFTS: Final = Table(
    "drafts",
    metadata,
    _id("project_id"),
    _text("kind"),
    _id("work_id"),
    _text("updated_at"),
    _bytes("content"),
    PrimaryKeyConstraint("project_id", "kind", "work_id"),
    ForeignKeyConstraint(["project_id", "kind", "work_id"], ["works.project_id", "works.kind", "works.work_id"]),
    sqlite_strict=True,
)

REVISIONS: Final = Table(
    "revisions",
    metadata,
    _id("project_id"),
    _text("kind"),
    _id("work_id"),
    _number("revision"),
    _text("digest"),
    _text("created_at"),
    _bytes("content"),
    PrimaryKeyConstraint("project_id", "kind", "work_id", "revision"),
    ForeignKeyConstraint(["project_id", "kind", "work_id"], ["works.project_id", "works.kind", "works.work_id"]),
    sqlite_strict=True,
)

SESSIONS: Final = Table(
    "sessions",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("world_id"),
    _number("world_revision"),
    _number("seed"),
    _text("status"),
    _number("beat"),
    _text("hash"),
    _number("episode_runs"),
    _id("parent_id", nullable=True),
    _number("parent_beat", nullable=True),
    _text("parent_hash", nullable=True),
    _text("created_at"),
    _bytes("state"),
    _number("token_budget", nullable=True),
    Column("tokens_spent", _NUMBER, nullable=False, server_default="0"),
    PrimaryKeyConstraint("project_id", "session_id"),
    ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
    ForeignKeyConstraint(["project_id", "parent_id"], ["sessions.project_id", "sessions.session_id"]),
    CheckConstraint("status IN ('active', 'ended')", name="status_is_known"),
    sqlite_strict=True,
)

BEATS: Final = Table(
    "beats",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _number("beat"),
    _text("hash"),
    _text("created_at"),
    _bytes("record"),
    _bytes("replies"),
    PrimaryKeyConstraint("project_id", "session_id", "beat"),
    ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
    sqlite_strict=True,
)

# The role stands before the beat: the last beats that a role heard lie side by side, however long the history is.
SEATS: Final = Table(
    "seats",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("role_id"),
    _number("beat"),
    PrimaryKeyConstraint("project_id", "session_id", "role_id", "beat"),
    ForeignKeyConstraint(["project_id", "session_id", "beat"], ["beats.project_id", "beats.session_id", "beats.beat"]),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)


def _once(name: str, key: str) -> Table:
    """A table of what must happen only once in a session: the key, the digest of its body, the beat it led to."""
    return Table(
        name,
        metadata,
        _id("project_id"),
        _id("session_id"),
        _id(key),
        _text("body_digest"),
        _number("beat"),
        PrimaryKeyConstraint("project_id", "session_id", key),
        ForeignKeyConstraint(
            ["project_id", "session_id", "beat"], ["beats.project_id", "beats.session_id", "beats.beat"]
        ),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


ANSWERS: Final = _once("answers", "key")
EVENTS: Final = _once("events", "event_id")

# A fork has rows of its own for the runs that it inherits: one that goes on in both ends in each where it ends there.
RUNS: Final = Table(
    "episode_runs",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _number("number"),
    _id("run_id"),
    _id("episode_id"),
    _number("first_beat"),
    _number("last_beat", nullable=True),
    PrimaryKeyConstraint("project_id", "session_id", "number"),
    UniqueConstraint("project_id", "session_id", "run_id"),
    ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
    sqlite_strict=True,
    sqlite_with_rowid=False,
)

DELIBERATIONS: Final = Table(
    "deliberations",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("deliberation_id"),
    _number("after_beat"),
    _text("after_hash"),
    _number("committed_beat", nullable=True),
    _text("created_at"),
    _bytes("request"),
    PrimaryKeyConstraint("project_id", "session_id", "deliberation_id"),
    ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
    sqlite_strict=True,
)

OUTCOMES: Final = Table(
    "deliberation_outcomes",
    metadata,
    _id("project_id"),
    _id("session_id"),
    _id("deliberation_id"),
    _number("candidate"),
    _bytes("outcome"),
    PrimaryKeyConstraint("project_id", "session_id", "deliberation_id", "candidate"),
    ForeignKeyConstraint(
        ["project_id", "session_id", "deliberation_id"],
        ["deliberations.project_id", "deliberations.session_id", "deliberations.deliberation_id"],
    ),
    sqlite_strict=True,
)
