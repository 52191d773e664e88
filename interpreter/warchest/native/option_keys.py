"""The keys of options, which the native machine writes at the end of a moment: see held.c.

They have the format of pickle because Python makes all tuples of it in one call. Only the machine, which is part of this
process, writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from pickle import loads
from struct import Struct
from typing import TypeAlias

from warchest.native.compiled import MOMENT

Keys: TypeAlias = "tuple[tuple[int, ...], ...]"
"""The candidates that each of some options takes."""
WHERE = MOMENT - 1
"""The cell of a moment that says at which of its cells the keys begin."""
_begin = Struct(f"{4 * WHERE}x i").unpack_from
_read: Callable[[bytes | memoryview], Keys] = loads


def keys_of(cells: bytes | memoryview) -> Keys:
    """Return the keys at the end of a moment, given its cells as bytes."""
    (begin,) = _begin(cells)
    return _read(cells[4 * begin :])
