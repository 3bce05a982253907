"""Every error of the product: one catalogue, from which answers, documents and tests are made."""

from storyworld.core.errors.catalogue import CATALOGUE
from storyworld.core.errors.entry import Entry, Kind
from storyworld.core.errors.problem import Problem, Refusal, problem, refusal, word

__all__ = ["CATALOGUE", "Entry", "Kind", "Problem", "Refusal", "problem", "refusal", "word"]
