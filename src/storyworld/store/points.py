"""The fail-points inside an append, where a test may stop the process: between its statements and around its commit."""

from __future__ import annotations

from typing import Final

AFTER_HEAD: Final = "K6.head"
AFTER_BEAT: Final = "K6.beat"
AFTER_SEATS: Final = "K6.seats"
AFTER_RUNS: Final = "K6.runs"
AFTER_ONCE: Final = "K6.once"
AFTER_DELIBERATION: Final = "K6.deliberation"
BEFORE_COMMIT: Final = "K7.before"
AFTER_COMMIT: Final = "K7.after"


def pass_by(point: str) -> None:
    """A fail-point in a process that nobody means to stop."""
