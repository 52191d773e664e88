"""Replays of games between bots, in files of a folder that are named after their seeds."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from pathlib import Path

from warchest.game.decision import Option
from warchest.game.state import State
from warchest.replay import Replay, Session, TakenStep
from warchest.replay.file import encoded
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.game_records import Record


class GameKeeper:
    """Notes the options that are taken in a game at a table."""

    def __init__(self, table: BotTable) -> None:
        self.table = table
        self.session: Session | None = None

    def begin(self, state: State, number: int, seed: int, seating: Mapping[str, str]) -> None:
        """Note the beginning of a game."""
        self.session = Session.begun(self.table.game, self.table.beginning, state, seed)

    def taking(self, player: str | None, option: Option) -> None:
        """Note an option."""
        assert self.session is not None
        self.session.taken.append(TakenStep(player, dict(option.data)))

    def tell(self) -> None:
        """Do nothing: the options contain everything."""

    def end(self, how: str) -> None:
        """Do nothing: the state contains the end."""


def kept_game(table: BotTable, number: int, seed: int, limit: GameLimit) -> tuple[Record, Replay]:
    """Play a game as the table does, but never natively as a whole; return its record and its replay."""
    table = copy(table)
    table.natively = None
    keeper = GameKeeper(table)
    record = table.play(number, seed, limit, keeper)
    assert keeper.session is not None
    return record, keeper.session.replay()


def game_file(folder: Path, seed: int) -> Path:
    """Return the file for the replay of the game of a seed."""
    return folder / f"game-{seed}.json"


def kept_file(table: BotTable, number: int, seed: int, limit: GameLimit) -> tuple[Record, bytes]:
    """Play a game as `kept_game` does; return its record and the content of the file of its replay."""
    record, replay = kept_game(table, number, seed, limit)
    return record, encoded(replay)
