"""Positions of rulings, in which the texts of cards matter: searches begin near them, too."""

from __future__ import annotations

from collections.abc import Sequence

from warchest.game.errors import CardError
from warchest.game.game import Game
from warchest.testing.mutants.trying import rulings_of
from warchest.testing.positions import PositionData


class RuledPositions:
    """The positions of the rulings of a game and of its further folders, as far as they have the usual options."""

    def __init__(self, game: Game) -> None:
        try:
            told = [case.values.get("position") for case in rulings_of(game)]
        except CardError:
            # Rulings that cannot be read are for those to tell who run them.
            told = []
        usual = [one for one in told if isinstance(one, dict) and not {"setup", "options"} & set(one)]
        self._written = [(one, repr(one)) for one in usual]

    def naming(self, cards: Sequence[str]) -> list[PositionData]:
        """Return the positions that name the first of some cards; positions that name all the cards come first."""
        first = [(one, text) for one, text in self._written if repr(cards[0]) in text]
        return [one for one, text in sorted(first, key=lambda pair: sum(repr(name) not in pair[1] for name in cards))]
