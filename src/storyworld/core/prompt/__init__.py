"""The prompt as data: what one role is told in one beat, in ordered sections, composed from a projection of the
story.
"""
