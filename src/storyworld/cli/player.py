"""Who moves a session on from the command line: a person at a terminal, or nobody (the story by itself)."""

from __future__ import annotations

import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
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
class LookAround:
    """Show how things stand; no beat is made."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Stop playing; the session stays as it is."""


Move = TakeTurn | StartEpisode | EndSession | LookAround | Leave


class Player(Protocol):
    """Gives the next move, from the record of the beat before."""

    @property
    def is_person(self) -> bool:
        """Whether there is someone to be asked again when a move is refused."""
        ...

    def next_move(self, last: Record) -> Move:
        """What happens next."""
        ...


@dataclass(frozen=True, slots=True)
class AutomaticPlayer:
    """Lets the story play by itself. The cast takes turns on stage, three at a time, so that every role is heard."""

    package: StoryPackage

    @property
    def is_person(self) -> bool:
        """Nobody is there."""
        return False

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
  any text       say it to the roles on stage (/say TEXT for a text such as 1 or /x)
  /status        how things stand: flags, relations, entities, facts, notes
  /focus A B …   only these roles may speak, from now on; /focus alone lifts it
  /episode ID    start an episode; /episode alone lists them
  /end           end the session
  /quit          stop playing; the session stays
  /help          this"""


@dataclass
class TerminalPlayer:
    """Asks the person at the terminal."""

    package: StoryPackage
    focus: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Lines can be edited and called back where Python has the means for it."""
        with suppress(ImportError):
            import_module("readline")

    @property
    def is_person(self) -> bool:
        """Someone is there."""
        return True

    def next_move(self, last: Record) -> Move:
        """Ask until there is a move; what cannot be understood is said, and asked again.

        The end of the input leaves. Raises KeyboardInterrupt where the person interrupts.
        """
        while True:
            try:
                move = self.read(_ask(), last["branchOptions"])
            except EOFError:
                click.echo()
                return Leave()
            except UnicodeError:
                move = "that was not UTF-8"
            if not isinstance(move, str):
                return move
            click.echo(move)

    def read(self, typed: str, options: Sequence[Mapping[str, Any]]) -> Move | str:
        """The move that was typed, or what to say instead of one. UnicodeError where it is no text."""
        typed = typed.strip()
        typed.encode()
        if typed.startswith(("/", "／")):  # the second is what a Chinese or Japanese keyboard gives
            name, *rest = typed[1:].split(maxsplit=1) or [""]
            return self._command(name, *rest)
        if typed.isdecimal():
            return self._choose(int(typed), options)
        return self._turn({"kind": "message", "text": typed} if typed else {"kind": "advance"})

    def _choose(self, number: int, options: Sequence[Mapping[str, Any]]) -> Move | str:
        if not options:
            return "there are no options now"
        if not 1 <= number <= len(options):
            return f"there is no option {number}; the last one is {len(options)}"
        return self._turn({"kind": "choice", "branchId": options[number - 1]["branchId"]})

    def _turn(self, trigger: dict[str, Any]) -> Move:
        return TakeTurn({**trigger, "focusRoles": list(self.focus)} if self.focus else trigger)

    def _command(self, name: str, rest: str = "") -> Move | str:
        alone: Mapping[str, Move] = {"quit": Leave(), "end": EndSession(), "status": LookAround()}
        if name in alone:
            return alone[name]
        if name == "say" and rest:
            return self._turn({"kind": "message", "text": rest})
        if name == "episode":
            return StartEpisode(rest) if rest else self._episodes()
        if name == "focus":
            return self._focus(rest.split())
        return HELP

    def _episodes(self) -> str:
        listed = [f"  {episode.id}: {episode.title} — {episode.objective}" for episode in self.package.series]
        return "\n".join(listed) or "this story has no episodes"

    def _focus(self, role_ids: Sequence[str]) -> str:
        unknown = [role_id for role_id in role_ids if role_id not in self.package.role_by_id]
        if unknown:
            return f"there is no role {unknown[0]}; there are {', '.join(self.package.role_by_id)}"
        self.focus = tuple(dict.fromkeys(role_ids))
        return f"on stage: {', '.join(self.focus) or 'the first three roles'}"


def _ask() -> str:
    """One line from the person. An interruption ends the waiting at once, whatever a running loop would make of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return input("> ")
    finally:
        signal.signal(signal.SIGINT, before)
