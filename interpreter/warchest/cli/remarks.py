"""Remarks of a game to the people at the table, told where seats are listed or taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warchest.game.game import Game

SEATS, TEAMS = "seats", "teams"
"""The topics of remarks: taking a seat, and players who share a team."""


def remarks_for(game: Game, teams: Sequence[str]) -> dict[str, str]:
    """Return a game's remarks to people, by topic; `teams` has the team of each seat, if these are known."""
    about = [SEATS] if teams and len(set(teams)) == len(teams) else [SEATS, TEAMS]
    told: Mapping[str, Any] = game.document.values.get("remarks", {})
    return {key: f"{told[key]['says'].rstrip('.')} ({told[key]['source']})." for key in about if key in told}
