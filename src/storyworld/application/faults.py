"""What a caller is told of a store that could not do its work: a refusal, as for everything else that may happen."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from storyworld.application.ports import IntegrityFailed, StorageFull, StoreError
from storyworld.core.errors import Refusal, refusal

P = ParamSpec("P")
T = TypeVar("T")


def refusal_of(error: StoreError) -> Refusal:
    """`storage_full`, `integrity_failed`, or for every other fault `storage_unavailable`."""
    if isinstance(error, StorageFull):
        return refusal("storage_full")
    return refusal("integrity_failed" if isinstance(error, IntegrityFailed) else "storage_unavailable")


def faults_refused(work: Callable[P, Awaitable[T]]) -> Callable[P, Coroutine[Any, Any, T | Refusal]]:
    """A use case that answers faults of the store with a refusal instead of raising them."""

    @wraps(work)
    async def told(*args: P.args, **kwargs: P.kwargs) -> T | Refusal:
        try:
            return await work(*args, **kwargs)
        except StoreError as error:
            return refusal_of(error)

    return told
