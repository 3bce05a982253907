"""Feed the importer scripts that were damaged in many ways; nothing may crash it, hold it up or make it large.

    python tools/mutated_scripts.py FOLDER… --files 10000

Every file below the folders is taken as a seed, damaged by a draw from its number, and imported in a process of its
own kind that is watched: the processor time of each import, and the memory that the process ever needed. Exits with 1
when one raised, took more than 2 seconds, or when a process needed more than 256 MiB.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from storyworld.core.content import judge_package
from storyworld.core.errors import Refusal
from storyworld.formats.scripts import import_by_rules

SECONDS_MAX: Final = 2.0
MEBIBYTES_MAX: Final = 256
_ENCODINGS: Final = ("utf-8", "utf-8-sig", "utf-16", "cp932", "cp949", "gb18030", "cp1252")
_FRAGMENTS: Final = (
    *("[[", "]]", "/*", "*/", "<", ">", "&#0;", "&lt;", "<!DOCTYPE a>", "]]>", "<DualDialogue>", "</Paragraph>"),
    *("(", "（", "「", "《", "［＃", "｜", "\\", "*", "_", "#", "@", "!", "~", "=", "===", ".", "^", "：", ":", "——"),
    *("\r", "\n\n", "\t", "\u3000", "\u2028", "\x00", "\x1b", "\ufeff", "\u202e", "e\u0301", "😀", "\ud7ff"),
    *("INT. ", "第一幕", "제1막", "ACT I", "Title: ", "人物", "ADAM\n", "甲：", "괴 수:“"),
)
_RUNS: Final = (2, 17, 1_000, 50_000)


def damaged(seed: bytes, draw: random.Random) -> bytes:
    """One to four kinds of damage to a file."""
    data = seed
    for _ in range(draw.randint(1, 4)):
        data = draw.choice(_DAMAGES)(data, draw)
    return data


def _flip(data: bytes, draw: random.Random) -> bytes:
    flipped = bytearray(data)
    for _ in range(min(len(flipped), draw.choice((1, 5, 50)))):
        flipped[draw.randrange(len(flipped))] = draw.randrange(256)
    return bytes(flipped)


def _cut(data: bytes, draw: random.Random) -> bytes:
    first, last = sorted((draw.randint(0, len(data)), draw.randint(0, len(data))))
    return draw.choice((data[:first], data[first:last], data[:first] + data[last:]))


def _insert(data: bytes, draw: random.Random) -> bytes:
    at = draw.randint(0, len(data))
    fragment = draw.choice(_FRAGMENTS).encode("utf-8", "surrogatepass") * draw.choice(_RUNS)
    return data[:at] + fragment + data[at:]


def _repeat(data: bytes, draw: random.Random) -> bytes:
    first, last = sorted((draw.randint(0, len(data)), draw.randint(0, len(data))))
    room = 1_000_000 // max(1, last - first)
    return data[:last] + data[first:last] * draw.randint(0, min(room, 2_000)) + data[last:]


def _shuffle(data: bytes, draw: random.Random) -> bytes:
    lines = data.split(b"\n")
    draw.shuffle(lines)
    return b"\n".join(lines)


def _encode(data: bytes, draw: random.Random) -> bytes:
    return data.decode("utf-8", "replace").encode(draw.choice(_ENCODINGS), "replace")


def _join_lines(data: bytes, draw: random.Random) -> bytes:
    return data.replace(b"\n", draw.choice((b"", b" ", b"\r", b"\r\n", b"\n\n", b"\n  \n")))


_DAMAGES: Final[Sequence[Callable[[bytes, random.Random], bytes]]] = (
    _flip,
    _cut,
    _insert,
    _insert,
    _repeat,
    _shuffle,
    _encode,
    _join_lines,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one damaged file: how it ended, what it took, and the fault if there was one."""

    number: int
    file: str
    ended: str
    seconds: float
    mebibytes: float
    fault: str | None


@cache
def _seeds(folders: tuple[str, ...]) -> tuple[tuple[str, bytes], ...]:
    files = sorted(file for folder in folders for file in Path(folder).rglob("*") if file.is_file())
    return tuple((file.name, file.read_bytes()) for file in files)


def import_damaged(folders: tuple[str, ...], number: int) -> Outcome:
    """Damage the seed that falls to this number, and import it. The same number is always the same file."""
    draw = random.Random(number)
    seeds = _seeds(folders)
    name, seed = seeds[number % len(seeds)]
    data = damaged(seed, draw)
    began = time.process_time()
    ended, fault = "candidate", None
    try:
        imported = import_by_rules(data, file_name=draw.choice((name, None)))
        if isinstance(imported, Refusal):
            ended = imported.code
        else:
            judge_package(imported.candidate.content)
    except Exception:  # noqa: BLE001 - whatever it raises is what this looks for
        ended, fault = "raised", traceback.format_exc()
    took = time.process_time() - began
    return Outcome(number, name, ended, took, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, fault)


def main() -> int:
    """Import every damaged file and tell what became of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--jobs", type=int, default=2)
    told = parser.parse_args()
    folders, numbers = tuple(told.folders), range(told.first, told.first + told.files)
    with ProcessPoolExecutor(told.jobs) as pool:
        outcomes = list(pool.map(import_damaged, [folders] * told.files, numbers, chunksize=50))
    return _tell(outcomes)


def _tell(outcomes: Sequence[Outcome]) -> int:
    faulty = [one for one in outcomes if one.fault is not None or one.seconds > SECONDS_MAX]
    for one in faulty[:20]:
        print(f"{one.number} ({one.file}): {one.ended}, {one.seconds:.2f} s\n{one.fault or ''}")
    slowest = max(outcomes, key=lambda one: one.seconds)
    largest = max(one.mebibytes for one in outcomes)
    for ended, count in Counter(one.ended for one in outcomes).most_common():
        print(f"{count:6} {ended}")
    print(f"slowest {slowest.seconds:.2f} s (number {slowest.number}); a process needed {largest:.0f} MiB at most")
    print(f"{len(outcomes)} files, {len(faulty)} faults")
    return 1 if faulty or largest > MEBIBYTES_MAX else 0


if __name__ == "__main__":
    sys.exit(main())
