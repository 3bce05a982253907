"""Where the beats of a forked session lie: its own, then its parent's up to the fork point, and so on.

A plan of reading, made in each transaction that needs it. It costs one statement for each parent, however many beats
there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Branch:
    """What a lineage has to know of one session: its last beat, and the fork point where it has a parent."""

    session_id: str
    beat: int
    parent_id: str | None
    parent_beat: int | None


@dataclass(frozen=True, slots=True)
class Segment:
    """The beats from `first` to `last`, both included, that are stored with one session."""

    session_id: str
    first: int
    last: int


def segments(find: Callable[[str], Branch | None], session_id: str) -> Iterator[Segment]:
    """The segments of a session, its own first and the oldest parent's last; none for an unknown session.

    They are worked out one at a time, so that who finds enough in the newest asks for no parent.
    """
    next_id: str | None = session_id
    last: int | None = None
    while next_id is not None:
        branch = find(next_id)
        if branch is None:
            return
        end = branch.beat if last is None else min(last, branch.beat)
        first = 0 if branch.parent_beat is None else branch.parent_beat + 1
        if first <= end:
            yield Segment(branch.session_id, first, end)
        next_id = branch.parent_id
        last = branch.parent_beat if branch.parent_beat is None else min(end, branch.parent_beat)
