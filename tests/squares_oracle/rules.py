"""Figures without abilities on eight by eight squares: the results of a turn, computed naively and with everything
copied.

Each rule names its section of the rulebook, 004, or the number of the ruling where the rulebook leaves it open. Nothing
here is shared with the package, and nothing was copied from the cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

FACINGS = "nesw"
"""Clockwise, so that a turn by 90 degrees goes to a neighbour."""
AHEAD = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
OPPONENT = {"P1": "P2", "P2": "P1"}


class Figure(NamedTuple):
    """A figure on the board; a neutral one has no controller (2.2.1)."""

    at: str
    name: str
    facing: str
    owner: str
    controller: str | None
    attack: int
    defense: int
    move: int
    damage: int = 0
    disabled: bool = False
    acted: bool = False


class Position(NamedTuple):
    """A moment between two Actions; `waived` says that the turn before was waived as a whole."""

    figures: frozenset[Figure]
    chests: tuple[tuple[str, str], ...]
    turn: str
    actions_left: int = 2
    opening: bool = False
    waived: bool = False
    captured: tuple[tuple[str, str], ...] = ()
    over: bool = False
    winner: str | None = None


class Stand(NamedTuple):
    """A square and a facing: a way is a list of these."""

    at: str
    facing: str


def turn_successors(position: Position) -> set[Position]:
    """Return the positions at the end of the turn: after one Action, two, or none (2.4)."""
    ends, unfinished = set(), {position} if not position.over else set()
    while unfinished:
        for after in successors(unfinished.pop()):
            (unfinished if after.turn == position.turn else ends).add(after)
    return ends


def successors(position: Position) -> set[Position]:
    """Return the positions after one Action, or after the rest of the turn is waived; after the last one the turn
    passes."""
    after = {one if one.over or one.actions_left else _next_turn(one) for one in _actions(position)}
    return after | {_next_turn(position, is_waived=position.actions_left == 2)}


def _next_turn(position: Position, is_waived: bool = False) -> Position:
    """Let the other player begin, with two Actions; two waived turns one after the other are a draw (2.4).

    The first turn has one Action: to waive it is not to waive "both of their Actions" (R5).
    """
    if is_waived and position.waived:
        return _finished(position, None)
    following = OPPONENT[position.turn]
    return _rested(position)._replace(turn=following, actions_left=2, opening=False, waived=is_waived)


def _finished(position: Position, winner: str | None) -> Position:
    """Return a finished game, without an active player."""
    return _rested(position)._replace(turn="", actions_left=0, opening=False, waived=False, over=True, winner=winner)


def _rested(position: Position) -> Position:
    return position._replace(figures=frozenset(one._replace(acted=False) for one in position.figures))


def _actions(position: Position) -> set[Position]:
    """Return the positions after one Action of any figure that has had none in this turn (2.5)."""
    spent = position._replace(actions_left=position.actions_left - 1)
    return {
        after
        for figure in position.figures
        if figure.controller == position.turn and not figure.acted
        for after in (*_recoveries(spent, figure), *_moves(spent, figure))
    }


def _recoveries(position: Position, figure: Figure) -> Iterator[Position]:
    """Yield the results of resting (2.54) and re-activation (2.53); a figure that lacks nothing does not rest (R6)."""
    if figure.damage:
        yield _exchanged(position, figure, figure._replace(damage=figure.damage - 1, acted=True))
    if figure.disabled:
        yield _exchanged(position, figure, figure._replace(disabled=False, acted=True))


def _moves(position: Position, figure: Figure) -> Iterator[Position]:
    """Yield the results of a Movement Action (2.5.1), by every path; a Disabled figure makes none (2.5.2)."""
    begin = Stand(figure.at, figure.facing)
    ways = [] if figure.disabled else [[begin]]
    while ways:
        way = ways.pop()
        at, facing = way[-1]
        end = _gone_back(position, figure, way)
        if end != begin:
            # A move that changes neither position nor facing does not count as an Action.
            yield _exchanged(position, figure, _put(figure, end))
        if len(way) > figure.move:
            continue
        quarter = FACINGS.index(facing)
        ways += [[*way, Stand(at, FACINGS[(quarter + turned) % 4])] for turned in (1, -1)]
        square = _ahead(at, facing)
        if square is None:
            continue
        step = [*way, Stand(square, facing)]
        target = _at(position, figure, square)
        if dict(position.chests)[OPPONENT[position.turn]] == square:
            # A melee attack on the enemy war chest, whatever it amounts to, wins at once (2.6).
            yield _finished(_exchanged(position, figure, _put(figure, step[-1])), position.turn)
            continue
        if target is not None:
            yield _attacked(position, figure, target, step)
        if target is None or target.controller == figure.controller:
            ways.append(step)


def _attacked(position: Position, figure: Figure, target: Figure, way: list[Stand]) -> Position:
    """Return the position after a melee attack, which ends the move: it is an Action even if nothing moves (R1)."""
    damage = target.damage + figure.attack
    if damage < target.defense:
        after = _exchanged(position, target, target._replace(damage=damage))
    else:
        captured = tuple(sorted((*position.captured, (target.owner, target.name))))
        after = position._replace(figures=position.figures - {target}, captured=captured)
    return _exchanged(after, figure, _put(figure, _gone_back(after, figure, way)))


def _gone_back(position: Position, figure: Figure, way: list[Stand]) -> Stand:
    """Return where a way ends: who would stay on an occupied square goes back as it came, to the first empty one.

    It is there as it left (R2). The square where it began is empty, and one's own war chest occupies its square.
    """
    chests = dict(position.chests).values()
    return next(one for one in reversed(way) if one.at not in chests and _at(position, figure, one.at) is None)


def _at(position: Position, mover: Figure, square: str) -> Figure | None:
    """Return the figure on a square, while another one moves."""
    return next((one for one in position.figures if one.at == square and one != mover), None)


def _ahead(square: str, facing: str) -> str | None:
    """Return the next square in a direction; None at the edge of the board."""
    file, rank = ord(square[0]) + AHEAD[facing][0], int(square[1]) + AHEAD[facing][1]
    return f"{chr(file)}{rank}" if "a" <= chr(file) <= "h" and 1 <= rank <= 8 else None


def _put(figure: Figure, stand: Stand) -> Figure:
    return figure._replace(at=stand.at, facing=stand.facing, acted=True)


def _exchanged(position: Position, old: Figure, new: Figure) -> Position:
    return position._replace(figures=position.figures - {old} | {new})
