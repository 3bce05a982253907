"""What the terminal shows of a story, and the loop that moves it on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.text import Text

from storyworld.application.advance import advance, end_session, start_episode
from storyworld.application.begin import Begun
from storyworld.application.commit import Committed
from storyworld.application.house import House
from storyworld.application.play import Request
from storyworld.cli.answer import console, print_json, print_problems
from storyworld.cli.player import EndSession, Leave, Move, Player, StartEpisode
from storyworld.cli.verify import in_words
from storyworld.core.beat import Record, word_record
from storyworld.core.errors import CATALOGUE, Problem, Refusal
from storyworld.core.replay import Verification
from storyworld.core.story import StoryPackage
from storyworld.wiring import LOCAL_PROJECT

_STYLES = ("cyan", "magenta", "green", "yellow", "blue", "bright_red")


async def play_on(
    house: House, begun: Begun, package: StoryPackage, player: Player, screen: Screen, beats_max: int
) -> Refusal | None:
    """Move the session on until an ending, the player leaves, or `beats_max` beats are made.

    At a terminal a refusal is shown and the player asked again; by itself the story stops at one, which is returned.
    """
    last = begun.opening
    for _ in range(beats_max):
        move = player.next_move(last)
        if isinstance(move, Leave):
            return None
        made = await _make(house, begun.session_id, move)
        if isinstance(made, Refusal):
            if not screen.show_refusal(made, player):
                return made
            continue
        screen.show_beat(package, last, made.record)
        last = made.record
        if last["ending"] is not None or last["trigger"]["kind"] == "end":
            return None
    return None


async def _make(house: House, session_id: str, move: Move) -> Committed | Refusal:
    request = Request(LOCAL_PROJECT, session_id)
    if isinstance(move, StartEpisode):
        return await start_episode(house, request, move.episode_id)
    if isinstance(move, EndSession):
        return await end_session(house, request)
    assert not isinstance(move, Leave), "leaving makes no beat"
    return await advance(house, request, move.trigger)


@dataclass(frozen=True, slots=True)
class Screen:
    """Where beats are shown: for a person, or as lines of JSON for a program."""

    as_json: bool = False

    def show_opening(self, package: StoryPackage, begun: Begun, warnings: Sequence[Problem]) -> None:
        """The title, what there is to know to play it again, and the first options."""
        if self.as_json:
            print_json({"sessionId": begun.session_id, "seed": begun.seed, **word_record(begun.opening)})
            return
        out = console()
        out.print(Text(package.title, style="bold"))
        if package.logline is not None:
            out.print(Text(package.logline, style="italic"))
        out.print(Text(f"session {begun.session_id}, seed {begun.seed}", style="dim"))
        print_problems(warnings, style="yellow", out=out)
        self._show_node(package, begun.opening)
        self._show_options(begun.opening)

    def show_beat(self, package: StoryPackage, before: Record, record: Record) -> None:
        """Who spoke, who was skipped and why, what changed or was refused, where the story stands, what is open."""
        worded = word_record(record)
        if self.as_json:
            print_json(worded)
            return
        out = console()
        out.print()
        out.print(Text(f"Beat {record['beat']}", style="bold"))
        for line in record["lines"]:
            out.print(_spoken(package, line))
        for text in (*_skipped(worded), *_changes(worded)):
            out.print(text)
        if record["nodeId"] != before["nodeId"]:
            self._show_node(package, record)
        self._show_run(record)
        if record["ending"] is not None:
            ending = package.ending_by_id[record["ending"]["endingId"]]
            out.print(Text.assemble(("The end: ", "bold"), (ending.title, "bold green"), f". {ending.description}"))
        self._show_options(record)

    def show_refusal(self, refused: Refusal, player: Player) -> bool:
        """Show why nothing happened; whether there is someone to ask again."""
        from storyworld.cli.player import TerminalPlayer

        if not isinstance(player, TerminalPlayer):
            return False
        out = console()
        out.print(Text.assemble((refused.code, "bold red"), f"  {refused.message} {refused.remedy}"))
        print_problems(refused.problems, style="red", out=out)
        return True

    def show_verification(self, session_id: str, verification: Verification) -> None:
        """What verify says of the session."""
        out = console()
        out.print()
        out.print(in_words(session_id, verification))

    def _show_node(self, package: StoryPackage, record: Record) -> None:
        node = package.node_by_id[record["nodeId"]]
        scene = package.scene_by_id[node.scene_id]
        console().print(
            Text.assemble(("→ ", "dim"), (node.title, "bold"), f" — {scene.title}. {node.objective}"), style="blue"
        )

    def _show_run(self, record: Record) -> None:
        run: Mapping[str, Any] | None = record["episodeRun"]
        if run is None:
            return
        ended = f", ended: {run['ended']['reason']}" if "ended" in run else ""
        console().print(Text(f"  episode {run['episodeId']}: {run['beatsUsed']} beats used{ended}", style="dim"))

    def _show_options(self, record: Record) -> None:
        out = console()
        for number, option in enumerate(record["branchOptions"], 1):
            out.print(Text.assemble((f"  {number}. ", "bold"), option["label"], (f"  [{option['branchId']}]", "dim")))
        if record["moreBranchOptions"]:
            out.print(Text(f"  and {record['moreBranchOptions']} more, once these are taken", style="dim"))


def _spoken(package: StoryPackage, line: Mapping[str, Any]) -> Text:
    place = list(package.role_by_id).index(line["roleId"])
    name = package.role_by_id[line["roleId"]].name
    text = Text.assemble((f"  {name}: ", f"bold {_STYLES[place % len(_STYLES)]}"), line["text"])
    if "action" in line:
        text.append(f"  ({line['action']})", style="italic dim")
    return text


def _skipped(record: Record) -> list[Text]:
    """The roles that did not speak, gathered by reason."""
    by_code = sorted(record["skippedRoles"], key=lambda entry: entry["code"])
    texts: list[Text] = []
    for code, entries in groupby(by_code, key=lambda entry: entry["code"]):
        role_ids = ", ".join(entry["roleId"] for entry in entries)
        texts.append(Text(f"  skipped: {role_ids} ({code}: {CATALOGUE[code].remedy})", style="dim"))
    return texts


def _changes(record: Record) -> list[Text]:
    """What the patch changed, or why it was refused."""
    patch = record["patch"]
    texts = [
        Text.assemble(("  changed: " if patch["status"] == "applied" else "  proposed: ", "dim"), _operation(op))
        for op in patch["operations"]
    ]
    if patch["status"] == "rejected":
        rejected = patch["rejected"]
        which = "a rule" if rejected["index"] is None else f"operation {rejected['index'] + 1}"
        texts.append(
            Text.assemble(("  refused, all of it", "bold red"), f": {which}, {rejected['code']}: {rejected['reason']}")
        )
    return texts


def _operation(operation: Mapping[str, Any]) -> str:
    said = ", ".join(f"{name} {value}" for name, value in operation.items() if name not in ("proposer", "op"))
    return f"{operation['proposer']} {operation['op']} {said}"
