"""Who moves a session on from the command line: a person at a terminal, or nobody (the story by itself)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import click

from storyworld.core import limits
from storyworld.core.beat import Record
from storyworld.core.story import StoryPackage


@dataclass(frozen=True, slots=True)
class TakeTurn:
    """Make a beat with this trigger, in the shape in which a client sends it."""

    trigger: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StartEpisode:
    """Start a run of this episode."""

    episode_id: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """End the session."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Stop playing; the session stays as it is."""


Move = TakeTurn | StartEpisode | EndSession | Leave


class Player(Protocol):
    """Gives the next move, from the record of the beat before."""

    def next_move(self, last: Record) -> Move:
        """What happens next."""
        ...


@dataclass(frozen=True, slots=True)
class AutomaticPlayer:
    """Lets the story play by itself. The cast takes turns on stage, three at a time, so that every role is heard."""

    package: StoryPackage

    def next_move(self, last: Record) -> Move:
        """Advance, with the focus going round the cast."""
        cast = [role.id for role in self.package.roles]
        seats = limits.WORLD_TURN_MAX_ROLES.value
        if len(cast) <= seats:
            return TakeTurn({"kind": "advance"})
        first = last["beat"] * seats
        focus = [cast[(first + place) % len(cast)] for place in range(seats)]
        return TakeTurn({"kind": "advance", "focusRoles": focus})


HELP = """\
  Enter          let the story go on
  1, 2, …        take that option
  any text       say it to the roles on stage
  /focus A B …   only these roles may speak, from now on; /focus alone lifts it
  /episode ID    start an episode
  /end           end the session
  /quit          stop playing; the session stays
  /help          this"""


@dataclass
class TerminalPlayer:
    """Asks the person at the terminal."""

    package: StoryPackage
    focus: tuple[str, ...] = ()

    def next_move(self, last: Record) -> Move:
        """Ask until there is a move; what cannot be understood is said, and asked again."""
        while True:
            try:
                typed: str = click.prompt("", prompt_suffix="> ", default="", show_default=False)
            except click.Abort:
                return Leave()
            move = self.read(typed.strip(), last["branchOptions"])
            if not isinstance(move, str):
                return move
            click.echo(move)

    def read(self, typed: str, options: Sequence[Mapping[str, Any]]) -> Move | str:
        """The move that was typed, or what to say instead of one."""
        if typed.startswith("/"):
            return self._command(*typed[1:].split())
        if typed.isdecimal() and options:
            number = int(typed)
            if not 1 <= number <= len(options):
                return f"there are options 1 to {len(options)}"
            return self._turn({"kind": "choice", "branchId": options[number - 1]["branchId"]})
        return self._turn({"kind": "message", "text": typed} if typed else {"kind": "advance"})

    def _turn(self, trigger: dict[str, Any]) -> Move:
        return TakeTurn({**trigger, "focusRoles": list(self.focus)} if self.focus else trigger)

    def _command(self, name: str = "help", *words: str) -> Move | str:
        if name == "quit":
            return Leave()
        if name == "end":
            return EndSession()
        if name == "episode" and len(words) == 1:
            return StartEpisode(words[0])
        if name == "focus":
            return self._focus(words)
        return HELP

    def _focus(self, role_ids: Sequence[str]) -> str:
        unknown = [role_id for role_id in role_ids if role_id not in self.package.role_by_id]
        if unknown:
            return f"there is no role {unknown[0]}; there are {', '.join(self.package.role_by_id)}"
        self.focus = tuple(dict.fromkeys(role_ids))
        return f"on stage: {', '.join(self.focus) or 'the first three roles'}"
