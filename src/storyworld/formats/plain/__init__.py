"""Plain text to a script: stage plays and screenplays as people type them, in English, Chinese, Japanese and Korean."""

from storyworld.formats.plain.reader import read_plain

__all__ = ["read_plain"]
