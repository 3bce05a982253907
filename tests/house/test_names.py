"""Names say what a thing is. These words say nothing."""

from __future__ import annotations

import ast
import re

import pytest

from tests.house.sources import Source, python_files

EMPTY_WORDS = frozenset({"manager", "helper", "helpers", "util", "utils", "common", "base", "misc"})
WORD = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def empty_words(name: str) -> set[str]:
    """The words of a snake_case, kebab-case or CamelCase name that say nothing."""
    return {word.lower() for word in WORD.findall(name)} & EMPTY_WORDS


def empty_names(source: Source) -> list[str]:
    """The folders, files, classes and functions that are named with such a word."""
    names = [(1, part) for part in source.path.removesuffix(".py").split("/")]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append((node.lineno, node.name))
    return [source.at(line, f"the name {name} says nothing") for line, name in names if empty_words(name)]


def test_no_name_says_nothing() -> None:
    assert [fault for source in python_files() for fault in empty_names(source)] == []


@pytest.mark.parametrize("name", ["BeatManager", "parse_helper", "utils", "HTTPBase", "common", "misc-things"])
def test_a_name_that_says_nothing_is_found(name: str) -> None:
    assert empty_names(Source(f"src/{name}.py", "")) != []
    assert empty_names(Source("src/x.py", f"class {name.replace('-', '_')}: ...")) != []
    assert empty_names(Source("src/x.py", f"def {name.replace('-', '_')}(): ...")) != []


@pytest.mark.parametrize("name", ["base64_text", "Database", "commonly", "Baseline", "manage"])
def test_a_longer_word_is_another_word(name: str) -> None:
    assert empty_words(name) == set()
