"""The version of the rules by which a beat is planned and settled; it stands in every beat.

A change that would settle or word an old beat differently gets a new number. The engines that read conditions and
replies take part in those rules, so their versions are written down beside the number and pinned in the project's
dependencies: a test compares them with what is installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RULES_VERSION = 1

ENGINES: Mapping[str, str] = MappingProxyType({"cel-expr-python": "0.1.3", "jiter": "0.19.0", "json-repair": "0.64.6"})
"""The distributions whose behaviour the current rules rest on, with the one version of each that may be installed."""

KNOWN_RULES: frozenset[int] = frozenset({RULES_VERSION})
"""The rules that this build can replay whole; of beats under others only the chain can be checked."""
