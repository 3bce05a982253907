"""Projects with their agents, packages, worlds and sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _id(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, _ID, nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def upgrade() -> None:
    """Create every table."""
    _create_projects()
    _create_works()
    _create_sessions()
    _create_once("answers", "key")
    _create_once("events", "event_id")


def _create_projects() -> None:
    op.create_table(
        "projects",
        _id("project_id"),
        _text("name"),
        _number("active_packages"),
        _number("active_worlds"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("project_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "agents",
        _id("project_id"),
        _id("agent_id"),
        _number("revision"),
        _bytes("content"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("project_id", "agent_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
        sqlite_strict=True,
    )


def _create_works() -> None:
    op.create_table(
        "works",
        _id("project_id"),
        _text("kind"),
        _id("work_id"),
        _number("latest_revision"),
        _number("archived"),
        _text("created_at"),
        sa.PrimaryKeyConstraint("project_id", "kind", "work_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
        sa.CheckConstraint("kind IN ('package', 'world')", name="kind_is_known"),
        sa.CheckConstraint("archived IN (0, 1)", name="archived_or_not"),
        sqlite_strict=True,
    )
    op.create_table(
        "revisions",
        _id("project_id"),
        _text("kind"),
        _id("work_id"),
        _number("revision"),
        _text("digest"),
        _text("created_at"),
        _bytes("content"),
        sa.PrimaryKeyConstraint("project_id", "kind", "work_id", "revision"),
        sa.ForeignKeyConstraint(["project_id", "kind", "work_id"], ["works.project_id", "works.kind", "works.work_id"]),
        sqlite_strict=True,
    )


def _create_sessions() -> None:
    op.create_table(
        "sessions",
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
        sa.PrimaryKeyConstraint("project_id", "session_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
        sa.ForeignKeyConstraint(["project_id", "parent_id"], ["sessions.project_id", "sessions.session_id"]),
        sa.CheckConstraint("status IN ('active', 'ended')", name="status_is_known"),
        sqlite_strict=True,
    )
    op.create_table(
        "beats",
        _id("project_id"),
        _id("session_id"),
        _number("beat"),
        _text("hash"),
        _text("created_at"),
        _bytes("record"),
        _bytes("replies"),
        sa.PrimaryKeyConstraint("project_id", "session_id", "beat"),
        sa.ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
        sqlite_strict=True,
    )
    op.create_table(
        "seats",
        _id("project_id"),
        _id("session_id"),
        _id("role_id"),
        _number("beat"),
        sa.PrimaryKeyConstraint("project_id", "session_id", "role_id", "beat"),
        _beat_key(),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _create_once(name: str, key: str) -> None:
    op.create_table(
        name,
        _id("project_id"),
        _id("session_id"),
        _id(key),
        _text("body_digest"),
        _number("beat"),
        sa.PrimaryKeyConstraint("project_id", "session_id", key),
        _beat_key(),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _beat_key() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["project_id", "session_id", "beat"], ["beats.project_id", "beats.session_id", "beats.beat"]
    )
