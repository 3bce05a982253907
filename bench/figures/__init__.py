"""The figures, in the order in which they are told."""

from __future__ import annotations

from typing import Final

from bench.figure import Figure
from bench.figures import beat, core, growth, prompts, replay, server, start, storage, validation

FIGURES: Final = (
    Figure("validation", validation.measure),
    Figure("conditions", validation.measure_conditions),
    Figure("beat", beat.measure),
    Figure("cast", growth.measure_cast),
    Figure("history", growth.measure_history),
    Figure("sessions", growth.measure_sessions),
    Figure("storage", storage.measure),
    Figure("replay", replay.measure),
    Figure("core", core.measure),
    Figure("prompts", prompts.measure),
    Figure("start", start.measure),
    Figure("server", server.measure),
    Figure("crowd", server.measure_crowd),
)
"""Every figure there is. `--only` takes their names."""
