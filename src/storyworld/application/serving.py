"""Whether the engine takes beats just now."""

from __future__ import annotations

from storyworld.application.faults import faults_refused
from storyworld.application.house import House
from storyworld.core.errors import Refusal, refusal


@faults_refused
async def is_ready(house: House) -> Refusal | None:
    """None where beats are taken. Refusals: `stopping`, and those of a store that does not answer."""
    if house.stopping:
        return refusal("stopping")
    await house.store.projects(limit=1)
    return None
