"""Remarks of a game to the people at the table, told where seats are listed or taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warchest.game.game import Game

SEATS, TEAMS = "seats", "teams"
"""What a remark is about: taking a seat, or players who share a team."""


def remarks_for(game: Game, teams: Sequence[str]) -> dict[str, str]:
    """Return what a game says to people, by what it is about; `teams` has the team of each seat, if these are known."""
    about = [SEATS] if teams and len(set(teams)) == len(teams) else [SEATS, TEAMS]
    told: Mapping[str, Any] = game.document.values.get("remarks", {})
    return {key: f"{told[key]['says'].rstrip('.')} ({told[key]['source']})." for key in about if key in told}
