"""From the raw text of a model's reply to a line, an action and proposed operations."""

from storyworld.core.reply.reader import read_reply
from storyworld.core.reply.reading import LeftOut, Reading

__all__ = ["LeftOut", "Reading", "read_reply"]
