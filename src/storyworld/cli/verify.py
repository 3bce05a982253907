"""`storyworld verify`: fold the rules over what is stored, and say whether every beat holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click
from rich.text import Text

from storyworld.application.verify import verify_all, verify_session
from storyworld.cli.answer import (
    EXIT_PROBLEMS,
    console,
    exit_code,
    print_json,
    print_refusal,
    refusal_json,
    run,
)
from storyworld.core.errors import Refusal
from storyworld.core.replay import Verification
from storyworld.settings import data_folder
from storyworld.wiring import LOCAL_PROJECT, has_data, open_house

_SHOWN_CHARS_MAX = 200

_Found = Sequence[tuple[str, Verification | Refusal]]


@click.command("verify")
@click.argument("session", required=False)
@click.option("--all", "every", is_flag=True, help="Every session in the data folder.")
@click.option("--data", metavar="DIR", help="The data folder.  [default: storyworld-data]")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one line a session.")
def command(session: str | None, every: bool, data: str | None, as_json: bool) -> None:
    """Play the stored beats of SESSION, or with --all of every session, through the rules again, without a model.

    Exits with 0 when all beats hold, with 1 when one differs, with 3 when the storage is damaged.
    """
    if (session is None) is not every:
        raise click.UsageError("name a SESSION, or give --all")
    found = run(_verify(session, data))
    for session_id, answer in found:
        _print(session_id, answer, as_json=as_json)
    if not found and not as_json:
        console().print("there are no sessions")
    sys.exit(max((_exit_code(answer) for _, answer in found), default=0))


async def _verify(session: str | None, data: str | None) -> _Found:
    folder = data_folder(data)
    if not has_data(folder):
        raise click.UsageError(f"{folder}: no story was played here")
    house = await open_house(folder)
    try:
        if session is None:
            return await verify_all(house, LOCAL_PROJECT)
        # What was typed and is no text names no session, and a store only takes texts.
        session = session.encode(errors="replace").decode()
        return [(session, await verify_session(house, LOCAL_PROJECT, session))]
    finally:
        await house.close()


def _print(session_id: str, answer: Verification | Refusal, *, as_json: bool) -> None:
    if as_json:
        value = refusal_json(answer) if isinstance(answer, Refusal) else answer.to_json()
        print_json({"sessionId": session_id, **value})
    elif isinstance(answer, Refusal):
        out = console(stderr=True)
        out.print(Text.assemble((session_id, "bold"), ": "), end="")
        print_refusal(answer, out=out)
    else:
        console().print(in_words(session_id, answer))


def _exit_code(answer: Verification | Refusal) -> int:
    if isinstance(answer, Refusal):
        return exit_code(answer)
    return 0 if answer.ok else EXIT_PROBLEMS


def in_words(session_id: str, verification: Verification) -> Text:
    """What a verification found, and what it cannot know."""
    if verification.difference is not None:
        found = verification.difference
        return Text.assemble(
            (session_id, "bold"),
            (f": beat {found.beat} differs in {found.field}. ", "bold red"),
            f"Expected {_short(found.expected)}, found {_short(found.found)}. "
            f"Beats that hold before it: {verification.beats}.",
        )
    checked = "every rule was checked" if verification.level == "full" else "only the chain could be checked"
    return Text.assemble(
        (session_id, "bold"),
        (": the one beat holds" if verification.beats == 1 else f": all {verification.beats} beats hold", "green"),
        f" (level {verification.level}: {checked}; end {verification.end}: nothing outside the database says which "
        "beat is the last).",
    )


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN_CHARS_MAX else f"{shown[:_SHOWN_CHARS_MAX]}…"
