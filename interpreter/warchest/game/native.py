"""The native machine of a variant, where there is one, and the games that it plays whole.

It is made when somebody asks for many games, never before. Without it the reference machine plays; a reason says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from warchest.game.setup import Beginning
from warchest.game.variant import Variant
from warchest.native.build import Unavailable
from warchest.native.cache import library_for
from warchest.native.generate import generate
from warchest.native.library import Library, Played
from warchest.native.unfit import Unfit


@lru_cache(maxsize=8)
def native_machine(variant: Variant) -> Library | Unavailable:
    """Return the native machine of a variant, compiled or from the cache; or why there is none."""
    try:
        return library_for(generate(variant.program))
    except Unfit as error:
        return Unavailable(f"the native machine has no room for this game: {error}")


def playouts(
    beginning: Beginning, favourite: str, cap: int, seeds: Sequence[int]
) -> list[Played] | Unavailable:
    """Play whole games natively, each from the setup on, taking options of the favourite act wherever there are any.

    Chance is settled by the seeds, in the machine's own way. Without a native machine the reason is returned.
    """
    library = native_machine(beginning.variant)
    if isinstance(library, Unavailable):
        return library
    return library.playouts(beginning.prepared().memory, beginning.setup.name, favourite, cap, seeds)
