"""What this process knows of the sessions that it moves on, so that a beat does not read again what the last one made.

A row that is found as this process left it, byte for byte, means what it meant then, whoever else may write to the
database. The hash in it covers the whole history, so what the roles remember is the same as well.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from storyworld.application.ports import NewBeat, StoredSession
from storyworld.core.beat import Record
from storyworld.core.session import Head

SESSIONS_KEPT_MAX = 512
"""Sessions that are known; the one that was moved longest ago is forgotten first, and read again when it is needed."""


@dataclass(frozen=True, slots=True)
class Known:
    """A session as it is stored, and what its rows mean.

    `memories` has the roles that were seated since the session became known: the records of the last beats that each
    one heard, oldest first, as many as its world lets a role remember.
    """

    session: StoredSession
    head: Head
    memories: Mapping[str, tuple[Record, ...]] = field(default_factory=dict)

    def after(self, new: NewBeat, head: Head, record: Record, memory_max: int) -> Known:
        """The session after one more beat. Each role that had a seat in it has memories here."""
        session = replace(
            self.session,
            status=new.status,
            beat=new.beat,
            hash=new.hash,
            record=new.record,
            state=new.state,
            episode_runs=head.episode_runs,
            tokens_spent=self.session.tokens_spent + new.tokens,
        )
        heard = {role_id: (*self.memories[role_id], record)[-memory_max:] for role_id in new.seats}
        return Known(session, head, {**self.memories, **heard})


@dataclass
class Recall:
    """The sessions that were moved last."""

    _known: OrderedDict[tuple[str, str], Known] = field(default_factory=OrderedDict)

    def of(self, project_id: str, session: StoredSession) -> Known | None:
        """What is known of a session that is found as it was left; None where it is not."""
        known = self._known.get((project_id, session.session_id))
        return known if known is not None and known.session == session else None

    def keep(self, project_id: str, known: Known) -> None:
        """Know a session as it was just committed."""
        place = (project_id, known.session.session_id)
        self._known[place] = known
        self._known.move_to_end(place)
        if len(self._known) > SESSIONS_KEPT_MAX:
            self._known.popitem(last=False)
