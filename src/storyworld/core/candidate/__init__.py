"""A script becomes a candidate for a story package, by rules alone: no model is asked, and nothing is guessed at that
the script does not say.
"""

from storyworld.core.candidate.build import Candidate, candidate_of

__all__ = ["Candidate", "candidate_of"]
