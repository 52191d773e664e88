"""Games between bots as columns are the games that a table plays one by one."""

from __future__ import annotations

import re
from itertools import pairwise
from math import isnan
from typing import Any

import numpy as np
import pytest

from loaded import load_once
from warchest.game.errors import OptionError, PositionError
from warchest.testing import Contests, contests
from warchest.testing.bot_games import BotTable, GameLimit
from warchest.testing.contest_columns import UNDECIDED
from warchest.testing.game_records import Record, is_won

SEEDS = (7, 0, 2**32 + 5, 3, 10**30, 2**32 - 1, 0)


def as_rows(found: Contests) -> list[tuple[Any, ...]]:
    """The games of columns, each with all its values."""
    seats = list(found.bots)
    columns = (found.seeds, found.winners, found.decisions, found.rounds, found.turns)
    named = [*(found.bots[seat] for seat in seats), *(found.armies[seat] for seat in seats)]
    return list(zip(*columns, *named, strict=True))


def as_row(record: Record, table: BotTable) -> tuple[Any, ...]:
    """The same of a record."""
    seats = table.beginning.variant.board.seats
    teams = list(dict.fromkeys(seat.team for seat in seats))
    won = [teams.index(seat.team) for seat in seats if is_won(seat, record.winners)]
    winner = won[0] if won else -1 if record.winners is not None else UNDECIDED
    armies = [record.armies.get(seat.name, ()) for seat in seats]
    counts = (record.decisions, record.rounds, record.turns)
    return (record.seed, winner, *counts, *(record.bots[seat.name] for seat in seats), *armies)


@pytest.mark.parametrize(("setup", "bots"), [("Random armies", "policy-c,random"), ("Four players random", "policy-c")])
def test_columns_hold_the_games_that_are_played_one_by_one(setup: str, bots: str) -> None:
    game, limit = load_once("war-chest"), GameLimit(150)
    table = BotTable(game, game.beginning(setup=setup), bots.split(","))
    expected = [as_row(table.play(number, seed, limit), table) for number, seed in enumerate(SEEDS)]
    assert as_rows(contests(game, SEEDS, bots, cap=150, setup=setup)) == expected


def test_columns_are_arrays_and_a_table() -> None:
    found = contests(load_once("war-chest"), range(20))
    assert np.shares_memory(np.asarray(found.turns), np.frombuffer(found.turns, dtype=np.int32))
    table = found.arrow()
    assert table.column_names[:5] == ["seed", "winner", "decisions", "rounds", "turns"]
    assert table["turns"].to_pylist() == found.turns.tolist() and len(found) == table.num_rows == 20
    shares = {team: found.share(team) for team in found.teams}
    assert sum(shares.values()) == pytest.approx(1) and all(share > 0 for share in shares.values())
    assert {len(army) for armies in found.armies.values() for army in armies} == {4}
    assert all(one < other for one, other in pairwise(found.seeds))


def test_no_games_give_no_share() -> None:
    found = contests(load_once("war-chest"), ())
    assert len(found) == 0 and isnan(found.share("raven"))


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"seeds": 1000}, PositionError, "seeds: whole numbers are needed, such as range(1000), not 1000"),
        ({"seeds": ["a"]}, PositionError, "seeds: a whole number is needed, not 'a'"),
        ({"bots": "nobody"}, OptionError, "there is no bot 'nobody'"),
        ({"bots": []}, OptionError, "bots: name at least one"),
        ({"cap": 0}, OptionError, "cap: a whole number from 1 on is needed, not 0"),
        ({"turns": "9"}, OptionError, "turns: a whole number from 1 on is needed, not '9'"),
        ({"setup": "Nowhere"}, PositionError, "setup: there is no setup 'Nowhere'"),
    ],
)
def test_impossible_arguments_are_refused(given: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=re.escape(said)):
        contests(load_once("war-chest"), **{"seeds": [1], **given})


def test_a_team_that_is_not_there_has_no_share() -> None:
    with pytest.raises(OptionError, match="there is no team 'lions'; there are: raven, wolf"):
        contests(load_once("war-chest"), ()).share("lions")
