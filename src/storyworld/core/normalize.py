"""The one form in which content is judged, measured, hashed and stored.

It owns what is made equal (line ends, outer white space, what was left to its default) and must not know what is
refused: whatever has an unexpected shape passes through it for the schema to name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from storyworld.core import schema

# The characters with the Unicode property White_Space. `str.strip()` alone would also take U+001C to U+001F.
_WHITE_SPACE: Final = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def normalize_text(text: str) -> str:
    """The text with CR LF and CR made LF and outer White_Space trimmed; its characters are untouched (no NFC)."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.strip(_WHITE_SPACE)


def normalize_texts(value: Any) -> Any:
    """A copy of a JSON value in which every text is normalized. Names of fields are left as they are."""
    return _normalize_texts(value, copying=True)


def _normalize_texts(value: Any, *, copying: bool) -> Any:
    holder = [value]
    _normalize_members(holder, enumerate(holder), copying)
    return holder[0]


def _normalize_members(container: Any, members: Iterable[tuple[Any, Any]], copying: bool) -> None:
    """Normalize what stands in an object or array, by key or place; below it, in copies or in place.

    Most texts are normalized already. Where `strip` without characters takes nothing away there is nothing to trim, for
    it trims more than White_Space, and is quicker.
    """
    for place, member in members:
        kind = type(member)
        if kind is str:
            if member.strip() is not member or "\r" in member:
                container[place] = normalize_text(member)
        elif kind is dict or kind is list:
            below = member
            if copying:
                below = container[place] = member.copy()
            if below:
                _normalize_members(below, below.items() if kind is dict else enumerate(below), copying)


def normalize_package(value: Any) -> Any:
    """A copy of a story package's content with texts normalized, and absent arrays and defaults written out.

    What is optional and absent stays absent. A default stands after the fields that the author wrote.
    """
    return _normalize(_PACKAGE, value)


def normalize_package_in_place(value: Any) -> Any:
    """The same without a copy, for a value that nobody else holds: its parts are changed and handed back."""
    return _normalize(_PACKAGE, value, copying=False)


def normalize_world(value: Any) -> Any:
    """The same for a world's content: subscriptions and settings are written out."""
    return _normalize(_WORLD, value)


def normalize_agent(value: Any) -> Any:
    """The same for an agent's content: the most output tokens are written out."""
    return _normalize(_AGENT, value)


@dataclass(frozen=True, slots=True)
class _Defaults:
    """What is written out in one part of a document, and the parts below it that have defaults of their own."""

    own: Mapping[str, Any]
    fields: Mapping[str, _Defaults]
    items: _Defaults | None


def _defaults(part: schema.Schema) -> _Defaults | None:
    """The defaults that a schema declares; None where it has none at any depth."""
    properties: Mapping[str, schema.Schema] = part.get("properties", {})
    own = {name: field["default"] for name, field in properties.items() if "default" in field}
    below = {name: _defaults(field) for name, field in properties.items()}
    fields = {name: defaults for name, defaults in below.items() if defaults is not None}
    items = _defaults(part["items"]) if "items" in part else None
    return _Defaults(own, fields, items) if own or fields or items else None


def _normalize(defaults: _Defaults, value: Any, *, copying: bool = True) -> Any:
    normalized = _normalize_texts(value, copying=copying)
    _write_out(defaults, normalized)
    return normalized


def _write_out(defaults: _Defaults, value: Any) -> None:
    if isinstance(value, dict):
        for name, default in defaults.own.items():
            if name not in value:
                value[name] = normalize_texts(default)
        for name, below in defaults.fields.items():
            _write_out(below, value.get(name))
    elif isinstance(value, list) and defaults.items is not None:
        for item in value:
            _write_out(defaults.items, item)


def _declared_defaults(part: schema.Schema) -> _Defaults:
    defaults = _defaults(part)
    assert defaults is not None, "the schema declares no default"
    return defaults


_PACKAGE: Final = _declared_defaults(schema.STORY_PACKAGE_CONTENT)
_WORLD: Final = _declared_defaults(schema.WORLD_CONTENT)
_AGENT: Final = _declared_defaults(schema.AGENT_CONTENT)
