"""One model call as values: what a performer is asked, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from storyworld.core.prompt.brief import Prompt
from storyworld.core.unchanging import unchanging
from storyworld.core.world import Model


@unchanging
class Call:
    """What one seat asks of a performer: once a seat, at most 3 times a beat.

    `draw` is an integer of 64 bits drawn from (seed, beat, role, candidate): the only chance that a performer has.
    """

    role_id: str
    beat: int
    draw: int
    prompt: Prompt
    model: Model


@unchanging
class Usage:
    """What a call cost. Tokens are counts, `ms` is milliseconds, `attempts` counts requests that were sent."""

    provider: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    attempts: int
    ms: int
    cached_tokens: int | None = None

    def to_json(self, role_id: str) -> dict[str, Any]:
        """The entry that stands in the beat record."""
        value: dict[str, Any] = {
            "roleId": role_id,
            "provider": self.provider,
            "model": self.model,
            "promptTokens": self.prompt_tokens,
            "completionTokens": self.completion_tokens,
            "attempts": self.attempts,
            "ms": self.ms,
        }
        if self.cached_tokens is not None:
            value["cachedTokens"] = self.cached_tokens
        return value


def read_usage(value: Mapping[str, Any]) -> Usage:
    """What a call cost, from an entry of a beat record."""
    return Usage(
        provider=value["provider"],
        model=value["model"],
        prompt_tokens=value["promptTokens"],
        completion_tokens=value["completionTokens"],
        attempts=value["attempts"],
        ms=value["ms"],
        cached_tokens=value.get("cachedTokens"),
    )


@unchanging
class Performance:
    """The raw reply of a performer. `cut` says that it ended before the model was done."""

    text: str
    usage: Usage
    cut: bool = False


@unchanging
class Failure:
    """No reply: no 2xx answer ever began. `timed_out` tells a timeout from every other failure; `detail` is for the
    operator.
    """

    detail: str
    usage: Usage
    timed_out: bool = False
