"""Fakes that pass the conformance suites, not mocks: who replaces a part of the product tests something else."""

from __future__ import annotations

import ast

import pytest

from tests.house.sources import Source, python_files

# These words are put together here so that a plain search for them in the repository finds nothing.
PATCHING_NAMES = frozenset({"monkey" + "patch", "mock" + "er", "Magic" + "Mock", "Async" + "Mock"})
MOCK_PACKAGES = frozenset({"mock", "pytest_mock", "flexmock", "doublex"})


def mocks(source: Source) -> list[str]:
    """Every mock library that is imported and every fixture or class of one that is named."""
    found = [
        source.at(line, f"imports {module}")
        for line, module in source.imports()
        if not MOCK_PACKAGES.isdisjoint(module.split("."))
    ]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and not MOCK_PACKAGES.isdisjoint(alias.name for alias in node.names):
            found.append(source.at(node.lineno, "imports a mock library"))
        elif isinstance(node, ast.arg) and node.arg in PATCHING_NAMES:
            found.append(source.at(node.lineno, f"asks for {node.arg}"))
        elif isinstance(node, ast.Name) and node.id in PATCHING_NAMES:
            found.append(source.at(node.lineno, f"uses {node.id}"))
        elif isinstance(node, ast.Attribute) and node.attr in {*PATCHING_NAMES, "Monkey" + "Patch"}:
            found.append(source.at(node.lineno, f"uses {node.attr}"))
    return found


def test_nothing_is_mocked() -> None:
    assert [fault for source in python_files() for fault in mocks(source)] == []


@pytest.mark.parametrize(
    "text",
    [
        "import unittest." + "mock",
        "from unittest import mock as m",
        "from unittest." + "mock import patch",
        "def f():\n    import pytest_mock",
        "def test_x(" + "monkey" + "patch): ...",
        "thing = Magic" + "Mock()",
        "with pytest.Monkey" + "Patch.context() as m: ...",
    ],
)
def test_a_mock_is_found(text: str) -> None:
    assert mocks(Source("tests/x.py", text)) != []


def test_a_state_patch_is_no_mock() -> None:
    assert mocks(Source("tests/x.py", "from storyworld.core import patch\npatch.apply(1)")) == []
