"""What has to be known of the machine to read a figure: no names, no paths."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from typing import Any, Final

from storyworld.core.rules import ENGINES, RULES_VERSION
from storyworld.store.sqlite import library

_LIBRARIES: Final = ("orjson", "jsonschema-rs", "sqlalchemy")


def facts() -> dict[str, Any]:
    """The versions of all that takes part, the processors, and how busy they were when the measuring began."""
    return {
        "storyworld": version("storyworld"),
        "rulesVersion": RULES_VERSION,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{platform.system()} {platform.machine()}",
        "cpus": os.cpu_count(),
        "loadAverage": round(os.getloadavg()[0], 2),
        "sqlite": library().sqlite_version,
        "engines": {name: version(name) for name in ENGINES},
        "libraries": {name: version(name) for name in _LIBRARIES},
    }
