"""Constant tables in C, named after their contents, so that one text is always one table with one name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

WIDE = 100
"""The length of the lines of a table."""
WIDTHS = (
    ("uint8_t", 0, 255),
    ("int8_t", -128, 127),
    ("int16_t", -(2**15), 2**15 - 1),
    ("int32_t", -(2**31), 2**31 - 1),
)
"""The types of cells, with the least and the greatest number that each can hold; the narrowest that does is taken."""


def array(name: str, numbers: Iterable[int | str], kind: str = "") -> str:
    """Return the definition of a constant array of numbers."""
    values = list(numbers) or [0]
    if not kind:
        known = [int(value) for value in values]
        kind = next(width for width, low, high in WIDTHS if low <= min(known) and max(known) <= high)
    texts = [str(value) for value in values]
    row = max(WIDE // (2 + max(map(len, texts))), 1)
    lines = ["  " + ", ".join(texts[at : at + row]) for at in range(0, len(texts), row)]
    return f"TABLE {kind} {name}[{len(values)}] = {{\n" + ",\n".join(lines) + "\n};"


class Tables:
    """The constant tables used so far: their definitions, each with its name."""

    def __init__(self, known: dict[str, str] | None = None) -> None:
        self.known: dict[str, str] = {} if known is None else known

    def row(self, numbers: Sequence[int], kind: str = "") -> str:
        """Return the name of a table of one row."""
        text = array("%s", numbers, kind)
        if text not in self.known:
            self.known[text] = f"K_{sha256(text.encode()).hexdigest()[:12]}"
        return self.known[text]

    def bits(self, rows: Iterable[Iterable[int]]) -> str:
        """Return the name of a table of sets of numbers below 64."""
        return self.row([f"{sum(1 << one for one in row):#x}" for row in rows], "uint64_t")  # type: ignore[misc]

    def definitions(self) -> list[str]:
        """Return the definitions of all tables."""
        return [text.replace("%s", name, 1) for text, name in self.known.items()]
