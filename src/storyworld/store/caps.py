"""How many packages and worlds of a project may be active at once. They are counted where they are created."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from storyworld.application.ports import WorkKind
from storyworld.core import limits

ACTIVE_MAX: Final[Mapping[WorkKind, int]] = MappingProxyType(
    {
        WorkKind.PACKAGE: limits.PROJECT_MAX_ACTIVE_STORY_PACKAGES.value,
        WorkKind.WORLD: limits.PROJECT_MAX_ACTIVE_WORLDS.value,
    }
)
