"""What a limit is. It owns the shape of a declaration; it must not know who enforces one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Unit = Literal["items", "characters", "bytes", "roles", "beats", "calls", "tokens", "levels", "value"]
Group = Literal["cast", "package", "text", "world", "state", "beat", "request", "script", "project"]
Origin = Literal["contract", "ours"]


class Outcome(NamedTuple):
    """What happens to whoever goes over a limit, in both languages."""

    en: str
    zh: str


REFUSED = Outcome(
    "What is sent over it is refused (HTTP 400, naming the limit); nothing is stored and nothing is cut.",
    "超出时整个请求被拒绝（HTTP 400，并写明是哪条上限）；不保存，也不截断。",
)
PATCH_REJECTED = Outcome(
    "A patch that would go over it is rejected whole; the lines of the beat stand, and the beat says why.",
    "会超出上限的补丁整批拒绝；这一拍的台词照常保留，并记录拒绝的原因。",
)
UNREADABLE = Outcome(
    "An operation over it is refused as `op_shape`, and with it the whole patch of the beat.",
    "超出的操作以 `op_shape` 拒绝，这一拍的补丁也随之整批拒绝。",
)


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit, declared once: validation, schema, documents, command line and tests all read it here.

    `value` is the largest allowed number of `unit`, at least 1. `where` says what it applies to, as a path of names.
    `origin` is "contract" for a number of the world limits contract and "ours" for one that it leaves open.
    """

    name: str
    value: int
    unit: Unit
    group: Group
    where: str
    outcome: Outcome
    reason: str
    reason_zh: str
    origin: Origin

    def __post_init__(self) -> None:
        assert self.value >= 1, f"{self.name} allows nothing at all"

    @property
    def field(self) -> str:
        """The word that a message uses: `roles` in `roles exceeds 24`. It is the last name of `where`."""
        return self.where.rpartition(".")[2].removesuffix("[]")

    @property
    def behaviour(self) -> str:
        """What happens over the limit, in English."""
        return self.outcome.en

    @property
    def behaviour_zh(self) -> str:
        """What happens over the limit, in Chinese."""
        return self.outcome.zh
