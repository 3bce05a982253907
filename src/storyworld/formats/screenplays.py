"""The one door for screenplays that go out: to the bytes of any format that is written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from storyworld.core.errors import Refusal
from storyworld.core.screenplay import Screenplay
from storyworld.formats.fdx_writer import write_fdx
from storyworld.formats.fountain_writer import write_fountain
from storyworld.formats.markdown import write_markdown
from storyworld.formats.screenplay_json import write_json

_TEXT_WRITERS: Final[Mapping[str, Callable[[Screenplay], str]]] = MappingProxyType(
    {"json": write_json, "fountain": write_fountain, "fdx": write_fdx, "md": write_markdown}
)
PDF: Final = "pdf"
FORMATS: Final = (*_TEXT_WRITERS, PDF)
"""The names of the formats, which are also the usual ends of their files' names."""


def write_screenplay(screenplay: Screenplay, written_as: str, *, font_folders: Sequence[Path] = ()) -> bytes | Refusal:
    """The bytes of a screenplay in one of `FORMATS`; text is UTF-8 without a byte order mark.

    `font_folders` hold fonts that PDF may use beside the installed ones. Refusals, for PDF alone: those of
    `pdf.write_pdf`.
    """
    if written_as == PDF:
        # The typesetter is large, and installed only where PDF is wanted.
        from storyworld.formats.pdf import write_pdf

        return write_pdf(screenplay, font_folders=font_folders)
    return _TEXT_WRITERS[written_as](screenplay).encode()
