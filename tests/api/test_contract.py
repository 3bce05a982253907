"""The whole contract, tried with requests that are made of the document itself."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving.process import environment

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.timeout(900)
def test_every_answer_to_thousands_of_requests_is_one_that_the_document_allows() -> None:
    command = [sys.executable, "tools/contract_cases.py", "--examples", "2", "--phases", "coverage,fuzzing,stateful"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=False, env=environment())
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    generated = re.search(r"([0-9]+) generated, ([0-9]+) passed", done.stdout)
    assert generated is not None, done.stdout[-2000:]
    assert int(generated[1]) == int(generated[2]) >= 3_000
    reached = re.search(r"Selected: ([0-9]+)/([0-9]+)\s+Tested: ([0-9]+)", done.stdout)
    assert reached is not None
    assert len({reached[1], reached[2], reached[3]}) == 1
