"""Short ways to the parts of the kit that are commands as well: mutants of cards, and steps written down as rulings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warchest.game.game import Game
from warchest.testing.found import ruling_text
from warchest.testing.mutants.making import Mutants
from warchest.testing.mutants.trying import DifferenceSearch, Trial, Trials, rulings_of
from warchest.testing.steps import Step

_ASIDE = ("game", "pending")
"""The keys of positions of which no expectations are written down."""


def mutants(game: Game, cards: Sequence[str], positions: int = 300, seed: int = 0, jobs: int = 1) -> Iterator[Trial]:
    """Yield the trial of each mutant of some cards: its `outcome` is caught, missed, unviable or equivalent.

    For one that no ruling of the game notices, so many random positions are looked through for one in which it makes a
    difference.
    """
    makes, search = Mutants(game), DifferenceSearch(positions, seed) if positions else None
    made = [one for document in game.library.documents if document.name in cards for one in makes.of(document)]
    yield from Trials(game, rulings_of(game), search=search).each(made, jobs)


def to_ruling(step: Step, name: str, source: str = "ruling: as it is now") -> str:
    """Return a step as a document of one ruling: its position, what is done, and all that is so then and was not."""
    before, after = step.before.position(), step.after.position()
    changed = {key: value for key, value in after.items() if key not in _ASIDE and value != before.get(key)}
    rest = {"then": changed} if changed else {}
    return ruling_text(name, name, source, before, [step.option.data], rest)


__all__ = ["mutants", "to_ruling"]
