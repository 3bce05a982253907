"""Chance as a function: what is drawn follows from the session's seed, the beat and a label, and from nothing else."""

from __future__ import annotations

from hashlib import sha256


def draw(seed: int, beat: int, label: str) -> int:
    """An integer of 64 bits, the same for the same (seed, beat, label) on every machine and for ever."""
    return int.from_bytes(sha256(f"{seed}\n{beat}\n{label}".encode()).digest()[:8])


def performance_draw(seed: int, beat: int, role_id: str, candidate: int) -> int:
    """The draw that a performer is given. An ordinary turn is candidate 0; a deliberation's are 1 and 2."""
    return draw(seed, beat, f"perform/{role_id}/{candidate}")


def fence_seed(seed: int, beat: int, role_id: str) -> str:
    """What the fence round quoted text is made from. Candidates share it, so that their prompts are equal."""
    return f"{draw(seed, beat, f'fence/{role_id}'):016x}"
