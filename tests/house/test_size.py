"""One owner per rule, on one screen: what is longer is two things."""

from __future__ import annotations

import ast

from tests.house.sources import Source, python_files

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70


def long_files(source: Source) -> list[str]:
    """The file, where it has more lines than a reader keeps in mind."""
    lines = len(source.text.splitlines())
    return [source.at(lines, f"is the last line; a file has {FILE_LINES_MAX}")] if lines > FILE_LINES_MAX else []


def long_functions(source: Source) -> list[str]:
    """The functions of more lines than a screen shows, docstring and all."""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                found.append(
                    source.at(node.lineno, f"{node.name} has {lines} lines; a function has {FUNCTION_LINES_MAX}")
                )
    return found


def test_a_file_fits_in_500_lines() -> None:
    assert [fault for source in python_files() for fault in long_files(source)] == []


def test_a_function_fits_in_70_lines() -> None:
    assert [fault for source in python_files() for fault in long_functions(source)] == []


def test_one_line_more_is_found() -> None:
    body = "    pass\n"
    assert long_functions(Source("x.py", "def f():\n" + body * 69)) == []
    assert long_functions(Source("x.py", "def f():\n" + body * 70)) == ["x.py:1 f has 71 lines; a function has 70"]
    assert long_functions(Source("x.py", "class C:\n  async def f():\n" + body * 70)) != []
    assert long_files(Source("x.py", "pass\n" * 500)) == []
    assert long_files(Source("x.py", "pass\n" * 501)) == ["x.py:501 is the last line; a file has 500"]
