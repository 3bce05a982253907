"""`storyworld play`: a story in the terminal."""

from __future__ import annotations

import sys

import click

from storyworld.application.begin import Begun, begin_session
from storyworld.application.playable import Playable, make_playable
from storyworld.application.ports import Performer
from storyworld.application.verify import verify_session
from storyworld.cli.answer import EXIT_PROBLEMS, print_json, read_file, refuse, run
from storyworld.cli.player import AutomaticPlayer, Player, TerminalPlayer
from storyworld.cli.stage import Screen, play_on
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.models.scripted import read_script
from storyworld.settings import data_folder
from storyworld.stories import DEFAULT_STORY, read_story
from storyworld.wiring import LOCAL_PROJECT, open_house

BEATS_DEFAULT = 200
_SCRIPTED = "scripted:"


@click.command("play")
@click.argument("package", required=False)
@click.option("--auto", is_flag=True, help="Play by itself, also in a terminal.")
@click.option("--beats", type=click.IntRange(1, BEATS_DEFAULT), default=BEATS_DEFAULT, help="Beats at the most.")
@click.option("--seed", type=click.IntRange(0, limits.SEED_MAX.value), help="The same seed gives the same lines.")
@click.option("--model", default="rehearsal", help="rehearsal, or scripted:FILE with one JSON reply a line.")
@click.option("--data", help="The data folder.")
@click.option("--json", "as_json", is_flag=True, help="Each beat as one line of JSON; plays by itself.")
def command(
    package: str | None, auto: bool, beats: int, seed: int | None, model: str, data: str | None, as_json: bool
) -> None:
    """Play a story PACKAGE (a JSON file; without one, a story of our own) to an ending.

    Without a terminal it plays by itself. At the end every beat is verified. Exits with 1 when something was refused.
    """
    content = read_story(DEFAULT_STORY) if package is None else read_file(package)
    by_itself = auto or as_json or not (sys.stdin.isatty() and sys.stdout.isatty())
    performers = _performers(model)
    run(_play(content, performers, data, seed, beats, Screen(as_json=as_json), by_itself))


def _performers(model: str) -> dict[str, Performer]:
    """The performers that a world can name; the last one is the one to play with."""
    if model == "rehearsal":
        return {}
    if not model.startswith(_SCRIPTED):
        raise click.UsageError(f"there is no model {model!r}; there are rehearsal and scripted:FILE")
    script = read_script(read_file(model.removeprefix(_SCRIPTED)))
    if isinstance(script, Refusal):
        refuse(script)
    return {"scripted": script}


async def _play(
    content: bytes,
    performers: dict[str, Performer],
    data: str | None,
    seed: int | None,
    beats: int,
    screen: Screen,
    by_itself: bool,
) -> None:
    house = await open_house(data_folder(data), performers)
    try:
        playable = await make_playable(house, LOCAL_PROJECT, content, next(iter(performers), "rehearsal"))
        if isinstance(playable, Refusal):
            refuse(playable, as_json=screen.as_json)
        begun = await begin_session(house, LOCAL_PROJECT, playable.world_id, playable.world_revision, seed=seed)
        if isinstance(begun, Refusal):
            refuse(begun, as_json=screen.as_json)
        screen.show_opening(playable.package, begun, playable.warnings)
        player = _player(playable, begun, by_itself)
        refused = await play_on(house, begun, playable.package, player, screen, beats)
        verification = await verify_session(house, LOCAL_PROJECT, begun.session_id)
        if isinstance(verification, Refusal):
            refuse(verification, as_json=screen.as_json)
        if screen.as_json:
            print_json({"sessionId": begun.session_id, **verification.to_json()})
        else:
            screen.show_verification(begun.session_id, verification)
        if refused is not None:
            refuse(refused, as_json=screen.as_json)
        if not verification.ok:
            sys.exit(EXIT_PROBLEMS)
    finally:
        await house.store.close()


def _player(playable: Playable, begun: Begun, by_itself: bool) -> Player:
    if by_itself:
        return AutomaticPlayer(playable.package)
    return TerminalPlayer(playable.package)
