"""The figures, in the order in which they are told."""

from __future__ import annotations

from typing import Final

from bench.figure import Figure
from bench.figures import beat, core, replay, validation

FIGURES: Final = (
    Figure("validation", validation.measure),
    Figure("conditions", validation.measure_conditions),
    Figure("beat", beat.measure),
    Figure("replay", replay.measure),
    Figure("core", core.measure),
)
"""Every figure there is. `--only` takes their names."""
