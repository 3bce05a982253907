"""From the raw text of a model's reply to a line, an action and proposed operations."""

from storyworld.core.reply.reader import REPLY_MAX_CHARS, read_reply
from storyworld.core.reply.reading import LeftOut, Reading

__all__ = ["REPLY_MAX_CHARS", "LeftOut", "Reading", "read_reply"]
