"""The makeup of pieces in positions: tokens of several documents, and a nature that is not the form.

The tokens of a piece are a multiset, so that their order means nothing. An entry of a piece tells the unusual under the
keys that its game names; the rest has a place beside the pending work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import Keys, Memory, Shape, tokens_at
from warchest.lowering.layout import DOCUMENT, KIND, NATURE

_KINDS = ("pieces", "places", "one by owner")
"""The words of shapes that name a kind of piece."""
_STACK, _NATURE = "stack", "nature"
"""The facts of a piece for which its game names no key."""


def made_of(format_: Keys, memory: Memory, number: int) -> dict[int, int]:
    """Return of how many tokens of each document a piece is made."""
    return tokens_at(format_.layout, memory, format_.layout.first_piece_holder + number)


def own_document(format_: Keys, memory: Memory, number: int, shape: Shape) -> int:
    """Return the document of the tokens that go without saying, for the piece of an entry of a shape."""
    first = format_.layout.piece(number)
    return memory[first + (NATURE if _tells_nature(shape) else DOCUMENT)]


def _tells_nature(shape: Shape) -> bool:
    return "form" in shape or _NATURE in shape


def listed(format_: Keys, tokens: Mapping[int, int]) -> list[str]:
    """Return the names of tokens, each as often as there are of it, sorted."""
    return sorted(format_.naming.documents[document] for document, count in tokens.items() for _ in range(count))


def written(format_: Keys, memory: Memory, number: int, shape: Shape) -> dict[str, Any]:
    """Return the nature and the tokens that an entry gives a piece, beside their number."""
    first, found = format_.layout.piece(number), dict[str, Any]()
    if _NATURE in shape and memory[first + NATURE] != memory[first + DOCUMENT]:
        found[shape[_NATURE]] = format_.naming.documents[memory[first + NATURE]]
    tokens = made_of(format_, memory, number)
    if _STACK in shape and not tokens.keys() <= {own_document(format_, memory, number, shape)}:
        found[shape[_STACK]] = listed(format_, tokens)
    return found


# ---- reading


def counted(reader: CheckedReader, where: str, shape: Shape, item: Mapping[str, Any], own: int) -> dict[int, int]:
    """Return the tokens that an entry gives to a piece, by document; raises PositionError."""
    key, stack = str(shape.get("tokens", "")), str(shape.get(_STACK, ""))
    usual = 1 if item.get(stack) is None else len(reader.listed(f"{where}.{stack}", item[stack]))
    count = item.get(key, usual)
    # Remains stay on the board even when no tokens are left in them.
    is_left = reader.layout.ruleset.kinds[reader.format.kind(shape["pieces"])].remains_of >= 0
    if not isinstance(count, int) or isinstance(count, bool) or count < (0 if is_left else reader.least):
        raise PositionError(f"{where}.{key if key in item else stack}", f"a number from 1 is needed, not {count!r}")
    if item.get(stack) is None:
        return {own: count}
    if count != usual:
        raise PositionError(f"{where}.{stack}", f"there are {usual} of them, and `{key}` says {count}")
    return tokens_in(reader, f"{where}.{stack}", shape["pieces"], item[stack])


def tokens_in(reader: CheckedReader, where: str, noun: str, value: Any) -> dict[int, int]:
    """Return the tokens of a list of names, by document: such as a kind of piece is made of; raises PositionError."""
    ruleset = reader.layout.ruleset
    kinds = ruleset.token_sheets[ruleset.kinds[reader.format.kind(noun)].holds]
    names = enumerate(reader.listed(where, value))
    return Counter(reader.document(f"{where}[{index}]", name, kinds) for index, name in names)


def put(reader: CheckedReader, number: int, tokens: Mapping[int, int]) -> None:
    """Make a piece of some tokens."""
    for document, cell in enumerate(reader.layout.holder_cells(reader.layout.first_piece_holder + number)):
        reader.memory[cell] = tokens.get(document, 0)


# ---- what no entry tells


class Untold:
    """Writes and reads the natures and tokens of pieces, as far as the keys of a game do not tell them."""

    def __init__(self, format_: Keys) -> None:
        self.format = format_
        self.shapes = {
            format_.kind(shape[word]): shape for shape in format_.shapes.values() for word in _KINDS if word in shape
        }

    def write(self, memory: Memory) -> dict[str, dict[str, Any]]:
        """Return it by piece; nothing of a piece that is as usual, or of which its entry tells everything."""
        naming, found = self.format.naming, {}
        for number in naming.pieces(memory):
            told = self._untold(memory, number)
            if told:
                found[naming.piece(number, memory)] = told
        return found

    def _untold(self, memory: Memory, number: int) -> dict[str, Any]:
        first, told = self.format.layout.piece(number), dict[str, Any]()
        shape = self.shapes.get(memory[first + KIND])
        if shape is None:
            return told
        if not _tells_nature(shape) and memory[first + NATURE] != memory[first + DOCUMENT]:
            told[_NATURE] = self.format.naming.documents[memory[first + NATURE]]
        tokens = made_of(self.format, memory, number)
        count = sum(tokens.values()) if "tokens" in shape else 1
        own = own_document(self.format, memory, number, shape)
        if _STACK not in shape and tokens != ({own: count} if count else {}):
            told[_STACK] = listed(self.format, tokens)
        return told

    def read(self, told: Any, reader: CheckedReader, where: str) -> None:
        """Put the written facts into the memory of a reader; raises PositionError where they make no sense."""
        memory, layout = reader.memory, reader.layout
        for name, item in reader.mapping(where, told).items():
            try:
                number = self.format.naming.piece_named(name, memory, whole=False)
            except (LookupError, ValueError, AttributeError):
                raise PositionError(f"{where}.{name}", "this is not pending work of the game") from None
            reader.known(f"{where}.{name}", reader.mapping(f"{where}.{name}", item), (_STACK, _NATURE))
            kind = layout.ruleset.kinds[memory[layout.piece(number) + KIND]]
            if _NATURE in item:
                nature = reader.document(f"{where}.{name}.{_NATURE}", item[_NATURE], (kind.sheet,))
                memory[layout.piece(number) + NATURE] = nature
            if _STACK in item:
                put(reader, number, tokens_in(reader, f"{where}.{name}.{_STACK}", kind.name, item[_STACK]))
