"""`storyworld verify`: fold the rules over what is stored, and say whether every beat holds."""

from __future__ import annotations

import sys

import click
from rich.text import Text

from storyworld.application.verify import verify_all, verify_session
from storyworld.cli.answer import EXIT_PROBLEMS, console, print_json, refuse, run
from storyworld.core.errors import Refusal
from storyworld.core.replay import Verification
from storyworld.settings import data_folder
from storyworld.wiring import LOCAL_PROJECT, open_house


@click.command("verify")
@click.argument("session", required=False)
@click.option("--all", "every", is_flag=True, help="Every session in the data folder.")
@click.option("--data", help="The data folder.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one line a session.")
def command(session: str | None, every: bool, data: str | None, as_json: bool) -> None:
    """Verify SESSION, or with --all every session. Exits with 0 when all beats hold, else with 1."""
    if (session is None) is not every:
        raise click.UsageError("name a SESSION, or give --all")
    found = run(_verify(session, data))
    for session_id, verification in found:
        if isinstance(verification, Refusal):
            refuse(verification, as_json=as_json)
        if as_json:
            print_json({"sessionId": session_id, **verification.to_json()})
        else:
            console().print(in_words(session_id, verification))
    sys.exit(0 if all(isinstance(answer, Verification) and answer.ok for _, answer in found) else EXIT_PROBLEMS)


async def _verify(session: str | None, data: str | None) -> list[tuple[str, Verification | Refusal]]:
    house = await open_house(data_folder(data))
    try:
        if session is None:
            return list(await verify_all(house, LOCAL_PROJECT))
        return [(session, await verify_session(house, LOCAL_PROJECT, session))]
    finally:
        await house.store.close()


def in_words(session_id: str, verification: Verification) -> Text:
    """What a verification found, and what it cannot know."""
    if verification.difference is not None:
        found = verification.difference
        return Text.assemble(
            (session_id, "bold"),
            (f": beat {found.beat} differs in {found.field}. ", "bold red"),
            f"Expected {found.expected!r}, found {found.found!r}. {verification.beats} beats before it hold.",
        )
    checked = "every rule was checked" if verification.level == "full" else "only the chain could be checked"
    return Text.assemble(
        (session_id, "bold"),
        (f": all {verification.beats} beats hold", "green"),
        f" (level {verification.level}: {checked}; end {verification.end}: nothing outside the database says which "
        "beat is the last).",
    )
