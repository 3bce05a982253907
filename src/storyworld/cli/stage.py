"""What the terminal shows of a story, and the loop that moves it on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rich.text import Text

from storyworld.application.advance import advance, end_session, start_episode
from storyworld.application.begin import Begun
from storyworld.application.commit import Committed
from storyworld.application.house import House, head_of
from storyworld.application.play import Request
from storyworld.cli.answer import console, counted, print_json, print_problems, print_refusal
from storyworld.cli.operation_words import in_words
from storyworld.cli.player import EndSession, Leave, LookAround, Player, StartEpisode, TakeTurn
from storyworld.cli.verify import in_words as verification_in_words
from storyworld.core.beat import Record, word_record
from storyworld.core.errors import CATALOGUE, Problem, Refusal
from storyworld.core.replay import Verification
from storyworld.core.state import State
from storyworld.core.story import StoryPackage
from storyworld.wiring import LOCAL_PROJECT

_STYLES = ("cyan", "magenta", "green", "yellow", "blue", "bright_red")


async def play_on(
    house: House, begun: Begun, package: StoryPackage, player: Player, screen: Screen, beats_max: int
) -> Refusal | None:
    """Move the session on until it ends, the player leaves, or `beats_max` beats are made.

    A person is shown why a move is refused, and asked again; by itself the story stops there, and the refusal is
    returned.
    """
    last = begun.opening
    while last["beat"] < beats_max:
        move = player.next_move(last)
        if isinstance(move, Leave):
            return None
        if isinstance(move, LookAround):
            await _look_around(house, begun.session_id, screen)
            continue
        made = await _make(house, begun.session_id, move)
        if isinstance(made, Refusal):
            if not player.is_person:
                return made
            screen.show_refusal(made)
            continue
        screen.show_beat(package, last, made.record)
        last = made.record
        if last["ending"] is not None or last["trigger"]["kind"] == "end":
            return None
    return None


async def _make(house: House, session_id: str, move: TakeTurn | StartEpisode | EndSession) -> Committed | Refusal:
    request = Request(LOCAL_PROJECT, session_id)
    if isinstance(move, StartEpisode):
        return await start_episode(house, request, move.episode_id)
    if isinstance(move, EndSession):
        return await end_session(house, request)
    return await advance(house, request, move.trigger)


async def _look_around(house: House, session_id: str, screen: Screen) -> None:
    session = await house.project(LOCAL_PROJECT).session(session_id)
    assert session is not None, "a session that is played is stored"
    screen.show_state(head_of(session).state)


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
        print_problems(warnings, 0, style="yellow", out=out)
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
        for text in (*_skipped(worded), *_readings(record), *_changes(worded)):
            out.print(text)
        if record["nodeId"] != before["nodeId"]:
            self._show_node(package, record)
        self._show_run(record)
        if record["ending"] is not None:
            ending = package.ending_by_id[record["ending"]["endingId"]]
            out.print(Text.assemble(("The end: ", "bold"), (ending.title, "bold green")))
            out.print(f"  {ending.description}")
        elif record["trigger"]["kind"] == "end":
            out.print(Text("The session is ended; it can still be read and verified.", style="bold"))
        self._show_options(record)

    def show_refusal(self, refused: Refusal) -> None:
        """Why nothing happened."""
        print_refusal(refused, out=console())

    def show_state(self, state: State) -> None:
        """How things stand: all that the rules know and the lines may have left unsaid."""
        out = console()
        for flag_id, value in state.flags.items():
            out.print(f"  flag {flag_id}: {json.dumps(value, ensure_ascii=False)}")
        for relation in state.relations:
            why = "" if relation.note is None else f" ({relation.note})"
            out.print(f"  {relation.from_role_id} → {relation.to_role_id}: {relation.kind} {relation.value}{why}")
        for entity in state.entities:
            attributes = "".join(f"; {key}: {value}" for key, value in entity.attributes.items())
            out.print(f"  {entity.kind} {entity.id}: {entity.name}{attributes}")
        for fact in state.facts:
            out.print(f"  fact {fact.id}: {fact.text}")
        for role_id, notes in state.notes.items():
            for note in notes:
                out.print(f"  {role_id} notes {note.id}: {note.text}")
        out.print(f"  been at: {', '.join(state.visited_nodes)}")

    def show_verification(self, session_id: str, verification: Verification) -> None:
        """What verify says of the session."""
        if self.as_json:
            print_json({"sessionId": session_id, **verification.to_json()})
            return
        out = console()
        out.print()
        out.print(verification_in_words(session_id, verification))

    def _show_node(self, package: StoryPackage, record: Record) -> None:
        node = package.node_by_id[record["nodeId"]]
        scene = package.scene_by_id[node.scene_id]
        out = console()
        out.print(Text.assemble(("→ ", "dim"), (node.title, "bold"), f" — {scene.title}"), style="blue")
        out.print(Text(f"  {node.objective}"), style="blue")

    def _show_run(self, record: Record) -> None:
        run: Mapping[str, Any] | None = record["episodeRun"]
        if run is None:
            return
        used = counted(run["beatsUsed"], "beat", "beats")
        ended = f", ended: {run['ended']['reason']}" if "ended" in run else ""
        console().print(Text(f"  episode {run['episodeId']}: {used} used{ended}", style="dim"))

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
    by_code = sorted(record["skippedRoles"], key=lambda entry: str(entry["code"]))
    texts: list[Text] = []
    for code, entries in groupby(by_code, key=lambda entry: str(entry["code"])):
        role_ids = ", ".join(entry["roleId"] for entry in entries)
        texts.append(Text(f"  skipped: {role_ids} ({code}: {CATALOGUE[code].reason})", style="dim"))
    return texts


def _readings(record: Record) -> list[Text]:
    """What was mended in replies, what was left out of them, and which conditions could not be evaluated."""
    told = [f"mended: {entry['roleId']} ({entry['code']})" for entry in record["repairs"]]
    for entry in record["leftOut"]:
        place = f" at {entry['path']}" if "path" in entry else ""
        told.append(f"left out: {entry['roleId']}{place} ({entry['code']}: {CATALOGUE[entry['code']].reason})")
    told += [f"taken as false: {entry['path']} (condition_failed)" for entry in record["conditionsFailed"]]
    return [Text(f"  {text}", style="dim") for text in told]


def _changes(record: Record) -> list[Text]:
    """What the patch changed, or why it was refused."""
    patch = record["patch"]
    applied = patch["status"] == "applied"
    texts = [
        Text.assemble(("  changed: " if applied else "  proposed: ", "dim"), in_words(operation))
        for operation in patch["operations"]
    ]
    if patch["status"] == "rejected":
        rejected = patch["rejected"]
        which = "a rule" if rejected["index"] is None else f"proposal {rejected['index'] + 1}"
        texts.append(
            Text.assemble(("  refused, all of it", "bold red"), f": {which}, {rejected['code']}: {rejected['reason']}")
        )
    return texts
