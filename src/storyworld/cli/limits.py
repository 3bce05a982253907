"""`storyworld limits`: every limit, its reason and what happens at it."""

from __future__ import annotations

import click

from storyworld.cli.answer import print_json
from storyworld.core.limits.page import limits_json, limits_page


@click.command("limits")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for a program to read.")
@click.option("--lang", type=click.Choice(["en", "zh"]), default="en", help="The language of the page.")
def command(as_json: bool, lang: str) -> None:
    """Every limit: its value, where it applies, why it is there, what happens over it."""
    if as_json:
        print_json(limits_json())
    else:
        click.echo(limits_page("zh" if lang == "zh" else "en"))
