"""Records of games that bots have played: their course and end, and a row for each army."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from warchest.game.state import EndlessError
from warchest.lowering.board import Seat

ArmyRow: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """The outcome of a game."""

    seed: int
    armies: dict[str, list[str]]
    bots: dict[str, str]
    winners: tuple[str, ...] | None
    reason: str
    turns: int
    rounds: int
    decisions: int
    endless: EndlessError | None = None
    """The rule that did not terminate and ended the game."""
    lost: str = ""
    """The reason why the native machine gave the game up, if it did, and the reference machine played it."""
    left_out: str = ""
    """The reason why no machine had room to play the game on, if so; then it is left out of all counts."""

    def has_won(self, seat: Seat) -> bool:
        """Whether the player of a seat has won, alone or with its team."""
        return is_won(seat, self.winners)

    def data(self) -> dict[str, Any]:
        """Return the record JSON-ready; the outcome of a game that was given up, or had no end, is null."""
        outcome = None if self.winners is None else {"winners": list(self.winners), "reason": self.reason}
        return {
            "summary": False,
            "seed": self.seed,
            "armies": self.armies,
            "bots": self.bots,
            "outcome": outcome,
            "turns": self.turns,
            "rounds": self.rounds,
            "decisions": self.decisions,
            "endless": None if self.endless is None else self.endless.data(),
        }

    def rows(self, seats: Sequence[Seat]) -> Iterator[ArmyRow]:
        """Yield a row for each seat; all rows of all games have the same columns."""
        for seat in seats:
            yield {
                "seed": self.seed,
                "seat": seat.name,
                "team": seat.team,
                "bot": self.bots[seat.name],
                "cards": sorted(self.armies.get(seat.name, ())),
                "result": self._result(seat),
                "turns": self.turns,
                "rounds": self.rounds,
                "decisions": self.decisions,
            }

    def _result(self, seat: Seat) -> str:
        if self.winners is None:
            return "given up" if self.endless is None else "endless"
        if not self.winners:
            return "drawn"
        return "won" if self.has_won(seat) else "lost"


def is_won(seat: Seat, winners: tuple[str, ...] | None) -> bool:
    """Return whether the player of a seat is among the winners, alone or with its team."""
    return winners is not None and (seat.name in winners or seat.team in winners)


def turns_played(begun: int, winners: tuple[str, ...] | None, most: int | None) -> int:
    """Return the number of turns played: a game that is given up has begun one turn more than the limit `most`."""
    return begun if winners is not None or most is None else min(begun, most)
