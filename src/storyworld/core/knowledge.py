"""Who knows what: for each role, what it was given and since which beat, read from the committed beats.

This file owns the grants. Whether a secret went where it was not granted is told by `leaks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from storyworld.core.beat import Record
from storyworld.core.state import State
from storyworld.core.story import StoryPackage

GivenKind = Literal["secret", "canon", "establishedFact", "fact", "reveal", "beat"]


@dataclass(frozen=True, slots=True)
class Given:
    """One thing that a role was given, and the beat since which it has it (0: from the start).

    `id` is the fact's id, the number of a beat that it heard, or `roleId/index` of a secret.
    """

    kind: GivenKind
    id: str
    since: int

    def to_json(self) -> dict[str, Any]:
        """The entry of the answer."""
        return {"kind": self.kind, "id": self.id, "since": self.since}


@dataclass
class Knowledge:
    """What every role has been given so far; it grows with each beat that is followed."""

    package: StoryPackage
    given: dict[str, dict[tuple[GivenKind, str], Given]] = field(init=False)

    def __post_init__(self) -> None:
        """From the start a role has its own secrets, and the canon and established facts that it is among those who
        know.
        """
        self.given = {role.id: {} for role in self.package.roles}
        for role in self.package.roles:
            for index in range(len(role.secrets)):
                self._give(role.id, Given("secret", secret_id(role.id, index), 0))
            for fact in self.package.canon:
                if fact.is_known_to(role.id):
                    self._give(role.id, Given("canon", fact.id, 0))
            for fact in self.package.established_facts:
                if fact.is_known_to(role.id):
                    self._give(role.id, Given("establishedFact", fact.id, 0))

    def follow(self, record: Record, state: State) -> None:
        """Add what a beat gave: to its seats the beat and the secrets told in it, and to those who know them its
        facts.
        """
        beat = record["beat"]
        for role_id in record["seats"]:
            self._give(role_id, Given("beat", str(beat), beat))
            for reveal in record["reveals"]:
                self._give(role_id, Given("reveal", secret_id(reveal["roleId"], reveal["secretIndex"]), beat))
        for fact in state.facts:
            for role_id in self.given:
                if fact.is_known_to(role_id):
                    self._give(role_id, Given("fact", fact.id, beat))

    def _give(self, role_id: str, given: Given) -> None:
        self.given[role_id].setdefault((given.kind, given.id), given)

    def is_granted(self, role_id: str, secret: str) -> bool:
        """Whether a secret (`roleId/index`) is the role's own, or was told where the role was present."""
        mine = self.given[role_id]
        return ("secret", secret) in mine or ("reveal", secret) in mine

    def to_json(self) -> dict[str, Any]:
        """Everything by role, in the order in which it was given."""
        return {role_id: [given.to_json() for given in mine.values()] for role_id, mine in self.given.items()}


def secret_id(role_id: str, index: int) -> str:
    """How a secret is named: its role and its place among the role's secrets, never its text."""
    return f"{role_id}/{index}"


def secrets_of(package: StoryPackage) -> Iterator[tuple[str, str]]:
    """Every secret of the story: its name and its text."""
    for role in package.roles:
        for index, text in enumerate(role.secrets):
            yield secret_id(role.id, index), text


def texts_of(value: Mapping[str, Any]) -> str:
    """The words of a spoken line: its text and its action."""
    action = value.get("action")
    return value["text"] if action is None else f"{value['text']}\n{action}"
