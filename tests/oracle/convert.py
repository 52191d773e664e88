"""From contract positions to states and back."""

from collections.abc import Mapping
from typing import Any

from .board import BOARDS
from .state import (
    ALL_COUNTS,
    DECREE_NAMES,
    FORTS,
    FOUR_PLAYERS,
    PLAYERS,
    ROYAL,
    TEAMS,
    Decree,
    Position,
    Side,
    State,
    Unit,
    settle,
    side,
)

ZONES = ("hand", "bag", "discard", "supply", "box", "armies")


def _players(position: Mapping[str, Any]) -> tuple[str, ...]:
    """Two players, or four if a player other than the first two is mentioned."""
    named = {position.get("to_act"), position.get("initiative")}
    named.update(key for zone in ZONES for key in position.get(zone) or ())
    named.update(u["owner"] for u in position.get("units") or ())
    return FOUR_PLAYERS if named & {"raven2", "wolf2"} else PLAYERS


def _read_side(position: Mapping[str, Any], player: str) -> Side:
    """One player's part of a position mapping."""

    def coins(value: Any) -> tuple[str, ...]:
        return tuple(sorted((value or {}).get(player) or ()))

    discard = (position.get("discard") or {}).get(player) or {}
    new = Side(
        hand=coins(position.get("hand")),
        bag=coins(position.get("bag")),
        up=tuple(sorted(discard.get("up") or ())),
        down=tuple(sorted(discard.get("down") or ())),
        supply=coins(position.get("supply")),
        box=coins(position.get("box")),
        army=coins(position.get("armies")),
    )
    if not new.army:
        zones = new.hand + new.bag + new.up + new.down + new.supply + new.box
        stacks = [u["unit"] for u in position.get("units") or () if u["owner"] == player]
        new = new._replace(army=tuple(sorted({*zones, *stacks} - {ROYAL})))
    return new


def _read_decrees(position: Mapping[str, Any]) -> tuple[Decree, ...]:
    """The face-up decrees by name, their seals in turn order."""
    return tuple(
        sorted(
            Decree(d["name"], tuple(t for t in TEAMS if t in (d.get("seals") or ())))
            for d in position.get("decrees") or ()
        )
    )


def _check(state: State) -> None:
    """Refuse input that is plainly no position."""
    table = BOARDS[len(state.players)]
    places = [u.at for u in state.units]
    if set(places) - set(table.spaces) or len(places) != len(set(places)):
        raise ValueError(f"units: two in one space, or off the board: {sorted(places)}")
    raven, wolf = state.control
    if not raven | wolf <= table.locations or raven & wolf:
        raise ValueError("control: not a location, or controlled twice")
    coins = {u.kind for u in state.units}
    coins.update(c for p in state.players for zone in side(state, p) for c in zone)
    if unknown := coins - set(ALL_COUNTS) - {ROYAL}:
        raise ValueError(f"unknown coins: {sorted(unknown)}")
    if not state.forts <= table.locations or len(state.forts) + state.fort_supply > FORTS:
        raise ValueError("forts: not on a location, or more than seven")
    if unknown := {d.name for d in state.decrees} - set(DECREE_NAMES):
        raise ValueError(f"unknown decrees: {sorted(unknown)}")


def from_position(position: Mapping[str, Any]) -> State:
    """The state of a contract position (between two coins)."""
    if position.get("pending"):
        raise ValueError("the oracle takes positions between two coins only")
    players = _players(position)
    units = tuple(
        Unit(n, u["at"], u["unit"], u["owner"], int(u.get("coins", 1)))
        for n, u in enumerate(position.get("units") or ())
    )
    control = position.get("control") or {}
    raven, wolf = (frozenset(control.get(team) or ()) for team in TEAMS)
    state = State(
        players=players,
        to_act=position.get("to_act", ""),
        initiative=position["initiative"],
        initiative_moved=bool(position.get("initiative_moved", False)),
        sides=tuple(_read_side(position, p) for p in players),
        control=(raven, wolf),
        units=units,
        next_uid=len(units),
        decrees=_read_decrees(position),
        forts=frozenset(position.get("forts") or ()),
        fort_supply=int(position.get("fort_supply") or 0),
        royal_guard=(position.get("options") or {}).get("royal_guard", "original"),
        over="winner" in position,
        winner=position.get("winner"),
    )
    if not state.over and state.to_act not in players:
        raise ValueError("to_act: nobody who plays")
    _check(state)
    return settle(state)


def to_position(state: State) -> Position:
    """The canonical mapping of a state between two coins; every key is written."""
    head: Position = {"game": "war-chest"}
    if state.over:
        head["winner"] = state.winner
    else:
        head["to_act"] = state.to_act
    sides = dict(zip(state.players, state.sides, strict=True))
    return head | {
        "initiative": state.initiative,
        "initiative_moved": state.initiative_moved,
        "control": {t: sorted(held) for t, held in zip(TEAMS, state.control, strict=True)},
        "units": [
            {"at": u.at, "unit": u.kind, "owner": u.owner, "coins": u.coins}
            for u in sorted(state.units, key=lambda u: u.at)
        ],
        "hand": {p: sorted(s.hand) for p, s in sides.items()},
        "bag": {p: sorted(s.bag) for p, s in sides.items()},
        "discard": {p: {"up": sorted(s.up), "down": sorted(s.down)} for p, s in sides.items()},
        "supply": {p: sorted(s.supply) for p, s in sides.items()},
        "box": {p: sorted(s.box) for p, s in sides.items()},
        "armies": {p: sorted(s.army) for p, s in sides.items()},
        "decrees": [{"name": d.name, "seals": list(d.seals)} for d in sorted(state.decrees)],
        "forts": sorted(state.forts),
        "fort_supply": state.fort_supply,
        "options": {"royal_guard": state.royal_guard},
    }
