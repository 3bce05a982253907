"""Nothing half done: no marks of later work, no test that is set aside."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from tests.house.sources import Source, python_files

# Put together here so that a plain search for them in the repository finds nothing.
LATER = re.compile(rf"\b({'TO' + 'DO'}|{'FIX' + 'ME'}|{'X' * 3}|{'HA' + 'CK'})\b")
UNWRITTEN = "NotImplemented" + "Error"
SET_ASIDE = frozenset({"skip", "skipif", "xfail", "importorskip"})


def unfinished(source: Source) -> list[str]:
    """Comments that promise later work, functions that are not written, tests that are set aside.

    Only `tests/conftest.py` may skip: its fixtures name what the machine lacks.
    """
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type == tokenize.COMMENT and LATER.search(token.string):
            found.append(source.at(token.start[0], "promises later work"))
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name) and node.id == UNWRITTEN:
            found.append(source.at(node.lineno, "is not written"))
        elif isinstance(node, ast.Attribute) and node.attr in SET_ASIDE and "pytest" in ast.unparse(node.value):
            found.append(source.at(node.lineno, f"sets a test aside with {node.attr}"))
    return found


def test_nothing_is_left_for_later() -> None:
    assert [fault for source in python_files() for fault in unfinished(source)] == []


@pytest.mark.parametrize(
    "text",
    [
        "x = 1  # TO" + "DO: more",
        "def f():\n    raise NotImplemented" + "Error",
        "@pytest.mark." + "skipif(True)\ndef test_x(): ...",
        "def test_x():\n    pytest." + "skip('later')",
    ],
)
def test_what_is_left_for_later_is_found(text: str) -> None:
    assert len(unfinished(Source("tests/x.py", text))) == 1
