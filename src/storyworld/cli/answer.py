"""How commands answer: problems and refusals in words or as JSON, and the exit code that goes with them."""

from __future__ import annotations

import json
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from rich.console import Console
from rich.text import Text

from storyworld.application.ports import StoreError
from storyworld.core.errors import Kind, Problem, Refusal
from storyworld.settings import SettingsError

EXIT_PROBLEMS = 1
EXIT_USAGE = 2
EXIT_STORAGE = 3
_STORAGE_KINDS = (Kind.STORAGE, Kind.STORAGE_FULL, Kind.INTEGRITY)

T = TypeVar("T")


def console(*, stderr: bool = False) -> Console:
    """A console that has colour where the terminal does and never guesses at markup or wraps what a program reads."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=not stream.isatty())


def print_json(value: object) -> None:
    """One JSON value on one line, for a program to read."""
    click.echo(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def print_problems(problems: Sequence[Problem], *, style: str, out: Console) -> None:
    """Each problem: what, then why, then what to do."""
    for found in problems:
        out.print(Text.assemble((found.code, style), f"  {found.message}"))
        out.print(Text(f"    at {found.path or 'the whole'}. {found.reason} {found.remedy}", style="dim"))


def refuse(refused: Refusal, *, as_json: bool = False) -> NoReturn:
    """Say why nothing was done, and exit: 3 for the storage, 1 for everything else."""
    if as_json:
        value: dict[str, Any] = {"code": refused.code, "detail": refused.message, "remedy": refused.remedy}
        value["errors"] = [found.to_json() for found in refused.problems]
        value["moreProblems"] = refused.more_problems
        print_json({**value, **refused.facts})
    else:
        out = console(stderr=True)
        out.print(Text.assemble((refused.code, "bold red"), f"  {refused.message} {refused.remedy}"))
        print_problems(refused.problems, style="red", out=out)
        if refused.more_problems:
            out.print(Text(f"and {refused.more_problems} more problems", style="red"))
    sys.exit(EXIT_STORAGE if refused.kind in _STORAGE_KINDS else EXIT_PROBLEMS)


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work; a store or settings file that cannot be used is told in one line, with exit code 3 or 2."""
    import asyncio

    try:
        return asyncio.run(work)
    except StoreError as error:
        console(stderr=True).print(Text(f"storage: {error}", style="red"))
        sys.exit(EXIT_STORAGE)
    except SettingsError as error:
        console(stderr=True).print(Text(str(error), style="red"))
        sys.exit(EXIT_USAGE)


def read_file(path: str) -> bytes:
    """The bytes of a file that was named on the command line; `-` is standard input."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}") from error
