"""`storyworld openapi`: the document that the server would serve."""

from __future__ import annotations

import json

import click


@click.command("openapi")
def command() -> None:
    """The OpenAPI 3.1 document of the server, as JSON."""
    from storyworld.api.openapi import openapi_document
    from storyworld.api.operations import TABLE

    click.echo(json.dumps(openapi_document(TABLE), ensure_ascii=False, indent=2))
