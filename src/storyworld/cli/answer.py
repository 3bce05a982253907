"""How commands answer: problems and refusals in words or as JSON, and the exit code that goes with them."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

import click
from rich.console import Console
from rich.text import Text

from storyworld.application.faults import refusal_of
from storyworld.application.ports import StoreError
from storyworld.cli.wrapping import laid_out
from storyworld.core import limits
from storyworld.core.errors import Kind, Problem, Refusal
from storyworld.settings import SettingsError

EXIT_PROBLEMS: Final = 1
EXIT_USAGE: Final = 2
EXIT_STORAGE: Final = 3
_STORAGE_KINDS = (Kind.STORAGE, Kind.STORAGE_FULL, Kind.INTEGRITY)

T = TypeVar("T")


class _Terminal(Console):
    """A console that breaks lines as `wrapping` does, and leaves it to its caller what a reader who has gone means."""

    def print(self, *paragraphs: Any, **options: Any) -> None:
        """Print each paragraph, as wide as the terminal; a line for each where a program reads."""
        columns = self.width if self.file.isatty() else None
        texts = (text if isinstance(text, Text) else Text(text) for text in paragraphs)
        super().print(*(laid_out(text, columns) for text in texts), **options)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A console that has colour where the terminal does, and never guesses at markup."""
    stream = sys.stderr if stderr else sys.stdout
    return _Terminal(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)


def print_json(value: object) -> None:
    """One JSON value on one line, for a program to read."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else many}"


def print_problems(problems: Sequence[Problem], more: int, *, style: str, out: Console) -> None:
    """Each problem: what, then where, why, and what to do; and the number of those that are not told."""
    for found in problems:
        place = f"at {found.path}. " if found.path else ""
        out.print(Text.assemble((found.code, style), f"  {found.message}"))
        out.print(Text(f"    {place}{found.reason} {found.remedy}", style="dim"))
    if more:
        out.print(Text(f"and {counted(more, 'more problem', 'more problems')}", style=style))


def print_refusal(refused: Refusal, *, out: Console) -> None:
    """Why nothing was done, and what to do, with every problem that led to it."""
    stop = "" if refused.message.endswith(".") else "."
    out.print(Text.assemble((refused.code, "bold red"), f"  {refused.message}{stop} {refused.remedy}"))
    print_problems(refused.problems, refused.more_problems, style="red", out=out)


def refusal_json(refused: Refusal) -> dict[str, Any]:
    """A refusal for a program."""
    return {
        "code": refused.code,
        "detail": refused.message,
        "remedy": refused.remedy,
        "errors": [found.to_json() for found in refused.problems],
        "moreProblems": refused.more_problems,
        **refused.facts,
    }


def exit_code(refused: Refusal) -> int:
    """3 for the storage, 1 for everything else."""
    return EXIT_STORAGE if refused.kind in _STORAGE_KINDS else EXIT_PROBLEMS


def refuse(refused: Refusal, *, as_json: bool = False) -> NoReturn:
    """Say why nothing was done, and exit."""
    if as_json:
        print_json(refusal_json(refused))
    else:
        print_refusal(refused, out=console(stderr=True))
    sys.exit(exit_code(refused))


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work; a store or settings file that cannot be used is told in a line, with exit code 3 or 2."""
    try:
        return asyncio.run(work)
    except StoreError as error:
        console(stderr=True).print(Text.assemble((refusal_of(error).code, "bold red"), f"  {error}"))
        sys.exit(EXIT_STORAGE)
    except SettingsError as error:
        console(stderr=True).print(Text(str(error), style="red"))
        sys.exit(EXIT_USAGE)


def read_file(path: str) -> bytes:
    """The bytes of a file that was named on the command line; `-` is standard input.

    A file that cannot be read, or is larger than any that could be taken, is a fault of usage.
    """
    most = limits.REQUEST_MAX_BYTES.value
    try:
        if path == "-":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with Path(path).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error
    if len(data) > most:
        raise click.UsageError(f"{path}: more than {most} bytes; no file that is read here is as large")
    return data
