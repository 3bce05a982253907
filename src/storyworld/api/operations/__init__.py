"""The table: every operation of the API, in the order in which routes are tried and documented.

Addresses that end in more than a name (`…/{draftId}.fountain`) stand before those that would take the end for a part of
the name.
"""

from __future__ import annotations

from typing import Final

from storyworld.api.operation import Operation
from storyworld.api.operations import agents, drafts, imports, moving, projects, service, sessions, works

TABLE: Final[tuple[Operation, ...]] = (
    *service.OPERATIONS,
    *projects.OPERATIONS,
    *agents.OPERATIONS,
    *imports.OPERATIONS,
    *works.OPERATIONS,
    *moving.OPERATIONS,
    *sessions.OPERATIONS,
    *drafts.OPERATIONS,
)
