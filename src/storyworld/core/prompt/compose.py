"""Compose a prompt, digest it, and fit it into a context window.

This file owns what a prompt costs and what gives way. It must not know the story: it is handed a brief.
"""

from __future__ import annotations

from dataclasses import replace

from storyworld.core.canonical import canonical_bytes, digest
from storyworld.core.prompt import template_v1
from storyworld.core.prompt.brief import Brief, EnvelopeBrief, FixedBrief, FixedPart, Prompt, RememberedBeat, Section
from storyworld.core.unchanging import unchanging

TEMPLATE_VERSION = template_v1.VERSION
BYTES_PER_TOKEN = 3
"""Tokens are estimated as UTF-8 bytes / 3, rounded up (domain, §6): on the safe side for every script."""


def prepare(brief: FixedBrief) -> FixedPart:
    """Compose the fixed part once; every prompt of the role in this story begins with it."""
    sections = template_v1.fixed_sections(brief)
    return FixedPart(brief.language, sections, _digest_of(sections), _size(sections))


def fixed_size(brief: FixedBrief) -> int:
    """How many UTF-8 bytes the fixed part takes."""
    return _size(template_v1.fixed_sections(brief))


def remember(language: str, beat: RememberedBeat) -> str:
    """Word a past beat once; every prompt in which it is remembered tells it in these words."""
    return template_v1.remembered_beat(language, beat)


def compose(brief: Brief) -> Prompt:
    """The whole prompt. Equal briefs give equal prompts, byte for byte."""
    memory, envelope = template_v1.changing_sections(
        brief.fixed.language, brief.memory, brief.envelope, brief.fence_seed
    )
    return Prompt(brief.fixed, memory, envelope, TEMPLATE_VERSION)


def envelope_size(language: str, envelope: EnvelopeBrief) -> int:
    """How many UTF-8 bytes the envelope takes in a prompt without memory."""
    return _size(template_v1.changing_sections(language, (), envelope, "")[1])


def digest_of(prompt: Prompt) -> str:
    """The digest of a prompt: it covers the template version and the three parts."""
    parts = [prompt.fixed.digest, _digest_of(prompt.memory), _digest_of(prompt.envelope)]
    return digest(canonical_bytes({"parts": parts, "templateVersion": prompt.template_version}))


def estimated_tokens(prompt: Prompt) -> int:
    """About how many tokens the prompt takes: its UTF-8 bytes / 3, rounded up."""
    return tokens_of_bytes(prompt.fixed.size_bytes + _size(prompt.memory) + _size(prompt.envelope))


def tokens_of_bytes(size_bytes: int) -> int:
    """About how many tokens so many UTF-8 bytes are: a third of them, rounded up."""
    return -(-size_bytes // BYTES_PER_TOKEN)


@unchanging
class Fitted:
    """A prompt that fits, and how many remembered beats were left out of it, oldest first."""

    prompt: Prompt
    memory_left_out: int


def fit(brief: Brief, context_window: int | None, max_output_tokens: int) -> Fitted | None:
    """Leave out the oldest memory until prompt and answer fit the context window (tokens); nothing else is ever
    shortened.

    None where they do not fit even without memory. Without a declared window everything fits.
    """
    for left_out in range(len(brief.memory) + 1):
        prompt = compose(replace(brief, memory=brief.memory[left_out:]) if left_out else brief)
        if context_window is None or estimated_tokens(prompt) + max_output_tokens <= context_window:
            return Fitted(prompt, left_out)
    return None


def _digest_of(sections: tuple[Section, ...]) -> str:
    return digest(canonical_bytes([[section.kind, section.text] for section in sections]))


def _size(sections: tuple[Section, ...]) -> int:
    return sum(len(section.text.encode()) for section in sections)
