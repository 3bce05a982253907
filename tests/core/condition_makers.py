"""Random conditions from a seed: mostly well typed, then spoilt in known ways."""

from __future__ import annotations

from random import Random

LEAVES = {
    "boolean": [
        *("true", "false", "flags.lamp", 'flags["dim-light"]', 'visited("cave")', "visited('shore')", 'taken("row")'),
        *("taken ( 'wait' )", 'hasFact("tide")', 'hasFact("nothing")', 'hasEntity("boat")', 'hasEntity ("oar")'),
    ],
    "integer": [
        *("0", "1", "2", "7", "100", "9007199254740991", "beat", "episodeBeat", "flags.coins", "flags . debt", "-3"),
        *('relation("ana","bo","trust")', "relation('bo', 'ana', 'trust')", 'relation("ana", "bo", "fear")'),
    ],
    "text": [
        *('"open"', "'shut'", '""', '"门"', "'🚢 at sea'", 'flags["door-x"]', "flags.mood", 'r"\\d"', "'it\\'s'"),
        *('"\\u95e8"', '"\\x41\\n"', '"\\101"', '"// no comment"', '"flags.lamp"', '"size(x) \\" {"'),
    ],
}
SPOIL = [
    "&&",
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "!",
    "-",
    "1",
    '"x"',
    "flags",
    "beat",
    "?",
    ":",
    "in",
    "==",
    "%",
    " ",
    "x",
    "//",
]


def condition(draw: Random, depth: int = 4) -> str:
    """One condition; about one in eight is spoilt."""
    text = expression(draw, "boolean", depth)
    if draw.random() < 0.12:
        for _ in range(draw.randint(1, 2)):
            at = draw.randrange(len(text) + 1)
            text = text[:at] + draw.choice(SPOIL) + text[at + draw.randint(0, 3) :]
    return text


def expression(draw: Random, kind: str, depth: int) -> str:
    """An expression that should be of this type, and in one place of a hundred is not."""
    if draw.random() < 0.01:
        kind = draw.choice(list(LEAVES))
    if depth == 0 or draw.random() < 0.2:
        return draw.choice(LEAVES[kind])

    def part(of: str) -> str:
        inner = expression(draw, of, depth - 1)
        return inner if draw.random() < 0.4 else f"({inner})"

    space = draw.choice(["", " ", " ", "\n", " // why\n"])
    if draw.random() < 0.08:
        return f"{part('boolean')}?{part(kind)}{space}:{part(kind)}"
    if kind == "boolean":
        return _boolean(draw, part(draw.choice(["boolean", "integer", "text"])), space, depth)
    if kind == "integer":
        if draw.random() < 0.15:
            return f"size({part('text')})" if draw.random() < 0.5 else f"({part('text')}).size()"
        if draw.random() < 0.1:
            return f"-{space}{part('integer')}"
        return f"{part('integer')}{space}{draw.choice('+-*/%')}{space}{part('integer')}"
    return f"{part('text')}{space}+{part('text')}"


def _boolean(draw: Random, left: str, space: str, depth: int) -> str:
    def part(of: str) -> str:
        return f"({expression(draw, of, depth - 1)})"

    form = draw.randrange(6)
    if form < 3:
        mark = draw.choice(["&&", "||"])
        return f"{expression(draw, 'boolean', depth - 1)}{space}{mark}{space}{part('boolean')}"
    if form == 3:
        kind = draw.choice(list(LEAVES))
        mark = draw.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"{part(kind)}{space}{mark}{part(kind)}"
    if form == 4:
        kind = draw.choice(list(LEAVES))
        items = ", ".join(draw.choice(LEAVES[kind]) for _ in range(draw.randrange(4)))
        return f"{part(kind)}{space or ' '}in{space}[{items}]"
    method = draw.choice(["contains", "startsWith", "endsWith"])
    return draw.choice(
        [f"!{space}{part('boolean')}", f"{part('text')}.{method}({part('text')})", f"!({left}{space}== 1)"]
    )
