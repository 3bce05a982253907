"""A session that is ready to be sailed, built once; each test sails a copy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from tests.kills.harbour import Berth, build


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Berth:
    """The session itself."""
    return build(tmp_path_factory.mktemp("built") / "data")


@pytest.fixture
def berth(built: Berth, tmp_path: Path) -> Callable[[], Berth]:
    """A copy of it, another one each time."""
    numbers = count()
    return lambda: built.copy(tmp_path / f"copy-{next(numbers)}")
