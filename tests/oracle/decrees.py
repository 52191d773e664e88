"""Nobility's decrees: proclaiming, the seven decrees, and the Herald who acts afterwards."""

from collections.abc import Callable

from .attacks import after_attack, normal_targets, strike
from .maneuvers import after_maneuver, granted_attack, granted_move, maneuver, recruit
from .moves import States, bolstered_from_supply, deploy, draws
from .state import (
    TEAM_OF,
    TEAMS,
    Decree,
    State,
    Unit,
    board,
    controlled,
    friends,
    give,
    lose_coin,
    own_units,
    side,
    take,
    team_units,
    unit_at,
    unit_by_id,
)


def proclaim(state: State, player: str, sealing: bool = True) -> States:
    """Carry out a face-up decree in full; with a seal only one that lacks the team's seal."""
    team = TEAM_OF[player]
    for decree in state.decrees:
        if sealing and team in decree.seals:
            continue
        start = _sealed(state, decree, team) if sealing else state
        for done in DECREES[decree.name](start, player):
            yield from _after_proclaim(done, player)


def _sealed(state: State, decree: Decree, team: str) -> State:
    """`state` with one more seal on that decree."""
    seals = tuple(t for t in TEAMS if t == team or t in decree.seals)
    decrees = (decree._replace(seals=seals) if d == decree else d for d in state.decrees)
    return state._replace(decrees=tuple(decrees))


def _after_proclaim(state: State, player: str) -> States:
    """The proclaimer's Herald, if it is on the board by now, may maneuver or use its tactic."""
    yield state
    if state.over:
        return
    for herald in own_units(state, player, "Herald"):
        yield from maneuver(state, herald.uid)
        yield from herald_tactic(state, herald)


def herald_tactic(state: State, unit: Unit) -> States:
    """Bolster an adjacent friendly stack of one with a coin from its owner's supply."""
    for space in board(state).neighbours[unit.at]:
        friend = unit_at(state, space)
        if friend is None or not friends(friend.owner, unit.owner) or friend.coins != 1:
            continue
        if friend.kind in side(state, friend.owner).supply:
            yield bolstered_from_supply(state, friend)


# --- the seven decrees ------------------------------------------------------------------------


def _enlist(state: State, player: str) -> States:
    """Recruit twice, for which two coins must be there; a Mercenary acts after each."""
    if len(side(state, player).supply) < 2:
        return
    for once in recruit(state, player):
        if once.over:
            yield once
        else:
            yield from recruit(once, player)


def _guard(state: State, player: str) -> States:
    """A friendly unit on a location of the team attacks normally."""
    for unit in team_units(state, player):
        if unit.at in controlled(state, player):
            yield from granted_attack(state, unit.uid)


def _march(state: State, player: str) -> States:
    """A friendly bolstered unit makes a normal step."""
    for unit in team_units(state, player):
        if unit.coins >= 2:
            yield from granted_move(state, unit.uid)


def _redeploy(state: State, player: str) -> States:
    """An own stack leaves the board and is deployed again, with all its coins."""
    for unit in own_units(state, player):
        removed = state._replace(units=tuple(u for u in state.units if u.uid != unit.uid))
        yield from deploy(removed, unit)


def _reinforce(state: State, player: str) -> States:
    """One of the own coins out of play goes to the supply."""
    for coin in set(side(state, player).box):
        yield give(take(state, player, "box", coin), player, "supply", coin)


def _sacrifice(state: State, player: str) -> States:
    """A friendly unit attacks and loses a coin; only then do its attributes fire."""
    for unit in team_units(state, player):
        for space in normal_targets(state, unit.uid):
            for struck in strike(state, unit.uid, space):
                attacker = unit_by_id(struck, unit.uid)
                paid = struck if attacker is None else lose_coin(struck, attacker)
                for after in after_attack(paid, unit.uid):
                    yield from after_maneuver(after, unit.uid)


def _spy(state: State, player: str) -> States:
    """See an enemy hand that is not empty; at will they discard a coin and draw another."""
    for foe in state.players:
        if friends(foe, player) or not side(state, foe).hand:
            continue
        yield state
        for coin in set(side(state, foe).hand):
            discarded = give(take(state, foe, "hand", coin), foe, "down", coin)
            yield from (drawn for _, drawn in draws(discarded, foe))


DECREES: dict[str, Callable[[State, str], States]] = {
    "Enlist": _enlist,
    "Guard": _guard,
    "March": _march,
    "Redeploy": _redeploy,
    "Reinforce": _reinforce,
    "Sacrifice": _sacrifice,
    "Spy": _spy,
}
