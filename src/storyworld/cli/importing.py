"""`storyworld import`: a script becomes a candidate for a story package."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from rich.text import Text

from storyworld.cli.answer import (
    EXIT_PROBLEMS,
    console,
    counted,
    print_problems,
    read_file,
    refuse,
)
from storyworld.cli.files import refuse_to_overwrite, refuse_to_write_over, write_whole
from storyworld.core.candidate import Candidate
from storyworld.core.content import Judged, judge_package
from storyworld.core.errors import Refusal, problem, word
from storyworld.core.script import LeftOut, Lines
from storyworld.formats.scripts import ASKED_FORMATS, AskedFormat, Imported, import_by_rules

_SOURCES_SUFFIX = ".sources.json"
_RUNS_TOLD = 20


@click.command("import")
@click.argument("file")
@click.option("--rules", is_flag=True, help="By rules alone, without a model. This version knows no other way.")
@click.option("-o", "--output", metavar="PACKAGE", help="Write the story package here, and where it comes from beside.")
@click.option("--format", "asked", type=click.Choice(ASKED_FORMATS), default="auto", help="  [default: auto]")
@click.option("--encoding", metavar="NAME", help="The script's encoding, where it cannot be told.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
def command(file: str, rules: bool, output: str | None, asked: AskedFormat, encoding: str | None, force: bool) -> None:
    """Make a candidate for a story package of the script FILE (or - for standard input): Fountain, FDX, or a script or
    stage play as plain text in English, Chinese, Japanese or Korean.

    Without -o the candidate is printed as JSON. With -o the package is written there, and to NAME.sources.json which
    lines each part of it comes from and which lines became nothing. Nothing is published, dropped or cut to fit.

    Exits with 0, or with 1 when the script was refused or the package has problems (it is written all the same).
    """
    del rules
    package = None if output in {None, "-"} else Path(str(output))
    if package is not None:
        _refuse_place(package, file, force=force)
    name = None if file == "-" else Path(file).name
    imported = import_by_rules(read_file(file), asked=asked, encoding=encoding, file_name=name)
    if isinstance(imported, Refusal):
        refuse(imported)
    judged = judge_package(imported.candidate.content)
    if package is None:
        click.echo(_pretty(imported.candidate.to_json()), nl=False)
    else:
        _write(imported.candidate, package)
    _tell(imported, judged, package)
    sys.exit(EXIT_PROBLEMS if judged.problems else 0)


def _refuse_place(package: Path, script: str, *, force: bool) -> None:
    """Stop where the package and the file beside it cannot be written, or are not to be."""
    refuse_to_overwrite(package, force=force)
    if package.exists() and not package.is_file():
        raise click.UsageError(f"{package}: no place for two files; without -o the candidate is printed")
    beside = _sources_path(package)
    refuse_to_overwrite(beside, force=force)
    refuse_to_write_over(script, package, beside)


def _sources_path(package: Path) -> Path:
    return package.with_name(package.name.removesuffix(".json") + _SOURCES_SUFFIX)


def _write(candidate: Candidate, package: Path) -> None:
    told = candidate.to_json()
    write_whole(package, _pretty(told.pop("content")).encode())
    write_whole(_sources_path(package), _pretty(told).encode())


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _by_code(left_out: Sequence[LeftOut]) -> Mapping[str, list[Lines]]:
    lines_by_code: dict[str, list[Lines]] = {}
    for entry in left_out:
        lines_by_code.setdefault(entry.code, []).append(entry.lines)
    return lines_by_code


def _named(lines: Sequence[Lines]) -> str:
    """These lines in one phrase: runs as ranges, and of many the first. All of them stand in the candidate."""
    runs: list[Lines] = []
    for one in lines:
        if runs and one.first <= runs[-1].last + 1:
            runs[-1] = Lines(runs[-1].first, max(runs[-1].last, one.last))
        else:
            runs.append(one)
    shown = runs[:_RUNS_TOLD]
    told = ", ".join(str(one.first) if one.first == one.last else f"{one.first}-{one.last}" for one in shown)
    more = f" and {len(runs) - len(shown)} more places" if len(runs) > len(shown) else ""
    alone = len(runs) == 1 and runs[0].first == runs[0].last
    return f"line {told}" if alone else f"lines {told}{more}"


def _tell(imported: Imported, judged: Judged, package: Path | None) -> None:
    """What was found, what was left out, and what is wrong with it; beside the candidate, if that is printed."""
    out = console(stderr=True)
    content = imported.candidate.content
    read_as = imported.format if imported.encoding is None else f"{imported.format}, {imported.encoding}"
    parts = (
        counted(len(content["roles"]), "role", "roles"),
        counted(len(content["scenes"]), "scene", "scenes"),
        counted(len(content["nodes"]), "node", "nodes"),
        counted(len(content["branches"]), "branch", "branches"),
    )
    out.print(Text.assemble((content["title"], "bold"), f" ({read_as}, {content['language']}): {', '.join(parts)}."))
    for code, lines in _by_code(imported.candidate.left_out).items():
        out.print(Text.assemble((code, "yellow"), f"  {word(code)}"))
        out.print(Text(f"    {_named(lines)}", style="dim"))
    if not content["roles"]:
        print_problems([problem("script_without_speakers", "")], 0, style="yellow", out=out)
    print_problems(judged.problems, judged.more_problems, style="bold red", out=out)
    print_problems(judged.warnings, 0, style="yellow", out=out)
    if package is not None:
        out.print(Text(f"written: {package} and {_sources_path(package)}", style="dim"))
