"""Every limit is proven at the bound and one over, and the table that says where does not lie."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from storyworld.core import limits
from tests.house.bounds import LATER, PROVEN
from tests.house.sources import Source, product_tests


def unplaced(names: Iterable[str], *tables: Mapping[str, str]) -> list[str]:
    """Limits that stand in no table or in two, and entries of the tables that are no limit."""
    declared = set(names)
    placed = [name for table in tables for name in table]
    return sorted(
        [f"{name} stands in no table" for name in declared.difference(placed)]
        + [f"{name} is no limit" for name in set(placed) - declared]
        + [f"{name} stands in two tables" for name in set(placed) if placed.count(name) > 1]
    )


def named(tree: ast.AST) -> set[str]:
    """Every name and every literal text of a syntax tree: `limits.X`, `X` and `"X"` all name the limit X."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Constant(value=str(name)):
                found.add(name)
            case _:
                pass
    return found


def unproven(table: Mapping[str, str], sources: Iterable[Source]) -> list[str]:
    """The limits whose test (`tests/core/test_x.py::test_y`) is missing, or stands in a file that never names them."""
    by_path = {source.path: source for source in sources}
    found = []
    for limit, test in table.items():
        path, _, function = test.partition("::")
        source = by_path.get(path)
        if source is None:
            found.append(f"{limit}: there is no {path}")
        elif not any(isinstance(node, ast.FunctionDef) and node.name == function for node in source.tree.body):
            found.append(f"{limit}: {path} has no {function}")
        elif limit not in named(source.tree):
            found.append(f"{limit}: {path} never names it")
    return found


def test_every_limit_is_proven_or_waits_for_something_named() -> None:
    assert unplaced(limits.BY_NAME, PROVEN, LATER) == []


def test_every_limit_is_proven_where_the_table_says() -> None:
    assert unproven(PROVEN, product_tests()) == []


def test_a_limit_without_a_place_is_found() -> None:
    assert unplaced(["A", "B", "C"], {"A": "", "D": ""}, {"A": "", "B": ""}) == [
        "A stands in two tables",
        "C stands in no table",
        "D is no limit",
    ]


def test_a_proof_that_is_not_there_is_found() -> None:
    source = Source("tests/x.py", "TABLE = [(limits.A, 'roles')]\ndef test_a(): assert TABLE\n")
    assert unproven({"A": "tests/x.py::test_a"}, [source]) == []
    assert unproven({"A": "tests/y.py::test_a"}, [source]) == ["A: there is no tests/y.py"]
    assert unproven({"A": "tests/x.py::test_b"}, [source]) == ["A: tests/x.py has no test_b"]
    assert unproven({"B": "tests/x.py::test_a"}, [source]) == ["B: tests/x.py never names it"]
