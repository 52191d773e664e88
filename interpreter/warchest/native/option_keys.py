"""The keys of options, which the native machine writes after the other cells of a moment: see held.c.

They have the format of pickle because Python makes all tuples of it in one call. Only the machine, which is part of this
process, writes them.
"""

from __future__ import annotations

from pickle import loads
from struct import Struct
from typing import TypeAlias

from warchest.native.compiled import MOMENT

OptionKeys: TypeAlias = "tuple[tuple[int, ...], ...]"
"""The candidates that each of some options takes."""
_begin = Struct(f"{4 * (MOMENT - 1)}x i").unpack_from


def keys_of(cells: bytes | memoryview) -> OptionKeys:
    """Return the keys of the options of a moment, given the moment's cells as bytes."""
    (begin,) = _begin(cells)
    found: OptionKeys = loads(cells[4 * begin :])
    return found
