"""The command line: what a person or a script asks, and how it is answered.

Exit codes: 0 good, 1 problems, 2 usage, 3 storage (a full disk under the output, too); 130 when interrupted, 141 when
nobody reads any more. What a command needs is imported when it runs, so that `--help` is quick.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from typing import Any, Final

import click

EXIT_UNWRITTEN: Final = 3
EXIT_INTERRUPTED: Final = 128 + 2  # as a shell says of SIGINT
EXIT_UNREAD: Final = 128 + 13  # and of SIGPIPE

COMMANDS: Final = {
    "check": ("storyworld.cli.check", "Every problem and warning of a story package."),
    "export": ("storyworld.cli.export", "Write a session as a screenplay, or a story as its outline."),
    "import": ("storyworld.cli.importing", "Make a story package of a script."),
    "key": ("storyworld.cli.key", "Keys that open projects over HTTP."),
    "limits": ("storyworld.cli.limits", "Every limit, with its reason."),
    "openapi": ("storyworld.cli.openapi", "The OpenAPI document of the server."),
    "play": ("storyworld.cli.play", "Play a story in the terminal."),
    "serve": ("storyworld.cli.serve", "Serve the HTTP API."),
    "verify": ("storyworld.cli.verify", "Check that the beats of sessions follow from each other."),
}
"""By name: the module that has the command, and what it does in one sentence, which is known without the module."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now; None where there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing one of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run what was asked. Output that cannot be written, as on a full disk, is told in one line."""
        _open_missing_streams()
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            _write_no_more()
            said = error.strerror or str(error)
            click.echo(f"{error.filename}: {said}" if error.filename else f"the output: {said}", err=True)
            sys.exit(EXIT_UNWRITTEN)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. One that is interrupted, or that nobody reads any more, ends without a word about it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(EXIT_INTERRUPTED)
        except BrokenPipeError:
            _write_no_more()
            sys.exit(EXIT_UNREAD)


def _open_missing_streams() -> None:
    """A stream that the caller closed reads as empty or is written to nowhere; no file of ours gets its number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))


def _write_no_more() -> None:
    """What is still in the buffers would fail once more when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="storyworld")
def main() -> None:
    """Multi-agent interactive stories, beat by beat: played, judged, verified.

    Every command exits with 0 when all is well, 1 when there are problems, 2 when it was asked wrongly, and 3 when the
    storage cannot be used or is damaged.
    """
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal's encoding does not have is shown by its number rather than ending the command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
