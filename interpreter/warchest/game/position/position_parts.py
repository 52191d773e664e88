"""The parts of the positions of a variant: for each key the things that can be there, and their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from warchest.source.records import record

ValueSort: TypeAlias = Literal["flag", "number", "name", "trail", "names"]
ZONE_SORTS = ("zone", "counts", "count", "rows")
"""The sorts of keys for the things in a zone."""


@record()
class ValuePart:
    """A value at a path within a key, or within an entry of a key: its sort, and the names among which it is chosen.

    A trail is a list of such names. `empty` says whether the value can be null, `needed` whether each entry has it.
    """

    path: tuple[str, ...]
    sort: ValueSort
    choices: tuple[str, ...] = ()
    empty: bool = False
    needed: bool = False


@record()
class KeyPart:
    """A key of positions, and the things that can be put there.

    Pieces are entries in a list (`pieces`), or known by their spaces alone: the spaces of each owner (`owned pieces`),
    or those of pieces without an owner (`places`). `spaces` lists spaces for each owner without pieces. Things in zones
    are names in lists (`zone`), numbers by their names (`counts`), one number (`count`), or `rows`. `of` is the kind of
    piece or the zone, `names` are the possible things, `owners` their possible owners, with `nobody` also without an
    owner, and `on` the spaces where they can be (none: anywhere). `entry` has the keys of entries by their roles.
    """

    key: str
    sort: str
    of: str = ""
    names: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    nobody: bool = False
    faces: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    entry: Mapping[str, str] = {}
    values: tuple[ValuePart, ...] = ()
    needed: bool = False
