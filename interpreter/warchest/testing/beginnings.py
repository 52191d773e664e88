"""Random armies that players can bring to a game with a setup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from warchest.game.errors import PositionError
from warchest.game.game import Game
from warchest.game.setup.armies import LIMIT
from warchest.testing.draws import Draws, one_of

SMALLER = 20
"""The most cards that are removed from armies that exceed their limit."""


@dataclass(frozen=True)
class GameWishes:
    """Optional arguments for new games: the setup, the options, the number of players and the sets."""

    setup: str | None = None
    options: Mapping[str, str] | None = None
    players: int | None = None
    sets: Sequence[str] | str | None = None

    @property
    def told(self) -> dict[str, Any]:
        """The arguments that are set, for `Game.new`."""
        return {key: value for key, value in vars(self).items() if value is not None}


class ArmySampler:
    """Draws armies for a setup of a game; the given cards are in them."""

    def __init__(self, game: Game, cards: tuple[str, ...] = (), wishes: GameWishes = GameWishes()) -> None:
        self.game, self.wishes = game, wishes
        self.cards = tuple(one for one in cards if one in self._names)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of cards in the army of each player; empty where players bring none."""
        beginning = self.game.beginning(**self.wishes.told)
        values, players = beginning.setup.values, beginning.variant.naming.players
        if not beginning.zone:
            return {}
        if "army size" in values:
            return dict.fromkeys(players, values["army size"])
        return {player: len(names) for player, names in values.get("armies", {}).items() if names}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """The names of the cards that can be in armies."""
        beginning = self.game.beginning(**self.wishes.told)
        if not beginning.zone:
            return ()
        ruleset = beginning.variant.program.ruleset
        kinds = ruleset.kinds_in(beginning.variant.format.zones[beginning.zone])
        return tuple(
            one.name for one in ruleset.sheets if one.kind in kinds and (not one.set or one.set in beginning.sets)
        )

    def armies(self, draws: Draws) -> dict[str, list[str]]:
        """Return an army for each player; raises PositionError if it finds no valid armies."""
        if not self.sizes:
            raise ValueError(f"armies: players bring none in this setup of {self.game.name}; name another `setup`")
        left = [name for name in self._names if name not in self.cards]
        found: dict[str, list[str]] = {player: [] for player in self.sizes}
        for card in self.cards:
            room = [player for player, names in found.items() if len(names) < self.sizes[player]]
            if room:
                found[one_of(draws, room)].append(card)
        for player, names in found.items():
            while left and len(names) < self.sizes[player]:
                names.append(left.pop(draws.number(0, len(left) - 1)))
        return self._allowed(found)

    def _allowed(self, found: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return valid armies; while an army exceeds its limit, its last card is removed."""
        for _ in range(SMALLER):
            beginning = self.game.beginning(found, **self.wishes.told)
            try:
                beginning.brought()
                return found
            except PositionError as error:
                player = error.field.removeprefix("armies.")
                if LIMIT not in beginning.setup.values or not found.get(player):
                    raise
                found = {**found, player: found[player][:-1]}
        raise PositionError("armies", "none was found that is allowed")
