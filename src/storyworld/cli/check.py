"""`storyworld check`: every problem and warning of a story package."""

from __future__ import annotations

import sys

import click
from rich.text import Text

from storyworld.cli.answer import EXIT_PROBLEMS, console, counted, print_json, print_problems, read_file
from storyworld.core import limits
from storyworld.core.content import Judged, judge_package_bytes


@click.command("check")
@click.argument("package")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program to read.")
def command(package: str, as_json: bool) -> None:
    """Judge the story PACKAGE (a JSON file, or - for standard input) as publishing would, and publish nothing.

    Exits with 0, or with 1 when there are problems. Warnings stop nothing.
    """
    judged = judge_package_bytes(read_file(package))
    if as_json:
        print_json(
            {
                "problems": [found.to_json() for found in judged.problems],
                "moreProblems": judged.more_problems,
                "warnings": [found.to_json() for found in judged.warnings],
                "bytes": judged.size_bytes,
                "digest": judged.digest,
            }
        )
    else:
        _print(judged)
    sys.exit(EXIT_PROBLEMS if judged.problems else 0)


def _print(judged: Judged) -> None:
    out = console()
    print_problems(judged.problems, judged.more_problems, style="bold red", out=out)
    print_problems(judged.warnings, 0, style="yellow", out=out)
    if judged.package is None:
        return
    package = judged.package
    size = f"{judged.size_bytes} of {limits.STORY_PACKAGE_MAX_BYTES.value} bytes"
    parts = (
        (len(package.roles), "role", "roles"),
        (len(package.scenes), "scene", "scenes"),
        (len(package.nodes), "node", "nodes"),
        (len(package.branches), "branch", "branches"),
        (len(package.endings), "ending", "endings"),
        (len(package.series), "episode", "episodes"),
    )
    listed = ", ".join(counted(*part) for part in parts)
    out.print(Text.assemble((package.title, "bold"), f": can be published. {listed}; {size}."))
    out.print(Text(judged.digest, style="dim"))
