"""The command line: what a person or a script asks, and how it is answered.

Exit codes: 0 good, 1 problems, 2 usage, 3 storage. What a command needs is imported when it runs, so that `--help` is
quick.
"""

from __future__ import annotations

import importlib
from typing import Final

import click

_COMMANDS: Final = {
    "check": "storyworld.cli.check",
    "limits": "storyworld.cli.limits",
    "play": "storyworld.cli.play",
    "verify": "storyworld.cli.verify",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in order."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None where there is none."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(_COMMANDS[cmd_name]).command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="storyworld")
def main() -> None:
    """Multi-agent interactive stories, beat by beat: played, judged, verified."""
