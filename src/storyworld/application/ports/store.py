"""The store itself. Each method is one transaction, and none is held while a model is called.

Every list gives its items in the order of their ids or numbers, no more than are asked for, and what a page costs does
not grow with what lies before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from storyworld.application.ports.access import Keys, Project
from storyworld.application.ports.deliberations import Deliberations
from storyworld.application.ports.sessions import Sessions
from storyworld.application.ports.works import Works


class ProjectStore(Keys, Works, Sessions, Deliberations, Protocol):
    """All rows of one project; ids of other projects look like ids that never were."""


class Store(Protocol):
    """The whole database."""

    def for_project(self, project_id: str) -> ProjectStore:
        """The rows of one project. It need not exist: then every row is absent."""
        ...

    async def create_project(self, project_id: str, name: str, created_at: str) -> bool:
        """Create a project. False, and nothing changed, if its id is taken."""
        ...

    async def project(self, project_id: str) -> Project | None:
        """The project."""
        ...

    async def projects(self, *, limit: int, after: str | None = None) -> Sequence[Project]:
        """Up to `limit` projects in the order of their ids, after the id `after`."""
        ...

    async def close(self) -> None:
        """Give back files and connections. Closing twice is harmless."""
        ...
