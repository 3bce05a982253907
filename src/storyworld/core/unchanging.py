"""Values of which a beat makes hundreds: frozen for whoever reads, writes or checks the code, and quickly made.

A dataclass that Python itself keeps frozen sets each of its fields through a call, which took a seventh of the time of
a beat. These are set directly; that nobody sets them again is checked where types are. This file owns that bargain.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True)
def unchanging(made: type[Made]) -> type[Made]:
    """A dataclass with slots, equal and hashed by its fields, which no code that passes the type checker can change."""
    return dataclass(slots=True, unsafe_hash=True)(made)
