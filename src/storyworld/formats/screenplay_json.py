"""A screenplay as JSON, for a program to read."""

from __future__ import annotations

import json
from typing import Any

from storyworld.core.screenplay import Screenplay


def write_json(screenplay: Screenplay) -> str:
    """The whole screenplay as indented JSON: title, language, source, cast and elements, each with its beat."""
    value: dict[str, Any] = {"title": screenplay.title, "language": screenplay.language}
    if screenplay.source is not None:
        value["source"] = screenplay.source
    value["cast"] = [{"roleId": member.role_id, "name": member.name} for member in screenplay.cast]
    value["elements"] = [element.to_json() for element in screenplay.elements]
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
