"""How the product writes about itself: the pages of errors and of commands, and whether a page in a folder is stale."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from storyworld.core.errors import Entry, Kind
from storyworld.settings import Setting

KINDS: Mapping[Kind, str] = {
    Kind.CONTENT: "What was sent cannot be taken",
    Kind.LIMIT: "What was sent is over a limit",
    Kind.NOT_FOUND: "There is no such thing",
    Kind.CONFLICT: "It cannot be done now",
    Kind.MISMATCH: "A key or an event id came back with another body",
    Kind.UNAUTHORIZED: "No key opens this",
    Kind.FORBIDDEN: "The key allows less",
    Kind.PRECONDITION: "What was to be replaced is not what was expected",
    Kind.PRECONDITION_MISSING: "It has to be said what is replaced",
    Kind.BODY_TOO_LARGE: "The body is too large",
    Kind.MEDIA_TYPE: "The body comes in another form",
    Kind.METHOD: "The address does not take this method",
    Kind.MODEL: "No model gave a line",
    Kind.TIMEOUT: "It took too long",
    Kind.BUSY: "Too much at once",
    Kind.STORAGE: "The storage does not answer",
    Kind.STORAGE_FULL: "The storage is full",
    Kind.INTEGRITY: "What is stored is not what was written",
    Kind.FAULT: "A bug",
    Kind.OPERATION: "An operation of a role is refused inside a beat",
    Kind.SKIP: "A role does not speak in a beat",
    Kind.REPAIR: "A reply was mended",
    Kind.LEFT_OUT: "A part of a reply was left out",
    Kind.WARNING: "It can be published, and will disappoint",
}
assert KINDS.keys() == set(Kind), "a kind of error has no heading"


def _plain(text: str) -> str:
    """A wording as Markdown shows it unchanged."""
    return text.replace("\\", "\\\\").replace("<", "&lt;").replace("*", "\\*").replace("`", "\\`").replace("_", "\\_")


def _entry(entry: Entry) -> Iterator[str]:
    yield f"### {entry.code}"
    yield ""
    for message, reason, remedy in (
        (entry.message, entry.reason, entry.remedy),
        (entry.message_zh, entry.reason_zh, entry.remedy_zh),
    ):
        yield f"- {_plain(message)}"
        yield from (f"  {_plain(text)}" for text in (reason, remedy) if text)
    yield ""


def errors_page(catalogue: Mapping[str, Entry]) -> str:
    """Every code with its wording, its reason and its remedy in English and Chinese, by kind, then by code."""
    lines = [
        "# Errors and other codes",
        "",
        "Generated from the catalogue of errors by `make docs`. Words in braces are filled in when a problem is",
        "worded: ids, counts and limits, never a text that was sent.",
        "",
    ]
    for kind, heading in KINDS.items():
        entries = sorted((entry for entry in catalogue.values() if entry.kind is kind), key=lambda entry: entry.code)
        if entries:
            lines += [f"## {heading} (`{kind}`)", ""]
            for entry in entries:
                lines += _entry(entry)
    return "\n".join(lines).rstrip("\n") + "\n"


def _help(command: click.Command, path: tuple[str, ...], above: click.Context | None = None) -> Iterator[str]:
    settings = {**command.context_settings, "terminal_width": 100, "max_content_width": 100, "color": False}
    context = click.Context(command, above, path[-1], **settings)
    yield f"{'#' * min(len(path) + 1, 6)} {' '.join(path)}"
    yield ""
    yield "```text"
    yield command.get_help(context)
    yield "```"
    yield ""
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from _help(below, (*path, name), context)


def commands_page(command: click.Command) -> str:
    """The help text of a command and of every command below it, 100 characters wide."""
    lines = [
        "# The command line",
        "",
        "Generated from the help texts by `make docs`.",
        "",
        *_help(command, ("storyworld",)),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def settings_page(settings: Sequence[Setting]) -> str:
    """Every setting of the server: its names, what it is for, what it is where nobody says."""
    rows = [
        f"| `{one.name}` | `{one.variable}` | {'none' if one.default is None else f'`{one.default}`'} | {one.meaning} |"
        for one in settings
    ]
    return "\n".join(
        [
            "# Settings",
            "",
            "Generated from their declarations by `make docs`. A setting is taken from the command line, else from the",
            "environment, else from `storyworld.toml` in the working folder, else it is what stands here.",
            "",
            "| in the file | in the environment | where nobody says | what it is for |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def stale(folder: Path, wanted: Mapping[str, str]) -> list[str]:
    """The names of the documents that are missing from a folder or differ from what is wanted."""
    return [
        name
        for name, text in wanted.items()
        if not (folder / name).is_file() or (folder / name).read_text("utf-8") != text
    ]
