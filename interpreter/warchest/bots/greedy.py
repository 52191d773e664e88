"""A bot that takes the option with the best result, by weights from the game's documents.

The look-ahead of an option ends when another player or chance decides, or the turn is over; until then the bot goes on
with the best of its own further options. It stops where tokens are shown to a player, because it cannot know them yet.
At the first further choice it weighs all options; after each, it weighs at most LOOK states on at most LEVELS levels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from warchest.game.decision import Option
from warchest.game.state import State, seen_of
from warchest.game.valuation import (
    ALWAYS,
    LEVELS,
    LOOK,
    Valuation,
    Weight,
    on_reference,
    valuation_of,
    worths_ahead,
    worths_of_options,
)
from warchest.game.variant import Variant
from warchest.lowering.board import FAR, Board
from warchest.picture.style import PiecesKey, Style

WON = 1e6
"""The worth of a won game: more than any sum of weights."""

Position = Mapping[str, Any]


class Greedy:
    """Tries each option on a copy, and takes the best, or any of several equal ones."""

    looks = ALWAYS
    """The percentage of decisions in which it looks ahead; in the others it takes any option."""

    def __init__(self, weights: Iterable[Weight], style: Style) -> None:
        self.weights = tuple(weights)
        self.pieces = {pieces.key: pieces for pieces in style.pieces}
        self._valuations: dict[Variant, Valuation | str] = {}

    def valuation(self, variant: Variant) -> Valuation | str:
        """Return the weights in the form of the native machine of a variant; or the reason why it has none."""
        if variant not in self._valuations:
            owners = {key: pieces.owner for key, pieces in self.pieces.items()}
            found = valuation_of(variant, self.weights, owners)
            self._valuations[variant] = found if isinstance(found, Valuation) else found.reason
        return self._valuations[variant]

    def choose(self, state: State, rng: Random) -> Option:
        """Return the option with the best result for the player who decides."""
        decision = state.decision
        assert decision is not None and decision.player is not None
        if self.looks < ALWAYS and rng.randrange(ALWAYS) >= self.looks:
            return decision.draw(rng)
        return decision.options[_best(self.worths(state), rng)]

    def worths(self, state: State, is_over: Callable[[], bool] = lambda: False) -> Sequence[float]:
        """Return the worth of each option's result to the player who decides.

        There are fewer if time `is_over` before all options have been tried on the reference machine.
        """
        decision = state.decision
        assert decision is not None and decision.player is not None
        valuation = self.natively(state)
        found = worths_of_options(state, valuation) if valuation is not None else ()
        return found or self._weighed(on_reference(state), is_over, 0, LOOK)

    def _weighed(self, state: State, is_over: Callable[[], bool], level: int, look: int) -> list[float]:
        """Return the worth of each option, looking ahead at most `look` states; fewer worths if the time ends early."""
        tried, decision = list[float](), state.decision
        assert decision is not None and decision.player is not None
        for option in decision.options:
            if is_over():
                break
            after = state.clone().apply(option)
            further = _further(state, after, decision.player) if level + 1 < LEVELS else 0
            behind = list[float]()
            if further and (level == 0 or further <= look):
                behind = self._weighed(after, is_over, level + 1, look // further - 1)
            is_whole = behind and len(behind) == further
            tried.append(max(behind) if is_whole else self.worth(after, decision.player))
        return tried

    def worths_ahead(self, state: State, seed: int, decisions: int, is_over: Callable[[], bool]) -> Sequence[float]:
        """Return the worth to each player of the state after a number of further decisions, if all play like this.

        The seed settles chance. On the reference machine fewer decisions are taken if time `is_over` early.
        """
        valuation, players = self.natively(state), state.variant.naming.players
        found = worths_ahead(state, valuation, seed, decisions) if valuation is not None else ()
        if found:
            return found
        ahead, rng = state.clone(), Random(seed)
        for _ in range(decisions):
            decision = ahead.decision
            if decision is None:
                break
            if decision.player is None:
                ahead.apply(decision.sample(rng))
                continue
            worths = self.worths(ahead, is_over)
            if len(worths) < decision.count:
                break
            ahead.apply(_best(worths, rng))
        return [self.worth(ahead, player) for player in players]

    def natively(self, state: State) -> Valuation | None:
        """Return the weights in the form of the native machine, if it holds the state and supports them."""
        valuation = self.valuation(state.variant) if state.native else None
        return valuation if isinstance(valuation, Valuation) else None

    def worth(self, state: State, player: str) -> float:
        """Return the worth of a state to a player: the worth of its team's things, less that of all others' things.

        Only things that the player may see are counted; a hidden list counts by its length.
        """
        board = state.variant.board
        team = next(seat.team for seat in board.seats if seat.name == player)
        if state.outcome is not None:
            return WON * (1 if team in state.outcome.winners else -1 if state.outcome.winners else 0)
        position = seen_of(state, player)
        total = 0.0
        for weight in self.weights:
            for seats in board.teams:
                names = [seats, *(seat.name for seat in board.seats if seat.team == seats)]
                amount = self._amount(weight, position, board, list(dict.fromkeys(names)))
                total += weight.each * amount * (1 if seats == team else -1)
        return total

    def _amount(self, weight: Weight, position: Position, board: Board, names: Sequence[str]) -> float:
        if weight.pieces:
            shape = self.pieces.get(weight.pieces)
            mine = [one for one in position[weight.pieces] if shape and one.get(shape.owner) in names]
            return self._of_pieces(weight, position, board, names, mine, shape) if shape else 0
        held = position.get(weight.owned or weight.zone) or {}
        return sum(_size(held.get(name)) for name in names)

    def _of_pieces(
        self,
        weight: Weight,
        position: Position,
        board: Board,
        names: Sequence[str],
        mine: Sequence[Mapping[str, Any]],
        shape: PiecesKey,
    ) -> float:
        if weight.toward:
            wanted = _wanted(weight, position, board, names)
            return sum(_steps(board, str(piece[shape.at]), wanted) for piece in mine)
        if weight.count:
            return sum(int(piece.get(weight.count, 1)) for piece in mine)
        return len(mine)


class Beginner(Greedy):
    """A greedy bot that looks ahead in some decisions only, as people do who still learn a game."""

    looks = 78


def _further(before: State, after: State, player: str) -> int:
    """Return the number of further options of a player in the same turn; 0 if there are none, or tokens were shown."""
    decision = after.decision
    if decision is None or decision.player != player or after.turn != before.turn or after.run.shown:
        return 0
    return decision.count


def _best(worths: Sequence[float], rng: Random) -> int:
    """Return the number of an option with the highest worth, drawn from all such options."""
    most = max(worths)
    best = [number for number, worth in enumerate(worths) if worth == most]
    return best[rng.randrange(len(best))]


def _wanted(weight: Weight, position: Position, board: Board, names: Sequence[str]) -> list[int]:
    """Return the spaces that a piece should approach: those with a tag, or those that a key gives to other players."""
    if weight.toward in position:
        theirs = [spaces for name, spaces in position[weight.toward].items() if name not in names]
        return [board.number[space] for spaces in theirs for space in _spaces(spaces)]
    have = position.get(weight.unless) or {}
    taken = {space for name in names for space in _spaces(have.get(name))}
    return [number for number in board.tagged(weight.toward) if board.spaces[number].name not in taken]


def _steps(board: Board, space: str, wanted: Iterable[int]) -> int:
    """Return the distance to the nearest of the wanted spaces; 0 if there is no way to any."""
    row = board.distance[board.number[space]]
    nearest = min((row[number] for number in wanted), default=0)
    return nearest if nearest < FAR else 0


def _spaces(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def _size(value: Any) -> int:
    """Return the number of things in a value: a list, the length of a hidden list, or a mapping of these by faces."""
    if isinstance(value, bool) or value is None:
        return 0
    if isinstance(value, int):
        return value
    if isinstance(value, Mapping):
        return sum(_size(inner) for inner in value.values())
    return 1 if isinstance(value, str) else len(value)
