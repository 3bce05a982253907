"""Keys, drafts, episode runs, deliberations, and the tokens that sessions spend.

What is new about beats that are stored already is read from their records: which episode runs they began and ended, and
how many tokens they took. A record that cannot be read says nothing here; to tell damage is what verification is for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic import op

from storyworld.core.canonical import read_stored

revision = "0002"
down_revision = "0001"

_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_NUMBER = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
_ROWS_PER_READ = 200
# Only records that contradict each other name a run twice.
_INSERT_RUN = sa.text(
    "INSERT INTO episode_runs VALUES (:p, :s, :number, :run, :episode, :first, :last) ON CONFLICT DO NOTHING"
)


def _id(name: str) -> sa.Column[str]:
    return sa.Column(name, _ID, nullable=False)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, _NUMBER, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def upgrade() -> None:
    """Create the tables and columns, then fill them from the rows that are there."""
    _create_keys()
    _create_drafts()
    _create_runs()
    _create_deliberations()
    _date_works()
    histories = _Histories(op.get_bind())
    histories.store_runs()
    histories.store_tokens()


def _create_keys() -> None:
    op.create_table(
        "keys",
        _id("project_id"),
        _id("key_id"),
        _text("digest"),
        _text("scope"),
        _text("created_at"),
        _text("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "key_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"]),
        sa.CheckConstraint("scope IN ('read', 'write')", name="scope_is_known"),
        sqlite_strict=True,
    )


def _create_drafts() -> None:
    op.add_column("works", _text("draft_etag", nullable=True))
    op.add_column("works", sa.Column("updated_at", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "drafts",
        _id("project_id"),
        _text("kind"),
        _id("work_id"),
        _text("updated_at"),
        _bytes("content"),
        sa.PrimaryKeyConstraint("project_id", "kind", "work_id"),
        sa.ForeignKeyConstraint(["project_id", "kind", "work_id"], ["works.project_id", "works.kind", "works.work_id"]),
        sqlite_strict=True,
    )


def _create_runs() -> None:
    op.add_column("sessions", _number("token_budget", nullable=True))
    op.add_column("sessions", sa.Column("tokens_spent", _NUMBER, nullable=False, server_default="0"))
    op.create_table(
        "episode_runs",
        _id("project_id"),
        _id("session_id"),
        _number("number"),
        _id("run_id"),
        _id("episode_id"),
        _number("first_beat"),
        _number("last_beat", nullable=True),
        sa.PrimaryKeyConstraint("project_id", "session_id", "number"),
        sa.UniqueConstraint("project_id", "session_id", "run_id"),
        sa.ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )


def _create_deliberations() -> None:
    op.create_table(
        "deliberations",
        _id("project_id"),
        _id("session_id"),
        _id("deliberation_id"),
        _number("after_beat"),
        _text("after_hash"),
        _number("committed_beat", nullable=True),
        _text("created_at"),
        _bytes("request"),
        sa.PrimaryKeyConstraint("project_id", "session_id", "deliberation_id"),
        sa.ForeignKeyConstraint(["project_id", "session_id"], ["sessions.project_id", "sessions.session_id"]),
        sqlite_strict=True,
    )
    op.create_table(
        "deliberation_outcomes",
        _id("project_id"),
        _id("session_id"),
        _id("deliberation_id"),
        _number("candidate"),
        _bytes("outcome"),
        sa.PrimaryKeyConstraint("project_id", "session_id", "deliberation_id", "candidate"),
        sa.ForeignKeyConstraint(
            ["project_id", "session_id", "deliberation_id"],
            ["deliberations.project_id", "deliberations.session_id", "deliberations.deliberation_id"],
        ),
        sqlite_strict=True,
    )


def _date_works() -> None:
    """A work without drafts was last changed when its latest revision was published."""
    op.execute(
        """
        UPDATE works SET updated_at = coalesce((
            SELECT revisions.created_at FROM revisions
            WHERE revisions.project_id = works.project_id AND revisions.kind = works.kind
              AND revisions.work_id = works.work_id AND revisions.revision = works.latest_revision
        ), created_at)
        """
    )


_Place = tuple[str, str]
"""The project and the session."""


class _Run(NamedTuple):
    run_id: str
    episode_id: str
    first_beat: int
    last_beat: int | None = None


class _Own:
    """What the beats that are stored with one session say: the runs that they start and end, and their tokens."""

    def __init__(self) -> None:
        self.started: list[_Run] = []
        self.ended: dict[str, int] = {}
        self.tokens = 0

    def read(self, beat: int, record: Mapping[str, Any]) -> None:
        """Go through one more beat."""
        self.tokens += sum(call["promptTokens"] + call["completionTokens"] for call in record["usage"])
        run = record["episodeRun"]
        if run is not None:
            if record["trigger"]["kind"] == "episode":
                self.started.append(_Run(run["episodeRunId"], run["episodeId"], beat))
            if "ended" in run:
                self.ended[run["episodeRunId"]] = beat


class _Histories:
    """What all stored beats say. Of a beat no more is held than that."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._own: dict[_Place, _Own] = {}
        self._runs: dict[_Place, tuple[_Run, ...]] = {}
        query = sa.text("SELECT project_id, session_id, parent_id, parent_beat FROM sessions")
        self._parents: dict[_Place, tuple[_Place, int] | None] = {
            (project, session): None if parent is None else ((project, parent), beat)
            for project, session, parent, beat in connection.execute(query)
        }
        query = sa.text("SELECT project_id, session_id, beat, record FROM beats ORDER BY project_id, session_id, beat")
        for project, session, beat, data in connection.execute(query, execution_options={"yield_per": _ROWS_PER_READ}):
            own = self._own.setdefault((project, session), _Own())
            try:
                own.read(beat, read_stored(data))
            except (ValueError, KeyError, TypeError, AttributeError):
                continue

    def store_tokens(self) -> None:
        """Write how many tokens each session has spent."""
        for (project, session), own in self._own.items():
            if own.tokens:
                self._connection.execute(
                    sa.text("UPDATE sessions SET tokens_spent = :t WHERE project_id = :p AND session_id = :s"),
                    {"t": own.tokens, "p": project, "s": session},
                )

    def store_runs(self) -> None:
        """Write the runs of each session, those that it inherited among them."""
        for place in self._parents:
            for number, run in enumerate(self._runs_of(place), start=1):
                self._connection.execute(
                    _INSERT_RUN,
                    {
                        "p": place[0],
                        "s": place[1],
                        "number": number,
                        "run": run.run_id,
                        "episode": run.episode_id,
                        "first": run.first_beat,
                        "last": run.last_beat,
                    },
                )

    def _runs_of(self, place: _Place) -> tuple[_Run, ...]:
        """The runs of a session. Its parents come first, the oldest before all: a chain of them may be long."""
        for session in reversed(list(self._unread(place))):
            parent = self._parents[session]
            inherited = () if parent is None else _up_to(self._runs[parent[0]], parent[1])
            own = self._own.get(session, _Own())
            self._runs[session] = tuple(
                run._replace(last_beat=own.ended.get(run.run_id, run.last_beat)) for run in (*inherited, *own.started)
            )
        return self._runs[place]

    def _unread(self, place: _Place) -> Iterator[_Place]:
        """The session and its parents, as far as their runs are not known yet."""
        following: _Place | None = place
        while following is not None and following not in self._runs:
            yield following
            parent = self._parents[following]
            following = None if parent is None else parent[0]


def _up_to(runs: tuple[_Run, ...], beat: int) -> tuple[_Run, ...]:
    """What a fork after this beat has of its parent's runs. One that ended later goes on in the fork."""
    return tuple(
        run._replace(last_beat=run.last_beat if run.last_beat is not None and run.last_beat <= beat else None)
        for run in runs
        if run.first_beat <= beat
    )
