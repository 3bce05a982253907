"""`storyworld export`: a session as a screenplay, a story as its package or its outline."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from rich.text import Text

from storyworld.application.draft import DraftRequest, ScriptDraft, draft_session
from storyworld.cli.answer import EXIT_PROBLEMS, console, counted, print_problems, read_file, refuse, run
from storyworld.cli.files import refuse_to_overwrite, write_whole
from storyworld.core.content import Judged, judge_package_bytes
from storyworld.core.drafting import outline
from storyworld.core.errors import Refusal
from storyworld.core.screenplay import Screenplay
from storyworld.formats.screenplays import FORMATS, PDF, write_screenplay
from storyworld.settings import data_folder
from storyworld.stories import read_story, story_names
from storyworld.wiring import LOCAL_PROJECT, has_data, open_house

_JSON = "json"


@click.command("export")
@click.argument("what", metavar="PACKAGE|SESSION")
@click.option("--format", "-f", "written_as", type=click.Choice(FORMATS), required=True, help="What to write.")
@click.option("-o", "--output", metavar="FILE", help="Where to.  [default: standard output]")
@click.option("--from", "from_beat", type=int, metavar="BEAT", help="The first beat of a session.  [default: 0]")
@click.option("--to", "to_beat", type=int, metavar="BEAT", help="The last one.  [default: the last there is]")
@click.option("--episode-run", metavar="RUN", help="The beats of one play of an episode, such as run-1.")
@click.option("--fonts", "font_folders", multiple=True, metavar="DIR", help="A folder of fonts that PDF may use, too.")
@click.option("--data", metavar="DIR", help="The data folder.  [default: storyworld-data]")
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(
    what: str,
    written_as: str,
    output: str | None,
    from_beat: int | None,
    to_beat: int | None,
    episode_run: str | None,
    font_folders: tuple[str, ...],
    data: str | None,
    force: bool,
) -> None:
    """Write a SESSION as a screenplay whose every element cites its beat; or a PACKAGE (a file, or the name of a story
    that comes along) as normalized JSON, or as its outline.

    A draft covers at most 500 beats: --from and --to, or --episode-run, choose them. PDF needs storyworld[pdf].
    Exits with 0, or with 1 when it was refused.
    """
    target = None if output in {None, "-"} else Path(str(output))
    if target is not None:
        refuse_to_overwrite(target, force=force)
    elif written_as == PDF and sys.stdout.isatty():
        raise click.UsageError("a PDF is not for a terminal; -o names a file")
    for folder in font_folders:
        if not Path(folder).is_dir():
            raise click.UsageError(f"{folder}: there is no such folder of fonts")
    request = DraftRequest(from_beat, to_beat, episode_run)
    content = _package_bytes(what)
    if content is None:
        drafted = run(_draft(what, request, data))
        if isinstance(drafted, Refusal):
            refuse(drafted)
        written = _as_bytes(drafted.screenplay, written_as, font_folders)
    elif request != DraftRequest():
        raise click.UsageError("a package has no beats; --from, --to and --episode-run are for sessions")
    else:
        judged = _judged(content)
        normalized = written_as == _JSON
        written = _pretty(judged.content) if normalized else _as_bytes(_outline(judged), written_as, font_folders)
    _put(written, target)


def _package_bytes(what: str) -> bytes | None:
    """The package that was named: by its file, by - for standard input, or as a story that comes along."""
    if what in story_names():
        return read_story(what)
    return read_file(what) if what == "-" or Path(what).exists() else None


async def _draft(session: str, request: DraftRequest, data: str | None) -> ScriptDraft | Refusal:
    folder = data_folder(data)
    if not has_data(folder):
        raise click.UsageError(f"{session}: there is no such file or story, and no session was played in {folder}")
    house = await open_house(folder)
    try:
        # What was typed and is no text names no session, and a store only takes texts.
        return await draft_session(house, LOCAL_PROJECT, session.encode(errors="replace").decode(), request)
    finally:
        await house.close()


def _judged(content: bytes) -> Judged:
    """The package, judged; one with problems is not exported, since nobody could play it."""
    judged = judge_package_bytes(content)
    if judged.package is None:
        print_problems(judged.problems, judged.more_problems, style="bold red", out=console(stderr=True))
        sys.exit(EXIT_PROBLEMS)
    return judged


def _outline(judged: Judged) -> Screenplay:
    assert judged.package is not None
    return outline(judged.package)


def _as_bytes(screenplay: Screenplay, written_as: str, font_folders: tuple[str, ...]) -> bytes:
    written = write_screenplay(screenplay, written_as, font_folders=[Path(folder) for folder in font_folders])
    if isinstance(written, Refusal):
        refuse(written)
    return written


def _pretty(content: object) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _put(written: bytes, target: Path | None) -> None:
    if target is None:
        sys.stdout.buffer.write(written)
        sys.stdout.buffer.flush()
        return
    write_whole(target, written)
    out = console(stderr=True)
    out.print(Text(f"written: {target}, {counted(len(written), 'byte', 'bytes')}", style="dim"))
