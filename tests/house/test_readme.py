"""What the README files show works as it is shown."""

from __future__ import annotations

import re

import pytest

from storyworld.core.content import judge_package_bytes
from tests.house.sources import REPOSITORY


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_the_package_of_the_readme_can_be_published(name: str) -> None:
    (package,) = re.findall(r"```json\n(.*?)```", (REPOSITORY / name).read_text("utf-8"), re.DOTALL)
    judged = judge_package_bytes(package.encode())
    assert judged.problems == ()
    assert judged.package is not None


def test_both_readme_files_say_the_same_things_in_the_same_order() -> None:
    shapes = []
    for name in ("README.md", "README.zh-CN.md"):
        text = (REPOSITORY / name).read_text("utf-8")
        shapes.append(re.findall(r"^(#+ |\d\. |- \*\*|\| |```\w*|\$ [^#\n]*[^# \n])", text, re.MULTILINE))
    without_language = [[line.replace(" --lang zh", "") for line in shape] for shape in shapes]
    assert without_language[0] == without_language[1]
