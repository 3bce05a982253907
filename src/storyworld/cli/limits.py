"""`storyworld limits`: every limit, its reason and what happens at it."""

from __future__ import annotations

import sys

import click
from rich.text import Text

from storyworld.cli.answer import console, print_json
from storyworld.core.limits.page import Language, groups, limits_json, limits_page, origin_word, value_text, words


@click.command("limits")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program to read.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="The language of the page.")
def command(as_json: bool, lang: str) -> None:
    """Every limit: its value, where it applies, why it is there, what happens over it.

    A terminal is shown a list, a file or another program a page in Markdown.
    """
    language: Language = "zh" if lang == "zh" else "en"
    if as_json:
        print_json(limits_json())
    elif sys.stdout.isatty():
        _print(language)
    else:
        click.echo(limits_page(language))


def _print(lang: Language) -> None:
    """A paragraph for each limit; the columns of a table would be too narrow to be read."""
    out = console()
    for title, limits in groups(lang):
        out.print(Text(title, style="bold underline"))
        out.print()
        for limit in limits:
            behaviour, reason = words(limit, lang)
            out.print(Text.assemble((limit.name, "bold"), "  ", (value_text(limit, lang), "bold cyan")))
            out.print(Text(f"  {limit.where}  [{origin_word(limit, lang)}]", style="dim"))
            out.print(f"  {reason}")
            out.print(Text(f"  {behaviour}", style="dim"))
            out.print()
