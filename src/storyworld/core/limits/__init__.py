"""Every limit of the product, each declared once. It owns the registry and must not know who enforces a limit.

`limits.STORY_MAX_ROLES.value` is the number; `ALL` holds every limit in the order of declaration, the contract's first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from storyworld.core.limits import contract, ours_content, ours_runtime, relations
from storyworld.core.limits.contract import *  # noqa: F403
from storyworld.core.limits.limit import Limit
from storyworld.core.limits.ours_content import *  # noqa: F403
from storyworld.core.limits.ours_runtime import *  # noqa: F403

ALL: Final[tuple[Limit, ...]] = tuple(
    declared
    for module in (contract, ours_content, ours_runtime)
    for declared in vars(module).values()
    if isinstance(declared, Limit)
)
BY_NAME: Final[Mapping[str, Limit]] = MappingProxyType({limit.name: limit for limit in ALL})

assert len(BY_NAME) == len(ALL), "a limit is declared twice"
assert all(globals()[limit.name] is limit for limit in ALL), "a limit stands under another name than its own"
assert contract.STORY_PACKAGE_MAX_BYTES.value < relations.MEBIBYTE
