"""`storyworld play`: a story in the terminal."""

from __future__ import annotations

import asyncio
import sys

import click

from storyworld.application.begin import Begun, begin_session
from storyworld.application.house import House
from storyworld.application.playable import Playable, make_playable
from storyworld.application.ports import Performer
from storyworld.application.verify import verify_session
from storyworld.cli.answer import EXIT_PROBLEMS, console, read_file, refuse, run
from storyworld.cli.player import AutomaticPlayer, Player, TerminalPlayer
from storyworld.cli.stage import Screen, play_on
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.models.rehearsal import PROVIDER as REHEARSAL
from storyworld.models.scripted import PROVIDER as SCRIPTED
from storyworld.models.scripted import read_script
from storyworld.settings import data_folder
from storyworld.stories import DEFAULT_STORY, read_story, story_names
from storyworld.wiring import LOCAL_PROJECT, open_house

BEATS_DEFAULT = 200
_SCRIPTED = f"{SCRIPTED}:"


@click.command("play")
@click.argument("package", default=DEFAULT_STORY)
@click.option("--auto", is_flag=True, help="Play by itself, also in a terminal.")
@click.option("--beats", type=click.IntRange(1, BEATS_DEFAULT), default=BEATS_DEFAULT, help="Beats at the most.")
@click.option("--seed", type=click.IntRange(0, limits.SEED_MAX.value), help="The same seed gives the same lines.")
@click.option("--model", metavar="NAME", default="rehearsal", help="rehearsal, or scripted:FILE with a reply a line.")
@click.option("--data", metavar="DIR", help="The data folder.  [default: storyworld-data]")
@click.option("--json", "as_json", is_flag=True, help="Each beat as one line of JSON; plays by itself.")
def command(
    package: str, auto: bool, beats: int, seed: int | None, model: str, data: str | None, as_json: bool
) -> None:
    """Play a story PACKAGE to an ending, or to 200 beats.

    \b
    PACKAGE is a JSON file, or the name of a story that comes along:
      borrowed-voice  in Chinese
      eleven-tons     in English; played where none is named

    Without a terminal it plays by itself. At the end every beat is verified. A FILE of replies has lines such as
    {"roleId": "ada", "beat": 2, "reply": {"line": "Aye."}}, of which roleId and beat may be absent. Exits with 1 when
    something was refused, and with 130 when interrupted: what was played is kept.
    """
    # A file that bears the name of such a story is still to be had as ./NAME.
    content = read_story(package) if package in story_names() else read_file(package)
    by_itself = auto or as_json or not (sys.stdin.isatty() and sys.stdout.isatty())
    performers = _performers(model, as_json=as_json)
    run(_play(content, performers, data, seed, beats, Screen(as_json=as_json), by_itself))


def _performers(model: str, *, as_json: bool) -> dict[str, Performer]:
    """The performers besides the built-in one: the script, where one is to be played."""
    if model == REHEARSAL:
        return {}
    if not model.startswith(_SCRIPTED):
        raise click.UsageError(f"there is no model {model!r}; there are {REHEARSAL} and {_SCRIPTED}FILE")
    script = read_script(read_file(model.removeprefix(_SCRIPTED)))
    if isinstance(script, Refusal):
        refuse(script, as_json=as_json)
    return {SCRIPTED: script}


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
        playable = await make_playable(house, LOCAL_PROJECT, content, next(iter(performers), REHEARSAL))
        if isinstance(playable, Refusal):
            refuse(playable, as_json=screen.as_json)
        begun = await begin_session(house, LOCAL_PROJECT, playable.world_id, playable.world_revision, seed=seed)
        if isinstance(begun, Refusal):
            refuse(begun, as_json=screen.as_json)
        player = AutomaticPlayer(playable.package) if by_itself else TerminalPlayer(playable.package)
        try:
            await _perform(house, playable, begun, player, screen, beats)
        except (KeyboardInterrupt, asyncio.CancelledError):
            console(stderr=True).print(f"\ninterrupted; session {begun.session_id} is kept")
            raise
    finally:
        await house.close()


async def _perform(house: House, playable: Playable, begun: Begun, player: Player, screen: Screen, beats: int) -> None:
    """The story from its opening on, then what verify says of it, then what stopped it."""
    screen.show_opening(playable.package, begun, playable.warnings)
    refused = await play_on(house, begun, playable.package, player, screen, beats)
    verification = await verify_session(house, LOCAL_PROJECT, begun.session_id)
    if isinstance(verification, Refusal):
        refuse(verification, as_json=screen.as_json)
    screen.show_verification(begun.session_id, verification)
    if refused is not None:
        refuse(refused, as_json=screen.as_json)
    if not verification.ok:
        sys.exit(EXIT_PROBLEMS)
