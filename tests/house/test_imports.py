"""What the core may reach: a list, so that anything else is refused. Layers are checked by import-linter."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.house.sources import Source, product_files

# Modules without clock, chance, files, sockets, processes or logs.
PURE_MODULES = frozenset(
    {
        "__future__", "abc", "bisect", "collections", "copy", "dataclasses", "enum", "functools", "hashlib", "heapq",
        "itertools", "math", "operator", "re", "string", "types", "typing", "unicodedata",
    }
)  # fmt: skip

# Each library that decides something is known to one file, which is the only one to change with it. The two readers of
# replies may stand in files of their own below `reply`.
KNOWN_BY = {
    "orjson": "src/storyworld/core/canonical",
    "jsonschema_rs": "src/storyworld/core/judge",
    "cel_expr_python": "src/storyworld/core/cel",
    "jiter": "src/storyworld/core/reply",
    "json_repair": "src/storyworld/core/reply",
    # When a value goes is no business of a rule; only what is kept of one has to know that it went.
    "weakref": "src/storyworld/core/kept",
}

# Behind the one strict parser, and nowhere else in the core. Outside it `json` may write, and never read.
STRICT_PARSER = "src/storyworld/core/canonical.py"
# No door of the server: it reads what a server answers, in programs that carry none of the engine.
CLIENT = "src/storyworld/client/"

# What reads a file, writes to a terminal, runs text, or gives another answer in another process. The number that `id`
# gives differs too, but is of use only to remember something about a value while it lives.
IMPURE_BUILTINS = frozenset({"breakpoint", "eval", "exec", "hash", "input", "open", "print"})


def impurities(source: Source) -> list[str]:
    """What a file of the core does that needs more than its arguments."""
    allowed = PURE_MODULES | KNOWN_BY.keys() | {"storyworld"} | ({"json"} if source.path == STRICT_PARSER else set())
    found = [
        source.at(line, f"imports {module}")
        for line, module in source.imports()
        if module.partition(".")[0] not in allowed
    ]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_BUILTINS:
            found.append(source.at(node.lineno, f"calls {node.func.id}"))
        elif isinstance(node, ast.AsyncFunctionDef | ast.AsyncFor | ast.AsyncWith | ast.Await):
            found.append(source.at(node.lineno, "waits for something"))
    return found


def strangers(sources: Iterable[Source]) -> list[str]:
    """Imports of a deciding library outside its file, and libraries that two files know."""
    found = []
    users: dict[str, set[str]] = {}
    for source in sources:
        for line, module in source.imports():
            library = module.partition(".")[0]
            if library in KNOWN_BY:
                users.setdefault(library, set()).add(source.path)
                if not source.path.startswith((f"{KNOWN_BY[library]}.py", f"{KNOWN_BY[library]}/")):
                    found.append(source.at(line, f"imports {library}; only {KNOWN_BY[library]} may"))
    found += [f"{library} is imported by {sorted(paths)}" for library, paths in users.items() if len(paths) > 1]
    return found


def second_parsers(source: Source) -> list[str]:
    """Where a file reads JSON past the one strict parser."""
    if source.path == STRICT_PARSER or source.path.startswith(CLIENT):
        return []
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module == "json":
            found.append(source.at(node.lineno, "imports a part of json"))
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in {"json.load", "json.loads", "json.JSONDecoder"}:
            found.append(source.at(node.lineno, "reads JSON by itself"))
    return found


def test_the_core_needs_nothing_but_its_arguments() -> None:
    assert [fault for source in product_files() if source.in_core for fault in impurities(source)] == []


def test_a_library_that_decides_is_known_to_one_file() -> None:
    assert strangers(product_files()) == []


def test_there_is_one_parser_for_every_door() -> None:
    assert [fault for source in product_files() for fault in second_parsers(source)] == []


@pytest.mark.parametrize(
    "text",
    [
        "import time", "from datetime import datetime", "import os.path", "import logging", "import json",
        "def f():\n    from random import Random", "import secrets, re", "import asyncio", "import sqlalchemy",
        "print('x')", "open('x')", "key = hash('x')", "async def f(): ...",
    ],
)  # fmt: skip
def test_an_impurity_is_found(text: str) -> None:
    assert len(impurities(Source("src/storyworld/core/x.py", text))) == 1


def test_a_stranger_to_a_library_is_found() -> None:
    reader = Source("src/storyworld/core/reply/repair.py", "import json_repair")
    other_reader = Source("src/storyworld/core/reply/other.py", "from json_repair import loads")
    assert strangers([reader, Source("src/storyworld/core/canonical.py", "import orjson")]) == []
    assert strangers([reader, other_reader]) == [f"json_repair is imported by {[other_reader.path, reader.path]}"]
    assert strangers([Source("src/storyworld/cli.py", "import orjson")]) == [
        "src/storyworld/cli.py:1 imports orjson; only src/storyworld/core/canonical may"
    ]


def test_a_second_parser_is_found() -> None:
    assert len(second_parsers(Source("src/storyworld/cli/x.py", "import json\njson.loads('1')"))) == 1
    assert len(second_parsers(Source("src/storyworld/cli/x.py", "from json import loads"))) == 1
    assert second_parsers(Source("src/storyworld/cli/x.py", "import json\njson.dumps(1)")) == []
    assert second_parsers(Source(STRICT_PARSER, "import json\njson.loads('1')")) == []
