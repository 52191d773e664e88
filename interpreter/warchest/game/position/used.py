"""The keys `used` and `lasting` of positions: the uses of limits, and texts that hold until, or wait for, a moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from warchest.diagnostics.suggest import did_you_mean
from warchest.engine.evaluation import members_of
from warchest.game.errors import PositionError
from warchest.game.position.checked_values import CheckedReader
from warchest.game.position.keys import USED, Keys, Memory
from warchest.lowering.layout import DECLARED, LIVE

MOST_USED = 9_999
"""The most that a position can give for a count: times of a limit, or points of a budget."""
ToldOf: TypeAlias = dict[str, dict[str, Any]]


def written(format_: Keys, memory: Memory) -> dict[str, ToldOf]:
    """Return the values of `used` and of `lasting`: by the names of documents, then by pieces or by players.

    A key without any value is left out.
    """
    found = {
        key: {name: dict(_values(format_, memory, number)) for name, number in fields.items()}
        for key, fields in format_.of_texts.items()
    }
    kept = {key: {name: told for name, told in by_name.items() if told} for key, by_name in found.items()}
    return {key: told for key, told in kept.items() if told}


def _values(format_: Keys, memory: Memory, number: int) -> Iterator[tuple[str, Any]]:
    layout, naming = format_.layout, format_.naming
    if number not in layout.piece_field:
        yield from format_.values(memory, number).items()
        return
    cell = layout.piece_field[number]
    usual = layout.fresh[cell - DECLARED]
    odd = {one for one in members_of(memory[LIVE]) if memory[layout.piece(one) + cell] != usual}
    for one in naming.pieces(memory) if odd else ():
        if one in odd:
            yield naming.piece(one, memory), format_.shown(number, memory[layout.piece(one) + cell], memory)


def read(reader: CheckedReader, key: str, told: Any) -> None:
    """Read the value of one of the two keys; raises PositionError."""
    fields = reader.format.of_texts[key]
    for name, values in reader.mapping(key, told).items():
        if name not in fields:
            raise PositionError(f"{key}.{name}", _unknown(key, str(name), fields))
        for who, value in reader.mapping(f"{key}.{name}", values).items():
            where = f"{key}.{name}.{who}"
            reader.memory[_cell(reader, where, fields[name], str(who))] = _value(reader, where, fields[name], value)


def _unknown(key: str, name: str, fields: Mapping[str, int]) -> str:
    what = "has a limit" if key == USED else "says what lasts"
    hint = did_you_mean(name, fields)
    return f"no document that is called so {what}" + (f"; {hint}" if hint else "")


def _value(reader: CheckedReader, where: str, number: int, value: Any) -> int:
    field = reader.layout.ruleset.fields[number]
    if field.base != "number":
        return reader.value(where, field.base, value)
    if type(value) is not int or not 0 <= value <= MOST_USED:
        raise PositionError(where, f"a number from 0 to {MOST_USED} is needed, not {value!r}")
    return value


def _cell(reader: CheckedReader, where: str, number: int, who: str) -> int:
    layout = reader.layout
    if number not in layout.piece_field:
        return layout.fields[number] + reader.player(where, who)
    try:
        piece = reader.format.naming.piece_named(who, reader.memory, whole=False)
    except (LookupError, ValueError):
        raise PositionError(where, "no piece stands there of which that could be so") from None
    return layout.piece(piece) + layout.piece_field[number]
