"""Every code of the catalogue is produced by a test that names it."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from storyworld.core.errors import CATALOGUE
from tests.house.sources import Source, product_tests


def texts(sources: Iterable[Source]) -> set[str]:
    """Every literal text in the sources."""
    return {
        node.value
        for source in sources
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def unproduced(codes: Iterable[str], sources: Iterable[Source]) -> list[str]:
    """The codes that no test names as a literal text."""
    named = texts(sources)
    return sorted(code for code in codes if code not in named)


def test_every_code_is_named_by_a_test_that_produces_it() -> None:
    assert unproduced(CATALOGUE, product_tests()) == []


def test_a_code_that_is_only_mentioned_is_found() -> None:
    sources = [Source("tests/x.py", "# role_cap_reached\nassert codes == ['role_unknown'], 'op_shape is missing'")]
    assert unproduced(["role_unknown", "role_cap_reached", "op_shape"], sources) == ["op_shape", "role_cap_reached"]
