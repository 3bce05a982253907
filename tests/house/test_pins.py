"""What is installed is what the rules rest on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.metadata import version

from storyworld.core.rules import ENGINES
from tests.house.sources import REPOSITORY


def unpinned(engines: Mapping[str, str], requirements: list[str]) -> list[str]:
    """The engines that the requirements do not hold at exactly their version."""
    return [name for name, wanted in engines.items() if f"{name}=={wanted}" not in requirements]


def test_every_engine_of_the_rules_is_pinned_to_its_version() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    assert unpinned(ENGINES, project["dependencies"]) == []


def test_every_engine_of_the_rules_is_installed_in_its_version() -> None:
    assert {name: version(name) for name in ENGINES} == dict(ENGINES)


def test_an_engine_that_may_change_is_found() -> None:
    assert unpinned({"a": "1.0", "b": "1.0", "c": "1.0"}, ["a==1.0", "b>=1.0"]) == ["b", "c"]


def test_a_lock_file_names_a_hash_for_everything_and_no_host() -> None:
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (REPOSITORY / name).read_text("utf-8")
        entries = re.split(r"\n(?=\S)", text.strip())
        assert [entry.partition(" ")[0] for entry in entries if "--hash=sha256:" not in entry] == []
        assert re.findall(r"://|--index|--find-links", text) == []
