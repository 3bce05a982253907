"""`storyworld key`: keys for projects, made by whoever runs the server."""

from __future__ import annotations

import click
from rich.text import Text

from storyworld.application.access import NewKey, create_key, create_project, project_named
from storyworld.application.ports import KeyScope
from storyworld.cli.answer import console, refuse, run
from storyworld.core import limits
from storyworld.core.errors import Refusal
from storyworld.settings import data_folder
from storyworld.wiring import open_house


@click.group("key")
def command() -> None:
    """Keys that open projects over HTTP."""


@command.command("create")
@click.option("--project", required=True, metavar="NAME", help="The project, by its name; it is made where it is new.")
@click.option(
    "--scope",
    type=click.Choice([scope.value for scope in KeyScope]),
    default=KeyScope.WRITE.value,
    help="What the key allows.  [default: write]",
)
@click.option("--data", metavar="DIR", help="The data folder.  [default: storyworld-data]")
def create(project: str, scope: str, data: str | None) -> None:
    """Make a key, and the project where it is new. The last line of the output is the secret alone.

    The secret is shown once: only its digest is stored. A running server takes the key at once.
    """
    most = limits.PROJECT_MAX_NAME_CHARS.value
    if not project.strip() or len(project) > most:
        raise click.UsageError(f"--project: a name has 1 to {most} characters")
    made = run(_made(project.strip(), KeyScope(scope), data))
    if isinstance(made, Refusal):
        refuse(made)
    console(stderr=True).print(Text(f"project {made.project_id}, key {made.key_id}, scope {made.scope}", style="dim"))
    click.echo(made.secret)


async def _made(name: str, scope: KeyScope, data: str | None) -> NewKey | Refusal:
    house = await open_house(data_folder(data))
    try:
        found = await project_named(house, name)
        if isinstance(found, Refusal):
            return found
        if found is not None:
            return await create_key(house, found.project_id, scope)
        made = await create_project(house, name)
        if isinstance(made, Refusal) or scope is KeyScope.WRITE:
            return made
        return await create_key(house, made.project_id, scope)
    finally:
        await house.close()
