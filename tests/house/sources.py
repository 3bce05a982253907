"""The Python files of the repository as the house rules read them: a path, a text and a syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Source:
    """One file. `path` is relative to the repository, with forward slashes."""

    path: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree."""
        return ast.parse(self.text, self.path)

    @property
    def in_core(self) -> bool:
        """Whether the file belongs to the pure core."""
        return self.path.startswith("src/storyworld/core/")

    def imports(self) -> Iterator[tuple[int, str]]:
        """Every imported module with its line, wherever it is imported: `a.b` for `from a.b import c`."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                yield node.lineno, node.module

    def at(self, line: int, what: str) -> str:
        """Say where something was found."""
        return f"{self.path}:{line} {what}"


@lru_cache(maxsize=1)
def python_files() -> tuple[Source, ...]:
    """Every Python file of the product, its tests, its tools and its figures, in the order of their paths."""
    paths = sorted(path for top in ("bench", "src", "tests", "tools") for path in (REPOSITORY / top).rglob("*.py"))
    return tuple(Source(path.relative_to(REPOSITORY).as_posix(), path.read_text("utf-8")) for path in paths)


def product_files() -> tuple[Source, ...]:
    """The files that are installed."""
    return tuple(source for source in python_files() if source.path.startswith("src/"))


def product_tests() -> tuple[Source, ...]:
    """The tests of the product, without the tests of the house."""
    return tuple(
        source
        for source in python_files()
        if source.path.startswith("tests/") and not source.path.startswith("tests/house/")
    )
